// Settings of a flow's case, in addition to those of every case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "flow/settings/flow_condition.hpp"

namespace solenoid {

class ViscosityLaw;

struct FluidSettings {       // [fluid]
    Formula viscosity{0.0};  // kinematic, nu [m^2/s], of x, y, z, t; unused where there is a law
    double density = 1;      // rho [kg/m^3]: scales forces and pressure
    Vec3 gravity{0};         // [m/s^2]: acts by the scalars' expansion only
    std::string gravity_place = {};
    std::shared_ptr<const ViscosityLaw> law = {};  // [viscosity]
    std::optional<double> sound_speed = {};        // [m/s]: a run warns where it comes near
    std::string sound_speed_place = {};
    RegionChoice regions = {};  // regions filled by the flow; with one region none need be named
};

struct FlowSettings {  // [flow]
    // "exact": stream function, zero divergence by construction; "classical": pressure
    std::string method = "exact";
    // for the exact method: "collocated", "rotational", "thesis"
    std::string momentum = "collocated";
    // for collocated momentum; else "central", "upwind", and for collocated "blended"
    std::string convection = "skew-symmetric";
    // for skew-symmetric convection: the factor of |U| [u]; that of upwind convection is 1/2
    double jump_penalty = 0.3;
    std::string time_scheme = "bdf2";    // collocated; "midpoint"
    std::string diffusion = "implicit";  // "implicit", "explicit"
    // for the classical method: pressure solves after the first
    int non_orthogonal_corrections = 0;
    VectorFormula body_force;  // per unit of mass [m/s^2], of x, y, z, t
};

struct ScalarSettings {  // [scalar.NAME]: convected by the flow
    std::string name;
    Formula diffusivity{0.0};  // [m^2/s], of x, y, z, t, at least 0; required
    Formula initial{0.0};
    Formula source{0.0};  // [1/s] times the scalar's unit, of x, y, z, t
    // buoyancy (Boussinesq): the density falls by expansion (value - reference)
    double expansion = 0;
    double reference = 0;
    bool has_reference = false;          // given, so that a 0 is meant
    std::string convection = "bounded";  // "bounded", "central", "upwind", "blended"
    std::string place;
};

struct FlowSolvers {  // [solver.NAME]
    SolverSettings stream_function, pressure, momentum, scalar;
};

// The settings of a computation without its mesh.
struct FlowCase {
    FluidSettings fluid;
    FlowSettings flow;
    std::vector<FlowBoundary> boundaries;
    VectorFormula initial_velocity;  // [initial] velocity [m/s]; projected at the start
    FlowSolvers solvers;
    // [initial] pressure [Pa], for the classical method; 0: a first step that is repeated finds it
    Formula initial_pressure{0.0};
    std::vector<ScalarSettings> scalars = {};
    std::vector<PeriodicSettings> periodic = {};
    double courant = 0.6;          // [time] courant: the largest |u| dt / h of automatic steps
    double step_tolerance = 1e-3;  // TimeSettings::tolerance
};

// The [[monitor]] tables of a flow.
struct ForceMonitor {                     // of type "force"
    std::vector<std::string> boundaries;  // the monitor sums over these
    double speed = 0;                     // reference velocity [m/s]; 0: no coefficients
    double area = 1;                      // reference area [m^2], in 2D a length [m]
    Vec3 drag{1, 0, 0}, lift{0, 1, 0};    // unit vectors
    Vec3 centre{0};                       // reference point of the moment [m]
};

// type "nusselt": Nu = heat flow x length / (diffusivity x difference x area).
struct NusseltMonitor {
    std::string scalar, boundary;  // the scalar, and the boundary it passes
    double difference = 1;         // reference difference of the scalar
    double length = 1;             // reference length [m]
};

}  // namespace solenoid
