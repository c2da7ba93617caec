// Values along lines and at points: between nodes linear or, where a field says so, by parabolas.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "case/settings.hpp"
#include "io/files/csv_series.hpp"
#include "io/files/output_field.hpp"
#include "io/monitors/parabolic_sampling.hpp"

namespace solenoid {

// Writes FOLDER/NAME.csv. A line's file (s,x,y,z and a column a field) holds the last recorded
// time; a point's file (time,x,y,z and a column a field) has a row for every recorded time. Values
// are empty at points outside the mesh. A field of several components gives NAME_x, NAME_y, NAME_z.
class Monitors {
  public:
    // Finds the points and removes older files of these monitors. Throws InputError for a name
    // given twice or one that cannot be a file. Keeps a reference to the mesh. Collective.
    Monitors(const Communicator& comm, const DistributedMesh& distributed,
             const std::vector<MonitorSettings>& settings, std::filesystem::path folder);

    // Fields hold values at the nodes of owned cells at least, parabolic ones at all nodes held.
    // The same names in the same order every time. Throws ComputationError where a value is not
    // finite. Collective.
    void record(double time, const std::vector<NodeField>& fields);

    bool empty() const { return monitors_.empty(); }

  private:
    struct Monitor {
        std::string name;
        bool line;
        std::vector<double> arc;  // s of each point of a line [m]
        std::vector<Vec3> points;
        LocatedPoints located;
        SampleRows rows;  // of the points claimed here
        struct Kinked {
            std::vector<GlobalIndex> parts;
            SampleRows rows;
        };
        std::vector<Kinked> kinked;        // the same of fields with parts
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
    std::vector<Monitor> monitors_;
};

}  // namespace solenoid
