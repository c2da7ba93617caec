#include "wave/time_scheme.hpp"

namespace solenoid {

// Each in its own file.
WaveTimeSchemeKind leapfrog_kind();
WaveTimeSchemeKind trapezoidal_kind();

const std::vector<WaveTimeSchemeKind>& wave_time_scheme_kinds() {
    static const std::vector<WaveTimeSchemeKind> kinds{leapfrog_kind(), trapezoidal_kind()};
    return kinds;
}

std::vector<std::string> wave_time_schemes_that_are(bool is_explicit) {
    std::vector<std::string> names;
    for (const WaveTimeSchemeKind& kind : wave_time_scheme_kinds())
        if (kind.is_explicit == is_explicit) names.push_back(kind.name);
    return names;
}

}  // namespace solenoid
