// How staggered momentum treats diffusion: `flow.diffusion` of a case. Others ask a kind for its
// property and do not compare names.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

struct DiffusionKind {
    std::string name, help;  // of flow.diffusion; help in Markdown
    // The velocity that diffuses is (u + u') / 2, solved for with the end u' of the step; any step
    // is stable. Else it is extrapolated to the middle of the step from the last two states, and
    // steps have a limit.
    bool is_implicit;
};
const std::vector<DiffusionKind>& diffusion_kinds();           // in the order of the docs
const DiffusionKind& diffusion_kind(const std::string& name);  // std::logic_error: there is none
std::vector<std::string> implicit_diffusions();                // names

}  // namespace solenoid
