#include "run/run_output.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"
#include "run/field_ranges.hpp"

namespace solenoid {
namespace {

PictureSettings viewed_in(const Run& run, const std::string& field) {
    if (!run.settings.pictures.empty()) return run.settings.pictures.front();
    PictureSettings settings;
    settings.field = field;
    return settings;
}

std::optional<Viewer> opened_viewer(Run& run, const PictureSettings& settings) {
    if (!run.options.view) return std::nullopt;
    return std::optional<Viewer>(std::in_place, run.comm, run.mesh, settings,
                                 "solenoid: " + run.settings.name);
}

}  // namespace

RunOutput::RunOutput(Run& run, const std::string& viewed)
    : run_(run),
      viewed_(viewed_in(run, viewed)),
      viewer_(opened_viewer(run, viewed_)),
      folder_(*run.folder),
      monitors_(run.comm, run.mesh, run.settings.placed_monitors(), folder_.monitors()),
      pictures_(run.comm, run.mesh, run.settings.pictures, folder_.path()) {
    if (run.settings.output.vtk)
        vtk_.emplace(run.comm, run.mesh, folder_.path(), run.settings.name);
    run.summary.status = "running";
    for (const PictureSettings& picture : run.settings.pictures)
        run.summary.pictures.push_back(picture.name);
    folder_.at_begin([this] {
        write_or_note(folder_.summary(), [&] { write_summary(folder_.summary(), run_.summary); });
        write_or_note(folder_.case_copy(),
                      [&] { write_atomically(folder_.case_copy(), run_.as_run); });
    });
}

CsvSeries RunOutput::series(const std::string& name, std::vector<std::string> columns) const {
    return CsvSeries(run_.comm, folder_.monitors() / (name + ".csv"), std::move(columns),
                     [&folder = folder_] { folder.begin(); });
}

// The time shown with a picture; absent for a steady field.
std::optional<double> RunOutput::shown(double time) const {
    return run_.settings.time.steady ? std::nullopt : std::optional(time);
}

void RunOutput::write(std::int64_t step, const RunState& state, bool final) {
    Stopwatch watch;
    if (final) run_.summary.ranges = field_ranges(run_.comm, run_.mesh, state);
    folder_.begin();
    if (vtk_) write_vtk(step, state);
    monitors_.record(state.time, state.monitored);
    for (const PicturedField& field : state.pictured)
        pictures_.draw(field.name, field.node_values, shown(state.time), final);
    run_.summary.seconds.output += watch.seconds();
}

// Tries again, then goes on without the state.
void RunOutput::write_vtk(std::int64_t step, const RunState& state) {
    std::vector<double> pauses = pauses_of_trials();
    pauses.resize(
        static_cast<std::size_t>(run_.comm.max(run_.comm.is_root() ? double(pauses.size()) : 0)));
    std::string failure;
    for (const double pause : pauses) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        failure = vtk_->write(state.time, step, state.points, state.cells);
        if (failure.empty()) break;
    }
    if (run_.comm.is_root()) note_written(vtk_->file_of(step), failure);
}

bool RunOutput::wants_states() const {
    return vtk_ || !run_.settings.monitors.empty() || !run_.settings.pictures.empty();
}

bool RunOutput::wants_picture_of(const std::string& field) const {
    return std::ranges::any_of(run_.settings.pictures,
                               [&](const auto& p) { return p.field == field; });
}

void RunOutput::view(std::span<const double> node_values, double time) {
    if (viewer_) viewer_->update(node_values, shown(time));
}

void RunOutput::keep_view_open() {
    if (viewer_) viewer_->wait();
}

std::string RunOutput::conclude(const std::function<std::string()>& compute,
                                const std::function<void()>& add_totals) {
    std::string status;
    try {
        status = compute();
    } catch (const AgreedError& error) {  // results written earlier remain
        add_totals();
        finish_early(error);
        throw;
    }
    add_totals();
    finish(status);
    return status;
}

void RunOutput::report_ranges() const {
    for (const FieldRange& range : run_.summary.ranges)
        log::info("{:8} {:<15} {:.6g} to {:.6g}",
                  &range == &run_.summary.ranges.front() ? "ranges" : "", range.name, range.low,
                  range.high);
}

void RunOutput::report(const std::string& status) const {
    log::info("{}  {:.2f} s, results in {}", status == "done" ? "done   " : "stopped",
              run_.summary.seconds.total, folder_.path().string());
}

void RunOutput::finish(const std::string& status) {
    Summary& summary = run_.summary;
    if (summary.steps > 0 || status == "done") folder_.keep();
    if (folder_.has_earlier_results()) {  // they come back
        if (status == "stopped")
            log::warning("{}: stopped before a step ended: the earlier results stay",
                         folder_.path().string());
        return;
    }
    folder_.begin();
    summary.status = status;
    const Traffic traffic = run_.comm.traffic();
    summary.exchanges = traffic.exchanges;
    summary.sums = traffic.sums;
    summary.halo_bytes = run_.comm.sum(traffic.bytes);
    summary.memory_bytes = run_.comm.sum(static_cast<std::int64_t>(peak_resident_bytes()));
    summary.seconds.total = run_.total.seconds();
    run_.comm.agree([&] {
        if (!run_.comm.is_root()) return;
        write_or_note(folder_.summary(), [&] { write_summary(folder_.summary(), summary); });
    });
}

void RunOutput::finish_early(const AgreedError& error) {
    set_stop_patience(HUGE_VAL);
    try {
        finish(error.exit_code() == stopped_exit_code ? "stopped" : "failed");
    } catch (const AgreedError&) {  // for example a full disk
    }
}

}  // namespace solenoid
