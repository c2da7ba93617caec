// A CSV table that gets a row for each recorded time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  private:
    struct Table {
        std::filesystem::path file;
        std::vector<std::string> columns;
        std::function<void()> before;
        bool is_new = true;        // no row is in the file yet
        std::string waiting = {};  // lines
        std::int64_t rows = 0;     // in `waiting`
        Stopwatch since = {};      // the last write
    };
    void write_waiting();

    Communicator comm_;
    std::shared_ptr<Table> table_;
};

}  // namespace solenoid
