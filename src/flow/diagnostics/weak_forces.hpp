// Forces of the fluid on boundaries by the weak form of momentum, tested with functions that are 1
// on a boundary and harmonic inside. docs/numerics.md, "Forces by the weak form".
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/diagnostics/node_shares.hpp"
#include "flow/discretization/viscosity.hpp"
#include "flow/projection/pressure_recovery.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// Velocity u and pressure p at nodes; du/dt and body force in cells [m/s^2].
template <class Real>
struct FlowState {
    const Field<Real>&u, &p, &rate, &body;
};

template <class Real>
class WeakForces {
  public:
    // reacting: owned nodes, for react(). All references must outlive this. Throws ComputationError
    // where the solve for a test function fails. Collective.
    WeakForces(const Domain& domain, const FlowBoundaries& boundaries,
               const PressureRecovery<Real>& recovery, Viscosity<Real>& viscosity,
               const std::vector<Index>& reacting);

    // The residual of momentum's weak form, tested with the linear function of each of the reacting
    // nodes (vector): at a boundary node the force of the fluid on it, elsewhere 0 up to the
    // discretization error. Collective.
    const Buffer<Real>& react(const FlowState<Real>& state);
    // Sets BoundaryForce::weak and weak_moment of these of Mesh::boundaries, where they are not
    // open. Collective.
    void measure(const FlowState<Real>& state, const std::vector<std::size_t>& boundaries,
                 std::vector<BoundaryForce>& forces);

    // What the pressures at nodes add to weak, the first sums, and to weak_moment, those behind
    // them: the factors of each component of the force, then of each of the moment. weights(): of
    // owned nodes, without overlaps. Collective.
    using AtNodes = std::vector<double>;
    std::vector<AtNodes> weights(std::size_t boundary) const;
    void add_overlaps(std::size_t boundary, std::uint32_t first,
                      std::vector<EntityShare>& shares) const;
    // The same of the sum over owned nodes of phi times the reaction. phi: of each owned node.
    std::vector<AtNodes> weights(const AtNodes& phi) const;

  private:
    struct Share {
        Index node;
        double part;
    };
    // The excess of a function at a node where boundaries meet, over 1 on its own faces and 0 on
    // those of the others.
    struct Overlap {
        Index face, place;       // index into beside_; place of the node in the face
        std::uint16_t boundary;  // of the function
        double excess;
    };
    std::vector<Index> find_nodes(const FlowBoundaries& boundaries);
    std::vector<double> conductivity() const;
    void find_functions(const std::vector<Index>& fixed);
    void set_cells(const Geometry& geometry);
    void set_reacting(const std::vector<Index>& nodes);
    void set_faces(const Geometry& geometry);
    void take_overlaps(const Buffer<Real>& p, const std::vector<std::size_t>& boundaries,
                       std::vector<RankSum>& sums) const;
    Vec3 borne(const Overlap& overlap, const std::vector<Real>& friction,
               const std::vector<Real>& p) const;

    const Domain& domain_;
    const int d_;
    const PressureRecovery<Real>& recovery_;
    Viscosity<Real>& viscosity_;
    Buffer<std::uint32_t> beside_face_;     // the faces of beside_
    Buffer<Real> ones_, beside_viscosity_;  // at these faces
    // for each of Mesh::boundaries, at owned nodes; empty for open ones
    std::vector<std::vector<Share>> shares_;
    std::vector<Index> beside_;  // faces at nodes where boundaries meet
    std::vector<Vec3> area_of_;  // outward, of each of beside_
    std::vector<Overlap> overlaps_;
    // test function of each of Mesh::boundaries at nodes; empty for open ones
    std::vector<Field<Real>> test_;
    Buffer<std::uint32_t> cell_node_, face_node_;
    SellRows corners_;             // of the reacting nodes, as PressureRecovery::corners()
    Buffer<Real> reaction_;        // of these (vector)
    Buffer<Real> volume_, place_;  // cells; nodes held (vector)
    Buffer<Real> load_, moment_;   // owned cells (vectors)
    Buffer<Real> face_opposite_, face_volume_, face_area_, friction_;
};

}  // namespace solenoid
