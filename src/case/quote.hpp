// A user's text in quotes, for messages: control characters become "?", and long texts are
// shortened.
#pragma once

#include <string>

namespace solenoid {

std::string quoted(std::string text, std::size_t longest = 80);

}  // namespace solenoid
