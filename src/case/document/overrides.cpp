// --set KEY=VALUE: cut into its parts and put into the document.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "case/document/toml_document.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Override {
    std::string place;               // "--set KEY"
    std::vector<std::string> parts;  // KEY, cut at its dots
    std::string value;
};

// Dots and the equals sign inside quotes belong to a name: boundary."wall 1.a".value=3
Override split(const std::string& text) {
    Override result;
    std::string part;
    char quote = 0;
    bool was_quoted = false;
    const auto finish_part = [&] {
        if (!was_quoted) part = trimmed(part);
        if (part.empty() && !was_quoted)
            throw InputError("--set",
                             fmt::format("a part of the key is empty in \"{}\"; write KEY=VALUE", text));
        result.parts.push_back(std::exchange(part, ""));
        was_quoted = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == quote)
                quote = 0;
            else
                part += c;
        } else if ((c == '"' || c == '\'') && trimmed(part).empty() && !was_quoted) {
            quote = c;
            was_quoted = true;
            part.clear();
        } else if (c == '.') {
            finish_part();
        } else if (c == '=') {
            finish_part();
            result.place = std::string(override_place) + trimmed(text.substr(0, i));
            result.value = trimmed(text.substr(i + 1));
            return result;
        } else if (!was_quoted || (c != ' ' && c != '\t')) {
            part += c;
        }
    }
    const char* reason = quote ? "a quotation mark is not closed" : "no \"=\"";
    throw InputError("--set", fmt::format("{} in \"{}\"; write KEY=VALUE", reason, text));
}

// A table that holds `value` under "value"; every node in it has the override's place as its source.
toml::table parse_value(const std::string& value, const std::string& place) {
    const std::string text = "value = " + value;
    if (line_of_long_key(text)) throw InputError(place, "a key of many parts in the value");
    try {
        toml::table table = toml::parse(text, place);
        if (table.size() == 1 && table.contains("value")) return table;
    } catch (const toml::parse_error&) {  // a bare word: a string
    }
    toml::table table = toml::parse("value = ''", place);
    table.get("value")->ref<std::string>() = value;
    return table;
}

toml::table empty_table(const std::string& place) {
    toml::table table = toml::parse("value = {}", place);
    return std::move(*table.get("value")->as_table());
}

std::size_t element_number(const toml::array& array, const std::string& part, const std::string& place) {
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), i);
    if (error != std::errc() || end != part.data() + part.size())
        throw InputError(place, fmt::format("\"{}\" must be the number of an element, counted from 0", part));
    if (i >= array.size())
        throw InputError(place, fmt::format("no element {}: there are {}, counted from 0", i, array.size()));
    return i;
}

// The node that `part` names inside `parent`; a table's missing child is made, an empty table.
toml::node& child(toml::node& parent, const std::string& part, const std::string& place) {
    if (toml::array* array = parent.as_array()) return (*array)[element_number(*array, part, place)];
    toml::table* table = parent.as_table();
    if (!table) throw InputError(place, fmt::format("\"{}\" cannot be set inside a plain value", part));
    if (!table->contains(part)) table->insert(part, empty_table(place));
    return *table->get(part);
}

void replace_child(toml::node& parent, const std::string& part, toml::node&& value,
                   const std::string& place) {
    if (toml::array* array = parent.as_array())
        array->replace(array->cbegin() + element_number(*array, part, place), std::move(value));
    else if (toml::table* table = parent.as_table())
        table->insert_or_assign(part, std::move(value));
    else
        throw InputError(place, fmt::format("\"{}\" cannot be set inside a plain value", part));
}

// Takes out what excludes the key that is set, of the file or of an earlier override.
void replace_exclusive(toml::table& root, const std::vector<std::string>& parts, const std::vector<KeyTable>& tables) {
    toml::table* table = root[parts[0]].as_table();
    if (parts.size() < 2 || !table) return;
    for (const KeyTable& declared : tables)
        for (const Key& key : declared.keys)
            if (declared.title == '[' + parts[0] + ']' && key.name == parts[1])
                for (const std::string& other : key.excludes) table->erase(other);
}

}  // namespace

void apply_override(toml::table& root, const std::string& text, const std::vector<KeyTable>& tables) {
    const Override change = split(text);
    toml::table holder = parse_value(change.value, change.place);
    if (change.parts.size() > longest_key) throw InputError(change.place, "a key of many parts");
    replace_exclusive(root, change.parts, tables);
    toml::node* parent = &root;
    for (std::size_t i = 0; i + 1 < change.parts.size(); ++i)
        parent = &child(*parent, change.parts[i], change.place);
    replace_child(*parent, change.parts.back(), std::move(*holder.get("value")), change.place);
}

}  // namespace solenoid
