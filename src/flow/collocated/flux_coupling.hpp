// How the face fluxes and the cell velocities of collocated momentum hold together: what their
// difference, the lag, becomes in a step, and the cells' pressure gradient. docs/numerics.md,
// "Collocated momentum", "Flux and velocity".
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

    // q of cells [m/s^2] from A dp/dn of the faces, `gradient`; both less a body force.
    void to_cells(const Field<Real>& gradient, Field<Real>& q);
    // The same; in cells at walls as `flux` has it.
    void to_cells(const Field<Real>& gradient, const Field<Real>& flux, Field<Real>& q);

    // Adds the flux of a cell vector that boundaries do not give, zero where the flux is given.
    // Collective.
    void add_flux(const Field<Real>& q, Field<Real>& to);

    // Of the state that a step starts from: u and its flux.
    void update_lag(CellField<Real>& u, const Field<Real>& flux);
    // A time scheme's step of length s [s] from the last two states with the weights c1, c2 [1/s]:
    // (u' - s c1 u1 - s c2 u2) / s = du/dt. bend: of shaders/flow/collocated/flux_lag. reach: of
    // the last two states' G - Q beyond the last, in steps before.
    struct Step {
        double s, c1 = 0, c2 = 0, curvature = 0, reach = 0;
    };
    // From the flux of the interpolated u* to the flux to be projected
    // (shaders/flow/collocated/flux_lag). gradient, q: the last ones; flux: by which the lag fades.
    // Collective.
    void add_lag(const Field<Real>& flux, const Field<Real>& gradient, const Field<Real>& q,
                 const Step& step, Field<Real>& star);
    // The same for a step made again, with other gradients; reach is not looked at: they are those
    // of its end.
    void add_lag_again(const Field<Real>& gradient, const Field<Real>& q, const Step& step,
                       Field<Real>& star);
    void accept();  // the lag seen is of a step that stays
    Field<Real>& lag_before() { return lag_before_; }
    Field<Real>& rest_before() { return rest_before_; }  // G - Q that the last step started with

    // Where a mesh is far too coarse for a flow, cells at boundaries may gather velocity that no
    // flux sees: holds u within reach of `flux`. Collective.
    void constrain(Field<Real>& flux, Field<Real>& u);
    void keep_in(Snapshot<Real>& snapshot);
    double held() const;  // cells held, summed over the calls. Collective.

  private:
    void set_walls(const Geometry& geometry, const FlowBoundaries& boundaries);
    void set_fit(const Geometry& geometry, const FlowBoundaries& boundaries,
                 const std::vector<Index>& cells);
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
    } walls_;                 // lists: cells with a face whose dp/dn the projection does not give
    FittedRows<Real> fit_;    // of the same cells
    bool has_walls_ = false;  // any rank
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
