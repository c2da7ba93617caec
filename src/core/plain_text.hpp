// Names from files and terminals: UTF-8 or not, and safe to print and to write into XML or not.
#pragma once

#include <string>
#include <string_view>

namespace solenoid {

bool is_utf8(std::string_view text);
// Whether text is UTF-8 without control characters and without U+FFFE and U+FFFF, which XML has no
// place for.
bool is_plain_text(std::string_view text);
// Text in Latin-1 as UTF-8.
std::string utf8_of_latin1(std::string_view text);
// For a terminal: control characters but line ends, which may be commands to it, become "?".
std::string without_controls(std::string_view text);

// A word of a command that a message proposes: in quotes where the shell would not take it as it
// is.
std::string for_shell(const std::string& word);

}  // namespace solenoid
