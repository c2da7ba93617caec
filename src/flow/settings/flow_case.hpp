// What a flow's case says, beside what every case does.
#pragma once

#include <string>
#include <vector>

#include "case/settings.hpp"
#include "flow/settings/flow_condition.hpp"

namespace solenoid {

class ViscosityLaw;

struct FluidSettings {       // [fluid]
    Formula viscosity{0.0};  // kinematic, nu [m^2/s], of x, y, z, t; where there is no law
    double density = 1;      // rho [kg/m^3]: scales forces and pressure
    Vec3 gravity{0};         // [m/s^2]: acts through the scalars' expansion
    std::string gravity_place = {};
    std::shared_ptr<const ViscosityLaw> law = {};  // [viscosity]
    RegionChoice regions = {};                     // that the flow fills; none named: the only one
};

struct FlowSettings {  // [flow]
    // "exact": stream function, divergence zero by construction; "classical": pressure
    std::string method = "exact";
    // of the exact method: "collocated", "rotational", "thesis"
    std::string momentum = "collocated";
    // collocated; "central", "upwind", collocated also "blended"
    std::string convection = "skew-symmetric";
    // skew-symmetric convection's: of |U| [u], 1/2 as much as upwind's
    double jump_penalty = 0.3;
    std::string time_scheme = "bdf2";    // collocated; "midpoint"
    std::string diffusion = "implicit";  // "implicit", "explicit"
    // of the classical method: pressure solves after the first
    int non_orthogonal_corrections = 0;
    VectorFormula body_force;  // of a unit of mass [m/s^2], of x, y, z, t
};

struct ScalarSettings {  // [scalar.NAME]: carried by the flow
    std::string name;
    Formula diffusivity{0.0};  // [m^2/s], of x, y, z, t, not negative; required
    Formula initial{0.0};
    Formula source{0.0};  // [1/s], of x, y, z, t
    // buoyancy (Boussinesq): the fluid is lighter by expansion (value - reference)
    double expansion = 0;
    double reference = 0;
    std::string convection = "bounded";  // "bounded", "central", "upwind", "blended"
    std::string place;
};

struct FlowSolvers {  // [solver.NAME]
    SolverSettings stream_function, pressure, momentum, scalar;
};

// What is to be computed, apart from the mesh.
struct FlowCase {
    FluidSettings fluid;
    FlowSettings flow;
    std::vector<FlowBoundary> boundaries;
    VectorFormula initial_velocity;  // [initial] velocity [m/s]; projected
    FlowSolvers solvers;
    // [initial] pressure [Pa], of the classical method; 0: found by a first step that is made again
    Formula initial_pressure{0.0};
    std::vector<ScalarSettings> scalars = {};
    std::vector<PeriodicSettings> periodic = {};
    double courant = 0.6;          // [time] courant, of the automatic step: largest |u| dt / h
    double step_tolerance = 1e-3;  // TimeSettings::tolerance
};

// [[monitor]]s of a flow.
struct ForceMonitor {                     // of type "force"
    std::vector<std::string> boundaries;  // the sum over these
    double speed = 0;                     // of reference [m/s]; 0: no coefficients
    double area = 1;                      // of reference [m^2], in 2D a length [m]
    Vec3 drag{1, 0, 0}, lift{0, 1, 0};    // directions, of length 1
    Vec3 centre{0};                       // of the moment [m]
};

// "nusselt": Nu = heat flow x length / (diffusivity x difference x area).
struct NusseltMonitor {
    std::string scalar, boundary;  // of what, through which
    double difference = 1;         // of the scalar
    double length = 1;             // [m]
};

}  // namespace solenoid
