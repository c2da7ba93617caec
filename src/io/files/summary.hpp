// The summary of a run: summary.json.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace solenoid {

struct SolveSummary {
    std::string name;             // of the system, such as "temperature"
    std::int64_t count = 0;       // number of solves
    std::int64_t iterations = 0;  // of all solves
    double residual = 0;          // largest final ||b - A x|| / ||b||
    double setup_seconds = 0;     // of preconditioners, on rank 0
};

struct FieldRange {
    std::string name;
    double low, high;
};

// For a flow: the kinetic energy that friction and the scheme remove, as means of samples [W, in 2D
// W/m].
struct EnergyLoss {
    std::int64_t samples = 0;  // steps
    double from = 0, to = 0;   // times of the first and the last sample [s]
    double dissipation = 0;    // by friction: the integral of 2 mu S : S
    double convection = 0, jump_penalty = 0, coupling = 0, time_scheme = 0;
    bool counts = false;  // the scheme's part matters for the flow and is not rounding
    double gain = 0;      // what the scheme adds in the time of the run, over the kinetic energy
    double scheme() const { return convection + jump_penalty + coupling + time_scheme; }
};

// For a flow: the force on a monitor's boundaries at the end, by the integral over their surface
// and by the weak form of momentum [N, in 2D N/m].
struct ForceComparison {
    std::string monitor;
    std::array<double, 3> surface, weak;
    // The largest difference of both in a window of the run, over the largest force in it, or over
    // a part of the magnitudes on the surface where that is more.
    double apart;
    double from = 0, at = 0;  // of the window; of the largest difference [s]
    std::array<double, 3> surface_there{}, weak_there{};  // the forces then
};

// For a flow: the passage with the fewest cells across between walls that fluid sticks to.
struct CellsAcross {
    double cells = 0, length = 0;      // length: across [m]
    std::array<double, 3> place = {};  // of its middle
    std::string from = {}, to = {};    // boundaries
};

// For a flow: how thin its cells are at most. docs/numerics.md, "Aspects".
struct ThinCells {
    struct Largest {
        double value = 0;  // 0: there is none
        std::array<double, 3> place{};
        std::string boundary = {};
    };
    Largest at_boundaries;  // aspect of a cell at a boundary
    Largest inside;         // of two cells at a face the smaller aspect
    Largest curved;         // aspect x length along a wall / its radius
};

// For a flow: the largest Courant number of the last step, and the centroid of its cell.
struct LargestCourant {
    double number;
    std::array<double, 3> place;
};

// On rank 0, wall clock. The phases add up to the total.
struct PhaseSeconds {
    double start = 0;      // the case, the device, the transport
    double read = 0;       // the mesh
    double partition = 0;  // likewise
    double setup = 0;      // the solver
    double solve = 0;      // steps, or the steady solve
    double monitors = 0;   // tables, monitors, averages, what a step is checked by
    double output = 0;     // files for ParaView, ranges
    double pictures = 0;
    double checkpoints = 0;  // written, or read
    double view = 0;         // the window
    double other = 0;
    double total = 0;
};

// Of a run that was continued: what went before the present part.
struct EarlierParts {
    int count = 0;  // parts
    std::int64_t steps = 0;
    double time = 0;     // reached by them [s]
    double seconds = 0;  // their wall-clock time, up to the checkpoints gone on from
};

struct Summary {
    std::string case_name;
    std::string case_hash;              // of the case file's text
    std::vector<std::string> pictures;  // names that the case asks for
    std::string version;
    bool is_reproducible = false;
    int ranks = 1, threads = 1;                               // threads: per rank
    std::vector<std::string> devices;                         // one for each rank
    std::string precision;                                    // "single", "double"
    std::string transport;                                    // of messages between ranks
    double transport_latency = 0, transport_bandwidth = 0;    // s, bytes/s (parallel/transport.hpp)
    std::int64_t cells = 0, faces = 0, edges = 0, nodes = 0;  // of the whole mesh
    std::size_t edge_cut = 0;
    double imbalance = 1;
    std::int64_t steps = 0;
    std::int64_t repeated_steps = 0;      // that failed and were repeated at half their length
    double time = 0;                      // reached [s]
    PhaseSeconds seconds;                 // of the present part
    std::optional<EarlierParts> earlier;  // what was continued
    std::vector<SolveSummary> solves;
    std::optional<bool> steady;  // whether a steady state was reached, where the case asks for one
    std::optional<ThinCells> thin_cells;
    std::optional<CellsAcross> cells_across;
    std::optional<double> max_divergence;  // flow: largest net outflow / face flux of all steps
    std::optional<LargestCourant> courant;
    std::optional<EnergyLoss> energy_loss;
    std::vector<ForceComparison> forces;
    std::vector<FieldRange> ranges;        // of the last state
    std::int64_t halo_bytes = 0;           // sent by all ranks
    std::int64_t exchanges = 0, sums = 0;  // on rank 0: halo exchanges, and sums over the ranks
    std::int64_t memory_bytes = 0;         // peak resident, all ranks
    std::string status = "done";           // "running", "done", "stopped", "failed"
    // why it ended before time.end, such as "SIGTERM" or "time.steps = 20"; empty: it did not
    std::string reason;
    std::vector<std::string> not_written;  // output that is missing (unwritten.hpp)
};

// Called on the root. Numbers that are not finite are written as null.
void write_summary(const std::filesystem::path& file, const Summary& summary);

// What the summary of an earlier run says.
struct EarlierRun {
    std::string case_name, case_hash, status;
    bool is_whole = true;  // no output was missing
};
// Nothing where there is none that can be read.
std::optional<EarlierRun> earlier_run(const std::filesystem::path& summary);

// The largest resident set of this process so far [bytes].
std::size_t peak_resident_bytes();

}  // namespace solenoid
