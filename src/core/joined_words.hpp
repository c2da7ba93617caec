// Words of messages, one after another.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace solenoid {

// "a, b, c" where `between` is ", ".
std::string joined_words(std::span<const std::string> words, std::string_view between);

}  // namespace solenoid
