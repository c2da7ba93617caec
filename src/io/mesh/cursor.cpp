#include "io/mesh/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/error.hpp"

namespace solenoid {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Skips a leading plus, which from_chars refuses.
const char* skip_plus(const char* first, const char* last) {
    return last - first > 1 && *first == '+' && first[1] != '-' ? first + 1 : first;
}

}  // namespace

std::string printable(std::string_view word) {
    std::string text;
    for (char c : word.substr(0, 30)) text += c < ' ' || c > '~' ? '?' : c;
    return word.size() > 30 ? text + "..." : text;
}

void Cursor::skip_blanks() {
    while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
}

bool Cursor::text_follows() {
    const std::size_t next = bytes_.find_first_not_of(" \t", position_);
    return next != bytes_.npos && bytes_[next] == '"';
}

bool Cursor::at_end() {
    skip_blanks();
    return position_ == bytes_.size();
}

std::string_view Cursor::word() {
    skip_blanks();
    const std::size_t begin = position_;
    while (position_ < bytes_.size() && !is_blank(bytes_[position_])) ++position_;
    return bytes_.substr(begin, position_ - begin);
}

std::string_view Cursor::line() {
    const std::size_t begin = position_;
    const std::size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
    position_ = std::min(end + 1, bytes_.size());
    std::string_view text = bytes_.substr(begin, end - begin);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool Cursor::skip_past_line(std::string_view wanted) {
    std::size_t found = position_;
    while ((found = bytes_.find(wanted, found)) != std::string_view::npos) {
        const std::size_t end = found + wanted.size();
        const bool starts = found == 0 || bytes_[found - 1] == '\n';
        const bool ends = end == bytes_.size() || is_blank(bytes_[end]);
        if (starts && ends) {
            position_ = end;
            line();
            return true;
        }
        found = end;
    }
    return false;
}

std::int64_t Cursor::text_integer(const char* what) {
    skip_blanks();
    const char* end = bytes_.data() + bytes_.size();
    const char* begin = skip_plus(bytes_.data() + position_, end);
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || (stop != end && !is_blank(*stop))) fail_word("an integer", what);
    position_ = stop - bytes_.data();
    return value;
}

double Cursor::text_real(const char* what) {
    skip_blanks();
    const char* end = bytes_.data() + bytes_.size();
    const char* begin = skip_plus(bytes_.data() + position_, end);
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range)  // 0 or infinity, as from strtod
        value = std::strtod(std::string(begin, stop).c_str(), nullptr);
    else if (error != std::errc())
        fail_word("a number", what);
    if (stop != end && !is_blank(*stop)) fail_word("a number", what);
    check_finite(value, what);
    position_ = stop - bytes_.data();
    return value;
}

double Cursor::check_finite(double value, const char* what) const {
    if (!std::isfinite(value))
        fail_at(position_ - (binary_ ? 8 : 0), fmt::format("{} is not finite ({})", what, value));
    return value;
}

void Cursor::stay_in_line(const char* what) {
    if (binary_) return;
    while (position_ < bytes_.size() && is_blank(bytes_[position_])) {
        if (bytes_[position_] == '\n')
            fail(fmt::format("the line ends where {} was expected", what));
        ++position_;
    }
}

void Cursor::end_of_record(const char* record) {
    if (binary_) return;
    while (position_ < bytes_.size() && is_blank(bytes_[position_]))
        if (bytes_[position_++] == '\n') return;
    if (position_ < bytes_.size()) {
        const std::size_t begin = position_;
        fail_at(begin, fmt::format("'{}' is too much: the line of {} ends before it",
                                   printable(word()), record));
    }
}

void Cursor::skip_reals(int n, const char* what) {
    for (int i = 0; i < n; ++i) {
        if (binary_)
            raw<double>(what);
        else if (word().empty())
            fail_missing(what);
    }
}

void Cursor::require(std::int64_t n, std::size_t text_size, std::size_t binary_size,
                     const char* what) const {
    const std::size_t left = bytes_.size() - position_;
    if (static_cast<std::uint64_t>(n) > left / (binary_ ? binary_size : text_size))
        fail(fmt::format("{} {} are announced, more than the rest of the file ({} bytes) can hold",
                         n, what, left));
}

std::string Cursor::place(std::size_t position) const {
    if (by_byte_) return fmt::format("{} (byte {})", file_, position);
    const auto newlines =
        std::count(bytes_.begin(), bytes_.begin() + std::min(position, bytes_.size()), '\n');
    return fmt::format("{}:{}", file_, newlines + 1);
}

void Cursor::fail_at(std::size_t position, const std::string& message) const {
    throw InputError(place(position), message);
}

void Cursor::fail_missing(const char* what) const {
    fail(fmt::format("the file ends where {} was expected", what));
}

void Cursor::fail_integer(std::int64_t value, const char* what) const {
    fail(fmt::format("{} is {}, more than 32 bits can hold", what, value));
}

void Cursor::fail_count(std::int64_t value, const char* what) const {
    fail_at(position_ - (binary_ ? 8 : 0),
            fmt::format("{} is {}, which no count can be", what, value));
}

void Cursor::fail_word(const char* expected, const char* what) const {
    Cursor rest = *this;
    const std::string_view found = rest.word();
    if (found.empty()) fail_missing(what);
    fail(fmt::format("expected {} ({}), found '{}'", what, expected, printable(found)));
}

}  // namespace solenoid
