// The results of a run: tables and monitors, states for ParaView, pictures, the window, the
// summary. Each is recorded when it is due (run/when.hpp).
#pragma once

#include <functional>
#include <optional>

#include "core/optional_state.hpp"
#include "io/files/csv_series.hpp"
#include "io/files/output_folder.hpp"
#include "io/vtk/vtk_output.hpp"
#include "run/averages.hpp"
#include "run/monitor.hpp"
#include "run/run.hpp"
#include "view/picture.hpp"
#include "view/viewer.hpp"

namespace solenoid {

class RunOutput {
  public:
    // Writes into run.folder, nothing yet. Collective, as all below.
    explicit RunOutput(Run& run);

    // Makes the tables of the simulation and the monitors of the case. The simulation must outlive
    // this. Call it before all below.
    void open(Simulation& simulation);
    // An additional table, monitors/NAME.csv.
    CsvSeries series(const std::string& name, std::vector<std::string> columns);
    std::filesystem::path monitors_folder() const { return folder_.monitors(); }

    // Records the state before the first step; after a step what is due (is_last: states and what
    // goes with them only in finish()); and the last state, with its ranges in the summary.
    void start(const Moment& now);
    void record(const Moment& now, bool is_last);
    // Between two steps: records what has a trigger that acts; states: also the present state, as
    // at a time of output. Nothing that the step has recorded already.
    void record_asked(const Moment& now, bool states);
    // Of a run that goes on with a step that was the last one when it was recorded: what record()
    // left to finish() then.
    void record_rest(const Moment& now);
    void finish(const Moment& now);

    // All that is written, and what decides when something is next. Call it behind open(); save
    // before finish(), which writes what a run that goes on does not. A saved state may lack what
    // the case has anew.
    void register_state(const StateValues& state);
    // In place of start() where a state was loaded: what is in the folder becomes what it was when
    // the state was saved, and further results are added.
    void resume(const Moment& now);

    // The next time at which a step must end [s]; infinite without one.
    double next_time(double time) const;
    bool needs_wall_clock() const;
    // Whether the state after this step was recorded, as at a time of output.
    bool has_state_of(std::int64_t step) const { return state_step_ == step; }
    // They see the rows of all tables.
    Triggers& triggers() { return triggers_; }

    bool is_viewed() const { return viewer_.has_value(); }
    void view(double time);  // shows the present state in the window
    // What mouse and keys ask of the run, of all ranks alike; in a pause comes after a moment.
    ViewRequests view_requests();
    void keep_view_open();

    // Runs `compute`, which returns the status, then `add_totals`, and writes the summary, also
    // where `compute` fails.
    std::string conclude(const std::function<std::string()>& compute,
                         const std::function<void()>& add_totals);
    // Prints the last line of the run.
    void report(const std::string& status) const;
    // Writes the summary of a run that failed or was stopped. Errors on the way are not reported,
    // since `error` is.
    void finish_early(const AgreedError& error);

  private:
    // A monitor with when it is due; steps: the last that it has recorded.
    struct Recorded {
        std::unique_ptr<Monitor> monitor;
        When when;
        bool goes_with_states;
        std::optional<TableAverages> averages;  // of its columns
        std::int64_t step = -1;
    };
    enum class Event { start, step, asked, end };

    void add(std::unique_ptr<Monitor> monitor, const WhenSettings& when);
    void begin_folder();
    void flush_tables();
    void sample_fields(const Moment& now);
    void write_averages();
    void append_monitors(const Moment& now, Event event, bool with_states);
    void draw_pictures(const Moment& now, Event event, bool with_states);
    void register_when(const OptionalState& state, const std::string& name, std::int64_t& step,
                       When& when);
    void note_row(Recorded& monitor, bool is_first);
    void write_with_tables(const Moment& now);
    void write_state(const Moment& now);
    void write_vtk(const Moment& now, const std::vector<PointField>& points,
                   const std::vector<CellField>& cells);
    void find_ranges(double time);
    bool wants_states() const;
    std::optional<double> shown(double time) const;

    Run& run_;
    std::optional<PhaseClock::In> opening_;  // during the constructor
    PictureSettings viewed_;
    std::optional<Viewer> viewer_;  // first: without a display no file is touched
    OutputFolder& folder_;
    Triggers triggers_;
    When states_;
    std::int64_t state_step_ = -1;  // the last whose state was recorded
    double wall_ = 0;               // wall-clock time of the last moment, where it counts [s]
    std::vector<std::pair<std::string, CsvSeries>> series_;  // all that were made, by name
    std::vector<Recorded> monitors_;                         // tables first
    Pictures pictures_;
    std::vector<When> pictures_when_;          // of each picture
    std::vector<std::int64_t> pictures_step_;  // the last drawn
    std::optional<VtkOutput> vtk_;
    Simulation* simulation_ = nullptr;
    std::optional<FieldAverages> averages_;
};

// Throws InputError at the place of a case that names a quantity on nodes where there is none, such
// as the pressure with rotational momentum. Collective.
void check_field(const Communicator& comm, const Quantities& quantities, const std::string& name,
                 const std::string& place);
// Prints the ranges of the summary.
void report_ranges(const Summary& summary);

}  // namespace solenoid
