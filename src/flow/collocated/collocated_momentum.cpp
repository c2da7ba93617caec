// Velocities in the cells, the default momentum: what of a case goes with it.
#include "flow/collocated/collocated_flow.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/momentum_kind.hpp"

namespace solenoid {
namespace {

// The thinnest layers with which flow is right to 1 %, by Couette's flow from rest and in a channel
// (docs/numerics.md, "Aspects"). At flat walls: triangles up to 15, tets up to 12; both are wrong
// or swing at 16.
constexpr double largest_at_boundaries = 12;
// Away from boundaries: triangles up to 21; at 35 steps shrink, and the pressure swings.
constexpr double largest_inside = 20;
// Aspect times length along a wall over its radius: between cylinders of 10 to 16 faces flow
// becomes steady up to 3.7, and swings from 4.5 on.
constexpr double largest_curved = 4;

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
