#include <fmt/format.h>

#include <charconv>
#include <fstream>

#include "app/diff_command.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"

namespace solenoid {
namespace {

// The cells of a line of CSV; a quoted one may have commas and doubled quotes, no line break.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells{""};
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

bool is_number(const std::string& cell, double& value) {
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size();
}

class CsvReader {
  public:
    explicit CsvReader(const std::filesystem::path& file) : file_(file), stream_(file) {
        if (!stream_) throw InputError(file.string(), "cannot be read");
        next(names);
    }
    // False at the end.
    bool next(std::vector<std::string>& cells) {
        std::string line;
        if (!std::getline(stream_, line)) return false;
        cells = cells_of(line);
        ++line_;
        if (line_ > 1 && cells.size() != names.size())
            throw InputError(fmt::format("{}:{}", file_.string(), line_),
                             fmt::format("{} values in {} columns", cells.size(), names.size()));
        return true;
    }
    int line() const { return line_; }

    std::vector<std::string> names;

  private:
    const std::filesystem::path file_;
    std::ifstream stream_;
    int line_ = 0;
};

// A column of a table; lines count from 1, the names have the first.
struct Column {
    ColumnDiff numbers;
    std::vector<std::int64_t> lines;  // of the numbers
    std::string texts;                // how the first texts differ
};

}  // namespace

void diff_tables(const std::filesystem::path& a, const std::filesystem::path& b,
                 const std::string& name, DiffReport& report) {
    CsvReader left(a), right(b);
    if (left.names != right.names)
        return report.differs(
            name, fmt::format("other columns: {} in A, {} in B", joined_words(left.names, ","),
                              joined_words(right.names, ",")));
    std::vector<Column> columns(left.names.size());
    std::vector<std::string> of_left, of_right;
    bool has_left = false, has_right = false;
    while ((has_left = left.next(of_left)), (has_right = right.next(of_right)),
           has_left && has_right) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            double x = 0, y = 0;
            Column& column = columns[k];
            if (is_number(of_left[k], x) && is_number(of_right[k], y)) {
                column.numbers.add(&x, &y, 1);
                column.lines.push_back(left.line());
            } else if (of_left[k] != of_right[k] && column.texts.empty()) {
                column.texts = fmt::format("\"{}\" in A, \"{}\" in B at line {}", of_left[k],
                                           of_right[k], left.line());
            }
        }
    }
    int different = 0;
    const auto differs = [&](const std::string& what, const std::string& how) {
        ++different;
        report.differs(what, how);
    };
    if (has_left != has_right) {
        CsvReader& longer = has_left ? left : right;
        const int shorter_lines = (has_left ? right : left).line();
        while (longer.next(of_left)) continue;
        differs(name,
                fmt::format("{} lines in A, {} in B", has_left ? longer.line() : shorter_lines,
                            has_left ? shorter_lines : longer.line()));
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const Column& column = columns[k];
        const std::string what = name + ": " + left.names[k];
        if (!column.texts.empty()) differs(what, column.texts);
        if (!column.numbers.is_alike(report.tolerance()))
            differs(what, column.numbers.words(fmt::format(
                              "line {}",
                              column.lines[static_cast<std::size_t>(column.numbers.place())])));
    }
    if (!different) report.alike();
}

}  // namespace solenoid
