// A table that grows by a row a recorded time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace solenoid {

using CsvRow = std::vector<std::optional<double>>;  // empty where there is no value

// quoted where needed, with the line's end
std::string csv_line(const std::vector<std::string>& cells);
// As many digits as it takes to read the same number back. Throws ComputationError, naming `place`,
// where a value is not finite.
std::string csv_line(const CsvRow& row, const std::string& place);

// The root writes; every call is collective, so that a full disk is an error on every rank. Rows
// reach the system whole: an interrupted run leaves complete lines.
class CsvSeries {
  public:
    // Replaces an older file by the header; makes the folder.
    CsvSeries(const Communicator& comm, std::filesystem::path file,
              std::vector<std::string> columns);
    void append(const CsvRow& row);  // the root's row counts

  private:
    const Communicator comm_;
    std::filesystem::path file_;
    std::size_t columns_;
};

}  // namespace solenoid
