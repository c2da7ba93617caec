#include "io/surface/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace solenoid {
namespace {

// The word's number by from_chars, which refuses a leading plus.
template <class Number>
std::from_chars_result number_in(std::string_view word, Number& number) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return std::from_chars(word.data(), word.data() + word.size(), number);
}

}  // namespace

std::string_view next_word(std::string_view& line) {
    constexpr std::string_view blanks = " \t\r\v\f";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

std::optional<double> real_number(std::string_view word) {
    double number = 0;
    const auto [end, error] = number_in(word, number);
    if (end != word.data() + word.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range)  // 0 or infinity
        number = std::strtod(std::string(word).c_str(), nullptr);
    else if (error != std::errc())
        return std::nullopt;
    if (!std::isfinite(number)) return std::nullopt;
    return number;
}

std::optional<std::int64_t> whole_number(std::string_view word) {
    std::int64_t number = 0;
    const auto [end, error] = number_in(word, number);
    if (end != word.data() + word.size() || error != std::errc()) return std::nullopt;
    return number;
}

std::string shown(std::string_view word) {
    std::string text;
    for (const char c : word.substr(0, 30)) text += c < ' ' || c > '~' ? '?' : c;
    return word.size() > 30 ? text + "..." : text;
}

std::string no_coordinate(std::string_view word) {
    return fmt::format("'{}' is no coordinate: write a finite number, as 0.5 or 5e-1", shown(word));
}

std::string lower(std::string_view text) {
    std::string made(text);
    std::ranges::transform(made, made.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return made;
}

}  // namespace solenoid
