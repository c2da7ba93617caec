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
#include "run/run_summary.hpp"
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
    return std::optional<Viewer>(std::in_place, run.comm, run.topology(), settings,
                                 "solenoid: " + run.settings.name);
}

}  // namespace

RunOutput::RunOutput(Run& run)
    : run_(run),
      opening_(std::in_place, run.phases, &PhaseSeconds::output),
      viewed_(viewed_in(run)),
      viewer_(opened_viewer(run, viewed_)),
      folder_(*run.folder),
      triggers_(run.settings.triggers),
      states_(run.settings.output, run.settings.time, false, &triggers_),
      pictures_(run.comm, run.topology(), run.settings.pictures, folder_.path()) {
    if (run.settings.output.vtk)
        vtk_.emplace(run.comm, run.topology(), folder_.path(), run.settings.name);
    for (const PictureSettings& picture : run.settings.pictures)
        pictures_when_.emplace_back(picture.when, run.settings.time, false, &triggers_);
    pictures_step_.assign(pictures_when_.size(), -1);
    run.summary.status = "running";
    for (const PictureSettings& picture : run.settings.pictures)
        run.summary.pictures.push_back(picture.name);
    folder_.at_begin([&run] {  // also where the run ends without this
        const OutputFolder& folder = *run.folder;
        write_or_note(folder.summary(), [&] { write_summary(folder.summary(), run.summary); });
        write_or_note(folder.case_copy(),
                      [&] { write_atomically(folder.case_copy(), run.as_run); });
    });
    opening_.reset();
}

void RunOutput::open(Simulation& simulation) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    simulation_ = &simulation;
    for (const PictureSettings& picture : run_.settings.pictures)
        for (const std::string& name : {picture.field, picture.height_of})
            if (!name.empty()) check_field(run_.comm, simulation.quantities(), name, picture.place);
    MonitorParts parts{run_, simulation, *this};
    static const WhenSettings always;
    for (auto& table : simulation.tables(parts)) add(std::move(table), always);
    const std::vector<MonitorKind> kinds = run_.settings.physics->monitor_kinds();
    for (const MonitorSettings& m : run_.settings.monitors) {
        add(kind_of(kinds, m.type).make(m, parts), m.when);
        if (run_.settings.average)
            monitors_.back().averages.emplace(run_.comm, run_.settings,
                                              folder_.monitors() / (m.name + "_average.csv"));
    }
    run_.comm.agree([&] {
        for (const Recorded& m : monitors_)
            if (!m.monitor->columns().empty())
                triggers_.check(m.monitor->table(), m.monitor->columns());
    });
    if (!run_.settings.average) return;
    for (const std::string& field : run_.settings.average->fields)
        check_field(run_.comm, simulation.quantities(), field, run_.settings.average->place);
    averages_.emplace(run_.settings, simulation.quantities());
}

void RunOutput::add(std::unique_ptr<Monitor> monitor, const WhenSettings& when) {
    const bool is_each_step = monitor->is_each_step();
    monitors_.push_back({std::move(monitor),
                         When(when, run_.settings.time, is_each_step, &triggers_),
                         !when.has_frequency() && !is_each_step,
                         {}});
}

CsvSeries RunOutput::series(const std::string& name, std::vector<std::string> columns) {
    return series_
        .emplace_back(name, CsvSeries(run_.comm, folder_.monitors() / (name + ".csv"),
                                      std::move(columns), [&folder = folder_] { folder.begin(); }))
        .second;
}

void RunOutput::begin_folder() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::output);
    folder_.begin();
}

void RunOutput::flush_tables() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
    for (auto& [name, series] : series_) series.flush();
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
    begin_folder();
    sample_fields(now);
    const bool states = states_.is_open(now.time);
    append_monitors(now, Event::start, states);
    flush_tables();
    if (vtk_ && states) write_state(now);
    if (states) state_step_ = now.step;
    draw_pictures(now, Event::start, states);
}

void RunOutput::record(const Moment& now, bool is_last) {
    wall_ = now.wall;
    sample_fields(now);
    const bool states = states_.is_due(now) && !is_last;
    append_monitors(now, Event::step, states);
    if (states) write_with_tables(now);
    if (!is_last) draw_pictures(now, Event::step, states);
}

void RunOutput::record_rest(const Moment& now) {
    const bool states = states_.is_due(now);
    append_monitors(now, Event::step, states);
    if (states) write_with_tables(now);
    draw_pictures(now, Event::step, states);
}

void RunOutput::record_asked(const Moment& now, bool states) {
    states |= states_.is_triggered(now.time);
    states &= state_step_ != now.step;
    append_monitors(now, Event::asked, states);
    if (states) write_with_tables(now);
    draw_pictures(now, Event::asked, states);
}

void RunOutput::write_with_tables(const Moment& now) {
    flush_tables();
    write_averages();
    if (vtk_) write_state(now);
    state_step_ = now.step;
}

void RunOutput::finish(const Moment& now) {
    {
        const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
        simulation_->conclude(run_.summary);
        for (Recorded& m : monitors_) m.monitor->conclude(run_.summary);
    }
    find_ranges(now.time);
    begin_folder();
    const bool states = states_.is_open(now.time);
    if (vtk_ && states) write_state(now);
    append_monitors(now, Event::end, states);
    flush_tables();
    write_averages();
    draw_pictures(now, Event::end, states);
    pictures_.make_videos();
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
        else if (event == Event::asked)
            is_due = m.when.is_triggered(now.time);
        // without a step there is nothing that a monitor of steps could tell
        if (event == Event::end && now.step == 0 && !run_.settings.time.steady) is_due = false;
        if (!is_due || m.step == now.step) continue;
        m.monitor->append(now);
        note_row(m, m.step < 0);
        m.step = now.step;
    }
}

// The last row, for averages and triggers.
void RunOutput::note_row(Recorded& m, bool is_first) {
    const std::vector<std::string> columns = m.monitor->columns();
    if (columns.empty()) return;
    const CsvRow row = m.monitor->last_row();
    if (m.averages) m.averages->add(columns, row);
    if (triggers_.is_empty()) return;
    if (is_first) run_.comm.agree([&] { triggers_.check(m.monitor->table(), columns); });
    triggers_.note(m.monitor->table(), columns, row);
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
        bool due = when.is_open(now.time);
        if (!run_.settings.pictures[i].when.has_frequency())
            due &= with_states;
        else if (event == Event::step ||
                 (event == Event::end && run_.settings.pictures[i].frames_per_second))
            due = when.is_due(now) && pictures_step_[i] != now.step;  // once a step
        else if (event == Event::asked)
            due = when.is_triggered(now.time) && pictures_step_[i] != now.step;
        if (due) pictures_step_[i] = now.step;
        is_due.push_back(due);
    }
    if (std::ranges::find(is_due, true) == is_due.end()) return;
    pictures_.draw(
        is_due, [this](const std::string& field) { return simulation_->quantities().drawn(field); },
        shown(now.time), event == Event::end, simulation_->markers());
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
    run_.summary.ranges = field_ranges(run_.comm, run_.topology(), points, cells, time);
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

// ---- state

// Bounds of what a saved state may say; numbers up to the first are whole in doubles.
constexpr double largest_whole = 9e15, most_parts = 2e9;

// The step and the part of an interval of wall-clock time that has passed.
void RunOutput::register_when(const OptionalState& state, const std::string& name,
                              std::int64_t& step, When& when) {
    using Numbers = std::vector<double>;
    state.add(
        name, [] { return true; },
        [this, &step, &when] {
            return Numbers{static_cast<double>(step),
                           when.needs_wall_clock() ? when.waited(wall_) : 0};
        },
        [&step, &when](const std::optional<Numbers>& numbers) {
            step = numbers ? static_cast<std::int64_t>((*numbers)[0]) : -1;
            when.set_waited(numbers ? (*numbers)[1] : 0, 0);
        },
        2, {-1, largest_whole});
}

void RunOutput::register_state(const StateValues& values) {
    const OptionalState state(values);
    register_when(state, "states", state_step_, states_);
    if (vtk_) vtk_->register_state(state.part("vtk"));
    const auto of_table = [&](const std::string& name) {
        const bool is_of_case =
            std::ranges::find(run_.settings.monitors, name, &MonitorSettings::name) !=
            run_.settings.monitors.end();
        return state.owned_by(is_of_case ? "[[monitor]]" : "the table", name);
    };
    for (const auto& [name, series] : series_)
        series.register_state(of_table(name).part("tables"), name);
    for (Recorded& m : monitors_) {
        const std::string name = m.monitor->table();
        const OptionalState all = of_table(name);
        register_when(all.part("monitors"), name, m.step, m.when);
        m.monitor->register_state(all.part("monitors").part(name));
        if (m.averages) m.averages->register_state(all.part("averages/tables").part(name));
    }
    if (averages_)
        averages_->register_state(state.part("averages/fields"), run_.comm, run_.topology());
    for (std::size_t i = 0; i < pictures_when_.size(); ++i)
        register_when(
            state.owned_by("[[picture]]", run_.settings.pictures[i].name).part("pictures"),
            run_.settings.pictures[i].name, pictures_step_[i], pictures_when_[i]);
    pictures_.register_state(state.part("pictures/next"));
    using Numbers = std::vector<double>;
    state.add(
        "parts", [] { return true; },
        [this] {
            const EarlierParts before = run_.summary.earlier.value_or(EarlierParts());
            return Numbers{before.count + 1.0, before.seconds + run_.total.seconds()};
        },
        [this](const std::optional<Numbers>& numbers) {
            EarlierParts& earlier = run_.summary.earlier.emplace();
            if (!numbers) return;
            earlier.count = static_cast<int>((*numbers)[0]);
            earlier.seconds = (*numbers)[1];
        },
        2, {0, most_parts});
    state.add(
        "repeated_steps", [] { return true; },
        [this] { return Numbers{static_cast<double>(run_.summary.repeated_steps)}; },
        [this](const std::optional<Numbers>& number) {
            run_.summary.repeated_steps = number ? static_cast<std::int64_t>(number->front()) : 0;
        },
        1, {0, largest_whole});
    state.remade([this] { simulation_->quantities().state_changed(); });
}

void RunOutput::resume(const Moment& now) {
    wall_ = now.wall;
    Summary& summary = run_.summary;
    if (!summary.earlier) summary.earlier.emplace();
    summary.earlier->steps = summary.steps = now.step;
    summary.earlier->time = summary.time = now.time;
    begin_folder();
    flush_tables();
    for (Recorded& m : monitors_) {
        m.monitor->resume();
        if (m.averages) m.averages->resume();
    }
    if (vtk_) vtk_->resume();
    pictures_.resume();
}

// ---- the window

void RunOutput::view(double time) {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::view);
    if (!viewer_) return;
    Quantities& all = simulation_->quantities();
    viewer_->update(all.drawn(viewed_.field),
                    all.drawn(viewed_.height_of.empty() ? viewed_.field : viewed_.height_of),
                    shown(time), simulation_->markers());
}

ViewRequests RunOutput::view_requests() {
    const PhaseClock::In phase(run_.phases, &PhaseSeconds::view);
    return viewer_ ? viewer_->requests() : ViewRequests();
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
    finish_summary(run_, status);
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

void RunOutput::finish_early(const AgreedError& error) {
    set_stop_patience(HUGE_VAL);
    try {
        flush_tables();
    } catch (const AgreedError&) {  // likewise
    }
    finish_summary(run_, error);
}

}  // namespace solenoid
