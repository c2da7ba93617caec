// What a case of the Boussinesq model says, beside what every case does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "boussinesq/conditions/boussinesq_condition.hpp"
#include "boussinesq/ships.hpp"
#include "case/settings.hpp"

namespace solenoid {

struct WaterSettings {  // [boussinesq]
    // One of both; land where it is not above 0.
    std::optional<Formula> depth;      // [m], of x, y
    std::filesystem::path depth_file;  // absolute; empty: none
    // What the file's numbers and coordinates mean: the place (0, 0) of the grid is at the origin
    // in the file, the water level above its zero.
    std::string depth_sign = "depth";      // "elevation": of the bottom, positive upwards
    bool has_depth_sign = false;           // given, so meant
    Vec3 origin{0};                        // [m]
    double water_level = 0;                // [m]
    VectorFormula current{0.0, 0.0, 0.0};  // [m/s], of x, y
    double gravity = 9.81;                 // [m/s^2]
    double density = 1000;                 // [kg/m^3], of the forces on ships
    std::string depth_place = {};
};

struct NamedShip {  // [[ship]]
    std::string name, place;
    ShipSettings settings;
};

struct BoussinesqCase {
    WaterSettings water;
    std::vector<BoussinesqBoundary> boundaries;
    std::vector<NamedShip> ships;
    Formula initial_elevation{0.0}, initial_potential{0.0};  // [m], [m^2/s]
    double tolerance = 1e-5;                                 // [solver.psi]
    int max_iterations = 1000;
};

}  // namespace solenoid
