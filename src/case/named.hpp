// Names in a case that must exist in the mesh, and kinds by their names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace solenoid {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// The names in quotes, for messages: the first of very many.
std::string enumerated(const std::vector<std::string>& names);

// Replaces the settings named "default" in a list by a copy for each of `names`.
template <class Named>
void with_default(std::vector<Named>& list, const std::vector<std::string>& names) {
    const auto found = std::ranges::find(list, "default", &Named::name);
    if (found == list.end()) return;
    Named copy = *found;
    list.erase(found);
    for (const std::string& name : names) {
        copy.name = name;
        list.push_back(copy);
    }
}

// The names of the boundaries whose condition slits the mesh.
template <class Boundary, class Predicate>
std::vector<std::string> baffles_among(const std::vector<Boundary>& boundaries,
                                       const Predicate& slits) {
    std::vector<std::string> names;
    for (const Boundary& b : boundaries)
        if (slits(*b.condition)) names.push_back(b.name);
    return names;
}

// "`"NAME"`: HELP; `"NAME"`: HELP" of kinds with `name` and `help`: the help of a key that names
// one.
template <class Kind>
std::string described(const std::vector<Kind>& kinds) {
    std::string all;
    for (const Kind& kind : kinds)
        all += fmt::format("{}`\"{}\"`: {}", all.empty() ? "" : "; ", kind.name, kind.help);
    return all;
}

[[noreturn]] void refuse_unknown(const std::string& place, const std::string& table,
                                 const std::string& kind, const std::string& name,
                                 const std::vector<std::string>& known);

}  // namespace solenoid
