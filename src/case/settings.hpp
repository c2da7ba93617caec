// The checked settings of a case file, as plain data with defaults. docs/case-file.md lists the
// keys.
#pragma once

#include <any>
#include <array>
#include <cmath>
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
    std::filesystem::path file;        // absolute; empty for a box
    std::optional<BoxSettings> box;    // [mesh.box] cells, dimension, low, high, jitter
    std::string ordering = "hilbert";  // "hilbert", "reverse-cuthill-mckee", "file"
    std::string cut = "metis";         // "metis", "hilbert"
    // factor of the mesh's coordinates (0.001: millimetres), by `scale` or `unit`
    double scale = 1;
    bool is_scaled = false;  // whether one of these keys is given
    // nodes nearer than this are joined [m]; 0: parts that touch remain separate
    std::optional<double> glue;
};

// [grid], instead of [mesh]: a structured grid in the plane, of a physics that takes one.
struct GridSettings {
    // Of all nodes of a direction; where it is periodic, the last line, which is the first, is not
    // counted.
    int columns = 0, rows = 0;
    bool is_periodic_x = false, is_periodic_y = false;
    Vec3 low{0}, high{1, 1, 0};  // corners of the rectangle with even spacing [m]
    // where the node at x, y of that rectangle lies [m], each of what the one before gives
    std::vector<std::array<Formula, 2>> maps = {};
    std::optional<Formula> land = {};  // nodes where it is not 0 are land
    std::string place = {};
};

struct PeriodicSettings {  // [boundary.NAME] with type = "periodic", of any physics
    std::string name, partner;
    std::string place;
    // flow: imposed flux, from `name` to `partner` inside the domain [m^3/s, in 2D m^2/s], of t
    std::optional<Formula> flux;
};

struct TimeSettings {  // [time]; steady without the table
    bool steady = true;
    double end = 0;              // [s]
    std::string end_place = {};  // where it is given
    std::optional<double> step;  // [s]; absent: chosen by the physics
    // For steps that the physics chooses:
    double tolerance = 1e-3;  // of the local error of a step, relative to the field's range
    std::optional<double> first_step;    // [s]; absent: chosen by the physics
    std::optional<double> largest_step;  // [s]; absent: no limit
    // stop when the state changes by less per second (Simulation::changes); 0: never
    double steady_tolerance = 0;
    std::optional<std::int64_t> steps;  // stop after this number of steps
    int retries = 8;                    // of a step that fails, each at half the length
};

struct SolverSettings {  // [solver.NAME]
    // ||b - A x|| <= tolerance ||b||; default 1e-10 double, 1e-5 single
    std::optional<double> tolerance;
    int max_iterations = 100000;
    std::string preconditioner = "automatic";  // one of preconditioner_kinds()
    bool is_mixed = false;                     // iterates in single precision: --precision mixed
    int levels = 20;                           // largest number of multigrid levels
    bool print_hierarchy = false;              // print multigrid's levels at the end of the run
};

// When something is written or recorded: keys of [output], [[monitor]], [[picture]] and
// [checkpoint]. At most one
// of the first three is given; none: as its table says.
struct WhenSettings {
    std::optional<std::int64_t> every;    // steps
    std::optional<double> interval;       // time of the run [s]; steps end at its multiples
    std::optional<double> wall_interval;  // wall-clock time [s]
    double from = 0, to = HUGE_VAL;       // nothing before and after these times [s]
    std::string trigger = {};             // when this one acts, too; empty: none
    bool has_frequency() const { return every || interval || wall_interval || !trigger.empty(); }
    bool is_given() const { return has_frequency() || from > 0 || to < HUGE_VAL; }
};

struct OutputSettings : WhenSettings {  // [output]; without a frequency: start and end only
    bool vtk = true;
};

// [checkpoint] of a case in time. Of WhenSettings the first three; without any: wall_interval.
struct CheckpointSettings : WhenSettings {
    static constexpr double usual_wall_interval = 1800;  // [s]
    CheckpointSettings() { wall_interval = usual_wall_interval; }
    int keep = 2;  // the last ones stay; 0: none is written
};

struct MonitorSettings {  // [[monitor]]
    std::string type;     // one of monitor_kinds.hpp
    std::string name;
    Vec3 from{0}, to{0};  // ends of the line; a point is at both ("at" in the file)
    int points = 101;
    std::any own = {};  // settings of other kinds, see settings_of()
    std::string place;
    WhenSettings when = {};  // without a frequency: by its kind, see MonitorKind
};

struct PictureSettings {  // [[picture]], and [[film]]
    std::string name;
    std::string field;                           // a quantity with QuantityInfo::is_drawn
    int width = 1200, height = 800;              // pixels
    bool mesh = false;                           // draw the edges of the mesh
    std::optional<std::array<double, 2>> range;  // of the colours; absent: the range of the field
    // from the camera to the body; absent: a three-quarter view, in 2D without heights -z
    std::optional<Vec3> direction;
    std::string height_of;               // a quantity on nodes of one column; empty: flat
    std::optional<double> height_scale;  // [m over its unit]; absent: by its range
    std::string height_place;            // of height_of
    std::string place;
    WhenSettings when = {};                   // without a frequency: with the states of [output]
    std::optional<double> frames_per_second;  // of a film; its `when` has a frequency
};

struct AverageSettings {              // [average]
    double from = 0, to = HUGE_VAL;   // [s]
    std::vector<std::string> fields;  // quantities on nodes
    std::string place;
};

struct InitialFile {             // [initial] file
    std::filesystem::path path;  // of an output folder or a .pvtu file, absolute
    bool extends = false;        // outside its mesh the value of the nearest node counts
    std::string place;
};

struct TriggerSettings {  // [[trigger]]
    std::string name;     // of `trigger` in other tables; may be empty
    std::string monitor, column;
    // one of these
    std::optional<double> above, below, steady, diverges;
    double window = 0;            // of `steady` and `diverges` [s]
    double from = 0;              // rows before this time do not count [s]
    std::string action = "none";  // "write", "checkpoint", "stop", "none"
    std::string place;
};

struct CaseSettings {
    std::filesystem::path file;  // absolute
    std::string place;           // the file as the user spelt it, for messages
    std::string name;            // name of the output, see case_name()
    std::string title;           // one line of the banner; may be empty
    const Physics* physics = nullptr;
    std::any own;  // settings of the physics, see settings_of()
    MeshSettings mesh;
    std::optional<GridSettings> grid;  // in place of `mesh`
    TimeSettings time;
    std::vector<PeriodicSettings> periodic;
    OutputSettings output;
    CheckpointSettings checkpoint;
    std::vector<MonitorSettings> monitors;
    std::vector<PictureSettings> pictures;
    std::optional<AverageSettings> average;
    std::optional<InitialFile> initial;
    std::vector<TriggerSettings> triggers;
};

// Regions of the mesh by name, and the place in the case that names them.
struct RegionChoice {
    std::vector<std::string> names;
    std::string place;
};

// The settings of a physics in its case, or of a kind in its monitor.
template <class Own, class Holder>
const Own& settings_of(const Holder& holder) {
    return std::any_cast<const Own&>(holder.own);
}
template <class Own, class Holder>
Own& settings_of(Holder& holder) {
    return std::any_cast<Own&>(holder.own);
}

// Reads and checks a case file. overrides: "key.path=value" (the value read as TOML, else as a
// string). Throws InputError with file and line, such as for an unknown key (with the nearest known
// one), a wrong type or a repeated table. A case without `physics` has the first one.
CaseSettings read_case(const std::filesystem::path& file, const PhysicsList& physics,
                       const std::vector<std::string>& overrides = {});

// A case without a file, of a program that uses the library: keys are "key.path=value", as
// overrides have them, and errors name the key ("key mesh.box.cells: ..."). Paths count from the
// working folder.
CaseSettings case_of_keys(const std::string& name, const std::vector<std::string>& keys,
                          const PhysicsList& physics);

// The name of a case without `name`: that of its folder for "case.toml", else of the file without
// ".toml".
std::string case_name(const std::filesystem::path& file);

// The named groups of a mesh, for checks of a case.
struct MeshNames {
    int dimension = 3;
    // groups with a face on the domain's boundary: each needs a condition
    std::vector<std::string> boundaries;
    // groups entirely inside the domain: a condition is optional, where the physics has one
    std::vector<std::string> inner_groups;
    std::vector<std::string> regions;
    // those of `boundaries` that also have faces inside the domain
    std::vector<std::string> partly_inside = {};
};

// has_default(): whether the case has a [boundary.default]. with_default(): gives its condition to
// those of these groups without one, or the condition of interfaces to removed regions. Called
// before check_names().
bool has_default(const CaseSettings& settings);
void with_default(CaseSettings& settings, const std::vector<std::string>& boundaries);

// Throws InputError where case and mesh do not fit: a name that the mesh lacks (with the nearest
// one and all that exist), a boundary without a condition, a region without a material, a position
// out of the plane in 2D.
void check_names(const CaseSettings& settings, const MeshNames& mesh);

// The pairs of groups that the case joins, each once, from the side named first. Throws InputError
// for a name that the mesh lacks, and for sides that do not name each other or that have another
// condition too.
std::vector<PeriodicRequest> periodic_pairs(const CaseSettings& settings,
                                            const std::vector<std::string>& groups);

}  // namespace solenoid
