#include "case/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "case/document/toml_document.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {
namespace {

// A description of a node for "expected ..., found ...".
std::string description(const toml::node& node) {
    if (const auto* text = node.as_string()) return "the string " + quoted(text->get());
    if (const auto* number = node.as_integer()) return fmt::format("the integer {}", number->get());
    if (const auto* number = node.as_floating_point())
        return fmt::format("the number {}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (node.is_array_of_tables()) return "a list of tables";
    if (node.is_array()) return "a list";
    if (node.is_table()) return "a table";
    return "a date or time";
}

std::string key_in(const std::string& title, const std::string& key) {
    return title.empty() ? key : title + " " + key;
}

// Titles such as [boundary.front], [boundary."my wall"], [[monitor]] 2.
std::string child_title(const std::string& parent, const std::string& key) {
    const bool bare =
        key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") ==
            std::string::npos &&
        !key.empty();
    const std::string name = bare ? key : quoted(key);
    return parent.empty() ? '[' + name + ']'
                          : parent.substr(0, parent.size() - 1) + '.' + name + ']';
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += '"' + names[i] + '"';
    }
    return text;
}

TableReader::TableReader(const toml::table& table, std::string title, std::string place)
    : table_(&table), title_(std::move(title)), place_(std::move(place)) {}

bool TableReader::has(const std::string& key) const { return table_->contains(key); }

void TableReader::allow(const std::vector<std::string>& known) const {
    for (const std::string& key : keys()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        const std::string near = nearest_name(key, known);
        throw InputError(
            place(key), fmt::format("unknown key {}{}{} (known: {})", quoted(key),
                                    title_.empty() ? "" : " in " + title_,
                                    near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                    joined_words(known, ", ")));
    }
}

std::string TableReader::place(const std::string& key) const {
    const toml::node* value = table_->get(key);
    if (!value) return place_;
    // The list of a [[key]] has no line of its own.
    const toml::array* list = value->as_array();
    if (list && !list->empty() && list->front().is_table()) value = list->get(0);
    const std::string place = place_of(*value);
    return place.empty() ? place_ : place;
}

std::vector<std::string> TableReader::keys() const {
    struct Entry {
        bool added;  // by an override: after the keys of the file
        toml::source_position position;
        std::string key;
    };
    std::vector<Entry> entries;
    for (const auto& [key, value] : *table_)
        entries.push_back({is_override(value), value.source().begin, std::string(key.str())});
    std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
        return std::pair(a.added, a.position) < std::pair(b.added, b.position);
    });
    std::vector<std::string> keys;
    for (Entry& entry : entries) keys.push_back(std::move(entry.key));
    return keys;
}

void TableReader::fail(const std::string& key, const std::string& message) const {
    throw InputError(place(key), fmt::format("{} {}", key_in(title_, key), message));
}

bool TableReader::is(const std::string& key, const std::string& word) const {
    const toml::node* value = table_->get(key);
    return value && value->is_string() && value->as_string()->get() == word;
}

void TableReader::require(const std::string& key) const {
    if (has(key)) return;
    throw InputError(place_,
                     fmt::format("{} the key \"{}\"",
                                 title_.empty() ? "the file needs" : title_ + " needs", key));
}

void TableReader::refuse(const std::string& key, const std::string& reason) const {
    if (has(key)) fail(key, reason);
}

const toml::node& TableReader::node(const std::string& key) const {
    require(key);
    return *table_->get(key);
}

void TableReader::wrong_type(const std::string& key, const std::string& expected,
                             const toml::node& found) const {
    fail(key, fmt::format("must be {}, found {}", expected, description(found)));
}

double TableReader::finite(const std::string& key, const toml::node& value) const {
    const auto* integer = value.as_integer();
    const double number =
        integer ? static_cast<double>(integer->get()) : value.as_floating_point()->get();
    if (!std::isfinite(number)) fail(key, "must be finite, found " + description(value));
    return number;
}

double TableReader::quantity(const std::string& key, const toml::node& value) const {
    const double number = finite(key, value);
    if (std::abs(number) > largest_quantity)
        fail(key, fmt::format("must be {:g} at most in magnitude, found {}", largest_quantity,
                              description(value)));
    return number;
}

double TableReader::quantity(const std::string& key) const {
    const toml::node& value = node(key);
    if (!value.is_number()) wrong_type(key, "a number", value);
    return quantity(key, value);
}

double TableReader::number(const std::string& key) const {
    const toml::node& value = node(key);
    if (!value.is_number()) wrong_type(key, "a number", value);
    return finite(key, value);
}

double TableReader::positive(const std::string& key) const {
    const double value = number(key);
    if (!(value > 0)) fail(key, fmt::format("must be positive, found {}", value));
    return value;
}

std::int64_t TableReader::integer(const std::string& key, std::int64_t least,
                                  std::int64_t most) const {
    const toml::node& value = node(key);
    if (!value.is_integer()) wrong_type(key, "an integer", value);
    const std::int64_t number = value.as_integer()->get();
    if (number < least || number > most)
        fail(key, fmt::format("must be from {} to {}, found {}", least, most, number));
    return number;
}

std::string TableReader::text(const std::string& key) const {
    const toml::node& value = node(key);
    if (!value.is_string()) wrong_type(key, "a string in quotes", value);
    return value.as_string()->get();
}

std::string TableReader::choice(const std::string& key,
                                const std::vector<std::string>& allowed) const {
    const toml::node& value = node(key);
    if (!value.is_string()) wrong_type(key, listed(allowed), value);
    const std::string word = value.as_string()->get();
    if (std::ranges::find(allowed, word) != allowed.end()) return word;
    const std::string near = allowed.size() > 1 ? nearest_name(word, allowed) : "";
    fail(key, fmt::format("must be {}, found {}{}", listed(allowed), quoted(word),
                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

bool TableReader::flag(const std::string& key) const {
    const toml::node& value = node(key);
    if (!value.is_boolean()) wrong_type(key, "true or false", value);
    return value.as_boolean()->get();
}

Formula TableReader::formula(const std::string& key) const {
    const toml::node& value = node(key);
    if (const auto* text = value.as_string()) return Formula(text->get(), place(key));
    if (!value.is_number()) wrong_type(key, "a number or a formula in quotes", value);
    return Formula(quantity(key, value));
}

Formula TableReader::component(const std::string& key, const toml::node& value) const {
    const std::string own_place = place_of(value);
    if (const auto* text = value.as_string())
        return Formula(text->get(), own_place.empty() ? place(key) : own_place);
    if (!value.is_number())
        fail(key, fmt::format("must hold numbers or formulas in quotes, found {} in it",
                              description(value)));
    return Formula(quantity(key, value));
}

std::array<Formula, 3> TableReader::vector_formula(const std::string& key) const {
    static const std::string expected = "a list of 2 or 3 numbers or formulas in quotes";
    const toml::node& value = node(key);
    const toml::array* list = value.as_array();
    if (!list) wrong_type(key, expected, value);
    if (list->size() < 2 || list->size() > 3)
        fail(key, fmt::format("must be {}, found {} elements", expected, list->size()));
    std::array<Formula, 3> result;
    for (std::size_t i = 0; i < list->size(); ++i) result[i] = component(key, *list->get(i));
    return result;
}

std::vector<double> TableReader::numbers(const std::string& key, std::size_t least,
                                         std::size_t most) const {
    const std::string expected = least == most
                                     ? fmt::format("a list of {} numbers", least)
                                     : fmt::format("a list of {} or {} numbers", least, most);
    const toml::node& value = node(key);
    const toml::array* list = value.as_array();
    if (!list) wrong_type(key, expected, value);
    if (list->size() < least || list->size() > most)
        fail(key, fmt::format("must be {}, found {} elements", expected, list->size()));
    std::vector<double> result;
    for (const toml::node& element : *list) {
        if (!element.is_number())
            fail(key, fmt::format("must be {}, found {} in it", expected, description(element)));
        result.push_back(quantity(key, element));
    }
    return result;
}

std::vector<std::string> TableReader::texts(const std::string& key) const {
    const std::string expected = "a list of strings in quotes";
    const toml::node& value = node(key);
    const toml::array* list = value.as_array();
    if (!list) wrong_type(key, expected, value);
    if (list->empty()) fail(key, "must not be empty");
    std::vector<std::string> result;
    for (const toml::node& element : *list) {
        if (!element.is_string())
            fail(key, fmt::format("must be {}, found {} in it", expected, description(element)));
        result.push_back(element.as_string()->get());
    }
    return result;
}

Vec3 TableReader::point(const std::string& key) const {
    const std::vector<double> values = numbers(key, 2, 3);
    return {values[0], values[1], values.size() == 3 ? values[2] : 0.0};
}

TableReader TableReader::table(const std::string& key) const {
    const std::string title = child_title(title_, key);
    const toml::node& value = node(key);
    if (!value.is_table()) wrong_type(key, "a table, " + title, value);
    return TableReader(*value.as_table(), title, place(key));
}

std::vector<TableReader> TableReader::tables(const std::string& key) const {
    std::vector<TableReader> result;
    if (!has(key)) return result;
    const std::string header = fmt::format("[[{}]]", key);
    const toml::array* list = node(key).as_array();
    if (!list) wrong_type(key, fmt::format("a list of tables, each headed {}", header), node(key));
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& element = *list->get(i);
        if (!element.is_table())
            wrong_type(key, fmt::format("a list of tables, each headed {}", header), element);
        result.emplace_back(*element.as_table(), header, place_of(element));
    }
    return result;
}

}  // namespace solenoid
