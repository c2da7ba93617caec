// A scalar carried by the flow, dT/dt + div(u T) = div(diffusivity grad T) + source, on the cells: the scheme of momentum
// in space and time. docs/numerics.md, "Scalars".
#pragma once

#include "flow/cell_stencil.hpp"
#include "flow/scalar_boundaries.hpp"
#include "flow/slope_limiter.hpp"
#include "operators/operators.hpp"
#include "solvers/difference_matrix.hpp"
#include "solvers/diffusion_preconditioner.hpp"
#include "solvers/solve_totals.hpp"

namespace solenoid {

template <class Real>
class ScalarTransport {
  public:
    // All references must outlive this. Collective.
    ScalarTransport(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& flow,
                    const CellStencil<Real>& stencil, Operators<Real>& operators, const ScalarSettings& settings, const CgSettings& solver);

    // The solver's tolerance is relative to the residual of the last values.
    // From time to time + dt with the face fluxes at `time`; ratio: dt over the last step, 0: none (Euler's step).
    // Throws ComputationError. Collective.
    void advance(const Buffer<Real>& flux, double time, double dt, double ratio);
    // Back to before the last advance(), for a step that is made again.
    void undo();

    const ScalarSettings& settings() const { return settings_; }
    const Buffer<Real>& values() const { return now_; }  // of cells
    std::array<double, 2> range() const;                 // least and greatest of all cells. Collective
    std::vector<double> cell_values();                   // ghosts filled
    std::vector<double> node_values();                   // recovered, second order; ghosts filled
    // What diffuses into the domain through each boundary of the mesh [scalar m^3/s, in 2D m^2/s], by Mesh::boundaries.
    std::vector<double> diffused_in();
    const SolveTotals& solves() const { return solves_; }
    std::size_t halo_bytes() const { return matrix_.halo_bytes(); }

  private:
    void put_boundary(const Geometry& geometry);
    void see(double time);
    void to_nodes();
    void transport(const Buffer<Real>& flux);
    void set_shift(double shift);
    void add_source(double when);
    void solve(double when);

    const Communicator& comm_;
    Device& device_;
    const DistributedMesh& mesh_;
    const Geometry& geometry_;
    const FlowBoundaries& flow_;
    const CellStencil<Real>& stencil_;
    Operators<Real>& operators_;
    const ScalarSettings settings_;
    const CgSettings solver_;
    const int d_;
    const EntityRanges cells_, faces_, nodes_;
    const ScalarBoundaries boundaries_;
    const BoundaryFaces boundary_;  // the flow's, with a grip where the value is given
    const FaceCoefficients coefficients_;
    CellDiffusion diffusion_;  // to_boundary: through faces with a given value
    mutable DifferenceMatrix<Real> matrix_;
    DiffusionPreconditioner<Real> diffusion_preconditioner_;
    Preconditioner<Real>* preconditioner_ = nullptr;  // of the shift under way
    ConjugateGradients<Real> cg_;

    // The faces with a given value, and the open ones: numbers with outward orientation, cells inside, their nodes.
    struct FaceList {
        Buffer<std::uint32_t> face, oriented, cell, node;
        Buffer<Real> value, carried;
    };
    FaceList list(Device& device, const std::vector<Index>& places, bool with_cell_nodes) const;
    FaceList given_, open_;
    Buffer<Real> weight_, conduction_;  // of given faces
    std::vector<double> conducted_;
    Buffer<std::uint32_t> node_entry_;
    Buffer<Real> node_value_;

    std::unique_ptr<SlopeLimiter<Real>> limiter_;     // of blended convection
    Buffer<Real> now_, before_, undone_;              // cells, lengthened: no face reads beyond
    Buffer<Real> n_now_, n_before_, rhs_, wall_, zero_, inverse_, discarded_, ones_, source_, residual_, change_;
    Buffer<Real> defect_, at_nodes_, transport_;      // cells lengthened, nodes, faces
    SolveTotals solves_;
    double shift_ = -1, seen_ = 0;
    bool is_seen_ = false, has_source_ = false;
};

}  // namespace solenoid
