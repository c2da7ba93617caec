// What records a run: the tables that every run of a physics writes, and the monitors of a case
// (MonitorKind::make makes one of a [[monitor]] table).
#pragma once

#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "io/files/csv_series.hpp"
#include "io/files/summary.hpp"
#include "run/when.hpp"

namespace solenoid {

struct Run;
class Quantities;
class RunOutput;
class Simulation;

// The run that a monitor is part of; all outlive it.
struct MonitorParts {
    Run& run;
    Simulation& simulation;
    RunOutput& output;
};

class Monitor {
  public:
    virtual ~Monitor() = default;

    // Records the present state. Collective, as all below.
    virtual void append(const Moment& now) = 0;
    // Before the last state is written: what the summary has of it.
    virtual void conclude(Summary&) {}

    // Without a frequency in the case: at each step, or with the states of [output].
    virtual bool is_each_step() const { return true; }
    // Whether it records the state before the first step, too.
    virtual bool has_start() const { return false; }

    // The name of its table, the names of the columns, the time first, and the last row, for
    // averages and triggers. No columns: it has no rows in time, or none yet.
    virtual std::string table() const = 0;
    virtual std::vector<std::string> columns() const { return {}; }
    virtual CsvRow last_row() const { return {}; }

    // What it keeps beside the rows of its series, for later rows, files and the summary. resume():
    // after a load, writes anew what is not a series.
    virtual void register_state(const StateValues&) {}
    virtual void resume() {}
};

// A monitor with a table in time, monitors/NAME.csv.
class TableMonitor : public Monitor {
  public:
    // columns: without the time.
    TableMonitor(const MonitorParts& parts, const std::string& name,
                 const std::vector<std::string>& columns);
    void append(const Moment& now) final;
    std::string table() const final { return name_; }
    std::vector<std::string> columns() const final { return columns_; }
    CsvRow last_row() const final { return last_; }

  protected:
    virtual std::vector<double> values() = 0;  // of the present state

  private:
    std::string name_;
    std::vector<std::string> columns_;
    CsvSeries series_;
    CsvRow last_;
};

// The table of quantities that are numbers, or of one on boundaries: their table_columns, or the
// names of the boundaries. has_start: the state before the first step has a row.
std::unique_ptr<Monitor> number_table(const MonitorParts& parts, const std::string& name,
                                      const std::vector<std::string>& quantities,
                                      bool has_start = false);
std::unique_ptr<Monitor> boundary_table(const MonitorParts& parts, const std::string& name,
                                        const std::string& quantity);

// "line" and "point": for every case. Physics::monitor_kinds() begins with them.
std::vector<struct MonitorKind> placed_monitor_kinds();

}  // namespace solenoid
