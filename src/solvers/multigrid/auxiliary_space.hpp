// A preconditioner for curl-curl matrices on edges: a smoother on the edges and, between its two
// halves, multigrid of the scalar Laplacian on the nodes for the components of a vector field there
// (Hiptmair & Xu 2007). docs/numerics.md, "Multigrid".
#pragma once

#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

// All references are read while the preconditioner is made.
struct EdgeProblem {
    const EntityRanges& edges;
    const HaloPlan& edge_halo;
    const HostMatrix& matrix;               // curl-curl, a row for each marked edge
    const std::vector<Index>& fixed_edges;  // marked ones that are no unknowns
    const EntityRanges& nodes;
    const HaloPlan& node_halo;
    const HostMatrix& laplacian;            // on marked nodes
    const std::vector<Index>& fixed_nodes;  // marked nodes of fixed edges
    // Pi: from vectors at nodes to edges, (Pi z)_e = weights_e . (z_a + z_b) with the two ends of
    // every edge held.
    const Table& ends;
    const std::vector<Vec3>& weights;
    int smoothing;  // steps on the edges
};

template <class Real>
class AuxiliarySpace final : public Preconditioner<Real> {
  public:
    AuxiliarySpace(const Communicator& comm, Device& device, const EdgeProblem& problem,
                   const MultigridSettings& settings = {});

    double apply(const Buffer<Real>& r, Buffer<Real>& z) override;

    const Multigrid<Real>& nodal() const { return nodal_; }
    // nonzeros of the edges and of all nodal levels over those of the edges
    double operator_complexity() const;
    std::size_t bytes() const { return bytes_; }
    // levels: the nodal ones
    PreconditionerSummary summary() const override { return {setup_seconds_, nodal_.levels()}; }

  private:
    void set_embedding(const Communicator& comm, const EdgeProblem& problem,
                       const std::vector<std::uint8_t>& fixed_edges);

    Communicator comm_;
    Device& device_;
    Range marked_nodes_;
    Range marked_edges_;
    const bool has_free_nodes_;  // on any rank: else the space is empty
    Multigrid<Real> nodal_;
    // what each of these reads of other ranks
    std::unique_ptr<Halo<Real>> smoothed_, restricted_, embedded_;
    std::unique_ptr<Smoother<Real>> smoother_;
    Buffer<std::uint32_t> ends_;  // of Pi, and its rows transposed
    SellRows edges_of_nodes_;
    Buffer<Real> weights_, weights_of_nodes_;
    Buffer<Real> node_r_, node_z_;
    double setup_seconds_ = 0;
    std::int64_t nonzeros_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace solenoid
