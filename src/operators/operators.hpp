// The discrete operators of docs/numerics.md ("Spaces and operators") on a distributed mesh.
// An operator gives its result on every entity of this rank's own cells, [0, shared), with the same
// bits on all ranks whose devices are of one kind.
#pragma once

#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class Operators {
  public:
    // Tables are uploaded when an operator first needs them.
    explicit Operators(const Domain& domain) : domain_(domain) {}

    // cells -> faces: G = -D^T, the value of the cell that the normal enters minus that of the cell
    // it leaves
    void gradient(const Field<Real>& p, Field<Real>& g);
    void divergence(const Field<Real>& flux, Field<Real>& out);  // faces -> cells: net outflow
    void curl(const Field<Real>& s, Field<Real>& flux);          // codim-2 entities -> faces: C
    // faces -> codim-2 entities: R = C^T
    void rotation(const Field<Real>& q, Field<Real>& out);
    // faces -> cells (vector), exact for constants
    void interpolation(const Field<Real>& flux, Field<Real>& u);
    // cells (vector) -> faces: v . dl, exact for constants
    void integration(const Field<Real>& v, Field<Real>& out);

    // nodes -> cells (vector), exact for linear fields
    void node_gradient(const Field<Real>& t, Field<Real>& g);
    // Of a velocity at nodes [m/s], over this rank's own cells: rotation = integral of |curl u|^2,
    // strain = integral of weight 2 S : S with S the symmetric part of grad u [m^3/s^2, in 2D
    // m^2/s^2; strain times the unit of the weight]. weight: a value for each cell.
    struct GradientSums {
        double rotation, strain;
    };
    GradientSums gradient_sums(const Field<Real>& u, const Buffer<Real>& weight);
    // cells (vector) -> edges: the flux through the dual face
    void dual_flux(const Field<Real>& q, Field<Real>& out);
    // edges -> nodes: the net flux out of the dual cell
    void dual_divergence(const Field<Real>& flux, Field<Real>& out);

    Field<Real> field(Kind kind, int columns = 1) const { return {domain_, kind, columns}; }
    Field<Real> vector_field(Kind kind) const { return {domain_, kind, domain_.dimension}; }

  private:
    const Buffer<Real>& face_offsets();  // x_f - x_c of each cell's faces
    const Buffer<Real>& areas();         // of cells: opposite_area()
    const Buffer<Real>& volumes();

    const Domain& domain_;
    Buffer<Real> face_offsets_, areas_, volumes_;
};

}  // namespace solenoid
