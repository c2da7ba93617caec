#include "case/quote.hpp"

namespace solenoid {

std::string quoted(std::string text, std::size_t longest) {
    if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
    return '"' + text + '"';
}

}  // namespace solenoid
