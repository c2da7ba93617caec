#include "ptx_edits.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace solenoid::test::ptx {
namespace {

// Where the lines are, begin and end.
using Line = std::pair<std::size_t, std::size_t>;

std::vector<Line> lines_with(const std::string& text, const std::string& function,
                             const std::vector<std::string>& words) {
    std::size_t at = text.find(".entry " + function + "(");
    if (at == std::string::npos) at = text.find(".func " + function + "(");
    const std::size_t end = text.find("\n}\n", at);
    if (at == std::string::npos || end == std::string::npos)
        throw std::logic_error("PTX has no " + function);
    std::vector<Line> lines;
    while (at < end) {
        const std::size_t next = text.find('\n', at) + 1;
        std::size_t word = text.find_first_not_of(" \t", at);
        if (text[word] == '@')
            word = text.find_first_not_of(" \t", text.find_first_of(" \t", word));
        if (std::ranges::any_of(
                words, [&](const std::string& w) { return text.compare(word, w.size(), w) == 0; }))
            lines.emplace_back(at, next);
        at = next;
    }
    return lines;
}

}  // namespace

std::string with_target(std::string text, int capability) {
    static const std::regex target(R"(\.target sm_\d+)");
    if (!std::regex_search(text, target)) throw std::logic_error("PTX without .target");
    return std::regex_replace(text, target, ".target sm_" + std::to_string(capability));
}

std::size_t count_of(const std::string& text, const std::string& function,
                     const std::vector<std::string>& words) {
    return lines_with(text, function, words).size();
}

std::string without(const std::string& text, const std::string& function,
                    const std::vector<std::string>& words, std::size_t n) {
    const Line line = lines_with(text, function, words).at(n);
    return text.substr(0, line.first) + text.substr(line.second);
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
    std::size_t at = text.find(word);
    if (at == std::string::npos) throw std::logic_error("PTX without " + word);
    for (; at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

std::string with_data_behind(const std::string& text, const std::string& function,
                             const std::vector<std::string>& data,
                             const std::vector<std::string>& signal, std::size_t n) {
    const Line behind = lines_with(text, function, signal).at(n);
    Line moved{0, 0};
    for (const Line& line : lines_with(text, function, data))
        if (line.second <= behind.first) moved = line;
    if (moved.second == 0)
        throw std::logic_error("PTX of " + function + " stores no data before its signal");
    return text.substr(0, moved.first) + text.substr(moved.second, behind.second - moved.second) +
           text.substr(moved.first, moved.second - moved.first) + text.substr(behind.second);
}

}  // namespace solenoid::test::ptx
