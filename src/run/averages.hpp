// [average]: means over time, and root mean squares of the fluctuations, of fields and of the
// columns of monitors. docs/output.md, "Averages ([average])".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "core/optional_state.hpp"
#include "io/files/csv_series.hpp"
#include "parallel/topology.hpp"
#include "run/quantities.hpp"
#include "run/time_average.hpp"

namespace solenoid {

// The times that count: steps end at both.
class AverageWindow {
  public:
    // settings: of a case with [average]; must outlive this, and may change meanwhile.
    explicit AverageWindow(const CaseSettings& settings)
        : from_(settings.average->from), to_(settings.average->to), time_(&settings.time) {}
    explicit AverageWindow(CaseSettings&&) = delete;
    bool is_open(double time) const;
    double next_time(double time) const;
    double from() const { return from_; }

  private:
    double from_, to_;  // [s]
    const TimeSettings* time_;
};

// The averages of fields: two quantities more for each, NAME_mean and NAME_rms. Before the first
// sample the mean is the field itself, and the other 0.
class FieldAverages {
  public:
    // settings: of a case with [average]. They and the quantities must outlive this, and this the
    // use of them.
    FieldAverages(const CaseSettings& settings, Quantities& quantities);
    // Samples the present state, where its time counts. Collective.
    void sample(double time);
    const AverageWindow& window() const { return window_; }
    // The sums by the entities of the mesh. A field without a sample in a loaded state begins anew,
    // and so does one whose sums are of a window that begins at another time.
    void register_state(const OptionalState& state, const Communicator& comm,
                        const Topology& topology);

  private:
    struct Field {
        std::string name;
        int columns;
        QuantityInfo::Of of;
        TimeAverage average;
    };
    AverageWindow window_;
    Quantities& quantities_;
    std::vector<Field> fields_;  // not changed after construction: quantities refer to them
};

// The averages of a table's columns: monitors/NAME_average.csv, a line a column.
class TableAverages {
  public:
    // settings: of a case with [average]; must outlive this. file: is written by the root.
    TableAverages(const Communicator& comm, const CaseSettings& settings,
                  std::filesystem::path file)
        : comm_(comm), window_(settings), file_(std::move(file)) {}
    // columns: the time first, as in the rows. Columns with an empty cell have no average. Where
    // they are others than before all begin anew, with a warning.
    void add(const std::vector<std::string>& columns, const CsvRow& row);
    // Writes the file, where there were rows. Collective.
    void write() const;
    void register_state(const OptionalState& state);
    // After a load: removes the file where there are no rows yet. Collective.
    void resume() const;

  private:
    void begin_anew();

    const Communicator comm_;
    const AverageWindow window_;
    const std::filesystem::path file_;
    std::vector<std::string> columns_;
    std::vector<bool> is_known_;  // of each column
    TimeAverage average_;
};

}  // namespace solenoid
