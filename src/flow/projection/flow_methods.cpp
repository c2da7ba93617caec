#include "flow/projection/flow_method.hpp"

namespace solenoid {

FlowMethod exact_method();      // in stream_function.cpp
FlowMethod classical_method();  // in pressure_projection.cpp

const std::vector<FlowMethod>& flow_methods() {
    static const std::vector<FlowMethod> methods{exact_method(), classical_method()};
    return methods;
}

const FlowMethod& flow_method(const std::string& name) { return kind_of(flow_methods(), name); }

}  // namespace solenoid
