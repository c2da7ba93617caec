// Monitors: values along lines and at points, interpolated linearly or by parabolas between nodes.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "case/settings.hpp"
#include "core/state_values.hpp"
#include "io/files/csv_series.hpp"
#include "io/files/output_field.hpp"
#include "io/monitors/parabolic_sampling.hpp"

namespace solenoid {

// Writes FOLDER/NAME.csv. The file of a line (s,x,y,z and a column for each field) has the last
// recorded time. The file of a point (time,x,y,z and a column for each field) has a row for each
// recorded time. Values outside the mesh are empty. A vector field gives NAME_x, NAME_y, NAME_z.
class Monitors {
  public:
    // Locates the points and removes older files of these monitors. Throws InputError for a
    // repeated name or one that cannot be a file name. The topology must outlive this. Collective.
    // series: makes the table of a point, by its name and columns; empty: in the folder.
    using MakeSeries =
        std::function<CsvSeries(const std::string& name, const std::vector<std::string>& columns)>;
    Monitors(const Communicator& comm, const Topology& topology,
             const std::vector<MonitorSettings>& settings, std::filesystem::path folder,
             MakeSeries series = {});

    // Records fields given at least at the nodes of owned cells; parabolic ones at all nodes held.
    // Names and their order must be equal at each call. Throws ComputationError where a value is
    // not finite. Collective.
    void record(double time, const std::vector<NodeField>& fields);

    // Of the first monitor, a point: whether it lies in the mesh; and of a value there the weights
    // of those at nodes held here, empty on ranks that do not claim it.
    bool is_inside() const { return monitors_.front().located.found.front() != 0; }
    std::vector<std::pair<Index, double>> weights(bool is_parabolic) const;

    void flush();  // writes the rows of points that wait. Collective.

    // The last monitor's columns and, of a point, its last row; empty before the first record().
    const std::vector<std::string>& columns() const { return columns_; }
    const CsvRow& last_row() const { return last_row_; }

    // The files of lines, each by its name. resume(): writes them as they were in a loaded state;
    // a line that had not been recorded then has none. Collective.
    void register_state(const StateValues& state);
    void resume() const;

  private:
    struct Monitor {
        std::string name;
        bool line;
        std::vector<double> arc;  // s of each point of a line [m]
        std::vector<Vec3> points;
        LocatedPoints located;
        SampleRows rows;  // of the points claimed by this rank
        struct Kinked {
            std::vector<GlobalIndex> parts;
            SampleRows rows;
        };
        std::vector<Kinked> kinked;        // rows of fields with parts
        std::optional<CsvSeries> history;  // of a point
        bool is_recorded = false;
        std::string text = {};  // of the file of a line, on the root, where a state has it
    };

    void find_rows(Monitor& monitor, const std::vector<NodeField>& fields) const;
    std::filesystem::path file_of(const Monitor& monitor) const;
    std::vector<CsvRow> sample(const Monitor& monitor, double time,
                               const std::vector<NodeField>& fields) const;
    void write_line(Monitor& monitor, const std::vector<CsvRow>& rows,
                    const std::vector<std::string>& columns) const;
    void write_text(const Monitor& monitor, const std::string& text) const;

    const Communicator comm_;
    const Topology& topology_;
    std::filesystem::path folder_;
    MakeSeries series_;
    std::vector<Monitor> monitors_;
    std::vector<std::string> columns_;
    CsvRow last_row_;
    bool keeps_texts_ = false;
};

}  // namespace solenoid
