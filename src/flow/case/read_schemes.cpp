#include "flow/case/read_schemes.hpp"

#include <fmt/format.h>

#include "case/named.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/momentum_kinds.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/staggered/diffusion_kinds.hpp"

namespace solenoid {
namespace {

// The convections of which a property is true: name and help, and their names.
using Property = bool (ConvectionScheme::*)() const;
struct NamedHelp {
    std::string name, help;
};
std::vector<NamedHelp> convections_that(Property property) {
    std::vector<NamedHelp> schemes;
    for (const ConvectionScheme* scheme : convection_schemes())
        if ((scheme->*property)()) schemes.push_back({scheme->name, scheme->help});
    return schemes;
}
std::vector<std::string> convections(Property property) {
    return names_of(convections_that(property));
}
std::string described_convections(Property property) {
    return described(convections_that(property));
}

// The kinds of momentum that have `name` in one of their lists.
std::vector<std::string> kinds_with(std::vector<std::string> MomentumKind::*list,
                                    const std::string& name) {
    std::vector<std::string> names;
    for (const MomentumKind& kind : momentum_kinds())
        if (contains(kind.*list, name)) names.push_back(kind.name);
    return names;
}

// Of the kinds of momentum those with a property, or without it: `"a"` and `"b"`, in Markdown.
std::string momenta_that(bool MomentumKind::*property, bool is_true) {
    std::string names;
    for (const MomentumKind& kind : momentum_kinds())
        if (kind.*property == is_true)
            names += fmt::format("{}`\"{}\"`", names.empty() ? "" : " and ", kind.name);
    return names;
}

// What the kinds of momentum with convections of their own say of them.
std::string described_own_convections() {
    std::string all;
    for (const MomentumKind& kind : momentum_kinds())
        if (!kind.convection_help.empty()) all += ". " + kind.convection_help;
    return all;
}

// With the kinds of momentum that a diffusion does not go with.
std::string described_diffusions() {
    std::string all;
    for (const DiffusionKind& diffusion : diffusion_kinds()) {
        std::string others;
        for (const MomentumKind& kind : momentum_kinds())
            if (!contains(kind.diffusions, diffusion.name))
                others += (others.empty() ? " (not with " : " and ") + kind.name;
        if (!others.empty()) others += " momentum)";
        all += fmt::format("{}`\"{}\"`{}: {}", all.empty() ? "" : "; ", diffusion.name, others,
                           diffusion.help);
    }
    return all;
}

// What method and momentum leave to choose.
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
                     fmt::format(". {} need the exact method, and support neither scalars nor "
                                 "outflow; the thesis's does not support symmetry either",
                                 momenta_that(&MomentumKind::carries_scalars, false)))
            .key("convection", &FlowSettings::convection, value::choice(convections(velocities)),
                 "`\"skew-symmetric\"`",
                 "the face value of the convected velocity. Collocated: " +
                     described_convections(velocities) +
                     ". Scalars have a `convection` of their own" + described_own_convections())
            .key("jump_penalty", &FlowSettings::jump_penalty, value::from_to(0, 1), "`0.3`",
                 "strength of the penalty on jumps, from 0 to 1: of skew-symmetric convection the "
                 "part of \\|U\\| [u], with [u] the "
                 "jump of both cells' linear reconstructions at a face, that is subtracted from "
                 "the flux, symmetrically, so that it only removes kinetic energy (1/2 is "
                 "upwind's). It damps what is rough from cell to cell and hardly affects what the "
                 "mesh resolves. With 0 convection conserves kinetic energy, and such roughness "
                 "stays where viscosity does not damp it; above 0.6 steps must be shorter")
            .key("time_scheme", &FlowSettings::time_scheme,
                 value::choice(names_of(time_scheme_kinds())), "`\"bdf2\"`",
                 "collocated: " + described(time_scheme_kinds()))
            .key("diffusion", &FlowSettings::diffusion, value::choice(names_of(diffusion_kinds())),
                 "`\"implicit\"`", described_diffusions())
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
