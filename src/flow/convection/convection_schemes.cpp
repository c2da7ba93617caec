#include <stdexcept>

#include "flow/convection/convection_scheme.hpp"

namespace solenoid {

// Each is defined in its own file.
const ConvectionScheme& skew_symmetric_scheme();
const ConvectionScheme& bounded_scheme();
const ConvectionScheme& central_scheme();
const ConvectionScheme& upwind_scheme();
const ConvectionScheme& blended_scheme();

const std::vector<const ConvectionScheme*>& convection_schemes() {
    static const std::vector<const ConvectionScheme*> schemes{&skew_symmetric_scheme(),
                                                              &bounded_scheme(), &central_scheme(),
                                                              &upwind_scheme(), &blended_scheme()};
    return schemes;
}

const ConvectionScheme& convection_scheme(const std::string& name) {
    for (const ConvectionScheme* scheme : convection_schemes())
        if (scheme->name == name) return *scheme;
    throw std::logic_error("no convection scheme \"" + name + '"');
}

}  // namespace solenoid
