// Names in a case that must exist in the mesh, and kinds by their names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// The names in quotes, for messages: the first of very many.
inline std::string enumerated(const std::vector<std::string>& names) {
    constexpr std::size_t most = 30;
    if (names.empty()) return "none";
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    return fmt::format("\"{}\"{}", fmt::join(names.begin(), end, "\", \""),
                       names.size() > most ? fmt::format(", ... ({} in all)", names.size()) : "");
}

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

[[noreturn]] inline void refuse_unknown(const std::string& place, const std::string& table,
                                        const std::string& kind, const std::string& name,
                                        const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known), told = quoted(name);
    throw InputError(place,
                     fmt::format("[{}.{}]: the mesh has no {} {}{}; it has: {}", table,
                                 name.size() > 80 ? told : name, kind, told,
                                 near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                 enumerated(known)));
}

}  // namespace solenoid
