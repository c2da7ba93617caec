// Topology of the domain for divergence-free fluxes: the connected parts of its prescribed
// boundary, and the number of independent fluxes that pass no prescribed face and are not the curl
// of an s that vanishes there.
#pragma once

#include <optional>

#include "flow/topology/flow_regions.hpp"

namespace solenoid {

// A connected part of the prescribed faces, joined by nodes.
struct PrescribedPart {
    GlobalIndex label;       // its lowest node
    GlobalIndex region;      // lowest cell of the cells joined by faces that it bounds
    std::int64_t component;  // DistributedMesh::node_component of its nodes
    std::int64_t faces;
    // without a rim: fluid through it must come through another boundary
    bool closed;
    bool leads;  // the largest part of its component
};

class Cohomology {
  public:
    // prescribed: one flag for each face held. Collective.
    Cohomology(const Communicator& comm, const DistributedMesh& mesh,
               const std::vector<bool>& prescribed);

    // In ascending order of labels, equal on all ranks.
    const std::vector<PrescribedPart>& parts() const { return parts_; }
    // The part of a node in [0, shared), or `none`.
    Index part_of(Index node) const { return node_part_[node]; }
    // Whether a region has boundary faces that are not prescribed.
    bool has_outlet(GlobalIndex region) const { return regions_.has_outlet(region); }
    Index regions() const { return regions_.count(); }
    // The number of regions without an outlet, and the one of each cell held, or `none`.
    Index closed_regions() const { return regions_.closed(); }
    std::vector<Index> closed_region_of_cells() const { return regions_.closed_of_cells(); }

    // In 2D the number of constants of s: one for each part except the leading ones.
    std::int64_t constants() const;
    // The dimension of {U: D U = 0, U = 0 on prescribed faces} modulo {C s: s = 0 on their codim-2
    // entities}. Absent where counting does not determine it: in 3D on periodic meshes, and where
    // outlets have loops and the boundary has handles.
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
