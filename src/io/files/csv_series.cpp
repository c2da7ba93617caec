#include "io/files/csv_series.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"

namespace solenoid {

namespace {

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
    : comm_(comm),
      file_(std::move(file)),
      columns_(std::move(columns)),
      before_(std::move(before)) {}

void CsvSeries::append(const CsvRow& row) {
    if (before_) std::exchange(before_, {})();
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        if (row.size() != columns_.size())
            throw ComputationError(fmt::format("{}: a row of {} values for {} columns",
                                               file_.string(), row.size(), columns_.size()));
        waiting_ += csv_line(row, file_.string());
        ++rows_;
        write_waiting();
    });
}

void CsvSeries::write_waiting() {
    const auto write = [&] {
        if (!is_new_) return append_whole(file_, waiting_);
        std::error_code ignored;  // the write reports the error
        std::filesystem::create_directories(file_.parent_path(), ignored);
        write_atomically(file_, csv_line(columns_) + waiting_);
    };
    if (!write_or_note(file_, write, fmt::format("{} rows", rows_))) return;
    is_new_ = false;
    waiting_.clear();
    rows_ = 0;
}

}  // namespace solenoid
