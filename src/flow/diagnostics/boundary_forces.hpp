// Forces of the fluid on boundaries with a given velocity and on symmetry planes.
#pragma once

#include <glm/mat3x3.hpp>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/boundary/sharp_edges.hpp"
#include "flow/diagnostics/edge_patches.hpp"
#include "flow/diagnostics/node_shares.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/viscosity.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// What the pressures at nodes add to the sums behind a BoundaryForce; forces with their moments
// about the origin.
struct PressureLoads {
    Vec3 surface{0}, surface_moment{0};
    // near sharp edges: the weak form's less the faces', before its share
    Vec3 patch{0}, patch_moment{0};
    Vec3 weak{0}, weak_moment{0};
};

template <class Real>
class BoundaryForces {
  public:
    // All references must outlive this.
    BoundaryForces(const Domain& domain, const FlowBoundaries& boundaries, const SharpEdges& edges,
                   const CellStencil<Real>& stencil, const Viscosity<Real>& viscosity);

    // The force on each of Mesh::boundaries; zero on open ones. u: cells with boundary values;
    // at_nodes: its node values; p: at nodes; reaction: of WeakForces at patch_nodes(). Collective.
    std::vector<BoundaryForce> measure(const Field<Real>& u, const Field<Real>& at_nodes,
                                       const std::vector<double>& p, const Buffer<Real>& reaction);
    // Owned nodes near sharp edges, perhaps repeated.
    std::vector<Index> patch_nodes() const;
    // The same without `strength`, of these of Mesh::boundaries alone, where p is zero, and so is
    // it in the reaction. loads: what the pressure adds, of each of Mesh::boundaries. Collective.
    std::vector<BoundaryForce> measure(const Field<Real>& u, const Field<Real>& at_nodes,
                                       const Buffer<Real>& reaction,
                                       const std::vector<PressureLoads>& loads,
                                       const std::vector<std::size_t>& boundaries);

    // The factors of the pressures at nodes in `surface` and its moment.
    void add_surface(std::size_t boundary, std::uint32_t first,
                     std::vector<EntityShare>& shares) const;
    // Likewise the faces' part of `patch`; its other part is the weak form's with patch_function(),
    // of owned nodes. has_patch(): whether there is one; equal on all ranks.
    bool has_patch(std::size_t boundary) const { return patches_.exist && patches_.of[boundary]; }
    void add_patch(std::size_t boundary, std::uint32_t first,
                   std::vector<EntityShare>& shares) const;
    std::vector<double> patch_function(std::size_t boundary) const;

  private:
    // A force and its moment about the origin.
    struct Load {
        Vec3 force{0}, moment{0};
    };
    void set_normals();
    // Where p is null, `loads` has what it adds.
    std::vector<BoundaryForce> measure(const Field<Real>& u, const Field<Real>& at_nodes,
                                       const Buffer<Real>& reaction, const std::vector<double>* p,
                                       const std::vector<PressureLoads>& loads,
                                       const std::vector<bool>& is_asked);
    bool is_counted(const Side& side) const;
    Vec3 outward_area(Index face) const;
    Load on_patch(std::size_t side, const std::array<double, 3>& p, Vec3 rubbed) const;
    std::vector<double> shares_of_patches(const std::vector<Real>& at_nodes) const;
    void add_reaction(const Buffer<Real>& reaction, std::vector<RankSum>& sums) const;
    Vec3 moving_part(std::size_t k, const std::vector<Real>& at_nodes) const;

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const CellStencil<Real>& stencil_;
    const Viscosity<Real>& viscosity_;
    const EdgePatches patches_;
    const std::vector<double> exponent_;  // SharpEdges::exponent
    // for each of FlowBoundaries::faces(): shares_of_nodes()
    std::vector<std::array<double, 3>> share_;
    // for each of Mesh::boundaries the mean of n n^T over its faces in patches
    std::vector<glm::dmat3> normals_;
    std::vector<Index> place_;  // for each face held its index in FlowBoundaries::faces(), or none
    Buffer<std::uint32_t> cell_;
    Buffer<Real> weight_, conduction_, area_, friction_;
};

}  // namespace solenoid
