// The results of a run: states for ParaView, monitors, pictures, the window, the summary.
#pragma once

#include <functional>
#include <optional>

#include "io/files/csv_series.hpp"
#include "io/files/output_folder.hpp"
#include "io/monitors/monitors.hpp"
#include "io/vtk/vtk_output.hpp"
#include "run/run.hpp"
#include "view/picture.hpp"
#include "view/viewer.hpp"

namespace solenoid {

struct PicturedField {
    std::string name;
    std::span<const double> node_values;
};

// The fields of one time.
struct RunState {
    double time = 0;
    std::vector<PointField> points;
    std::vector<CellField> cells;
    std::vector<NodeField> monitored;
    std::vector<PicturedField> pictured;
};

class RunOutput {
  public:
    // Writes into run.folder, nothing yet. viewed: the field in the window where the case has no
    // picture. Collective, as all below.
    RunOutput(Run& run, const std::string& viewed);

    // An additional table, monitors/NAME.csv.
    CsvSeries series(const std::string& name, std::vector<std::string> columns) const;

    // Writes a state. The final state's ranges go into the summary.
    void write(std::int64_t step, const RunState& state, bool final);
    bool wants_states() const;  // false: write() would not use its state
    bool wants_picture_of(const std::string& field) const;

    bool wants_view() const { return viewer_.has_value(); }
    const std::string& viewed_field() const { return viewed_.field; }
    void view(std::span<const double> node_values, double time);
    void keep_view_open();

    // Runs `compute`, which returns the status, then `add_totals`, and writes the summary, also
    // where `compute` fails.
    std::string conclude(const std::function<std::string()>& compute,
                         const std::function<void()>& add_totals);
    void report_ranges() const;
    // Prints the last line of the run.
    void report(const std::string& status) const;
    // Writes the summary of a run that failed or was stopped. Errors on the way are not reported,
    // since `error` is.
    void finish_early(const AgreedError& error);

  private:
    void write_vtk(std::int64_t step, const RunState& state);
    void finish(const std::string& status);
    std::optional<double> shown(double time) const;

    Run& run_;
    PictureSettings viewed_;
    std::optional<Viewer> viewer_;  // first: without a display no file is touched
    OutputFolder& folder_;
    Monitors monitors_;
    Pictures pictures_;
    std::optional<VtkOutput> vtk_;
};

}  // namespace solenoid
