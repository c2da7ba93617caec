// What a wave's case says, beside what every case does.
#pragma once

#include <string>
#include <vector>

#include "case/settings.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

struct WaveSettings {                      // [wave]
    Formula speed{1.0};                    // c [m/s], of x, y, z
    Formula source{0.0};                   // s [m/s^2], of x, y, z, t
    std::string time_scheme = "leapfrog";  // the name of a WaveTimeSchemeKind
};

// What is to be computed, apart from the mesh.
struct WaveCase {
    WaveSettings wave;
    std::vector<WaveBoundary> boundaries;
    Formula initial_displacement{0.0}, initial_velocity{0.0};  // [m], [m/s], of x, y, z
    SolverSettings solver;                                     // [solver.displacement]
};

}  // namespace solenoid
