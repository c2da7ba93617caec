// The coupling of face fluxes U and cell velocities u of collocated momentum: the lag L = U - I u
// and the pressure gradient q of cells.
//   dL/dt = Q - G + Z - r L,   r = |U| / (A h) + 0.1 (2 nu / h^2),   Q = I q,   Z = I R (G - Q)
// with I the flux of the interpolated velocity and R the reconstruction. docs/numerics.md,
// "Collocated momentum", *Flux and velocity*.
#pragma once

#include "flow/collocated/momentum.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class FluxCoupling {
  public:
    // All references must outlive this.
    FluxCoupling(const Domain& domain, const FlowBoundaries& boundaries, Momentum<Real>& momentum);
    ~FluxCoupling();

    // q = 1/V sum +-G_f (x_f - x_c) [m/s^2] from the face gradient G = A dp/dn [m^3/s^2, in 2D
    // m^2/s^2], both by density and less a body force. In cells at walls G of the wall's faces is
    // that of a parabola fitted to the faces round the cell.
    void to_cells(const Field<Real>& gradient, Field<Real>& q);
    // to_cells() with a smaller part of the fitted G at walls where the cell's Reynolds number, by
    // `flux`, is above 10 (shaders/flow/collocated/wall_gradient.glsl). Where an inflow depends on
    // time the rest is G itself, which is known there (FluxProjection::impose_boundary_flux).
    void to_cells(const Field<Real>& gradient, const Field<Real>& flux, Field<Real>& q);

    // to += flux through the faces of a cell vector without boundary values; 0 at faces of given
    // flux. Collective.
    void add_flux(const Field<Real>& q, Field<Real>& to);

    // Computes the lag L = flux - I u of the state at the start of a step.
    void update_lag(CellField<Real>& u, const Field<Real>& flux);
    // A step of a time scheme: (u' - s c1 u1 - s c2 u2) / s = du/dt, with s [s] and the weights c1,
    // c2 [1/s] of the last two states. curvature: b of shaders/flow/collocated/flux_lag.glsl.
    // reach: G - Q and the U of r are (1 + reach) times the last less reach times those before.
    struct Step {
        double s, c1 = 0, c2 = 0, curvature = 0, reach = 0;
    };
    // Adds s Q and the new lag to `star`, the flux of the interpolated u*: on return the flux U* to
    // be projected (shaders/flow/collocated/flux_lag.glsl). gradient, q: of the last step; flux: U
    // in the rate r. Collective.
    void add_lag(const Field<Real>& flux, const Field<Real>& gradient, const Field<Real>& q,
                 const Step& step, Field<Real>& star);
    // add_lag() for a repeated step. gradient and q are those of its end, so that nothing is
    // extrapolated: `reach` is not used.
    void add_lag_again(const Field<Real>& gradient, const Field<Real>& q, const Step& step,
                       Field<Real>& star);
    void accept();  // ends a step: its L and G - Q become those of the last step

    // Limits the distance of u from the velocity interpolated from `flux` to twice the fastest
    // |U|/A of the cell's faces (docs/numerics.md, *Cells held to their fluxes*): on meshes far too
    // coarse for the flow the velocity of cells at boundaries could otherwise grow. Collective.
    void constrain(Field<Real>& flux, Field<Real>& u);
    void register_state(const State<Real>& state);
    double held() const;  // number of cells limited, summed over all calls. Collective.

  private:
    void set_walls(const Geometry& geometry, const FlowBoundaries& boundaries);
    void set_fit(const Geometry& geometry, const FlowBoundaries& boundaries,
                 const std::vector<Index>& cells, const std::vector<double>& part);
    void set_inflows(const Geometry& geometry, const FlowBoundaries& boundaries,
                     const std::vector<double>& fitted);
    std::vector<double> fitted_parts(const FlowBoundaries& boundaries) const;
    void take_from_walls(const Field<Real>& gradient, const Field<Real>& flux, Field<Real>& q);
    void to_faces(const Field<Real>& q, Field<Real>& at_faces);
    void set_least(const Field<Real>& flux);
    void bring_lag(const Step& step, Field<Real>& star);

    const Domain& domain_;
    const int d_;
    Momentum<Real>& momentum_;
    Operators<Real>& operators_;
    const CellStencil<Real>& stencil_;
    Buffer<Real> spacing_, face_size_, reconstruct_from_;
    struct {
        Buffer<std::uint32_t> cell, face;
        Buffer<Real> interpolate, length, q;
    } walls_;               // lists: cells with a face whose dp/dn the projection does not give
    FittedRows<Real> fit_;  // of the same cells
    struct {
        Buffer<std::uint32_t> cell, face;
        Buffer<Real> interpolate, length, part, q;
    } inflows_;  // lists: cells at inflows, where one depends on time; part of the fit
    bool has_walls_ = false, has_inflows_ = false;  // any rank
    // of cells: fluxes slower than that [m/s] count as that where they are held
    Buffer<Real> least_;
    Buffer<std::uint32_t> outer_;  // cells at the boundary, but in symmetry
    Buffer<Real> zero_;            // of as many
    // face scalars
    Field<Real> lag_, lag_before_, at_faces_, rest_, rest_before_, ahead_, smooth_, fading_,
        fading_before_;
    // cell vectors, the first with boundary values
    Field<Real> long_, cell_vector_;
    double held_ = 0;  // on this rank
};

}  // namespace solenoid
