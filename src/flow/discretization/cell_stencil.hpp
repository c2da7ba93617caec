// Stencil of transport and diffusion of cell fields on the device: neighbours, nodes and the
// coefficients of flow_discretization.hpp. Momentum and scalars share it.
#pragma once

#include "device/sell_rows.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
struct CellStencil {
    // mirrored: nodes in symmetry for node_weights(). steepness: ViscosityModel::steepness().
    CellStencil(const Domain& domain, const BoundaryFaces& boundary,
                const FreeDirections& mirrored = {}, double steepness = 1);

    const Domain& domain;
    const Buffer<std::uint32_t>&face_nodes, &cell_faces, &cell_nodes;  // the domain's
    // Both cells of the [0, shared) faces; for a boundary face its cell and the entry of its
    // boundary value.
    Buffer<std::uint32_t> face_cells;
    Buffer<Real> theta, skew, cross;      // FaceCoefficients
    std::vector<double> oblique_ratio;    // oblique_ratios()
    std::vector<double> implicit_factor;  // implicit_factors() of diffusion
    Buffer<Real> excess;                  // (implicit_factor - 1) times the conductance
    Buffer<Real> area;                    // normal times area, vectors
    Buffer<Real> volume;                  // of owned cells
    FreeDirections mirrored;
    SellRows node_cells;  // rows of NodeWeights
    Buffer<Real> node_weight;
    Buffer<std::uint32_t> boundary_faces;       // of this rank's cells
    Buffer<std::uint32_t> boundary_cell_nodes;  // of the cells inside
    Buffer<Real> boundary_weight;               // boundary_weights()
};

// Node values of a cell field of vectors or numbers, exact for linear fields. Fills its ghosts.
// Collective.
template <class Real>
void recover_at_nodes(const CellStencil<Real>& stencil, const Field<Real>& field,
                      Field<Real>& at_nodes);
template <class Real>
class KinkedNodes;
// Adds the quadratic part of node values, estimated from the defects of their linear interpolant,
// for output. kinks: of the field.
template <class Real>
void add_quadratic_correction(const CellStencil<Real>& stencil, const KinkedNodes<Real>& kinks,
                              const Field<Real>& field, Field<Real>& at_nodes);

}  // namespace solenoid
