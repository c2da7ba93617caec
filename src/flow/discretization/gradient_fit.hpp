// The pressure gradient in cells from normal derivatives on faces, for cells whose own faces do not
// determine it.
#pragma once

#include "device/sell_rows.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// grad p(x_c) = sum over the faces of a row of vector * G with G = A dp/dn [m^2/s^2
// m^(dimension-2)].
struct GradientFit {
    Rows faces;
    std::vector<Vec3> vectors;  // of each entry [m^(1-dimension)]
};

// A row for each of `cells` (owned). The gradient is that of the parabola p whose normal
// derivatives fit those on the known faces of the cells that share a node with the cell, by least
// squares with weights 1/r^4. It is exact for parabolas where these faces determine one, for linear
// p anywhere, and of second order otherwise. known: one flag for each face held. mirrored: nodes in
// symmetry planes, behind which the mirror images of the faces count too.
GradientFit gradient_fit(const DistributedMesh& mesh, const Geometry& geometry,
                         const std::vector<Index>& cells, const std::vector<bool>& known,
                         const FreeDirections& mirrored = {});

// GradientFit on a device.
template <class Real>
struct FittedRows {
    FittedRows() = default;
    FittedRows(Device& device, const GradientFit& fit, int dimension);
    // value: a vector for each row; gradient: of faces. Collective.
    void apply(Device& device, const Gathered<Real>& gradient, Buffer<Real>& value) const;

    SellRows faces;
    Buffer<Real> vector;
};

}  // namespace solenoid
