// Everything that a case file says, checked: plain data with defaults. docs/case-file.md lists the
// keys.
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/formula.hpp"
#include "mesh/box.hpp"
#include "mesh/periodic.hpp"

namespace solenoid {

class Physics;
using PhysicsList = std::vector<const Physics*>;

struct MeshSettings {                  // [mesh]
    std::filesystem::path file;        // absolute, or empty where a box is asked for
    std::optional<BoxSettings> box;    // [mesh.box] cells, dimension, low, high, jitter
    std::string ordering = "hilbert";  // "hilbert", "reverse-cuthill-mckee", "file"
    std::string cut = "metis";         // "metis", "hilbert"
    // multiplies the mesh's coordinates (0.001: millimetres): scale or unit
    double scale = 1;
    bool is_scaled = false;  // one of these is given
    // nodes nearer than this are joined [m]; 0: parts that touch stay apart
    std::optional<double> glue;
};

struct PeriodicSettings {  // [boundary.NAME] with type = "periodic", of any physics
    std::string name, partner;
    std::string place;
    // flow: imposed, from `name` to `partner` inside the domain [m^3/s, in 2D m^2/s], of t
    std::optional<Formula> flux;
};

struct TimeSettings {  // [time]; steady where the table is absent
    bool steady = true;
    double end = 0;              // [s]
    std::optional<double> step;  // [s]; absent: chosen by the physics
    // Of steps that the physics chooses:
    // local error of a step over the range of what is computed
    double tolerance = 1e-3;
    std::optional<double> first_step;    // [s]; absent: chosen by the physics
    std::optional<double> largest_step;  // [s]; absent: as long as the physics takes
    // stop when the state changes by less, a second (Evolution::changes); 0: never
    double steady_tolerance = 0;
    std::optional<std::int64_t> steps;  // stop after so many
};

struct SolverSettings {  // [solver.NAME]
    // ||b - A x|| <= tolerance ||b||; default 1e-10 double, 1e-5 single
    std::optional<double> tolerance;
    int max_iterations = 100000;
    std::string preconditioner = "automatic";  // of preconditioner_kinds()
    bool is_mixed = false;                     // iterates in single precision: --precision mixed
    int levels = 20;                           // of multigrid, at most
    bool print_hierarchy = false;              // of multigrid, when the run ends
};

struct OutputSettings {                 // [output]
    std::optional<double> interval;     // [s] between written states; absent: start and end only
    std::optional<std::int64_t> every;  // steps between written states
    bool vtk = true;
};

struct MonitorSettings {  // [[monitor]]
    std::string type;     // of monitor_kinds.hpp
    std::string name;
    Vec3 from{0}, to{0};  // ends of the line; a point is at `from` and `to` ("at" in the file)
    int points = 101;
    std::any own = {};  // what other kinds have: settings_of
    std::string place;
};

struct PictureSettings {  // [[picture]]
    std::string name;
    std::string field;                           // of Physics::picture_fields
    int width = 1200, height = 800;              // pixels
    bool mesh = false;                           // draw the mesh's edges
    std::optional<std::array<double, 2>> range;  // of the colours; absent: the field's
    // from the camera to the body; absent: a three-quarter view, or -z in 2D
    std::optional<Vec3> direction;
    std::string place;
};

struct CaseSettings {
    std::filesystem::path file;  // absolute
    std::string place;           // the file as the user spelt it, for messages
    std::string name;            // names the output: see case_name
    std::string title;           // one line for the banner; may be empty
    const Physics* physics = nullptr;
    std::any own;  // what the physics alone knows: settings_of
    MeshSettings mesh;
    TimeSettings time;
    std::vector<PeriodicSettings> periodic;
    OutputSettings output;
    std::vector<MonitorSettings> monitors;
    std::vector<MonitorSettings> placed_monitors() const;  // lines and points
    std::vector<PictureSettings> pictures;
};

// Regions of the mesh, by name, and where the case says so.
struct RegionChoice {
    std::vector<std::string> names;
    std::string place;
};

// What a physics has put into its case, or a kind into its monitor.
template <class Own, class Holder>
const Own& settings_of(const Holder& holder) {
    return std::any_cast<const Own&>(holder.own);
}
template <class Own, class Holder>
Own& settings_of(Holder& holder) {
    return std::any_cast<Own&>(holder.own);
}

// Reads and checks a case file; `overrides` are "key.path=value" (the value read as TOML, else as a
// string). Throws InputError with file and line: unknown key (and the nearest known one), wrong
// type, a table given twice, ... A case that names no physics has the first one.
CaseSettings read_case(const std::filesystem::path& file, const PhysicsList& physics,
                       const std::vector<std::string>& overrides = {});

// A case without a file, of a program that uses the library: keys are "key.path=value", as
// overrides have them, and errors name the key ("key mesh.box.cells: ..."). Paths count from the
// working folder.
CaseSettings case_of_keys(const std::string& name, const std::vector<std::string>& keys,
                          const PhysicsList& physics);

// The name of a case without a `name` of its own: that of its folder for "case.toml", else the
// file's without
// ".toml".
std::string case_name(const std::filesystem::path& file);

// The named groups of a mesh, as a case file refers to them.
struct MeshNames {
    int dimension = 3;
    std::vector<std::string>
        boundaries;  // groups with a side on the domain's boundary: each needs a condition
    // groups wholly inside: a condition is optional, where the physics has one
    std::vector<std::string> inner_groups;
    std::vector<std::string> regions;
    // of `boundaries`, those that have faces inside too
    std::vector<std::string> partly_inside = {};
};

// Whether the case has a [boundary.default]; its condition for those of these groups that have no
// other, or what closes interfaces to regions left out. Before check_names.
bool has_default(const CaseSettings& settings);
void with_default(CaseSettings& settings, const std::vector<std::string>& boundaries);

// Throws InputError where case and mesh do not fit: a name that the mesh lacks (with the nearest
// one and all that it has), a boundary without a condition, a region without a material, a position
// out of the plane in two dimensions.
void check_names(const CaseSettings& settings, const MeshNames& mesh);

// The pairs of groups that the case joins, each once, from the side that it names first. Throws
// InputError for a name that the mesh lacks, and for sides that do not agree on their partner or
// have another condition too.
std::vector<PeriodicRequest> periodic_pairs(const CaseSettings& settings,
                                            const std::vector<std::string>& groups);

}  // namespace solenoid
