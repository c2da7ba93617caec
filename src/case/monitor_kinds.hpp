// The kinds of monitors: the values of `type` in [[monitor]] tables, each with its own keys. Each
// kind is one file of the room that computes it and one line of common_monitor_kinds() or
// Physics::monitor_kinds().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/keys.hpp"
#include "case/settings.hpp"

namespace solenoid {

struct MonitorKind {
    std::string name;       // value of `type`
    std::vector<Key> keys;  // beside `type` and `name`
    std::string help;       // row of docs/case-file.md, in Markdown
    // Reads the monitor into `own`, or the ends of a line; called after the tables of the physics.
    // Throws InputError.
    std::function<void(const TableReader&, const CaseSettings&, MonitorSettings&)> read;
    // Checks the monitor against the mesh. Throws InputError.
    std::function<void(const MonitorSettings&, const CaseSettings&, const MeshNames&)> check;
    // whether the case can have it
    std::function<bool(const CaseSettings&)> is_offered = [](const CaseSettings&) { return true; };
};

std::vector<MonitorKind> common_monitor_kinds();  // for every case: "line" and "point"

// Checks for monitors; both throw InputError. In 2D the mesh is in the plane z = 0.
void refuse_out_of_plane(const MonitorSettings& monitor, const std::vector<Vec3>& positions,
                         const MeshNames& mesh);
void refuse_unknown_boundaries(const MonitorSettings& monitor,
                               const std::vector<std::string>& names, const MeshNames& mesh);

}  // namespace solenoid
