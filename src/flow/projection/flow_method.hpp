// The methods by which fluxes are made free of divergence: `flow.method` of a case. Each stands in
// the file of its projection, and is one line of flow_methods.cpp.
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
    bool solves_for_pressure;  // so that one may be given on boundaries and at the start
    template <class Real>
    using Make = std::function<std::unique_ptr<Projection<Real>>(
        const Domain&, const FlowBoundaries&, const CellStencil<Real>&, const FlowCase&)>;
    PrecisionDispatch<Make> projection;
};
const std::vector<FlowMethod>& flow_methods();           // in the order of the docs
const FlowMethod& flow_method(const std::string& name);  // std::logic_error where there is none

}  // namespace solenoid
