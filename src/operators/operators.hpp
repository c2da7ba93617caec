// The discrete calculus of docs/numerics.md on a distributed mesh: each operator is a gather kernel
// bound to the mesh's tables on the device and to the halo of its input.
//
// An operator has the ghosts of its input filled, where they are not, while it computes in the
// interior, and gives its result on every entity of this rank's own cells, [0, shared): the same
// bits on each rank that holds it, on devices of one kind. A codim-2 entity is an entity of
// dimension d - 2: a node in 2D, an edge in 3D.
#pragma once

#include <functional>

#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class Operators {
  public:
    // Tables are put on the device when an operator first needs them.
    explicit Operators(const Domain& domain) : domain_(domain) {}

    // cells -> faces: p entered - p left; G = -D^T
    void gradient(const Field<Real>& p, Field<Real>& g);
    void divergence(const Field<Real>& flux, Field<Real>& out);  // faces -> cells: net outflow
    void curl(const Field<Real>& s, Field<Real>& flux);          // codim-2 entities -> faces: C
    // faces -> codim-2 entities: R = C^T
    void rotation(const Field<Real>& q, Field<Real>& out);
    // faces -> cells (vector), exact for constants
    void interpolation(const Field<Real>& flux, Field<Real>& u);
    // cells (vector) -> faces: v . dl, exact for constants
    void integration(const Field<Real>& v, Field<Real>& out);

    // Over this rank's own cells, of a velocity given at nodes: integrals of |curl u|^2 and, with a
    // weight of cells, of 2 S : S, S the symmetric part of its gradient [m^3/s^2, in 2D m^2/s^2,
    // the second times the weight's unit].
    struct GradientSums {
        double rotation, strain;
    };
    GradientSums gradient_sums(const Buffer<Real>& u, const Buffer<Real>& weight);

    Field<Real> field(Kind kind, int columns = 1) const { return {domain_, kind, columns}; }
    Field<Real> vector_field(Kind kind) const { return {domain_, kind, domain_.dimension}; }

  private:
    using Sweep = std::function<void(Range)>;
    void overlapped(const Field<Real>& input, Kind to, const Sweep& sweep);
    const Buffer<Real>& face_offsets();  // of cells to their faces, x_f - x_c
    const Buffer<Real>& areas();         // of cells: opposite_area()
    const Buffer<Real>& volumes();

    const Domain& domain_;
    Buffer<Real> face_offsets_, areas_, volumes_;
};

}  // namespace solenoid
