// Velocities in the cells, the default momentum: what of a case goes with it.
#include "flow/collocated/collocated_flow.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/momentum_kind.hpp"

namespace solenoid {
namespace {

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
            .solver = {[](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<float>>(domain, flow);
                       },
                       [](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<CollocatedFlow<double>>(domain, flow);
                       }}};
}

}  // namespace solenoid
