// Numbers of text files: a word is a number as a whole, or none ("0,5" is none).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace solenoid {

// The next word of a line, which is cut off from it; "" at its end.
std::string_view next_word(std::string_view& line);

// A finite number; below the smallest of doubles 0.
std::optional<double> real_number(std::string_view word);
std::optional<std::int64_t> whole_number(std::string_view word);

// A word for messages: shortened, without control characters.
std::string shown(std::string_view word);
std::string no_coordinate(std::string_view word);

std::string lower(std::string_view text);

}  // namespace solenoid
