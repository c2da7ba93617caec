// Forces of the fluid on the boundaries where its velocity is given, and in symmetry.
#pragma once

#include "flow/discretization/viscosity.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "flow/boundary/sharp_edges.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class BoundaryForces {
  public:
    // All references must outlive this.
    BoundaryForces(const Domain& domain, const FlowBoundaries& boundaries, const SharpEdges& edges,
                   const CellStencil<Real>& stencil, const Viscosity<Real>& viscosity);

    // Of each of Mesh::boundaries; nothing on an outflow. u: cells lengthened; at_nodes: of u; p: at nodes. Collective.
    std::vector<BoundaryForce> measure(const Buffer<Real>& u, const Buffer<Real>& at_nodes, const std::vector<double>& p);

  private:
    Vec3 moving_part(std::size_t k, const std::vector<Real>& at_nodes) const;

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const CellStencil<Real>& stencil_;
    const Viscosity<Real>& viscosity_;
    std::vector<std::array<double, 3>> share_;  // of the pressures at a face's nodes in its mean, of FlowBoundaries::faces()
    std::vector<Index> place_;  // of every face held among FlowBoundaries::faces(), or none
    Buffer<std::uint32_t> cell_;
    Buffer<Real> weight_, conduction_, area_, friction_;
};

}  // namespace solenoid
