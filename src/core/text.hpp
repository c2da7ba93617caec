// Texts from outside: UTF-8, and what may stand in a line of XML, JSON or a terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace solenoid {

// The code point at `position`, which moves behind it; absent where the bytes are no UTF-8.
std::optional<char32_t> next_code_point(std::string_view text, std::size_t& position);
bool is_utf8(std::string_view text);

// Of code points: below 0x20, 0x7F to 0x9F; and U+FFFE and U+FFFF, which no XML may hold.
bool is_control(char32_t c);
bool is_noncharacter(char32_t c);

std::string utf8_of_latin1(std::string_view text);

// For a terminal: control characters but line ends and tabs, and bytes that are no UTF-8, become
// "?", so that a text from a file cannot command the terminal.
std::string for_terminal(std::string_view text);

}  // namespace solenoid
