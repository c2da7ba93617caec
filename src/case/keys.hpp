// The keys of one table of a case file. Each is declared once: it is read, checked and documented
// from its declaration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "case/table_reader.hpp"

namespace solenoid {

// A key as docs/case-file.md shows it. help: with the unit, in Markdown.
struct Key {
    std::string name, type, fallback, help;
    std::vector<std::string> excludes = {};  // other keys of the table
    bool is_steerable = false;               // control.toml may change it while the case runs
    bool is_required() const { return fallback == "required"; }
};

// A reader of values, and the name of their type in the docs.
template <class Value>
struct ValueReader {
    std::string type;
    std::function<Value(const TableReader&, const std::string& key)> read;
};

namespace value {
ValueReader<double> quantity();  // magnitude up to largest_quantity
ValueReader<double> positive();
ValueReader<double> not_negative();  // quantity of at least 0
ValueReader<double> from_to(double least, double most);
ValueReader<Formula> formula();
ValueReader<Formula> formula_of_time();  // of t alone
// A constant is checked when read, other formulas when evaluated.
ValueReader<Formula> not_negative_formula();
ValueReader<VectorFormula> vector();
ValueReader<Vec3> point();
ValueReader<bool> flag();
ValueReader<std::string> text();
ValueReader<std::string> choice(std::vector<std::string> allowed);
ValueReader<int> integer(int least, int most);
ValueReader<std::int64_t> count(std::int64_t least, std::int64_t most);
template <class Value>
ValueReader<std::optional<Value>> optional(ValueReader<Value> reader) {
    return {reader.type, [read = reader.read](const TableReader& table, const std::string& key) {
                return std::optional<Value>(read(table, key));
            }};
}
}  // namespace value

std::vector<std::string> names_of(const std::vector<Key>& keys);
void mark_steerable(Key& key);  // in its help, too

// Throws InputError where the table has more than one of the keys.
void refuse_two_of(const TableReader& table, const std::vector<std::string>& names);

template <class Settings>
class Keys {
  public:
    // fallback: the default, or "required". Throws std::logic_error for an incomplete declaration.
    template <class Value>
    Keys&& key(std::string name, Value Settings::*member, ValueReader<Value> reader,
               std::string fallback, std::string help) && {
        check(name, fallback, help);
        declared_.push_back(
            {std::move(name), std::move(reader.type), std::move(fallback), std::move(help)});
        set_.push_back([member, read = std::move(reader.read)](
                           const TableReader& table, const std::string& key, Settings& s) {
            s.*member = read(table, key);
        });
        return std::move(*this);
    }

    // Declares a key that the table's reader reads itself.
    Keys&& other(std::string name, std::string type, std::string fallback, std::string help) && {
        check(name, fallback, help);
        declared_.push_back(
            {std::move(name), std::move(type), std::move(fallback), std::move(help)});
        set_.push_back(nullptr);
        return std::move(*this);
    }

    // Declares that a table has at most one of these keys; --set of one replaces the others.
    Keys&& one_of(const std::vector<std::string>& names) && {
        exclusive_.push_back(names);
        for (Key& key : declared_)
            for (const std::string& other : names)
                if (other != key.name && std::ranges::find(names, key.name) != names.end())
                    key.excludes.push_back(other);
        return std::move(*this);
    }

    // Declares that control.toml may change these keys while the case runs: whatever depends on one
    // reads it anew each step.
    Keys&& steerable(const std::vector<std::string>& names) && {
        for (const std::string& name : names) {
            const auto key = std::ranges::find(declared_, name, &Key::name);
            if (key == declared_.end()) throw std::logic_error("no key \"" + name + '"');
            mark_steerable(*key);
        }
        return std::move(*this);
    }

    const std::vector<Key>& declared() const { return declared_; }
    // Throws InputError for keys that are not declared, and for keys that exclude one another.
    void allow(const TableReader& table) const {
        table.allow(names_of(declared_));
        for (const auto& names : exclusive_) refuse_two_of(table, names);
    }
    // Reads the keys of the table. Throws InputError where a required key is missing or a value is
    // invalid.
    Settings read(const TableReader& table) const {
        Settings settings;
        for (std::size_t i = 0; i < declared_.size(); ++i) {
            const Key& key = declared_[i];
            if (set_[i] && (key.is_required() || table.has(key.name)))
                set_[i](table, key.name, settings);
        }
        return settings;
    }

  private:
    static void check(const std::string& name, const std::string& fallback,
                      const std::string& help) {
        if (name.empty() || fallback.empty() || help.empty())
            throw std::logic_error("the key \"" + name + "\" lacks a name, a default or a help");
    }

    std::vector<Key> declared_;
    std::vector<std::vector<std::string>> exclusive_;
    std::vector<std::function<void(const TableReader&, const std::string&, Settings&)>> set_;
};

// For a line of docs/case-file.md, such as "`velocity`, vector, required: of the flow [m/s]".
std::string documented(const Key& key);

// A table of a case, for docs/case-file.md and `solenoid keys`.
struct KeyTable {
    std::string title, physics;  // such as "[fluid]"; "flow", or "" for any physics
    std::vector<Key> keys;
};

}  // namespace solenoid
