// What passes the faces of the transport of a scalar T: through boundary faces, whose T is given or
// open, and by conduction between cells, whose diffusivity may vary in space and time.
#pragma once

#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "flow/scalar/scalar_boundaries.hpp"
#include "operators/state.hpp"

namespace solenoid {

// Some boundary faces: their numbers, also with the outward orientation, the cells inside, their
// nodes or those of these cells, and a value each as work space.
template <class Real>
struct BoundaryFaceList {
    Buffer<std::uint32_t> face, oriented, cell, node;
    Buffer<Real> value;
};

template <class Real>
class ScalarFaces {
  public:
    // diffusivity [m^2/s]: of x, y, z, t, not negative; name: of the scalar. All references must
    // outlive this. Collective.
    ScalarFaces(const Domain& domain, const FlowBoundaries& flow, const CellStencil<Real>& stencil,
                const ScalarBoundaries& boundaries, const Formula& diffusivity,
                const std::string& name);

    // The diffusivity at a time [s]. Returns whether it has changed. Throws InputError where it is
    // negative. Collective.
    bool update(double time);
    // The lists of the boundaries have changed. Collective.
    void sort();
    bool has_inflow_values() const { return boundaries_.has_inflow_values(); }
    bool varies() const { return !diffusivity_.is_constant(); }
    bool changes() const { return diffusivity_.depends_on_time(); }
    bool conducts() const { return conducts_; }  // anywhere on any rank, by the last update()
    const std::vector<double>& values() const { return values_; }  // of all faces held [m^2/s]
    const KinkedNodes<Real>& kinks() const { return kinks_; }      // where the diffusivity jumps

    // The implicit part of diffusion between cells; of a diffusivity that varies with 1 instead.
    CellDiffusion cell_diffusion() const;
    // Conductances between owned cells and their faces with a given value, summed over each cell
    // [m^3/s, in 2D m^2/s].
    std::vector<double> conducted_to_boundary() const;
    // What faces with the given values T_b conduct into their cells, k_f T_b, a value a cell;
    // at_faces: ScalarBoundaries::face_values().
    std::vector<Real> conducted_from_boundary(const std::vector<double>& at_faces) const;
    // The explicit part of diffusion, diffusivity times (excess, cross), of faces: an argument of
    // Convection::to_faces().
    const Buffer<Real>& explicit_diffusion() const { return diffusion_; }
    // Nothing in place of it.
    const Buffer<Real>& no_diffusion();

    // T of cells with ghosts, its defects (kernel cell_defect), its values at nodes, and the values
    // given at ScalarBoundaries::given().
    struct Scalar {
        const Field<Real>&cells, &defect, &at_nodes;
        const Buffer<Real>& given;
    };
    // At boundary faces, along their normals [T m^3/s, in 2D T m^2/s]:
    //   transport = U T_b - the explicit part of diffusion where T_b is given,
    //   transport = U T_f where the face is open, T_f reconstructed from inside
    enum class Diffusion { none, deferred };
    void to_boundary_faces(const Scalar& scalar, const Field<Real>& flux, Field<Real>& transport,
                           Diffusion diffusion = Diffusion::deferred);
    // carried -= s k_f (T_b - T_a): what the implicit part conducts in a time s [s]. Collective.
    void add_conduction(double s, CellField<Real>& scalar, Field<Real>& carried) const;
    // carried = Phi T of the upstream cell, Phi the volume that flows [m^3, in 2D m^2]. Collective.
    void upwind(const Field<Real>& volume, CellField<Real>& scalar, Field<Real>& carried) const;
    // What diffuses into the domain through each face of ScalarBoundaries::given().
    std::vector<Real> diffused_in(const Field<Real>& cells, const Field<Real>& at_nodes,
                                  const Buffer<Real>& given);

    void register_state(const State<Real>& state);

  private:
    BoundaryFaceList<Real> list(const std::vector<Index>& positions, bool with_cell_nodes) const;
    void make_lists();
    void evaluate();
    void assemble();
    void assemble_given();

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const ScalarBoundaries& boundaries_;
    const Formula diffusivity_;
    const std::string name_;
    KinkedNodes<Real> kinks_;
    const BoundaryFaces boundary_;  // the flow's; they conduct where T is or may be given
    const FaceCoefficients coefficients_;
    BoundaryFaceList<Real> given_;  // with the nodes of the cells inside
    BoundaryFaceList<Real> open_;   // with the nodes of the faces
    // Both cells of a face; of a given face the place of its value and the cell, of an open one the
    // cell inside twice.
    Buffer<std::uint32_t> beside_;
    std::vector<double> values_;  // diffusivity of faces [m^2/s]
    // Of faces: the same, the conductance of the implicit part [m^3/s, in 2D m^2/s] (unused at open
    // ones), the explicit part (explicit_diffusion()).
    Buffer<Real> at_faces_, conduction_, diffusion_;
    // Of given faces: boundary_weights(), conductance, diffusivity.
    Buffer<Real> weight_, given_conduction_, given_diffusivity_;
    std::vector<double> host_given_conduction_;
    // zeros: of open faces, of given faces, of all (explicit_diffusion(); empty until first used)
    Buffer<Real> none_diffused_, none_given_, no_diffusion_;
    bool is_updated_ = false, conducts_ = false;
    bool is_remarked_ = false;  // that a jump of the diffusivity cuts cells
    double time_ = 0;           // of the last update() [s]
};

}  // namespace solenoid
