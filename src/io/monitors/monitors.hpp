// Monitors: values along lines and at points, interpolated linearly or by parabolas between nodes.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "case/settings.hpp"
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
    // repeated name or one that cannot be a file name. The mesh must outlive this. Collective.
    Monitors(const Communicator& comm, const DistributedMesh& distributed,
             const std::vector<MonitorSettings>& settings, std::filesystem::path folder,
             RowListener* listener = nullptr);

    // Records fields given at least at the nodes of owned cells; parabolic ones at all nodes held.
    // Names and their order must be equal at each call. Throws ComputationError where a value is
    // not finite. Collective.
    void record(double time, const std::vector<NodeField>& fields);

    bool empty() const { return monitors_.empty(); }

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
    };

    void find_rows(Monitor& monitor, const std::vector<NodeField>& fields) const;
    std::filesystem::path file_of(const Monitor& monitor) const;
    std::vector<CsvRow> sample(const Monitor& monitor, double time,
                               const std::vector<NodeField>& fields) const;
    void write_line(const Monitor& monitor, const std::vector<CsvRow>& rows,
                    const std::vector<std::string>& columns) const;

    const Communicator comm_;
    const DistributedMesh& distributed_;
    const Mesh& mesh_;
    std::filesystem::path folder_;
    RowListener* listener_;  // of the points' tables
    std::vector<Monitor> monitors_;
};

}  // namespace solenoid
