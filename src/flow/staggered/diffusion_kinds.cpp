#include "flow/staggered/diffusion_kinds.hpp"

#include "case/condition_kinds.hpp"

namespace solenoid {

const std::vector<DiffusionKind>& diffusion_kinds() {
    static const std::vector<DiffusionKind> kinds{
        {"implicit", "no limit to the step", true},
        {"explicit",
         "cheaper steps, no longer than about h²/(6 ν), a third of that on irregular meshes",
         false}};
    return kinds;
}

const DiffusionKind& diffusion_kind(const std::string& name) {
    return kind_of(diffusion_kinds(), name);
}

std::vector<std::string> implicit_diffusions() {
    std::vector<std::string> names;
    for (const DiffusionKind& kind : diffusion_kinds())
        if (kind.is_implicit) names.push_back(kind.name);
    return names;
}

}  // namespace solenoid
