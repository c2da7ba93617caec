// The projection of a fractional step: the divergence-free part U of a predicted flux U*.
#pragma once

#include <optional>
#include <vector>

#include "core/error.hpp"
#include "device/buffer.hpp"
#include "flow/boundary/inlet_mean.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "operators/state.hpp"
#include "solvers/krylov/cg.hpp"

namespace solenoid {

template <class Real>
class Projection {
  public:
    virtual ~Projection() = default;

    // Sets the flux through the prescribed faces [m^3/s, in 2D m^2/s], in the order of
    // FlowBoundaries::prescribed_faces(). Throws InputError where no flux satisfies it. Collective.
    virtual void prescribe(const std::vector<double>& flux) = 0;

    // Evaluates the pressure at open boundaries at a time [s], where the method has a pressure.
    // Throws InputError. Collective.
    virtual void update_boundary_pressure(double) {}
    virtual void follow(const InletMean&) {}  // of given total pressures; must outlive this
    // The next pressure is not extrapolated from earlier ones: after a jump of the data.
    virtual void restart() {}

    // Sets the body force F [m/s^2] of cells, with boundary values, and of nodes: flux is the
    // projection of flux_star + step A n . F, and (flux_star - flux) / step = A n . (grad p - F).
    // Both must outlive this. Collective.
    virtual void update_force(const Field<Real>& force, const Field<Real>& at_nodes) = 0;

    // Of nodes of inflows that depend on time: du/dt of the velocity that is given there [m/s^2], 0
    // at others. Collective.
    virtual void accelerate(const Field<Real>& at_nodes) { (void)at_nodes; }

    // On faces of curved walls, by density: sets G = A dp/dn less the force where the fluid slips,
    // and A d2p/dn2 where the wall has a velocity of its own; 0 on others. Both must outlive this.
    // Collective.
    virtual void update_wall_gradient(const Field<Real>&, const Field<Real>&) {}

    // flux = the projection of flux_star. step [s]: flux_star - flux = step A n . grad p. On its
    // faces `flux` has the prescribed values, and flux_star has them, too, unless this one sees the
    // pressure's gradient there: then flux_star has that as elsewhere. Collective.
    virtual bool sees_boundary_gradient() const { return false; }
    virtual SolveReport project(Field<Real>& flux_star, Field<Real>& flux, double step) = 0;
    // project() while there is no earlier pressure: a given one, or one that bears a force, comes
    // whole. Collective.
    virtual SolveReport project_first(Field<Real>& flux_star, Field<Real>& flux, double step) {
        return project(flux_star, flux, step);
    }
    // A projection without lagged terms: all parts of the pressure gradient are those of this
    // pressure. Collective.
    virtual SolveReport project_whole(Field<Real>& flux_star, Field<Real>& flux, double step) {
        return project(flux_star, flux, step);
    }

    // Projects an initial flux; the difference is not a pressure gradient.
    virtual SolveReport start(Field<Real>& flux_star, Field<Real>& flux) = 0;

    // Imposes fluxes through the cut surfaces of a periodic mesh [m^3/s, in 2D m^2/s], one for each
    // pair of Mesh::periodic_map; absent where the flux is free. Throws InputError where no flux
    // can pass. Collective.
    virtual void impose(const std::vector<std::optional<double>>& flux) {
        for (const auto& one : flux)
            if (one)
                throw InputError(
                    "this method cannot impose the flux between periodic sides: leave it out, or "
                    "take flow.method = \"exact\"");
    }
    // Pressure over density at `to` less that at `from` in the last projection [m^2/s^2], for pairs
    // with an imposed flux.
    virtual std::vector<std::optional<double>> pressure_rise() const { return {}; }

    // Writes A n . (grad p - F) where the potential is a pressure, else nothing. Collective.
    virtual void take_gradient(Field<Real>&) {}

    virtual void register_state(const State<Real>& state) = 0;

    // The unknown of the solve, stream function or pressure, on its entities. It is the first guess
    // of the next solve.
    virtual Field<Real>& potential() = 0;
    // Pressure over density of the last projection in the cells [m^2/s^2]; null where the unknown
    // is the stream function.
    virtual const Field<Real>* pressure() { return nullptr; }
    // The last flux is its curl; null where the unknown is the pressure.
    virtual Field<Real>* stream_function() { return nullptr; }
    virtual const char* name() const = 0;  // "stream_function", "pressure"
    virtual PreconditionerSummary preconditioner() const = 0;
};

}  // namespace solenoid
