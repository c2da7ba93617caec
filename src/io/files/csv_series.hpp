// A CSV table that gets a row for each recorded time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "core/timer.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

using CsvRow = std::vector<std::optional<double>>;  // an absent value is an empty cell

// A line with its line end; cells are quoted where needed.
std::string csv_line(const std::vector<std::string>& cells);
// Numbers with as many digits as reproduce them exactly. Throws ComputationError with `place` where
// a value is not finite.
std::string csv_line(const CsvRow& row, const std::string& place);

// Rows wait in memory and are written by the root, whole, when the last write was more than a
// second ago and at flush(). So a row costs no message between ranks, and the file of a run that
// was killed lacks the rows of a second at most. Rows that cannot be written wait for the next
// write (unwritten.hpp). Copies are the same table.
class CsvSeries {
  public:
    // The first write makes the folder and replaces an older file. before: called before the first
    // row, by all ranks.
    CsvSeries(const Communicator& comm, std::filesystem::path file,
              std::vector<std::string> columns, std::function<void()> before = {});
    // The same row on all ranks, by all of them. Throws ComputationError where a value is not
    // finite.
    void append(const CsvRow& row);
    void flush();  // writes what waits; collective

    const std::filesystem::path& file() const { return table_->file; }
    // A saved state has how much is in the file, which is flushed to the disk then, and the rows
    // that still wait. A load takes the file up where it has that much, unchanged: what stands
    // behind goes with the next flush(). It throws AgreedError with exit code 2 where the file is
    // shorter or was changed, or has other columns, which are named; where there is none the rows
    // are lost, with a warning. Where the saved state has no rows of the table it begins anew.
    void register_state(const StateValues& state, const std::string& name) const;

  private:
    struct Table {
        std::filesystem::path file;
        std::vector<std::string> columns;
        std::function<void()> before;
        bool is_new = true;         // no row is in the file yet
        std::string waiting = {};   // lines
        std::int64_t rows = 0;      // in `waiting`
        Stopwatch since = {};       // the last write
        std::int64_t all_rows = 0;  // appended; alike on all ranks
        std::int64_t bytes = 0;     // of the file
        std::uint64_t hash = 0;     // of these bytes
        bool is_longer = false;     // what stands behind them has to go
    };
    void write_waiting() const;
    std::string saved() const;
    void load(const std::string& saved) const;
    void take_up() const;

    Communicator comm_;
    std::shared_ptr<Table> table_;
};

}  // namespace solenoid
