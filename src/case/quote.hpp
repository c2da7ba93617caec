// A user's text in quotes, for messages: control characters become "?", and long texts are
// shortened.
#pragma once

#include <string>

namespace solenoid {

inline std::string quoted(std::string text, std::size_t longest = 80) {
    if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
    return '"' + text + '"';
}

}  // namespace solenoid
