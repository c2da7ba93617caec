// Velocities in the cells, the default momentum: what of a case goes with it.
#include <fmt/format.h>

#include "flow/collocated/collocated_flow.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/momentum_kind.hpp"

namespace solenoid {
namespace {

// Largest aspect times length along a wall over its radius with which flow is right to 1 %: between
// cylinders it is at 39, and grows at 59.
constexpr double largest_curved = 40;

// Largest aspect with which flow in single precision is right to 2 %: in a cavity it is at 300, at
// 500 errors of steps are those of rounding, and steps fall to a tenth and less.
constexpr double largest_in_single = 300;

// By Couette's flow from rest and in a channel (docs/numerics.md, "Aspects").
ThinLayerBounds thin_layers(const FlowSettings& flow) {
    const bool by_pressure = flow_method(flow.method).solves_for_pressure;
    const auto aspect = [&](const TimeSchemeKind& kind) {
        return by_pressure ? kind.aspect_by_pressure : kind.aspect;
    };
    const double largest = aspect(kind_of(time_scheme_kinds(), flow.time_scheme));
    ThinLayerBounds bounds{largest, largest, largest_curved};
    bounds.in_single = largest_in_single;
    for (const TimeSchemeKind& other : time_scheme_kinds())
        if (aspect(other) > largest)
            bounds.remedy = fmt::format("flow.time_scheme = \"{}\", which bears {:.0f}", other.name,
                                        aspect(other));
    return bounds;
}

std::vector<std::string> convections_of_velocities() {
    std::vector<std::string> names;
    for (const ConvectionScheme* scheme : convection_schemes())
        if (scheme->carries_velocities()) names.push_back(scheme->name);
    return names;
}

}  // namespace

MomentumKind collocated_momentum() {
    return {.name = "collocated",
            .help = "velocities in the cells, second order",
            .methods = names_of(flow_methods()),
            .convections = convections_of_velocities(),
            .time_schemes = names_of(time_scheme_kinds()),
            .diffusions = {"implicit"},
            .carries_scalars = true,
            .bears_varying_viscosity = true,
            .has_energy_budget = true,
            .estimates_errors = true,
            .thin_layers = thin_layers,
            .solver = {[](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<float>>(domain, flow);
                       },
                       [](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<double>>(domain, flow);
                       }}};
}

}  // namespace solenoid
