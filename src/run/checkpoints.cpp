#include "run/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/version.hpp"
#include "io/checkpoint/partition_array.hpp"
#include "io/files/unwritten.hpp"
#include "run/restart.hpp"

namespace solenoid {
namespace {

// Between trials of one that fails again and again [s].
constexpr double rounding = 1e-9;  // of a time that follows from a number of steps
constexpr double first_pause = 5, longest_pause = 300;
// Before each trial at the end of a run [s].
constexpr std::array pauses_at_end{0.0, 0.2, 1.0, 5.0};

}  // namespace

Checkpoints::Checkpoints(Run& run, Simulation& simulation)
    : run_(run),
      simulation_(simulation),
      settings_(run.settings.checkpoint),
      when_(settings_, run.settings.time),
      folder_(run.comm, run.folder->checkpoints()) {}

bool Checkpoints::is_due_by_clock() const {
    if (settings_.keep == 0 || run_.summary.steps == last_step_) return false;
    const double since = run_.total.seconds() - last_at_;
    if (pause_ > 0) return since >= pause_;
    return settings_.wall_interval && since >= *settings_.wall_interval;
}

bool Checkpoints::is_due() {
    const std::int64_t step = run_.summary.steps;
    if (settings_.keep == 0 || step == last_step_ || pause_ > 0) return false;
    return when_.is_due(step, simulation_.time(), 0);
}

// ---- written

CheckpointHeader Checkpoints::header() const {
    const Topology& topology = run_.topology();
    CheckpointHeader header;
    header.version = version;
    header.physics = run_.settings.physics->name();
    header.precision = run_.options.precision;
    header.ranks = run_.comm.size();
    header.step = run_.summary.steps;
    header.time = simulation_.time();
    header.dimension = topology.dimension();
    for (const Kind kind : all_kinds)
        header.count[static_cast<std::size_t>(kind)] = topology.count(kind);
    header.mesh_hash = *mesh_hash_;
    describe_case(run_, header);
    return header;
}

// Returns why it does not stand.
std::string Checkpoints::tried() {
    if (!mesh_hash_) mesh_hash_ = run_.topology().hash(run_.comm);
    folder_.set_keep(settings_.keep);
    try {
        run_.folder->begin();
        folder_.write(header(), [&](const auto& write) {
            write(partition_array(run_.topology()));
            simulation_.state().save(write);
        });
        return "";
    } catch (const AgreedError& error) {
        if (error.exit_code() != 1) throw;
        return error.what();
    }
}

bool Checkpoints::write() {
    if (settings_.keep == 0) return false;
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::checkpoints);
    const Stopwatch watch;
    const std::string failure = tried();
    last_seconds_ = watch.seconds();
    last_at_ = run_.total.seconds();
    if (failure.empty()) {
        last_step_ = run_.summary.steps;
        pause_ = 0;
    } else {
        pause_ = std::clamp(2 * pause_, first_pause, longest_pause);
    }
    note(failure);
    return failure.empty();
}

bool Checkpoints::write_last() {
    if (settings_.keep == 0 || run_.summary.steps == 0) return false;
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::checkpoints);
    std::string failure;
    for (const double pause : pauses_at_end) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        failure = tried();
        if (failure.empty()) break;
    }
    note(failure);
    return failure.empty();
}

void Checkpoints::note(const std::string& failure) {
    if (!run_.comm.is_root()) return;
    const std::string which = fmt::format("the checkpoint of step {}", run_.summary.steps);
    note_written(folder_.path(), failure.empty() ? "" : which + ": " + failure, which);
    if (failure.empty())
        log::info("         checkpoint of step {}, t = {:.6g} s", run_.summary.steps,
                  simulation_.time());
}

// ---- loaded

void Checkpoints::load() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::checkpoints);
    const std::unique_ptr<CheckpointFile> file = std::move(run_.checkpoint);
    load_state(run_.comm, *file, simulation_.state());
    run_.comm.agree([&] {
        const CheckpointHeader& header = file->header();
        if (run_.summary.steps != header.step ||
            !(std::abs(simulation_.time() - header.time) <= rounding * std::abs(header.time)))
            throw InputError(
                file->file().string(),
                fmt::format("its header is of step {}, t = {:.6g} s, and its state of step {}, t = "
                            "{:.6g} s: remove the file to go on from the checkpoint before it, or "
                            "run the case anew",
                            header.step, header.time, run_.summary.steps, simulation_.time()));
    });
    run_.summary.time = simulation_.time();
    last_step_ = run_.summary.steps;
    last_at_ = run_.total.seconds();
    log::info("restart  from step {}, t = {:.6g} s ({})", run_.summary.steps, simulation_.time(),
              file->file().string());
}

}  // namespace solenoid
