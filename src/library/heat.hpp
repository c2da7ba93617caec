// Heat conduction in a body, by linear finite elements on triangles or tets:
//   rho c dT/dt = div(k grad T) + q
// steady, or in time by TR-BDF2. Methods and sources: docs/numerics.md, "Heat". Keys named
// below are those of case files, docs/case-file.md.
//
//   solenoid::HeatProblem problem;
//   problem.mesh = solenoid::BoxMesh{.cells = 5000};
//   problem.materials["default"] = {.conductivity = 45};
//   problem.boundaries["xmin"] = solenoid::FixedTemperature{"300 + 10*y"};
//   problem.boundaries["xmax"] = solenoid::HeatExchange{.coefficient = 20, .ambient = 280};
//   problem.boundaries["default"] = solenoid::Insulation{};
//   solenoid::Heat heat(session, problem);
//   heat.solve_steady();
//   heat.write_vtk("out");
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/export.hpp"
#include "session.hpp"

namespace solenoid {

using Point = std::array<double, 3>;  // x, y, z [m]; z = 0 in two dimensions

// A number, or a formula of x, y, z [m] and t [s], "300 + 20*sin(pi*x)": docs/case-file.md,
// "Values". Heat throws InputError where it does not parse, or is not finite at a node.
class Value {
  public:
    Value() = default;  // none: refused
    template <class Number>
    requires std::is_arithmetic_v<Number> Value(Number number)
        : content_(static_cast<double>(number)) {}
    Value(const char* formula) : content_(std::string(formula)) {}
    Value(std::string formula) : content_(std::move(formula)) {}

    const std::variant<double, std::string>& content() const { return content_; }

  private:
    std::variant<double, std::string> content_ = std::string();
};

// A mesh made in memory: an unstructured box of tets (triangles), with the sides xmin, xmax, ymin,
// ymax, zmin, zmax and the one region "box".
struct BoxMesh {
    int dimension = 3;                  // 2 or 3
    std::int64_t cells = 10000;         // aimed at, 1 to 500 000 000
    Point low{0, 0, 0}, high{1, 1, 1};  // corners [m]
    // largest displacement of a node, in lattice spacings, up to 0.17 (2D: 0.21)
    double jitter = 0.15;
};

// A mesh in a file of Gmsh, format 2.2 or 4.1: docs/user-guide.md.
struct MeshFile {
    std::filesystem::path file;
    double scale = 1;  // multiplies its coordinates; 0.001: they are millimetres
};

// Of a region of the mesh. k and rho c are positive, and of x, y, z.
struct Material {
    Value conductivity;                       // k [W/(m K)]
    std::optional<Value> heat_capacity = {};  // rho c [J/(m^3 K)]; needed for steps in time
    Value source = 0;                         // q, made in the volume [W/m^3]; of x, y, z, t
};

// Conditions on a boundary of the mesh. Values are of x, y, z, t where nothing else is said.
struct FixedTemperature {
    Value temperature;  // [K]; also on a group of faces inside the body
};
struct HeatFlux {
    Value flux;  // into the body [W/m^2]
};
struct HeatExchange {   // heat h (T - T_inf) leaves [W/m^2]
    Value coefficient;  // h [W/(m^2 K)], not negative
    Value ambient;      // T_inf [K]
};
struct Insulation {};  // no heat passes, neither through a group of faces inside the body
// On a group of faces inside the body: heat (T_1 - T_2) / R [W/m^2] from one of its sides to the
// other.
struct ContactResistance {
    Value resistance;  // R [m^2 K/W], positive; of x, y, z
};
using BoundaryKind =
    std::variant<FixedTemperature, HeatFlux, HeatExchange, Insulation, ContactResistance>;

struct HeatProblem {
    std::variant<BoxMesh, MeshFile> mesh;
    // By the mesh's names of regions and boundaries; "default" stands for all that are not named.
    // Each region needs a material, each boundary a condition.
    std::map<std::string, Material> materials;
    std::map<std::string, BoundaryKind> boundaries;
    // The temperature at t = 0 [K], of x, y, z: where steps in time start, unless from a steady
    // state. Its mean is kept in parts of a steady body whose temperature nothing fixes.
    std::optional<Value> initial;
    // Of the solves: they end where the residual has fallen to this part of the right side;
    // between 0 and 1. Not given: 1e-10, in single precision 1e-5.
    std::optional<double> tolerance;
    std::string device = "auto";  // what computes: docs/devices.md; auto: a GPU if there is one
    std::string precision = "double";  // of the fields, or "single", or "mixed"
    int threads = 0;  // of each rank, up to 1024; 0: OMP_NUM_THREADS, else its share of cores
    // Further keys of a case file, as `solenoid run --set` takes them:
    // "solver.temperature.max_iterations=500".
    std::vector<std::string> keys;
};

// Heat through the body's boundaries [W], in two dimensions for each metre of depth [W/m]; of the
// steady state, or the mean over the last step. The sum over `boundaries` plus source is
// storage, but for the tolerance of the solves.
struct HeatFlows {
    // By name: heat into the body, through a contact from the side of the region that comes first
    // in the mesh to the other, which the sum leaves out.
    std::map<std::string, double> boundaries, contacts;
    double source = 0;
    double storage = 0;
};

// A problem on its mesh, with its temperature. All calls are collective but those that say so.
class SOLENOID_API Heat {
  public:
    // Reads or makes the mesh, deals it out to the ranks and prepares the solver. Throws InputError
    // for what does not fit: values out of range, names that the mesh does not have, boundaries
    // without a condition, a device that is not there. The session must outlive this.
    Heat(const Session& session, const HeatProblem& problem);
    ~Heat();
    Heat(const Heat&) = delete;
    Heat& operator=(const Heat&) = delete;

    // The steady temperature of the data at t = 0. Before the first step. Throws InputError where
    // there is none (heat into a part of the body whose temperature nothing fixes),
    // ComputationError where the solve does not converge.
    void solve_steady();

    // One step [s], positive, of second order in its length. A datum that jumps within it is seen
    // at its beginning, at 0.586 of it and at its end. Throws InputError where the problem has no
    // heat capacities, or no initial temperature and no steady state was computed, ComputationError
    // where a solve does not converge or the temperature is no longer finite.
    void step(double length);
    // Steps to the time `end` [s], of lengths chosen so that the estimated error of each, relative
    // to the range of temperature, is below `tolerance`. first [s]: the length tried first; 0: what
    // the last call would have taken next, at first 1e-4 of the time to go. Throws as step() does.
    // How many steps were taken.
    int advance(double end, double tolerance = 1e-3, double first = 0);
    double time() const;  // of the present temperature [s]; not collective

    // Nodes of this rank: each node of the mesh is on one rank alone. None of these three is
    // collective.
    std::size_t nodes() const;
    std::vector<Point> positions() const;       // of each [m]
    std::vector<std::int64_t> numbers() const;  // of each, in the order of the whole mesh, from 0
    std::vector<double> temperature() const;    // at each [K]
    std::array<double, 2> temperature_range() const;  // least and greatest, of all ranks [K]
    HeatFlows flows() const;                          // not collective

    // Writes the present state for ParaView: FOLDER/NAME.pvd lists all that were written by this
    // object, one a step (docs/output.md). Makes the folder. Throws InputError where it cannot be
    // written to, ComputationError where a file does not fit.
    void write_vtk(const std::filesystem::path& folder, const std::string& name = "heat");

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace solenoid
