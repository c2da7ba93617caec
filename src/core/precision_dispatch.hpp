// A thing that exists in single and double precision, such as a factory: Thing<float> and
// Thing<double>.
#pragma once

#include <type_traits>

namespace solenoid {

template <template <class> class Thing>
struct PrecisionDispatch {
    Thing<float> single_precision;
    Thing<double> double_precision;

    template <class Real>
    const Thing<Real>& of() const {
        if constexpr (std::is_same_v<Real, float>)
            return single_precision;
        else
            return double_precision;
    }
};

}  // namespace solenoid
