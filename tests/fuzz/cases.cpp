#include "fuzz/cases.hpp"

#include <set>

#include "case/physics.hpp"
#include "fuzz/target.hpp"

namespace solenoid::fuzz {
namespace {

// A name of a file of the output stays in its folder, and is one line.
void check_name(const std::string& name) {
    if (name.empty() || name.front() == '.' || name.find_first_of("/\n\r") != std::string::npos ||
        name.find('\0') != std::string::npos)
        finding("a name of an output file: \"" + name + "\"");
}

// A mesh with all boundaries that the case names, and regions of two names.
MeshNames names_of_case(const CaseSettings& settings, int dimension) {
    std::set<std::string> boundaries{"another"};
    for (const ConditionPlace& c : settings.physics->conditions_of(settings))
        boundaries.insert(c.boundary);
    for (const PeriodicSettings& p : settings.periodic) boundaries.insert({p.name, p.partner});
    MeshNames names{dimension, {boundaries.begin(), boundaries.end()}, {}, {}};
    names.regions = settings.physics->regions_of(settings).names;
    if (names.regions.empty()) names.regions = {"body"};
    return names;
}

}  // namespace

void make_meshes() {
    static const bool is_made = [] {
        for (const char* name : {"backward-step", "boundary-layer", "car", "cavity", "cavity3d",
                                 "channel", "crankshaft", "cube", "cylinder", "cylinder3d", "disc",
                                 "outlet", "plate", "ring", "square"})
            scratch_file(std::string("meshes/") + name + ".msh", "$");
        return true;
    }();
    (void)is_made;
}

void check_settings(CaseSettings settings) {
    check_name(settings.name);
    for (const MonitorSettings& monitor : settings.monitors) check_name(monitor.name);
    for (const PictureSettings& picture : settings.pictures) check_name(picture.name);
    if (!settings.grid && settings.physics->solvers(settings).empty())
        finding("a physics on meshes without a solver");
    for (const int dimension : {2, 3}) {
        const MeshNames names = names_of_case(settings, dimension);
        accepts("", [&] { periodic_pairs(settings, names.boundaries); });
        CaseSettings of_mesh = settings;
        accepts("", [&] {
            with_default(of_mesh, names.boundaries);
            check_names(of_mesh, names);
        });
    }
}

}  // namespace solenoid::fuzz
