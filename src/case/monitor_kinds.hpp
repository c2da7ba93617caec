// The kinds of monitors: the values of `type` in [[monitor]] tables, each with its own keys. Each
// kind is one file of the module that computes it (run, flow/run), and one line of
// Physics::monitor_kinds().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/keys.hpp"
#include "case/settings.hpp"

namespace solenoid {

class Monitor;        // run/monitor.hpp
struct MonitorParts;  // likewise: the run that it is part of

struct MonitorKind {
    std::string name;       // value of `type`
    std::vector<Key> keys;  // beside those of every monitor
    std::string help;       // row of docs/case-file.md, in Markdown
    // Reads the monitor's own keys; called after the tables of the physics. Throws InputError.
    std::function<void(const TableReader&, const CaseSettings&, MonitorSettings&)> read;
    // Checks the monitor against the mesh. Throws InputError.
    std::function<void(const MonitorSettings&, const CaseSettings&, const MeshNames&)> check;
    // Makes the monitor of a run. Throws Error. Collective.
    std::function<std::unique_ptr<Monitor>(const MonitorSettings&, MonitorParts&)> make;
    // whether the case can have it
    std::function<bool(const CaseSettings&)> is_offered = [](const CaseSettings&) { return true; };
    bool is_common = false;  // every physics has it
};

// Checks for monitors; both throw InputError. In 2D the mesh is in the plane z = 0.
void refuse_out_of_plane(const MonitorSettings& monitor, const std::vector<Vec3>& positions,
                         const MeshNames& mesh);
void refuse_unknown_boundaries(const MonitorSettings& monitor,
                               const std::vector<std::string>& names, const MeshNames& mesh);

}  // namespace solenoid
