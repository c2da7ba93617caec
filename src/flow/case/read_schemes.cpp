#include "flow/case/read_schemes.hpp"

#include <fmt/format.h>

#include "case/named.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/momentum_kinds.hpp"
#include "flow/projection/flow_method.hpp"

namespace solenoid {
namespace {

void describe(std::string& all, const std::string& name, const std::string& help) {
    all += fmt::format("{}`\"{}\"`: {}", all.empty() ? "" : "; ", name, help);
}

template <class Kind>
std::string described(const std::vector<Kind>& kinds) {
    std::string all;
    for (const Kind& kind : kinds) describe(all, kind.name, kind.help);
    return all;
}

// The convection schemes with a property, by name or with description.
using Answer = bool (ConvectionScheme::*)() const;
std::vector<std::string> convections(Answer takes) {
    std::vector<std::string> names;
    for (const ConvectionScheme* scheme : convection_schemes())
        if ((scheme->*takes)()) names.push_back(scheme->name);
    return names;
}
std::string described_convections(Answer takes) {
    std::string all;
    for (const ConvectionScheme* scheme : convection_schemes())
        if ((scheme->*takes)()) describe(all, scheme->name, scheme->help);
    return all;
}

// The kinds of momentum that have `name` in one of their lists.
std::vector<std::string> kinds_with(std::vector<std::string> MomentumKind::*list,
                                    const std::string& name) {
    std::vector<std::string> names;
    for (const MomentumKind& kind : momentum_kinds())
        if (contains(kind.*list, name)) names.push_back(kind.name);
    return names;
}

// Checks the choices that method and momentum leave.
void check_schemes(const TableReader& table, const FlowSettings& flow) {
    const MomentumKind& kind = momentum_kind(flow.momentum);
    if (!contains(kind.methods, flow.method))
        table.fail("momentum",
                   fmt::format("\"{}\" belongs to the method {}; the {} one takes {}", kind.name,
                               listed(kind.methods), flow.method,
                               listed(kinds_with(&MomentumKind::methods, flow.method))));
    if (!contains(kind.convections, flow.convection))
        table.fail("convection", fmt::format("must be {} with the momentum \"{}\"",
                                             listed(kind.convections), kind.name));
    if (!convection_scheme(flow.convection).takes_jump_penalty())
        table.refuse("jump_penalty",
                     fmt::format("belongs to the convection {}",
                                 listed(convections(&ConvectionScheme::takes_jump_penalty))));
    if (!contains(kind.diffusions, flow.diffusion))
        table.fail("diffusion", fmt::format("must be {} with the momentum \"{}\"",
                                            listed(kind.diffusions), kind.name));
    if (!contains(kind.time_schemes, flow.time_scheme))
        table.fail("time_scheme",
                   fmt::format("\"{}\" belongs to the momentum {}, not to \"{}\"", flow.time_scheme,
                               listed(kinds_with(&MomentumKind::time_schemes, flow.time_scheme)),
                               kind.name));
}

}  // namespace

std::vector<std::string> convections_of_scalars() {
    return convections(&ConvectionScheme::carries_scalars);
}
std::string described_convections_of_scalars() {
    return described_convections(&ConvectionScheme::carries_scalars);
}

const Keys<FlowSettings>& flow_keys() {
    const auto velocities = &ConvectionScheme::carries_velocities;
    static const auto keys =
        Keys<FlowSettings>()
            .key("method", &FlowSettings::method, value::choice(names_of(flow_methods())),
                 "`\"exact\"`", described(flow_methods()))
            .key("momentum", &FlowSettings::momentum, value::choice(names_of(momentum_kinds())),
                 "`\"collocated\"`",
                 described(momentum_kinds()) +
                     ". The last two need the exact method, and support neither scalars nor "
                     "outflow; the thesis's does not support symmetry either")
            .key("convection", &FlowSettings::convection, value::choice(convections(velocities)),
                 "`\"skew-symmetric\"`",
                 "the face value of the convected velocity. Collocated: " +
                     described_convections(velocities) +
                     ". Scalars have a `convection` of their own. Thesis: `\"central\"` (the "
                     "default there), the mean of both cells, or `\"upwind\"`, the upstream cell")
            .key("jump_penalty", &FlowSettings::jump_penalty, value::from_to(0, 1), "`0.3`",
                 "of skew-symmetric convection, from 0 to 1: the part of \\|U\\| [u], with [u] the "
                 "jump of both cells' linear reconstructions at a face, that is subtracted from "
                 "the flux, symmetrically, so that it only removes kinetic energy (1/2 is "
                 "upwind's). It damps what is rough from cell to cell and hardly affects what the "
                 "mesh resolves. With 0 convection conserves kinetic energy, and such roughness "
                 "stays where viscosity does not damp it; above 0.6 steps must be shorter")
            .key("time_scheme", &FlowSettings::time_scheme,
                 value::choice(names_of(time_scheme_kinds())), "`\"bdf2\"`",
                 "collocated: " + described(time_scheme_kinds()))
            .key("diffusion", &FlowSettings::diffusion, value::choice({"implicit", "explicit"}),
                 "`\"implicit\"`",
                 "`\"implicit\"`: no limit to the step; `\"explicit\"` (not with collocated "
                 "momentum): cheaper steps, no longer than about h²/(6 ν), a third of that on "
                 "irregular meshes")
            .key("body_force", &FlowSettings::body_force, value::vector(), "none",
                 "force per unit of mass [m/s²], of x, y, z, t")
            .key("non_orthogonal_corrections", &FlowSettings::non_orthogonal_corrections,
                 value::integer(0, 100), "`0`",
                 "classical method: additional pressure solves in each step for oblique meshes, 0 "
                 "to 100; the step corrects with the last pressure, and up to four times more "
                 "where much is left");
    return keys;
}

FlowSettings read_schemes(const TableReader& table) {
    flow_keys().allow(table);
    FlowSettings flow = flow_keys().read(table);
    const std::vector<std::string>& known = momentum_kind(flow.momentum).convections;
    if (!table.has("convection") && !contains(known, flow.convection))
        flow.convection = known.front();
    check_schemes(table, flow);
    return flow;
}

}  // namespace solenoid
