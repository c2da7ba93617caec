// The methods that make fluxes divergence-free: `flow.method` of a case. Each is defined in the
// file of its projection and listed in flow_methods.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/precision_dispatch.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/projection/projection.hpp"

namespace solenoid {

struct FlowMethod {
    std::string name, help;    // help in Markdown
    bool solves_for_pressure;  // whether it has a pressure, which boundaries and the start may give
    template <class Real>
    using Make = std::function<std::unique_ptr<Projection<Real>>(
        const Domain&, const FlowBoundaries&, const CellStencil<Real>&, const FlowCase&)>;
    PrecisionDispatch<Make> projection;
};
const std::vector<FlowMethod>& flow_methods();           // in the order of the docs
const FlowMethod& flow_method(const std::string& name);  // std::logic_error for an unknown name

}  // namespace solenoid
