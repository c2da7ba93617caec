// What a run did, for people and programs: summary.json.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace solenoid {

struct SolveSummary {
    std::string name;             // of the system: "temperature"
    std::int64_t count = 0;       // solves
    std::int64_t iterations = 0;  // of all solves together
    double residual = 0;          // largest final ||b - A x|| / ||b||
    double setup_seconds = 0;     // of preconditioners, on rank 0
};

struct FieldRange {
    std::string name;
    double low, high;
};

// Of a flow: what friction and the scheme took of its kinetic energy, means of samples [W, in two
// dimensions W/m].
struct EnergyLoss {
    std::int64_t samples = 0;  // steps
    double from = 0, to = 0;   // of the first and the last [s]
    double friction = 0, convection = 0, jump_penalty = 0, coupling = 0, time_scheme = 0;
    bool counts = false;  // the scheme's part matters for the flow, and is no rounding
    double scheme() const { return convection + jump_penalty + coupling + time_scheme; }
};

// Of a flow: the force on a monitor's boundaries at the end, by the integral over their surface and
// by the weak form of momentum [N, N/m].
struct ForceComparison {
    std::string monitor;
    std::array<double, 3> surface, weak;
    double apart;  // their difference, over the larger one and some of what acts on the surface
};

struct PhaseSeconds {
    double read = 0, partition = 0, setup = 0, solve = 0, output = 0, total = 0;
};

struct Summary {
    std::string case_name;
    std::string version;
    int ranks = 1, threads = 1;                               // threads: of each rank
    std::vector<std::string> devices;                         // one a rank
    std::string precision;                                    // "single", "double"
    std::string transport;                                    // what carries messages between ranks
    double transport_latency = 0, transport_bandwidth = 0;    // s, bytes/s (parallel/transport.hpp)
    std::int64_t cells = 0, faces = 0, edges = 0, nodes = 0;  // of the whole mesh
    std::size_t edge_cut = 0;
    double imbalance = 1;
    std::int64_t steps = 0;
    double time = 0;       // reached [s]
    PhaseSeconds seconds;  // wall clock
    std::vector<SolveSummary> solves;
    std::optional<bool> steady;            // where the case asks for a steady state: it is one
    std::optional<double> max_divergence;  // flow: of all steps, net outflow over face flux
    std::optional<EnergyLoss> energy_loss;
    std::vector<ForceComparison> forces;
    std::vector<FieldRange> ranges;        // of the last state
    std::int64_t halo_bytes = 0;           // sent, all ranks
    std::int64_t exchanges = 0, sums = 0;  // of halos and over the ranks, that rank 0 took part in
    std::int64_t memory_bytes = 0;         // peak resident, all ranks
    std::string status = "done";           // "done", "stopped", "failed"
};

// Called on the root. Numbers that are not finite become null.
void write_summary(const std::filesystem::path& file, const Summary& summary);

// Largest resident set of this process so far.
std::size_t peak_resident_bytes();

}  // namespace solenoid
