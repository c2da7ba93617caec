#include "core/plain_text.hpp"

#include <cstdint>

namespace solenoid {
namespace {

constexpr std::uint32_t invalid = 0xFFFFFFFF;

// The character that begins at `at`, which moves behind it; `invalid` and one byte on where there
// is none.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at++]);
    if (first < 0x80) return first;
    const int more = first >= 0xF5   ? 0
                     : first >= 0xF0 ? 3
                     : first >= 0xE0 ? 2
                     : first >= 0xC2 ? 1
                                     : 0;
    if (more == 0 || text.size() - at < static_cast<std::size_t>(more)) return invalid;
    std::uint32_t code = first & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xC0) != 0x80) return invalid;
        code = code << 6 | (byte & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return invalid;
    at += more;
    return code;
}

bool is_control(std::uint32_t code) { return code < ' ' || (code >= 0x7F && code < 0xA0); }

}  // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (next_character(text, at) == invalid) return false;
    return true;
}

bool is_plain_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::uint32_t code = next_character(text, at);
        if (code == invalid || is_control(code) || code == 0xFFFE || code == 0xFFFF) return false;
    }
    return true;
}

std::string utf8_of_latin1(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            result += c;
        } else {
            result += static_cast<char>(0xC0 | code >> 6);
            result += static_cast<char>(0x80 | (code & 0x3F));
        }
    }
    return result;
}

std::string without_controls(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const std::uint32_t code = next_character(text, at);
        if (code != '\n' && is_control(code))
            result += '?';
        else
            result += text.substr(begin, at - begin);
    }
    return result;
}

std::string for_shell(const std::string& word) {
    constexpr std::string_view safe =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
    if (!word.empty() && word.find_first_not_of(safe) == word.npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace solenoid
