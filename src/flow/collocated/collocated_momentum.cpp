// Velocities in the cells, the default momentum: what of a case goes with it.
#include "flow/collocated/collocated_flow.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/momentum_kind.hpp"

namespace solenoid {
namespace {

// The thinnest layers with which flow is right to 1 %, by Couette's flow from rest and in a channel
// (docs/numerics.md, "Aspects"): of triangles up to 10 000, of tets up to 7 800.
constexpr double largest_at_boundaries = 12000, largest_inside = 12000;
// Aspect times length along a wall over its radius: between cylinders right at 13, not at 130.
constexpr double largest_curved = 15;

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
            .thin_layers = {largest_at_boundaries, largest_inside, largest_curved},
            .solver = {[](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<float>>(domain, flow);
                       },
                       [](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<double>>(domain, flow);
                       }}};
}

}  // namespace solenoid
