// Names of a case that the mesh must know.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace solenoid {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

inline std::string enumerated(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

[[noreturn]] inline void refuse_unknown(const std::string& place, const std::string& table, const std::string& kind,
                                 const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    throw InputError(place, fmt::format("[{}.{}]: the mesh has no {} \"{}\"{}; it has: {}", table, name, kind,
                                        name, near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                        enumerated(known)));
}

}  // namespace solenoid
