#include "io/files/csv_series.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"

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
                     std::vector<std::string> columns)
    : comm_(comm), table_(new Table{std::move(file), columns.size()}) {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        std::error_code ignored;  // the write below reports the error
        std::filesystem::create_directories(table_->file.parent_path(), ignored);
        write_atomically(table_->file, csv_line(columns));
    });
}

void CsvSeries::append(const CsvRow& row) {
    const bool is_whole = row.size() == table_->columns &&
                          std::ranges::all_of(row, [](const std::optional<double>& value) {
                              return !value || std::isfinite(*value);
                          });
    if (!is_whole)  // on all ranks
        comm_.agree([&] {
            csv_line(row, table_->file.string());
            throw ComputationError(fmt::format("{}: a row of {} values for {} columns",
                                               table_->file.string(), row.size(), table_->columns));
        });
    if (!comm_.is_root()) return;
    table_->waiting += csv_line(row, table_->file.string());
    if (table_->since.seconds() > seconds_between_writes) write_waiting();
}

// The root's. A failure is told by the next flush().
void CsvSeries::write_waiting() {
    table_->since.restart();
    if (table_->waiting.empty()) return;
    try {
        append_whole(table_->file, table_->waiting);
        table_->waiting.clear();
        table_->failure.clear();
    } catch (const Error& error) {
        table_->failure = error.what();
    }
}

void CsvSeries::flush() {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        write_waiting();
        if (!table_->failure.empty()) throw ComputationError(std::exchange(table_->failure, {}));
    });
}

}  // namespace solenoid
