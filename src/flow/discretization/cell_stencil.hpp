// Stencil of transport and diffusion of cell fields on the device: neighbours, nodes and the
// coefficients of flow_discretization.hpp. Momentum and scalars share it.
#pragma once

#include "device/sell_rows.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "operators/operators.hpp"

namespace solenoid {

// Beyond it all of diffusion is implicit: a bound of the eigenvalues of its explicit part over its
// implicit part. Extrapolation from three states is stable up to 0.85, and its error in time grows
// on the way; thin cells have 0.8 from an aspect of 16 on, good meshes of tets up to 0.62.
constexpr double most_of_explicit_diffusion = 2.0 / 3;
// For scalars, whose range cuts off what extrapolation overshoots after a jump, and with it the
// flux: at 0.62, steps of ten times the diffusive one leave half of a wall's flux.
constexpr double most_of_explicit_diffusion_of_scalars = 0.5;

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
    // slope_parts() of cells held, of owned cells, and of faces.
    std::vector<double> slope_part;
    Buffer<Real> cell_slope_part, face_slope_part;
    // FaceCoefficients; skew in thin cells less, for kernel face_interpolation with their slope
    // part
    Buffer<Real> theta, skew, cross;
    std::vector<double> oblique_ratio;  // oblique_ratios()
    // A bound of the eigenvalues of the explicit part of diffusion over its implicit part, were it
    // extrapolated. Beyond most_of_explicit_diffusion all of diffusion is implicit.
    double explicit_diffusion_bound = 0;
    bool diffusion_is_implicit = false;
    std::vector<double> implicit_factor;  // implicit_factors() of diffusion; else 1
    Buffer<Real> excess;                  // (implicit_factor - 1) times the conductance
    Buffer<Real> area;                    // normal times area, vectors
    Buffer<Real> volume;                  // of owned cells
    FreeDirections mirrored;
    SellRows node_cells;  // rows of NodeWeights
    Buffer<Real> node_weight;
    Buffer<std::uint32_t> boundary_faces;       // of this rank's cells
    Buffer<std::uint32_t> boundary_cell_nodes;  // of the cells inside
    Buffer<Real> boundary_weight;               // boundary_weights()

  private:
    void choose_diffusion(double steepness);
    void set_interpolation(FaceCoefficients coefficients);
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
