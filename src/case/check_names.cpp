// Checks that case and mesh fit: names in one must exist in the other.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/physics.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

using Names = std::vector<std::string>;

void check_boundaries(const CaseSettings& settings, const MeshNames& mesh) {
    Names known = mesh.boundaries;
    known.insert(known.end(), mesh.inner_groups.begin(), mesh.inner_groups.end());
    Names given;
    std::vector<ConditionPlace> conditions = settings.physics->conditions_of(settings);
    for (const PeriodicSettings& p : settings.periodic) conditions.push_back({p.name, p.place});
    for (const auto& [name, place] : conditions) {
        if (!contains(known, name)) refuse_unknown(place, "boundary", "boundary", name, known);
        given.push_back(name);
    }
    Names missing;
    for (const std::string& name : mesh.boundaries)
        if (!contains(given, name)) missing.push_back(name);
    if (!missing.empty())
        throw InputError(settings.place,
                         fmt::format("no condition for the boundary {}: add [boundary.{}], or "
                                     "[boundary.default] for all that have none "
                                     "(the mesh has the boundaries {})",
                                     enumerated(missing), missing.front(), enumerated(known)));
}

void check_heights(const CaseSettings& settings, const MeshNames& mesh) {
    for (const PictureSettings& picture : settings.pictures)
        if (mesh.dimension == 3 && !picture.height_of.empty())
            throw InputError(picture.height_place,
                             fmt::format("height_of draws heights over a plane mesh, and this one "
                                         "has three dimensions: leave it out, and take field = "
                                         "\"{}\"",
                                         picture.height_of));
}

}  // namespace

bool has_default(const CaseSettings& settings) {
    return std::ranges::any_of(settings.physics->conditions_of(settings),
                               [](const ConditionPlace& c) { return c.boundary == "default"; });
}

void with_default(CaseSettings& settings, const Names& boundaries) {
    Names given, rest, interfaces;
    for (const ConditionPlace& c : settings.physics->conditions_of(settings))
        given.push_back(c.boundary);
    for (const PeriodicSettings& p : settings.periodic)
        given.insert(given.end(), {p.name, p.partner});
    for (const std::string& name : boundaries)
        if (name == "default" || !contains(given, name)) rest.push_back(name);
    for (const std::string& name : rest)
        if (name.starts_with("interface_")) interfaces.push_back(name);
    if (has_default(settings))
        settings.physics->with_default(settings, rest);
    else if (!settings.physics->regions_of(settings).names.empty())
        settings.physics->close_interfaces(settings, interfaces);
}

void check_names(const CaseSettings& settings, const MeshNames& mesh) {
    check_boundaries(settings, mesh);
    settings.physics->check(settings, mesh);
    check_monitors(settings, mesh);
    check_heights(settings, mesh);
}

std::vector<PeriodicRequest> periodic_pairs(const CaseSettings& settings, const Names& groups) {
    const auto group = [&](const std::string& name) {
        return static_cast<std::uint16_t>(std::ranges::find(groups, name) - groups.begin());
    };
    std::vector<PeriodicRequest> pairs;
    for (const PeriodicSettings& p : settings.periodic) {
        for (const std::string& name : {p.name, p.partner})
            if (!contains(groups, name))
                refuse_unknown(p.place, "boundary", "boundary", name, groups);
        for (const auto& [name, place] : settings.physics->conditions_of(settings))
            if (name == p.partner)
                throw InputError(p.place,
                                 fmt::format("[boundary.{}]: its partner \"{}\" has a condition of "
                                             "its own, at {}: a periodic side takes none",
                                             p.name, name, place));
        bool is_named_before = false;
        for (const PeriodicSettings& other : settings.periodic) {
            if (&other == &p) break;
            const bool is_same_pair = other.name == p.partner && other.partner == p.name;
            is_named_before |= is_same_pair;
            for (const std::string& name : {other.name, other.partner})
                if (!is_same_pair && (name == p.name || name == p.partner))
                    throw InputError(
                        p.place,
                        fmt::format("[boundary.{}]: \"{}\" is paired twice: here \"{}\" with "
                                    "\"{}\", at {} \"{}\" with \"{}\": leave one of them out",
                                    p.name, name, p.name, p.partner, other.place, other.name,
                                    other.partner));
        }
        if (!is_named_before) pairs.push_back({group(p.name), group(p.partner), p.place});
    }
    return pairs;
}

}  // namespace solenoid
