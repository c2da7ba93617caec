// Typed, checked access to one TOML table. Every refusal names the place, the table and the key.
#pragma once

#include <toml++/toml.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "case/formula.hpp"

namespace solenoid {

class TableReader {
  public:
    // `title` is how messages call the table: "[mesh.box]"; "" is the file itself. `place` is where
    // it stands.
    TableReader(const toml::table& table, std::string title, std::string place);

    // Refuses every key that is not in `known`, naming the nearest one. A reader of free names
    // skips this.
    void allow(const std::vector<std::string>& known) const;

    bool has(const std::string& key) const { return table_->contains(key); }
    bool is(const std::string& key, const std::string& word) const;  // the string `word`
    const std::string& title() const { return title_; }
    const std::string& place() const { return place_; }
    std::string place(
        const std::string& key) const;  // of the value; the table's own where the key is missing
    std::vector<std::string> keys() const;  // in the order of the file
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;
    void require(const std::string& key) const;
    // fails where the key is present
    void refuse(const std::string& key, const std::string& reason) const;

    // Required: these fail where the key is missing.
    double number(const std::string& key) const;
    // a number of a magnitude up to largest_quantity, as those in formulas and lists
    double quantity(const std::string& key) const;
    double positive(const std::string& key) const;
    std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most) const;
    std::string text(const std::string& key) const;
    std::string choice(const std::string& key, const std::vector<std::string>& allowed) const;
    bool flag(const std::string& key) const;
    Formula formula(const std::string& key) const;  // a number, or a string parsed as one
    // two or three; the third is 0
    std::array<Formula, 3> vector_formula(const std::string& key) const;
    std::vector<std::string> texts(const std::string& key) const;  // at least one
    std::vector<double> numbers(const std::string& key, std::size_t least, std::size_t most) const;
    Vec3 point(const std::string& key) const;  // two or three numbers
    TableReader table(const std::string& key) const;
    // [[key]]; none where the key is missing
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

// "one of "a", "b" or "c"": for messages.
std::string listed(const std::vector<std::string>& names);

}  // namespace solenoid
