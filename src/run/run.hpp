// Commands `solenoid run` and `solenoid restart`: run a case, from its start or from a checkpoint.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "case/case_text.hpp"
#include "core/timer.hpp"
#include "device/device.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/files/output_folder.hpp"
#include "io/files/summary.hpp"
#include "parallel/topology.hpp"
#include "run/phase_clock.hpp"

namespace solenoid {

struct RunOptions {
    std::filesystem::path case_file;  // empty: of the checkpoints in `output`, to go on from
    std::filesystem::path output;     // empty: out/CASE
    bool continues = false;           // from the checkpoints in `output`, where there are such
    std::string device = "auto";
    std::string precision = "double";  // empty: of the checkpoint
    std::string transport = "auto";
    int threads = 0;            // per rank; 0: thread_share()
    bool reproducible = false;  // the same bits on any number of ranks
    std::vector<std::string> overrides;
    bool overwrite = false;  // results of an earlier run
    std::string wall_time;   // hours:minutes:seconds; empty: no limit
    bool quiet = false;
    bool view = false;
};

// The mesh of a run, which its physics makes (Physics::make_mesh) and alone knows more of.
class RunMesh {
  public:
    virtual ~RunMesh() = default;
    virtual const Topology& topology() const = 0;
    // The names that a case must know. Collective.
    virtual MeshNames names(const Communicator& comm) const = 0;
    // After the names of the case are checked: throws InputError where the mesh lacks what a run
    // needs. Collective.
    virtual void check(const Communicator&) const {}
};

// The common data of runs of all physics.
struct Run {
    Run(const Communicator& comm, const RunOptions& options) : comm(comm), options(options) {}

    const Communicator& comm;
    const RunOptions& options;
    PhysicsList all;  // that a case may have
    CaseText text;    // of the case
    std::vector<std::string> overrides;
    std::vector<std::string> later_overrides;  // those that a checkpoint does not have yet
    CaseSettings settings;
    std::string as_run;  // the text of the case, with overrides
    std::unique_ptr<Device> device;
    std::unique_ptr<const RunMesh> mesh;   // made by the physics, on the device
    std::unique_ptr<OutputFolder> folder;  // of a run that writes
    std::unique_ptr<CheckpointFile>
        checkpoint;  // to go on from; null: there is none, or it is loaded
    Summary summary;
    PhaseClock phases{summary.seconds};
    bool is_summed_up = false;  // its summary is finished
    int exit_code = 0;          // of a run that did not fail
    Stopwatch total;

    const Topology& topology() const { return mesh->topology(); }
};

// From run.settings to run.mesh: threads, device, transport, the mesh that the physics makes, and
// checks of the case against it. Throws Error; on every rank the same one. Collective.
void set_up(Run& run);

// Runs a case, or goes on with it. Returns the exit code. all: the physics that a case may have.
// Throws Error, the same on every rank.
int run(const Communicator& comm, const RunOptions& options, const PhysicsList& all);

}  // namespace solenoid
