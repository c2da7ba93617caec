// A CSV table that gets a row for each recorded time.
#pragma once

#include <filesystem>
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

// Sees the rows of tables on the root, before they are written.
class RowListener {
  public:
    virtual ~RowListener() = default;
    virtual void begin(const std::string& table, const std::vector<std::string>& columns) = 0;
    virtual void row(const std::string& table, const CsvRow& row) = 0;
};

// The root writes. All calls are collective, so that a full disk is an error on every rank. Rows
// are written whole: the file of an interrupted run consists of complete lines.
class CsvSeries {
  public:
    // Makes the folder, and replaces an older file by the header. listener: may be null, must
    // outlive this.
    CsvSeries(const Communicator& comm, std::filesystem::path file,
              std::vector<std::string> columns, RowListener* listener = nullptr);
    void append(const CsvRow& row);  // the root's row

  private:
    const Communicator comm_;
    std::filesystem::path file_;
    std::size_t columns_;
    RowListener* listener_;
};

}  // namespace solenoid
