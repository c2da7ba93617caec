// Everything that a case file says, checked: plain data with defaults. docs/case-file.md lists the keys.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case/flow_conditions/flow_condition.hpp"
#include "case/formula.hpp"
#include "case/heat_conditions/heat_condition.hpp"
#include "mesh/box.hpp"
#include "mesh/periodic.hpp"

namespace solenoid {

struct MeshSettings {                  // [mesh]
    std::filesystem::path file;        // absolute, or empty where a box is asked for
    std::optional<BoxSettings> box;    // [mesh.box] cells, dimension, low, high, jitter
    std::string ordering = "hilbert";  // "hilbert", "reverse-cuthill-mckee", "file"
    double scale = 1;                  // multiplies the mesh's coordinates (0.001: millimetres)
};

struct MaterialSettings {        // [material.NAME]: NAME is a region of the mesh, or "default"
    Formula conductivity{1.0};   // k [W/(m K)], of x, y, z
    Formula heat_capacity{1.0};  // rho c [J/(m^3 K)], of x, y, z
    Formula source{0.0};         // heat made in the volume [W/m^3]
    std::string place;
};

struct FluidSettings {           // [fluid]
    double viscosity = 0;        // kinematic, nu [m^2/s]; required
    double density = 1;          // rho [kg/m^3]: scales forces and pressure
    Vec3 gravity{0};             // [m/s^2]: acts through the scalars' expansion
    std::string gravity_place = {};
};

struct FlowSettings {                       // [flow]
    std::string method = "exact";           // "exact": stream function, divergence zero by construction; "classical": pressure
    std::string momentum = "collocated";    // of the exact method: "collocated", "rotational", "thesis"
    std::string convection = "skew-symmetric";  // collocated; "central", "upwind", collocated also "blended"
    double jump_penalty = 0.3;              // skew-symmetric convection's: of |U| [u], 1/2 as much as upwind's
    std::string time_scheme = "bdf2";       // collocated; "midpoint"
    std::string diffusion = "implicit";     // "implicit", "explicit"
    int non_orthogonal_corrections = 0;     // of the classical method: pressure solves after the first
    VectorFormula body_force;               // of a unit of mass [m/s^2], of x, y, z, t
};

struct ScalarSettings {          // [scalar.NAME]: carried by the flow
    std::string name;
    double diffusivity = 0;      // [m^2/s]; required
    Formula initial{0.0};
    Formula source{0.0};         // [1/s], of x, y, z, t
    double expansion = 0;        // buoyancy (Boussinesq): the fluid is lighter by expansion (value - reference)
    double reference = 0;
    std::string convection = "bounded";  // "bounded", "central", "upwind", "blended"
    std::string place;
};
struct PeriodicSettings {  // [boundary.NAME] with type = "periodic", of any physics
    std::string name, partner;
    std::string place;
    std::optional<Formula> flux;  // flow: imposed, from `name` to `partner` inside the domain [m^3/s, in 2D m^2/s], of t
};

struct TimeSettings {  // [time]; steady where the table is absent
    bool steady = true;
    double end = 0;                     // [s]
    std::optional<double> step;         // [s]; absent: chosen by the error estimate
    double tolerance = 1e-3;            // heat, of the automatic step: local error over the range of temperature
    double courant = 0.6;               // flow, of the automatic step: largest |u| dt / h
    double steady_tolerance = 0;        // flow: stop when the velocity changes by less, a second, over the largest speed
    std::optional<std::int64_t> steps;  // stop after so many
};

struct SolverSettings {               // [solver.NAME]
    std::optional<double> tolerance;  // ||b - A x|| <= tolerance ||b||; default 1e-10 double, 1e-5 single
    int max_iterations = 100000;
    std::string preconditioner = "automatic";  // "automatic", "multigrid", "jacobi", "none"
    bool is_mixed = false;                     // iterates in single precision: --precision mixed
    int levels = 20;                           // of multigrid, at most
    bool print_hierarchy = false;              // of multigrid, when the run ends
};

struct OutputSettings {                 // [output]
    std::optional<double> interval;     // [s] between written states; absent: start and end only
    std::optional<std::int64_t> every;  // steps between written states
    bool vtk = true;
};

struct ForceSettings {                    // [[monitor]] of type "force"
    std::vector<std::string> boundaries;  // the sum over these
    double speed = 0;                     // of reference [m/s]; 0: no coefficients
    double area = 1;                      // of reference [m^2], in 2D a length [m]
    Vec3 drag{1, 0, 0}, lift{0, 1, 0};    // directions, of length 1
    Vec3 centre{0};                       // of the moment [m]
};

struct MonitorSettings {  // [[monitor]]
    std::string type;     // "line", "point", "nusselt", "force", "energy"
    std::string name;
    Vec3 from{0}, to{0};  // ends of the line; a point is at `from` and `to` ("at" in the file)
    int points = 101;
    std::string scalar = {}, boundary = {};  // nusselt: of what, through which
    double difference = 1, length = 1;  // nusselt: of the scalar, and [m]
    ForceSettings force = {};
    std::string place;
};

struct PictureSettings {  // [[picture]]
    std::string name;
    std::string field = "temperature";
    int width = 1200, height = 800;              // pixels
    bool mesh = false;                           // draw the mesh's edges
    std::optional<std::array<double, 2>> range;  // of the colours; absent: the field's
    std::optional<Vec3> direction;  // from the camera to the body; absent: a three-quarter view, or -z in 2D
    std::string place;
};

struct CaseSettings {
    std::filesystem::path file;  // absolute
    std::string place;           // the file as the user spelt it, for messages
    std::string name;            // names the output: see case_name
    std::string title;           // one line for the banner; may be empty
    std::string physics = "heat";
    MeshSettings mesh;
    std::map<std::string, MaterialSettings> materials;
    std::vector<HeatBoundary> boundaries;
    TimeSettings time;
    Formula initial_temperature{0.0};  // [initial] temperature
    SolverSettings temperature_solver;
    FluidSettings fluid;
    FlowSettings flow;
    std::vector<FlowBoundary> flow_boundaries;
    std::vector<ScalarSettings> scalars;
    std::vector<PeriodicSettings> periodic;
    VectorFormula initial_velocity;        // [initial] velocity [m/s]; projected
    Formula initial_pressure{0.0};         // [initial] pressure [Pa], of the classical method
    SolverSettings stream_function_solver;  // [solver.stream_function]
    SolverSettings pressure_solver;         // [solver.pressure]
    SolverSettings momentum_solver;         // [solver.momentum]
    SolverSettings scalar_solver;           // [solver.scalar]
    OutputSettings output;
    std::vector<MonitorSettings> monitors;
    std::vector<MonitorSettings> placed_monitors() const;  // lines and points
    std::vector<PictureSettings> pictures;
};

// Reads and checks a case file; `overrides` are "key.path=value" (the value read as TOML, else as a string).
// Throws InputError with file and line: unknown key (and the nearest known one), wrong type, a table given
// twice, ...
CaseSettings read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

// The name of a case without a `name` of its own: that of its folder for "case.toml", else the file's without
// ".toml".
std::string case_name(const std::filesystem::path& file);

// The named groups of a mesh, as a case file refers to them.
struct MeshNames {
    int dimension = 3;
    std::vector<std::string>
        boundaries;  // groups with a side on the domain's boundary: each needs a condition
    std::vector<std::string> inner_groups;  // groups wholly inside: a temperature is optional
    std::vector<std::string> regions;       // heat: each needs a material, its own or "default"
};

// Throws InputError where case and mesh do not fit: a name that the mesh lacks (with the nearest one and all
// that it has), a boundary without a condition, a region without a material, a position out of the plane in
// two dimensions.
void check_names(const CaseSettings& settings, const MeshNames& mesh);

// The pairs of groups that the case joins, each once, from the side that it names first. Throws InputError for a name that
// the mesh lacks, and for sides that do not agree on their partner or have another condition too.
std::vector<PeriodicRequest> periodic_pairs(const CaseSettings& settings, const std::vector<std::string>& groups);

// The material of a region: its own, or "default". check_names has seen to it that there is one.
const MaterialSettings& material_of(const CaseSettings& settings, const std::string& region);

// A commented starter case of heat for a mesh with these names: it runs as it is. The first boundary is hot,
// the last cold.
std::string starter_case(const std::filesystem::path& mesh_file, int dimension,
                         const std::vector<std::string>& boundaries, const std::vector<std::string>& regions);

// The same for a flow. length: of the mesh [m], for a Reynolds number of 100.
struct StarterBoundary {
    std::string name, type = "wall";
    Vec3 velocity{0};  // [m/s]; 0: none is written
};
std::string starter_flow_case(const std::filesystem::path& mesh_file, int dimension, const std::vector<StarterBoundary>& boundaries,
                              double length);

}  // namespace solenoid
