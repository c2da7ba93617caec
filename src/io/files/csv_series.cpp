#include "io/files/csv_series.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"

namespace solenoid {

namespace {

constexpr double seconds_between_writes = 1;

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
    return text + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i) line += ',';
        line += quoted(cells[i]);
    }
    return line + '\n';
}

std::string csv_line(const CsvRow& row, const std::string& place) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i) line += ',';
        if (!row[i]) continue;
        if (!std::isfinite(*row[i]))
            throw ComputationError(fmt::format("{}: value {} is not finite", place, *row[i]));
        line += fmt::format("{}", *row[i]);
    }
    return line + '\n';
}

CsvSeries::CsvSeries(const Communicator& comm, std::filesystem::path file,
                     std::vector<std::string> columns, std::function<void()> before)
    : comm_(comm), table_(new Table{std::move(file), std::move(columns), std::move(before)}) {}

void CsvSeries::append(const CsvRow& row) {
    if (table_->before) std::exchange(table_->before, {})();
    const bool is_whole = row.size() == table_->columns.size() &&
                          std::ranges::all_of(row, [](const std::optional<double>& value) {
                              return !value || std::isfinite(*value);
                          });
    if (!is_whole)  // on all ranks
        comm_.agree([&] {
            csv_line(row, table_->file.string());
            throw ComputationError(fmt::format("{}: a row of {} values for {} columns",
                                               table_->file.string(), row.size(),
                                               table_->columns.size()));
        });
    if (!comm_.is_root()) return;
    table_->waiting += csv_line(row, table_->file.string());
    ++table_->rows;
    if (table_->since.seconds() > seconds_between_writes) write_waiting();
}

// The root's. Rows that cannot be written wait (unwritten.hpp).
void CsvSeries::write_waiting() {
    Table& t = *table_;
    t.since.restart();
    if (t.waiting.empty()) return;
    const auto write = [&] {
        if (!t.is_new) return append_whole(t.file, t.waiting);
        std::error_code ignored;  // the write reports the error
        std::filesystem::create_directories(t.file.parent_path(), ignored);
        write_atomically(t.file, csv_line(t.columns) + t.waiting);
    };
    if (!write_or_note(t.file, write, fmt::format("{} rows", t.rows))) return;
    t.is_new = false;
    t.waiting.clear();
    t.rows = 0;
}

void CsvSeries::flush() {
    comm_.agree([&] {
        if (comm_.is_root()) write_waiting();
    });
}

}  // namespace solenoid
