// What a scalar's transport reads of the faces: lists of those of the boundary, and what faces
// conduct by its diffusivity, which may vary in space and time.
#pragma once

#include "flow/discretization/kinked_nodes.hpp"
#include "flow/scalar/scalar_boundaries.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

// Faces of the boundary: numbers, also with the outward orientation, cells inside, nodes, and room
// for what is carried through them.
template <class Real>
struct BoundaryFaceList {
    Buffer<std::uint32_t> face, oriented, cell, node;
    Buffer<Real> carried;
};

template <class Real>
class ScalarFaces {
  public:
    // diffusivity [m^2/s]: of x, y, z, t, not negative; name: of the scalar. All references must
    // outlive this. Collective.
    ScalarFaces(const Domain& domain, const FlowBoundaries& flow, const CellStencil<Real>& stencil,
                const ScalarBoundaries& boundaries, const Formula& diffusivity,
                const std::string& name);

    // The diffusivity at a time; false: nothing changes. Throws InputError where it is negative.
    // Collective.
    bool update(double time);
    bool varies() const { return !diffusivity_.is_constant(); }
    // anywhere on any rank, ever since it was last seen
    bool conducts() const { return conducts_; }
    const std::vector<double>& values() const { return values_; }  // of all faces held [m^2/s]

    // of the scalar, where the diffusivity jumps
    const KinkedNodes<Real>& kinks() const { return kinks_; }
    void keep_in(Snapshot<Real>& snapshot);

    // of the implicit part; where the diffusivity varies with 1 instead
    CellDiffusion cell_diffusion() const;
    // of owned cells: what their faces with a given value conduct
    std::vector<double> conducted_to_boundary() const;

    // With a given value (ScalarBoundaries::given(); its nodes are those of the cell inside), and
    // the others, open().
    BoundaryFaceList<Real> given, open;
    // both cells of a face; of a given face its value's place, of an open one the cell inside twice
    Buffer<std::uint32_t> beside;
    Buffer<Real> conduction;  // of all faces, of the implicit part; of open ones unused
    // of all faces, of the explicit part: diffusivity times excess and cross
    Buffer<Real> diffusion;
    Buffer<Real> weight;  // boundary_weights() of given faces
    Buffer<Real> given_conduction, given_diffusivity;
    std::vector<double> host_given_conduction;
    Buffer<Real> none_diffused;  // zeros, of open faces

  private:
    BoundaryFaceList<Real> list(const std::vector<Index>& positions, bool with_cell_nodes) const;
    void assemble();

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const ScalarBoundaries& boundaries_;
    const Formula diffusivity_;
    const std::string name_;
    KinkedNodes<Real> kinks_;
    const BoundaryFaces boundary_;  // the flow's, with a grip where the value is given
    const FaceCoefficients coefficients_;
    std::vector<double> values_;
    Buffer<Real> at_faces_;
    bool is_seen_ = false, conducts_ = false, is_remarked_ = false;
    double seen_ = 0;
};

}  // namespace solenoid
