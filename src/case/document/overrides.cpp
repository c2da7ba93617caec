// Overrides --set KEY=VALUE: parsing, and application to the document.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "case/document/toml_document.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"

namespace solenoid {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Override {
    std::string place;               // "--set KEY", "key KEY"
    std::vector<std::string> parts;  // KEY, split at its dots
    std::string value;
};

// Splits an override. Dots and equals signs inside quotes belong to a name, as in boundary."wall
// 1.a".value=3. given: what its place begins with.
Override split(const std::string& text, std::string_view given) {
    const std::string where(given.substr(0, given.size() - 1));  // "--set"
    Override result;
    std::string part;
    char quote = 0;
    bool was_quoted = false;
    const auto finish_part = [&] {
        if (!was_quoted) part = trimmed(part);
        if (part.empty() && !was_quoted)
            throw InputError(
                where, fmt::format("a part of the key is empty in \"{}\"; write KEY=VALUE", text));
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
            result.place = std::string(given) + trimmed(text.substr(0, i));
            result.value = trimmed(text.substr(i + 1));
            return result;
        } else if (!was_quoted || (c != ' ' && c != '\t')) {
            part += c;
        }
    }
    const char* reason = quote ? "a quotation mark is not closed" : "no \"=\"";
    throw InputError(where, fmt::format("{} in \"{}\"; write KEY=VALUE", reason, text));
}

// Parses a value into a table under the key "value". Every node has the override's place as its
// source.
toml::table parse_value(const std::string& value, const std::string& place) {
    const std::string text = "value = " + value;
    if (line_of_long_key(text)) throw InputError(place, "a key of many parts in the value");
    try {
        toml::table table = toml::parse(text, place);
        if (table.size() == 1 && table.contains("value")) return table;
    } catch (const toml::parse_error&) {  // a bare word is a string
    }
    toml::table table = toml::parse("value = ''", place);
    table.get("value")->ref<std::string>() = value;
    return table;
}

toml::table empty_table(const std::string& place) {
    toml::table table = toml::parse("value = {}", place);
    return std::move(*table.get("value")->as_table());
}

std::size_t element_number(const toml::array& array, const std::string& part,
                           const std::string& place) {
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), i);
    if (error != std::errc() || end != part.data() + part.size())
        throw InputError(
            place, fmt::format("\"{}\" must be the number of an element, counted from 0", part));
    if (i >= array.size())
        throw InputError(
            place, fmt::format("no element {}: there are {}, counted from 0", i, array.size()));
    return i;
}

// The child of `parent` with a name; a missing one of a table is added as an empty table.
toml::node& child(toml::node& parent, const std::string& part, const std::string& place) {
    if (toml::array* array = parent.as_array())
        return (*array)[element_number(*array, part, place)];
    toml::table* table = parent.as_table();
    if (!table)
        throw InputError(place, fmt::format("\"{}\" cannot be set inside a plain value", part));
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

// Removes keys that the override excludes, of the file or of an earlier override.
void replace_exclusive(toml::table& root, const std::vector<std::string>& parts,
                       const std::vector<KeyTable>& tables) {
    toml::table* table = root[parts[0]].as_table();
    if (parts.size() < 2 || !table) return;
    for (const KeyTable& declared : tables)
        for (const Key& key : declared.keys)
            if (declared.title == '[' + parts[0] + ']' && key.name == parts[1])
                for (const std::string& other : key.excludes) table->erase(other);
}

// The parts of a declared table's title: boundary and NAME of "[boundary.NAME]", monitor of
// "[[monitor]] of type ...".
std::vector<std::string> path_of(const KeyTable& table) {
    const std::size_t first = table.title.find_first_not_of('[');
    const std::string text = table.title.substr(first, table.title.find(']') - first);
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

bool is_list(const KeyTable& table) { return table.title.starts_with("[["); }

// Whether the parts lead to the table or to one that contains it. NAME matches any name.
bool lead_to(const std::vector<std::string>& parts, const std::vector<std::string>& path) {
    if (parts.size() > path.size()) return false;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (path[i] != "NAME" && path[i] != parts[i]) return false;
    return true;
}

// Full names of the keys called `name`, such as "fluid.viscosity". is_wanted: chooses the tables.
template <class Wanted>
std::vector<std::string> ways_to(const std::string& name, const std::vector<KeyTable>& tables,
                                 const Wanted& is_wanted) {
    std::vector<std::string> ways;
    for (const KeyTable& table : tables)
        for (const Key& key : table.keys) {
            if (key.name != name || !is_wanted(table)) continue;
            const std::string way = fmt::format("{}{}.{}", joined_words(path_of(table), "."),
                                                is_list(table) ? ".N" : "", name);
            if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
        }
    return ways;
}

}  // namespace

void check_place_of_override(const toml::table& root, const std::string& text,
                             const std::vector<KeyTable>& tables,
                             const std::vector<std::string>& keys_of_top, std::string_view given) {
    const Override change = split(text, given);
    const toml::table holder = parse_value(change.value, change.place);
    const toml::node& value = *holder.get("value");
    if (value.is_table() || (change.parts.size() == 1 &&
                             std::ranges::find(keys_of_top, change.parts[0]) != keys_of_top.end()))
        return;
    const std::string& name = change.parts.back();
    const KeyTable* found = nullptr;  // the table that the key names, or the first inside it
    for (const KeyTable& table : tables)
        if (!table.keys.empty() && lead_to(change.parts, path_of(table)) &&
            (!found || path_of(table).size() < path_of(*found).size()))
            found = &table;
    if (found && is_list(*found) && value.is_array()) return;
    if (change.parts.size() == 1) {
        const auto is_there = [&](const KeyTable& table) {
            return root.contains(path_of(table)[0]) && path_of(table)[0] != name;
        };
        const std::vector<std::string> ways =
            ways_to(name, tables, [&](const KeyTable& table) { return !found || is_there(table); });
        const std::string reason = found ? fmt::format("[{}] is a table", name)
                                         : fmt::format("the top of a case has no key \"{}\"", name);
        if (!ways.empty())
            throw InputError(change.place, fmt::format("{}; did you mean {}?", reason,
                                                       joined_words(ways, " or ")));
    }
    if (!found) return;
    const std::vector<std::string> path = path_of(*found);
    std::vector<std::string> parts = change.parts;
    for (std::size_t i = parts.size(); i < path.size(); ++i) parts.push_back(path[i]);
    if (is_list(*found)) parts.push_back("N");
    throw InputError(change.place, fmt::format("[{}] is a {}; its keys are set as {}.{}",
                                               joined_words(change.parts, "."),
                                               is_list(*found) ? "list of tables" : "table",
                                               joined_words(parts, "."), found->keys.front().name));
}

void set_value(toml::table& root, const std::vector<std::string>& parts, toml::node&& value,
               const std::string& place, const std::vector<KeyTable>& tables) {
    replace_exclusive(root, parts, tables);
    toml::node* parent = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) parent = &child(*parent, parts[i], place);
    replace_child(*parent, parts.back(), std::move(value), place);
}

void apply_override(toml::table& root, const std::string& text, const std::vector<KeyTable>& tables,
                    std::string_view given) {
    const Override change = split(text, given);
    toml::table holder = parse_value(change.value, change.place);
    if (change.parts.size() > longest_key) throw InputError(change.place, "a key of many parts");
    set_value(root, change.parts, std::move(*holder.get("value")), change.place, tables);
}

}  // namespace solenoid
