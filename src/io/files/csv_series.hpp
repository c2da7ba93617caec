// A CSV table that gets a row for each recorded time.
#pragma once

#include <filesystem>
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
// was killed lacks the rows of a second at most. Copies are the same table.
class CsvSeries {
  public:
    // Makes the folder, and replaces an older file by the header. Collective.
    CsvSeries(const Communicator& comm, std::filesystem::path file,
              std::vector<std::string> columns);
    // The same row on all ranks, by all of them. Throws ComputationError where a value is not
    // finite.
    void append(const CsvRow& row);
    // Writes what waits. Throws ComputationError where this fails or has failed since the last
    // call. Collective.
    void flush();

  private:
    struct Table {
        std::filesystem::path file;
        std::size_t columns;
        std::string waiting = {};  // lines
        std::string failure = {};  // of a write; empty: none
        Stopwatch since = {};      // the last write
    };
    void write_waiting();

    Communicator comm_;
    std::shared_ptr<Table> table_;
};

}  // namespace solenoid
