// The kinds of monitors: the values of `type` in [[monitor]] tables, each with keys of its own. A
// kind is one file of the room that knows what it watches and one line of a list:
// common_monitor_kinds() or Physics::monitor_kinds().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/keys.hpp"
#include "case/settings.hpp"

namespace solenoid {

struct MonitorKind {
    std::string name;       // the `type`
    std::vector<Key> keys;  // besides `type` and `name`
    std::string help;       // a line of docs/case-file.md, in Markdown
    // After the physics' own tables, into the monitor: `own`, or the line. Throws InputError.
    std::function<void(const TableReader&, const CaseSettings&, MonitorSettings&)> read;
    // Against the mesh. Throws InputError.
    std::function<void(const MonitorSettings&, const CaseSettings&, const MeshNames&)> check;
    // whether the case can have it
    std::function<bool(const CaseSettings&)> is_offered = [](const CaseSettings&) { return true; };
};

std::vector<MonitorKind> common_monitor_kinds();  // of every case: "line" and "point"

// For checks. In two dimensions the mesh lies in the plane z = 0.
void refuse_out_of_plane(const MonitorSettings& monitor, const std::vector<Vec3>& positions,
                         const MeshNames& mesh);
void refuse_unknown_boundaries(const MonitorSettings& monitor,
                               const std::vector<std::string>& names, const MeshNames& mesh);

}  // namespace solenoid
