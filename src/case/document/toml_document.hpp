// A parsed TOML file with the user's --set overrides, or a document of such keys alone. Every node
// has a place for messages.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "case/keys.hpp"

namespace solenoid {

// What places of overrides begin with, before the key: those of a command line, and those of a
// program that has no case file.
inline constexpr std::string_view override_place = "--set ", program_place = "key ";

// Parses the text of a file. Throws InputError where it is not TOML; messages begin with `source`.
toml::table parse_toml(const std::string& text, const std::string& source);

// Applies "key.path=value": missing tables are added; elements of arrays are addressed by number.
// The value is read as TOML or, if it is not TOML, as a string. Removes keys that exclude one
// another by `tables`. given: what places begin with.
void apply_override(toml::table& root, const std::string& text, const std::vector<KeyTable>& tables,
                    std::string_view given = override_place);

// Throws InputError where an override gives a plain value to a table, or sets a key at the top
// level that belongs to a table; the message says which. root: with all overrides applied. tables:
// of the case's physics. keys_of_top: keys outside of tables.
void check_place_of_override(const toml::table& root, const std::string& text,
                             const std::vector<KeyTable>& tables,
                             const std::vector<std::string>& keys_of_top,
                             std::string_view given = override_place);

// The line of the first dotted key with more than longest_key parts, or 0; toml++ recurses through
// the parts.
inline constexpr std::size_t longest_key = 16;
std::ptrdiff_t line_of_long_key(const std::string& text);

// Such as "case.toml:12", or "--set key.path" or "key key.path" for an override.
std::string place_of(const toml::node& node);
bool is_override(const toml::node& node);

}  // namespace solenoid
