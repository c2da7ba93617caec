#include "core/text.hpp"

namespace solenoid {

std::optional<char32_t> next_code_point(std::string_view text, std::size_t& position) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(position);
    const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || text.size() - position < size) return {};
    char32_t c = size == 1 ? first : first & (0x7F >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(position + i) & 0xC0) != 0x80) return {};
        c = c << 6 | (byte(position + i) & 0x3F);
    }
    // too long a form, a surrogate, or beyond the last
    if ((size == 3 && c < 0x800) || (size == 4 && c < 0x10000) || (c >= 0xD800 && c < 0xE000) ||
        c > 0x10FFFF)
        return {};
    position += size;
    return c;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();)
        if (!next_code_point(text, i)) return false;
    return true;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }
bool is_noncharacter(char32_t c) { return c == 0xFFFE || c == 0xFFFF; }

std::string utf8_of_latin1(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        const auto c = static_cast<unsigned char>(letter);
        if (c < 0x80) {
            result += letter;
        } else {
            result += static_cast<char>(0xC0 | c >> 6);
            result += static_cast<char>(0x80 | (c & 0x3F));
        }
    }
    return result;
}

std::string for_terminal(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        const std::optional<char32_t> c = next_code_point(text, i);
        if (!c) ++i;
        if (c && (!is_control(*c) || *c == '\n' || *c == '\t'))
            result += text.substr(begin, i - begin);
        else
            result += '?';
    }
    return result;
}

}  // namespace solenoid
