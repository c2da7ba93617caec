// A pressure's gradient in cells from its normal derivatives on faces, where a cell's own faces do
// not give it.
#pragma once

#include "device/sell_rows.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// grad p(x_c) = sum over the row's faces of vector * G, G = A dp/dn [m^2/s^2 m^(dimension-2)];
// vectors one an entry, row by row.
struct GradientFit {
    Rows faces;
    std::vector<Vec3> vectors;  // [m^(1-dimension)]
};

// A row for each of `cells`, owned ones: of the parabolas p whose normal derivatives are nearest,
// by least squares with weights 1/r^4, to those on the known faces of the cells that share a node
// with it. Exact for parabolas where these faces determine one, for linear p anywhere; error of the
// second order in the cells' size for others. known: one flag a face held. mirrored: nodes in
// planes of symmetry, behind which the faces' mirror images count too.
GradientFit gradient_fit(const DistributedMesh& mesh, const Geometry& geometry,
                         const std::vector<Index>& cells, const std::vector<bool>& known,
                         const FreeDirections& mirrored = {});

// The same on a device.
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
