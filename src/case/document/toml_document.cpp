#include "case/document/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.hpp"

namespace solenoid {
namespace {

// The reason of a parse error. toml++ quotes the offending key; for a repeated one it says "cannot
// redefine existing ...".
std::string reason_of(const toml::parse_error& error) {
    const std::string description(error.description());
    if (description.find("redefine") == std::string::npos) return "not valid TOML: " + description;
    const std::size_t first = description.find('\''), last = description.rfind('\'');
    if (first == last) return "given twice: " + description;
    return fmt::format("\"{}\" is given twice", description.substr(first + 1, last - first - 1));
}

// The end of the quoted text that begins at `i`: behind its closing quote, or the end of the file.
std::size_t end_of_string(const std::string& text, std::size_t i) {
    const char quote = text[i];
    const std::string triple(3, quote);
    const bool multiline = text.compare(i, 3, triple) == 0;
    const bool escapes = quote == '"';
    for (i += multiline ? 3 : 1; i < text.size(); ++i) {
        if (escapes && text[i] == '\\')
            ++i;
        else if (multiline ? text.compare(i, 3, triple) == 0 : text[i] == quote || text[i] == '\n')
            return i + (multiline ? 3 : 1);
    }
    return text.size();
}

}  // namespace

std::ptrdiff_t line_of_long_key(const std::string& text) {
    std::size_t parts = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            i = end_of_string(text, i);
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (c == '.' && ++parts > longest_key)
            return 1 +
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
        const bool continues = c == '.' || c == ' ' || c == '\t' || c == '_' || c == '-' ||
                               std::isalnum(static_cast<unsigned char>(c));
        if (!continues) parts = 1;
        ++i;
    }
    return 0;
}

toml::table parse_toml(const std::string& text, const std::string& source) {
    if (const auto line = line_of_long_key(text))
        throw InputError(fmt::format("{}:{}", source, line),
                         "not a case file: a key of many parts");
    try {
        return toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw InputError(fmt::format("{}:{}", source, error.source().begin.line), reason_of(error));
    }
}

bool is_override(const toml::node& node) {
    const toml::source_region& source = node.source();
    return source.path &&
           (source.path->starts_with(override_place) || source.path->starts_with(program_place));
}

std::string place_of(const toml::node& node) {
    const toml::source_region& source = node.source();
    if (!source.path) return "";
    if (is_override(node)) return *source.path;
    return fmt::format("{}:{}", *source.path, source.begin.line);
}

}  // namespace solenoid
