// A CSV table that gets a row for each recorded time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace solenoid {

using CsvRow = std::vector<std::optional<double>>;  // an absent value is an empty cell

// A line with its line end; cells are quoted where needed.
std::string csv_line(const std::vector<std::string>& cells);
// Numbers with as many digits as reproduce them exactly. Throws ComputationError with `place` where
// a value is not finite.
std::string csv_line(const CsvRow& row, const std::string& place);

// The root writes. All calls are collective. Rows are written whole: the file of an interrupted
// run consists of complete lines. Rows that cannot be written wait for the next one
// (unwritten.hpp).
class CsvSeries {
  public:
    // The first row makes the folder and replaces an older file. before: called before that, by
    // all ranks.
    CsvSeries(const Communicator& comm, std::filesystem::path file,
              std::vector<std::string> columns, std::function<void()> before = {});
    void append(const CsvRow& row);  // the root's row

  private:
    void write_waiting();

    const Communicator comm_;
    std::filesystem::path file_;
    std::vector<std::string> columns_;
    std::function<void()> before_;
    bool is_new_ = true;
    std::string waiting_;    // lines
    std::int64_t rows_ = 0;  // in waiting_
};

}  // namespace solenoid
