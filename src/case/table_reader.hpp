// Typed and checked access to one TOML table. All errors are InputErrors with the place, the table
// and the key.
#pragma once

#include <toml++/impl/forward_declarations.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "case/formula.hpp"

namespace solenoid {

class TableReader {
  public:
    // title: the table's name in messages, such as "[mesh.box]"; "" for the file itself. place: of
    // the table.
    TableReader(const toml::table& table, std::string title, std::string place);

    // Refuses keys that are not in `known`, naming the nearest. Tables with free names do not call
    // this.
    void allow(const std::vector<std::string>& known) const;

    bool has(const std::string& key) const;
    // whether the value is the string `word`
    bool is(const std::string& key, const std::string& word) const;
    const std::string& title() const { return title_; }
    const std::string& place() const { return place_; }
    // The place of a value; that of the table for a missing key.
    std::string place(const std::string& key) const;
    std::vector<std::string> keys() const;  // in the order of the file
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;
    void require(const std::string& key) const;
    // Fails where the key is present.
    void refuse(const std::string& key, const std::string& reason) const;

    // These fail for a missing key.
    double number(const std::string& key) const;
    // A number of magnitude up to largest_quantity, as in formulas and lists.
    double quantity(const std::string& key) const;
    double positive(const std::string& key) const;
    std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most) const;
    std::string text(const std::string& key) const;
    std::string choice(const std::string& key, const std::vector<std::string>& allowed) const;
    bool flag(const std::string& key) const;
    Formula formula(const std::string& key) const;  // a number, or a string with a formula
    // Two or three components; a missing third is 0.
    std::array<Formula, 3> vector_formula(const std::string& key) const;
    std::vector<std::string> texts(const std::string& key) const;  // at least one
    std::vector<double> numbers(const std::string& key, std::size_t least, std::size_t most) const;
    Vec3 point(const std::string& key) const;  // two or three numbers
    TableReader table(const std::string& key) const;
    // The tables of [[key]]; none for a missing key.
    std::vector<TableReader> tables(const std::string& key) const;

  private:
    const toml::node& node(const std::string& key) const;
    [[noreturn]] void wrong_type(const std::string& key, const std::string& expected,
                                 const toml::node& found) const;
    double finite(const std::string& key, const toml::node& value) const;
    double quantity(const std::string& key, const toml::node& value) const;
    Formula component(const std::string& key, const toml::node& value) const;

    const toml::table* table_;
    std::string title_;
    std::string place_;
};

// Such as "one of "a", "b" or "c"", for messages.
std::string listed(const std::vector<std::string>& names);

}  // namespace solenoid
