#include "io/files/csv_series.hpp"

#include <fmt/core.h>

#include <cmath>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"

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
                     std::vector<std::string> columns, RowListener* listener)
    : comm_(comm), file_(std::move(file)), columns_(columns.size()), listener_(listener) {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        if (listener_) listener_->begin(file_.stem().string(), columns);
        std::error_code ignored;  // the write below reports the error
        std::filesystem::create_directories(file_.parent_path(), ignored);
        write_atomically(file_, csv_line(columns));
    });
}

void CsvSeries::append(const CsvRow& row) {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        if (row.size() != columns_)
            throw ComputationError(fmt::format("{}: a row of {} values for {} columns",
                                               file_.string(), row.size(), columns_));
        if (listener_) listener_->row(file_.stem().string(), row);
        append_whole(file_, csv_line(row, file_.string()));
    });
}

}  // namespace solenoid
