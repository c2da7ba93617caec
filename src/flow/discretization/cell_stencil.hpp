// What transport and diffusion of any cell quantity read on the device: neighbours, nodes and the
// coefficients of flow_discretization.hpp. Momentum and scalars share it.
#pragma once

#include "device/sell_rows.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
struct CellStencil {
    // mirrored: nodes of node_weights() in symmetry. steepness: of diffusion, ViscosityModel.
    CellStencil(const Domain& domain, const BoundaryFaces& boundary,
                const FreeDirections& mirrored = {}, double steepness = 1);

    const Domain& domain;
    const Buffer<std::uint32_t>&face_nodes, &cell_faces, &cell_nodes;  // the domain's
    // of [0, shared) faces; a boundary face's own value among its cells
    Buffer<std::uint32_t> face_cells;
    Buffer<Real> theta, skew, cross;      // FaceCoefficients
    std::vector<double> oblique_ratio;    // oblique_ratios()
    std::vector<double> implicit_factor;  // implicit_factors() of diffusion
    Buffer<Real> excess;                  // by what these exceed 1, times the conduction
    Buffer<Real> area;                    // normal times area, vectors
    Buffer<Real> volume;                  // of owned cells
    FreeDirections mirrored;
    SellRows node_cells;  // NodeWeights
    Buffer<Real> node_weight;
    Buffer<std::uint32_t> boundary_faces;       // of this rank's cells
    Buffer<std::uint32_t> boundary_cell_nodes;  // of the cells inside
    Buffer<Real> boundary_weight;               // boundary_weights()
};

// Node values of a field in cells, vectors or numbers, whose ghosts are filled on the way; exact
// for linear fields.
template <class Real>
void recover_at_nodes(const CellStencil<Real>& stencil, const Field<Real>& field,
                      Field<Real>& at_nodes);
template <class Real>
class KinkedNodes;
// Adds to these what a parabola has more, as far as the defects of their linear interpolant tell
// it: for output. kinks: those of the field.
template <class Real>
void add_quadratic_correction(const CellStencil<Real>& stencil, const KinkedNodes<Real>& kinks,
                              const Field<Real>& field, Field<Real>& at_nodes);

}  // namespace solenoid
