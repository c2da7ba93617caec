// The results of a benchmark: rows of named values, written as a table, as CSV and as JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace solenoid::bench {

// Names are those of the CSV's columns and end in their unit if they have one: "seconds", "bytes",
// "gb_per_s". Arrays and objects appear in the JSON file only.
using Row = nlohmann::ordered_json;

class Results {
  public:
    Results(std::string benchmark, int ranks, int threads)
        : benchmark_(std::move(benchmark)), ranks_(ranks), threads_(threads) {}

    void note_device(const std::string& kind, const std::string& name);
    // Adds a value that holds for all rows.
    void note(const std::string& name, Row value) { notes_[name] = std::move(value); }
    void add(Row row) { rows_.push_back(std::move(row)); }
    const std::vector<Row>& rows() const { return rows_; }

    // The names in all rows, in the order of their first appearance.
    std::vector<std::string> columns() const;
    std::string table() const;  // aligned, with four digits
    // With as many digits as reproduce the numbers exactly.
    std::string csv() const;
    // {"program", "benchmark", "ranks", "threads", "device", "device_name", notes, "rows"}
    std::string json() const;

  private:
    std::string benchmark_;
    int ranks_, threads_;
    std::string device_, device_name_;
    Row notes_ = Row::object();
    std::vector<Row> rows_;
};

}  // namespace solenoid::bench
