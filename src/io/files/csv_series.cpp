#include "io/files/csv_series.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/log.hpp"
#include "core/optional_state.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/regular_file.hpp"
#include "io/files/unwritten.hpp"

namespace solenoid {

namespace {

constexpr double seconds_between_writes = 1;
constexpr long long largest_whole = 1LL << 53;  // that a saved state may say

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
    return text + '"';
}

std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
    for (const char c : text) hash = mixed(hash + static_cast<unsigned char>(c));
    return hash;
}

// Of a table, for a message: without its end where it is very long.
std::string head_of(const std::string& text) {
    constexpr std::size_t most = 300;
    const std::string line = text.substr(0, text.find_first_of("\r\n"));
    return line.size() > most ? line.substr(0, most) + "..." : line;
}

// The first line of a table's state, its rows that wait below it.
constexpr const char* line_of_state = "rows {} in {} bytes, hash {:016x}\n";
constexpr const char* scanned_line = "rows %lld in %lld bytes, hash %llx";

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
    ++table_->all_rows;
    if (!comm_.is_root()) return;
    table_->waiting += csv_line(row, table_->file.string());
    ++table_->rows;
    if (table_->since.seconds() > seconds_between_writes) write_waiting();
}

// The root's. Rows that cannot be written wait (unwritten.hpp).
void CsvSeries::write_waiting() const {
    Table& t = *table_;
    t.since.restart();
    if (t.waiting.empty() && !t.is_longer) return;
    const std::string header = t.is_new ? csv_line(t.columns) : "";
    const auto write = [&] {
        if (t.is_longer) cut(t.file, t.bytes);
        t.is_longer = false;
        if (!t.is_new) return append_whole(t.file, t.waiting);
        std::error_code ignored;  // the write reports the error
        std::filesystem::create_directories(t.file.parent_path(), ignored);
        write_atomically(t.file, header + t.waiting);
    };
    if (!write_or_note(t.file, write, fmt::format("{} rows", t.rows))) return;
    t.is_new = false;
    t.bytes += static_cast<std::int64_t>(header.size() + t.waiting.size());
    t.hash = hash_of(t.waiting, hash_of(header, t.hash));
    t.waiting.clear();
    t.rows = 0;
}

void CsvSeries::flush() {
    comm_.agree([&] {
        if (comm_.is_root()) write_waiting();
    });
}

// ---- state

void CsvSeries::register_state(const StateValues& state, const std::string& name) const {
    OptionalState(state).add<std::string>(
        name, [series = *this] { return series.table_->all_rows > 0; },
        [series = *this] { return series.saved(); },
        [series = *this](const std::optional<std::string>& text) {
            series.load(text.value_or(""));
        },
        [](const std::string&) {});
}

// Written now, the rows need not wait in it; those that cannot be written do.
std::string CsvSeries::saved() const {
    if (!comm_.is_root()) return "";
    write_waiting();
    const Table& t = *table_;
    if (!t.is_new) write_or_note(t.file, [&] { flush_file(t.file); });
    return fmt::format(line_of_state, t.all_rows, t.bytes, t.hash) + t.waiting;
}

void CsvSeries::load(const std::string& saved) const {
    Table& t = *table_;
    Table loaded{t.file, t.columns, t.before};
    comm_.agree([&] {
        if (saved.empty()) return;
        long long rows = 0, bytes = 0;
        unsigned long long hash = 0;
        const std::size_t end = saved.find('\n');
        if (end == saved.npos ||
            std::sscanf(saved.c_str(), scanned_line, &rows, &bytes, &hash) != 3 || rows < 1 ||
            rows > largest_whole || bytes < 0 || bytes > largest_whole)
            throw InputError(t.file.string(), "the checkpoint says nothing of use of this table");
        loaded.all_rows = rows;
        loaded.bytes = bytes;
        loaded.hash = hash;
        loaded.waiting = saved.substr(end + 1);
        loaded.rows = std::ranges::count(loaded.waiting, '\n');
        loaded.is_new = bytes == 0;
    });
    t = std::move(loaded);
    comm_.agree([&] {
        if (comm_.is_root() && !t.is_new) take_up();
    });
}

// Compares the file with what it was. The root's.
void CsvSeries::take_up() const {
    Table& t = *table_;
    const auto refuse = [&](const std::string& why) {
        throw InputError(
            t.file.string(),
            fmt::format("{}: put it back as it was at the checkpoint that the run goes "
                        "on from, or remove it: its rows up to there are lost then",
                        why));
    };
    std::error_code none;
    if (!std::filesystem::exists(t.file, none)) {
        log::warning("{}: is gone: its {} rows up to the checkpoint are lost", t.file.string(),
                     t.all_rows - t.rows);
        t.is_new = true;
        t.bytes = 0;
        t.hash = 0;
        return;
    }
    refuse_irregular(t.file);
    std::ifstream stream(t.file, std::ios::binary);
    const std::string header = csv_line(t.columns);
    std::string begin;
    std::uint64_t hash = 0;
    std::vector<char> block(1 << 16);
    std::int64_t left = t.bytes;
    while (left > 0) {
        stream.read(block.data(), std::min<std::int64_t>(left, std::ssize(block)));
        const std::string_view read(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (read.empty()) refuse("has lost rows");
        hash = hash_of(read, hash);
        if (begin.size() < header.size()) begin += read;
        left -= std::ssize(read);
    }
    if (hash != t.hash) refuse("was changed");
    if (!begin.starts_with(header))
        throw InputError(
            t.file.string(),
            fmt::format("its columns are {}, and the case gives {} now: give the case its fields "
                        "back, or the monitor another name",
                        head_of(begin), head_of(header)));
    t.is_longer = stream.peek() != std::ifstream::traits_type::eof();
}

}  // namespace solenoid
