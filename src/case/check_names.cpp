// Does the case fit the mesh? Every name of the one must be known to the other.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "case/named.hpp"
#include "case/physics.hpp"
#include "case/settings.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

using Names = std::vector<std::string>;

// The names of a case's conditions, and where they stand.
using Conditions = std::vector<std::pair<std::string, std::string>>;

Conditions other_conditions(const CaseSettings& settings) {  // than periodic ones
    Conditions conditions;
    for (const HeatBoundary& b : settings.boundaries) conditions.emplace_back(b.name, b.place);
    for (const FlowBoundary& b : settings.flow_boundaries) conditions.emplace_back(b.name, b.place);
    return conditions;
}

Conditions conditions_of(const CaseSettings& settings) {
    Conditions conditions = other_conditions(settings);
    for (const PeriodicSettings& p : settings.periodic) conditions.emplace_back(p.name, p.place);
    return conditions;
}

void check_boundaries(const CaseSettings& settings, const MeshNames& mesh) {
    Names known = mesh.boundaries;
    known.insert(known.end(), mesh.inner_groups.begin(), mesh.inner_groups.end());
    Names given;
    for (const auto& [name, place] : conditions_of(settings)) {
        if (!contains(known, name)) refuse_unknown(place, "boundary", "boundary", name, known);
        given.push_back(name);
    }
    Names missing;
    for (const std::string& name : mesh.boundaries)
        if (!contains(given, name)) missing.push_back(name);
    if (!missing.empty())
        throw InputError(settings.place,
                         fmt::format("no condition for the boundary {}: add [boundary.{}] "
                                     "(the mesh has the boundaries {})",
                                     enumerated(missing), missing.front(), enumerated(known)));
}

// A force acts where the fluid is held: at walls and in symmetry.
void check_force(const CaseSettings& settings, const MonitorSettings& monitor) {
    for (const FlowBoundary& b : settings.flow_boundaries)
        if (contains(monitor.force.boundaries, b.name) && b.condition->lets_through())
            throw InputError(monitor.place, fmt::format("the monitor \"{}\": a force is measured at walls and in symmetry, and [boundary.{}] lets the flow pass", monitor.name, b.name));
}

void check_monitors(const CaseSettings& settings, const MeshNames& mesh) {
    for (const MonitorSettings& monitor : settings.monitors) {
        Names named = monitor.force.boundaries;
        if (!monitor.boundary.empty()) named.push_back(monitor.boundary);
        for (const std::string& name : named)
            if (!contains(mesh.boundaries, name))
                throw InputError(monitor.place, fmt::format("the monitor \"{}\": the mesh has no boundary \"{}\"; it has: {}", monitor.name, name, enumerated(mesh.boundaries)));
        check_force(settings, monitor);
    }
}

// In two dimensions the mesh lies in the plane z = 0.
void check_positions(const CaseSettings& settings, const MeshNames& mesh) {
    if (mesh.dimension == 3) return;
    for (const MonitorSettings& monitor : settings.monitors)
        if (monitor.from.z != 0 || monitor.to.z != 0 || monitor.force.drag.z != 0 || monitor.force.lift.z != 0 || monitor.force.centre.z != 0)
            throw InputError(monitor.place,
                             fmt::format("the monitor \"{}\" leaves the plane z = 0 of the mesh: give "
                                         "two coordinates",
                                         monitor.name));
}

}  // namespace

void check_names(const CaseSettings& settings, const MeshNames& mesh) {
    check_boundaries(settings, mesh);
    physics_named(settings.physics).check(settings, mesh);
    check_positions(settings, mesh);
    check_monitors(settings, mesh);
}

std::vector<PeriodicRequest> periodic_pairs(const CaseSettings& settings, const Names& groups) {
    const auto group = [&](const std::string& name) { return static_cast<std::uint16_t>(std::ranges::find(groups, name) - groups.begin()); };
    std::vector<PeriodicRequest> pairs;
    for (const PeriodicSettings& p : settings.periodic) {
        for (const std::string& name : {p.name, p.partner})
            if (!contains(groups, name)) refuse_unknown(p.place, "boundary", "boundary", name, groups);
        for (const auto& [name, place] : other_conditions(settings))
            if (name == p.partner)
                throw InputError(p.place, fmt::format("[boundary.{}]: its partner \"{}\" has a condition of its own, at {}: a periodic side takes none",
                                                      p.name, name, place));
        bool is_named_before = false;
        for (const PeriodicSettings& other : settings.periodic) {
            if (&other == &p) break;
            const bool is_same_pair = other.name == p.partner && other.partner == p.name;
            is_named_before |= is_same_pair;
            for (const std::string& name : {other.name, other.partner})
                if (!is_same_pair && (name == p.name || name == p.partner))
                    throw InputError(p.place, fmt::format("[boundary.{}]: \"{}\" is paired twice: here \"{}\" with \"{}\", at {} \"{}\" with \"{}\"",
                                                          p.name, name, p.name, p.partner, other.place, other.name, other.partner));
        }
        if (!is_named_before) pairs.push_back({group(p.name), group(p.partner), p.place});
    }
    return pairs;
}

const MaterialSettings& material_of(const CaseSettings& settings, const std::string& region) {
    const auto own = settings.materials.find(region);
    return own != settings.materials.end() ? own->second : settings.materials.at("default");
}

}  // namespace solenoid
