#include "run/run_output.hpp"

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "core/version.hpp"
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

OutputFolder folder_of(const Run& run) {
    return {run.comm,
            run.options.output.empty() ? std::filesystem::path("out") / run.settings.name
                                       : run.options.output,
            run.settings.name};
}

// Completes the summary and writes it. Collective.
void finish(Run& run, const std::filesystem::path& file, const std::string& status) {
    Summary& summary = run.summary;
    summary.status = status;
    const Traffic traffic = run.comm.traffic();
    summary.exchanges = traffic.exchanges;
    summary.sums = traffic.sums;
    summary.halo_bytes = run.comm.sum(traffic.bytes);
    summary.memory_bytes = run.comm.sum(static_cast<std::int64_t>(peak_resident_bytes()));
    summary.seconds.total = run.total.seconds();
    run.comm.agree([&] {
        if (run.comm.is_root()) write_summary(file, summary);
    });
    run.has_summary = true;
}

void finish_stopped(Run& run, const std::filesystem::path& file) {
    run.summary.reason = name_of_signal(static_cast<int>(run.comm.max(stop_signal())));
    finish(run, file, "stopped");
}

}  // namespace

RunOutput::RunOutput(Run& run, const std::string& viewed)
    : run_(run),
      viewed_(viewed_in(run, viewed)),
      viewer_(opened_viewer(run, viewed_)),
      folder_(prepared(run)),
      monitors_(run.comm, run.mesh, run.settings.placed_monitors(), folder_.monitors(),
                run.triggers.get()),
      pictures_(run.comm, run.mesh, run.settings.pictures, folder_.path()) {
    if (run.settings.output.vtk)
        vtk_.emplace(run.comm, run.mesh, folder_.path(), run.settings.name);
}

OutputFolder RunOutput::prepared(Run& run) {
    OutputFolder folder = folder_of(run);
    folder.remove_old_results();
    run.folder = folder.path();
    if (!run.settings.triggers.empty())
        run.triggers = std::make_unique<TriggerWatch>(run.settings.triggers);
    return folder;
}

CsvSeries RunOutput::series(const std::string& name, std::vector<std::string> columns) const {
    return CsvSeries(run_.comm, folder_.monitors() / (name + ".csv"), std::move(columns),
                     run_.triggers.get());
}

// The time shown with a picture; absent for a steady field.
std::optional<double> RunOutput::shown(double time) const {
    return run_.settings.time.steady ? std::nullopt : std::optional(time);
}

void RunOutput::write(std::int64_t step, const RunState& state, bool final) {
    Stopwatch watch;
    if (final) run_.summary.ranges = field_ranges(run_.comm, run_.mesh, state);
    if (vtk_) vtk_->write(state.time, step, state.points, state.cells);
    monitors_.record(state.time, state.monitored);
    for (const PicturedField& field : state.pictured)
        pictures_.draw(field.name, field.node_values, shown(state.time), final);
    run_.summary.seconds.output += watch.seconds();
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
    finish(run_, folder_.summary(), status);
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

void RunOutput::finish_early(const AgreedError& error) {
    set_stop_patience(HUGE_VAL);
    try {
        if (error.exit_code() == stopped_exit_code)
            finish_stopped(run_, folder_.summary());
        else
            finish(run_, folder_.summary(), "failed");
    } catch (const AgreedError&) {  // for example a full disk
    }
}

void finish_without_output(Run& run) {
    set_stop_patience(HUGE_VAL);
    try {
        run.summary.case_name = run.settings.name;
        run.summary.version = version;
        run.summary.ranks = run.comm.size();
        const OutputFolder folder = folder_of(run);
        bool is_there = false;
        if (run.comm.is_root()) {
            std::error_code ignored;
            is_there = std::filesystem::exists(folder.summary(), ignored);
        }
        if (!run.comm.any(is_there)) finish_stopped(run, folder.summary());
    } catch (const AgreedError&) {
    }
}

}  // namespace solenoid
