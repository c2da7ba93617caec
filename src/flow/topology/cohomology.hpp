// What the shape of the domain says about fluxes free of divergence: the connected parts of its
// prescribed boundary, and how many independent fluxes pass no prescribed face and are no curl of
// an s that vanishes there.
#pragma once

#include <optional>

#include "flow/topology/flow_regions.hpp"

namespace solenoid {

// Prescribed faces joined by nodes.
struct PrescribedPart {
    GlobalIndex label;       // its least node
    GlobalIndex region;      // of the cells joined by faces that it bounds, the least
    std::int64_t component;  // DistributedMesh::node_component of its nodes
    std::int64_t faces;
    // it has no rim: what flows through it must come through another boundary
    bool closed;
    bool leads;  // the largest of its component
};

class Cohomology {
  public:
    // prescribed: one flag a face held. Collective.
    Cohomology(const Communicator& comm, const DistributedMesh& mesh,
               const std::vector<bool>& prescribed);

    // by ascending label, the same on every rank
    const std::vector<PrescribedPart>& parts() const { return parts_; }
    // Part that a node in [0, shared) lies on, or `none`.
    Index part_of(Index node) const { return node_part_[node]; }
    // Whether a region has boundary faces that are not prescribed.
    bool has_outlet(GlobalIndex region) const { return regions_.has_outlet(region); }
    Index regions() const { return regions_.count(); }
    // Regions without, and which of them each cell held lies in, or `none`.
    Index closed_regions() const { return regions_.closed(); }
    std::vector<Index> closed_region_of_cells() const { return regions_.closed_of_cells(); }

    // In 2D: one constant of s for each part but the leading ones.
    std::int64_t constants() const;
    // Dimension of {U: D U = 0, U = 0 on prescribed faces} over {C s: s = 0 on their codim-2
    // entities}, where counting tells it: in 2D always; in 3D but on periodic meshes, and where
    // outlets have loops and the boundary handles.
    std::optional<std::int64_t> harmonic_fluxes() const { return harmonic_; }

  private:
    void find_parts(const Communicator& comm, const DistributedMesh& mesh,
                    const std::vector<bool>& prescribed);
    std::optional<std::int64_t> count(const Communicator& comm, const DistributedMesh& mesh,
                                      const std::vector<bool>& prescribed) const;

    FlowRegions regions_;
    std::vector<PrescribedPart> parts_;
    std::vector<Index> node_part_;
    std::optional<std::int64_t> harmonic_;
};

}  // namespace solenoid
