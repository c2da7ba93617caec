// Data of a flow that are most likely a slip, since the flow that they make is another than the one
// that is meant: told as warnings, with numbers and a remedy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/run/flow_data.hpp"
#include "flow/solver/flow_solver.hpp"

namespace solenoid {

// Scalars with buoyancy whose `reference` is not given: where the default, 0, is none of their
// values, all of the fluid is lifted. In a closed domain that is a pressure; between openings of
// different heights it is a flow. Collective, as all below.
std::vector<std::string> missing_references(const Communicator& comm, const DistributedMesh& mesh,
                                            const FlowCase& flow, FlowData& data);

// Boundaries along which a viscous fluid slips, of curves that the mesh does not resolve.
std::vector<std::string> coarse_slip_walls(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry, const FlowCase& flow);

// The largest speed of a run over that of sound, with its time and place.
class LargestMach {
  public:
    // All references must outlive this.
    LargestMach(const Communicator& comm, const DistributedMesh& mesh, const FlowCase& flow)
        : comm_(comm), mesh_(mesh), flow_(flow) {}
    void note(FlowSolver& solver);  // its state; does nothing where the case gives no sound_speed
    std::string warning() const;    // empty where all was slow

  private:
    const Communicator& comm_;
    const DistributedMesh& mesh_;
    const FlowCase& flow_;
    double mach_ = 0, time_ = 0;
    Vec3 place_{0};
};

// The wall cell with the largest Reynolds number u h / nu: h from its centroid to the wall, u the
// speed there relative to the wall and along it.
struct WallCell {
    double reynolds = 0, height = 0;
    std::string boundary;
    Vec3 place{0};
};
// A law of viscosity counts with its largest value. Nothing without walls and without friction.
std::optional<WallCell> coarsest_wall_cell(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry, const FlowCase& flow,
                                           FlowSolver& solver);
// docs/numerics.md, "Cells at walls": beyond it no laminar boundary layer has the middle of a cell
// in its lowest fifth.
constexpr double most_wall_reynolds = 250;
std::string wall_warning(const WallCell& cell);  // empty up to that

}  // namespace solenoid
