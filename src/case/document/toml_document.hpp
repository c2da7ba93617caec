// A TOML file parsed, with the user's --set overrides put in, or a document of such keys alone;
// every node can say where it came from.
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

// Throws InputError where the file cannot be read or is not TOML. Errors name it as `file` is
// spelt.
toml::table parse_toml_file(const std::filesystem::path& file);

// Puts "key.path=value" into the document: tables that are missing are made, array elements are
// addressed by number. The value is read as TOML, and as a string where it is none. Keys that it
// excludes by `tables` go. given: what places begin with.
void apply_override(toml::table& root, const std::string& text, const std::vector<KeyTable>& tables,
                    std::string_view given = override_place);

// Throws InputError where an override gives a plain value to a table, or to a key at the top that
// stands in a table; says where the key stands. root: with all overrides applied; tables: those of
// the case's physics; keys_of_top: which stand in no table.
void check_place_of_override(const toml::table& root, const std::string& text,
                             const std::vector<KeyTable>& tables,
                             const std::vector<std::string>& keys_of_top,
                             std::string_view given = override_place);

// toml++ recurses through the parts of a.dotted.key: the line of the first with too many, or 0.
inline constexpr std::size_t longest_key = 16;
std::ptrdiff_t line_of_long_key(const std::string& text);

// "case.toml:12", or "--set key.path" or "key key.path" for what an override gave.
std::string place_of(const toml::node& node);
bool is_override(const toml::node& node);

}  // namespace solenoid
