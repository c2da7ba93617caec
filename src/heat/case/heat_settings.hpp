// What a heat case says, beside what every case does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {

struct MaterialSettings {        // [material.NAME]: NAME is a region of the mesh, or "default"
    Formula conductivity{1.0};   // k [W/(m K)], of x, y, z
    Formula heat_capacity{1.0};  // rho c [J/(m^3 K)], of x, y, z
    Formula source{0.0};         // heat made in the volume [W/m^3]
    std::string place;
};

struct HeatSettings {
    std::map<std::string, MaterialSettings> materials;
    std::vector<HeatBoundary> boundaries;
    Formula initial{0.0};   // [initial] temperature [K]
    SolverSettings solver;  // [solver.temperature]
};

// The material of a region: its own, or "default". HeatPhysics::check has seen to it that there is
// one.
const MaterialSettings& material_of(const HeatSettings& settings, const std::string& region);
std::vector<MaterialSettings> materials_of(const HeatSettings& settings,
                                           const std::vector<std::string>& regions);

}  // namespace solenoid
