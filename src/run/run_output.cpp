#include "run/run_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "case/condition_kinds.hpp"
#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"
#include "run/field_ranges.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

PictureSettings viewed_in(const Run& run) {
    if (!run.settings.pictures.empty()) return run.settings.pictures.front();
    PictureSettings settings;
    settings.field = picture_fields_of(run.settings).front();
    return settings;
}

std::optional<Viewer> opened_viewer(Run& run, const PictureSettings& settings) {
    if (!run.options.view) return std::nullopt;
    return std::optional<Viewer>(std::in_place, run.comm, run.mesh, settings,
                                 "solenoid: " + run.settings.name);
}

}  // namespace

RunOutput::RunOutput(Run& run)
    : run_(run),
      opening_(std::in_place, run.phases, &PhaseSeconds::output),
      viewed_(viewed_in(run)),
      viewer_(opened_viewer(run, viewed_)),
      folder_(*run.folder),
      states_(run.settings.output, false, &triggers_),
      pictures_(run.comm, run.mesh, run.settings.pictures, folder_.path()) {
    if (run.settings.output.vtk)
        vtk_.emplace(run.comm, run.mesh, folder_.path(), run.settings.name);
    for (const PictureSettings& picture : run.settings.pictures)
        pictures_when_.emplace_back(picture.when, false, &triggers_);
    run.summary.status = "running";
    for (const PictureSettings& picture : run.settings.pictures)
        run.summary.pictures.push_back(picture.name);
    folder_.at_begin([this] {
        write_or_note(folder_.summary(), [&] { write_summary(folder_.summary(), run_.summary); });
        write_or_note(folder_.case_copy(),
                      [&] { write_atomically(folder_.case_copy(), run_.as_run); });
    });
    opening_.reset();
}

void RunOutput::open(Simulation& simulation) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    simulation_ = &simulation;
    for (const PictureSettings& picture : run_.settings.pictures)
        check_field(run_.comm, simulation.quantities(), picture.field, picture.place);
    MonitorParts parts{run_, simulation, *this};
    for (auto& table : simulation.tables(parts)) add(std::move(table), {});
    const std::vector<MonitorKind> kinds = run_.settings.physics->monitor_kinds();
    for (const MonitorSettings& m : run_.settings.monitors) {
        add(kind_of(kinds, m.type).make(m, parts), m.when);
        if (run_.settings.average)
            monitors_.back().averages.emplace(run_.comm, *run_.settings.average,
                                              folder_.monitors() / (m.name + "_average.csv"));
    }
    if (!run_.settings.average) return;
    for (const std::string& field : run_.settings.average->fields)
        check_field(run_.comm, simulation.quantities(), field, run_.settings.average->place);
    averages_.emplace(*run_.settings.average, simulation.quantities());
}

void RunOutput::add(std::unique_ptr<Monitor> monitor, const WhenSettings& when) {
    const bool is_each_step = monitor->is_each_step();
    monitors_.push_back({std::move(monitor),
                         When(when, is_each_step, &triggers_),
                         !when.has_frequency() && !is_each_step,
                         {}});
}

CsvSeries RunOutput::series(const std::string& name, std::vector<std::string> columns) {
    return series_.emplace_back(run_.comm, folder_.monitors() / (name + ".csv"), std::move(columns),
                                [&folder = folder_] { folder.begin(); });
}

void RunOutput::flush_tables() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    for (CsvSeries& series : series_) series.flush();
}

// The time shown with a picture; absent for a steady field.
std::optional<double> RunOutput::shown(double time) const {
    return run_.settings.time.steady ? std::nullopt : std::optional(time);
}

void check_field(const Communicator& comm, const Quantities& quantities, const std::string& name,
                 const std::string& place) {
    comm.agree([&] {
        if (quantities.has(name)) return;
        std::vector<std::string> known;
        for (const QuantityInfo& info : quantities.list())
            if (info.of == QuantityInfo::Of::nodes) known.push_back(info.name);
        throw InputError(place,
                         fmt::format("the field \"{}\" does not exist with the keys of this case: "
                                     "take {}",
                                     name, listed(known)));
    });
}

// ---- what is due

void RunOutput::start(const Moment& now) {
    folder_.begin();
    sample_fields(now);
    const bool states = states_.is_open(now.time);
    append_monitors(now, Event::start, states);
    flush_tables();
    if (vtk_ && states) write_state(now);
    draw_pictures(now, Event::start, states);
}

void RunOutput::record(const Moment& now, bool is_last) {
    sample_fields(now);
    const bool states = states_.is_due(now) && !is_last;
    append_monitors(now, Event::step, states);
    if (states) {
        flush_tables();
        write_averages();
    }
    if (vtk_ && states) write_state(now);
    if (!is_last) draw_pictures(now, Event::step, states);
    triggers_.clear();
}

void RunOutput::finish(const Moment& now) {
    {
        const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
        simulation_->conclude(run_.summary);
        for (Recorded& m : monitors_) m.monitor->conclude(run_.summary);
    }
    find_ranges(now.time);
    folder_.begin();
    const bool states = states_.is_open(now.time);
    if (vtk_ && states) write_state(now);
    append_monitors(now, Event::end, states);
    flush_tables();
    write_averages();
    draw_pictures(now, Event::end, states);
}

void RunOutput::append_monitors(const Moment& now, Event event, bool with_states) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    for (Recorded& m : monitors_) {
        if (event == Event::start && !m.monitor->has_start()) continue;
        bool is_due = m.when.is_open(now.time);
        if (m.goes_with_states)
            is_due &= with_states;
        else if (event == Event::step)
            is_due = m.when.is_due(now);
        // without a step there is nothing that a monitor of steps could tell
        if (event == Event::end && now.step == 0 && !run_.settings.time.steady) is_due = false;
        if (!is_due || m.step == now.step) continue;
        m.monitor->append(now);
        m.step = now.step;
        if (m.averages && !m.monitor->columns().empty())
            m.averages->add(m.monitor->columns(), m.monitor->last_row());
    }
}

void RunOutput::sample_fields(const Moment& now) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    if (averages_) averages_->sample(now.time);
}

void RunOutput::write_averages() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    for (const Recorded& m : monitors_)
        if (m.averages) m.averages->write();
}

void RunOutput::draw_pictures(const Moment& now, Event event, bool with_states) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::pictures);
    std::vector<bool> is_due;
    for (std::size_t i = 0; i < pictures_when_.size(); ++i) {
        When& when = pictures_when_[i];
        if (!run_.settings.pictures[i].when.has_frequency())
            is_due.push_back(with_states && when.is_open(now.time));
        else
            is_due.push_back(event == Event::step ? when.is_due(now) : when.is_open(now.time));
    }
    pictures_.draw(
        is_due, [this](const std::string& field) { return simulation_->quantities().drawn(field); },
        shown(now.time), event == Event::end);
}

void RunOutput::write_state(const Moment& now) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::output);
    Quantities& all = simulation_->quantities();
    write_vtk(now, all.in_files(QuantityInfo::Of::nodes), all.in_files(QuantityInfo::Of::cells));
}

// Where no state is written, of the cells alone, where there are such.
void RunOutput::find_ranges(double time) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::output);
    Quantities& all = simulation_->quantities();
    const auto cells = all.in_files(QuantityInfo::Of::cells);
    std::vector<PointField> points;
    if (wants_states() || cells.empty()) points = all.in_files(QuantityInfo::Of::nodes);
    run_.summary.ranges = field_ranges(run_.comm, run_.mesh, points, cells, time);
}

// Tries again, then goes on without the state.
void RunOutput::write_vtk(const Moment& now, const std::vector<PointField>& points,
                          const std::vector<CellField>& cells) {
    std::vector<double> pauses = pauses_of_trials();
    pauses.resize(
        static_cast<std::size_t>(run_.comm.max(run_.comm.is_root() ? double(pauses.size()) : 0)));
    std::string failure;
    for (const double pause : pauses) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        failure = vtk_->write(now.time, now.step, points, cells);
        if (failure.empty()) break;
    }
    if (run_.comm.is_root()) note_written(vtk_->file_of(now.step), failure);
}

bool RunOutput::wants_states() const {
    return vtk_ || !run_.settings.monitors.empty() || !run_.settings.pictures.empty();
}

double RunOutput::next_time(double time) const {
    double next = states_.next_time(time);
    for (const Recorded& m : monitors_) next = std::min(next, m.when.next_time(time));
    for (const When& when : pictures_when_) next = std::min(next, when.next_time(time));
    if (averages_) next = std::min(next, averages_->window().next_time(time));
    return next;
}

bool RunOutput::needs_wall_clock() const {
    return states_.needs_wall_clock() ||
           std::ranges::any_of(monitors_,
                               [](const Recorded& m) { return m.when.needs_wall_clock(); }) ||
           std::ranges::any_of(pictures_when_, &When::needs_wall_clock);
}

// ---- the window

void RunOutput::view(double time) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::view);
    if (viewer_) viewer_->update(simulation_->quantities().drawn(viewed_.field), shown(time));
}

void RunOutput::keep_view_open() {
    if (viewer_) viewer_->wait();
}

// ---- the end

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
    write_summary_as(status);
    return status;
}

void report_ranges(const Summary& summary) {
    for (const FieldRange& range : summary.ranges)
        log::info("{:8} {:<15} {:.6g} to {:.6g}", &range == &summary.ranges.front() ? "ranges" : "",
                  range.name, range.low, range.high);
}

void RunOutput::report(const std::string& status) const {
    log::info("{}  {:.2f} s, results in {}", status == "done" ? "done   " : "stopped",
              run_.summary.seconds.total, folder_.path().string());
}

void RunOutput::write_summary_as(const std::string& status) {
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
    run_.phases.update();
    summary.seconds.total = run_.total.seconds();
    run_.comm.agree([&] {
        if (!run_.comm.is_root()) return;
        write_or_note(folder_.summary(), [&] { write_summary(folder_.summary(), summary); });
    });
}

void RunOutput::finish_early(const AgreedError& error) {
    set_stop_patience(HUGE_VAL);
    try {
        flush_tables();
    } catch (const AgreedError&) {  // likewise
    }
    try {
        write_summary_as(error.exit_code() == stopped_exit_code ? "stopped" : "failed");
    } catch (const AgreedError&) {  // for example a full disk
    }
}

}  // namespace solenoid
