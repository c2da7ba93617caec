// Velocities in the cells, the default momentum: what of a case goes with it.
#include "flow/collocated/collocated_flow.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/momentum_kind.hpp"

namespace solenoid {
namespace {

// The thinnest cells with which flow is right (MomentumKind::thin_cells). Measured with layers of
// triangles, forces right to 1 %: Couette's flow from rest between flat walls up to an aspect of
// 14, from 16 on it grows noise; in a channel with in- and outflow likewise.
constexpr double largest_aspect = 10;
// Aspect times length along a wall over its radius. Measured: flow between cylinders of 10 to 16
// faces becomes steady up to 3.7 and swings from 4.5 on.
constexpr double largest_curved_aspect = 4;

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
            .thin_cells = {largest_aspect, largest_curved_aspect},
            .solver = {[](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<float>>(domain, flow);
                       },
                       [](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<double>>(domain, flow);
                       }}};
}

}  // namespace solenoid
