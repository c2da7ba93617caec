// What a fractional step needs of a projection: of the predicted flux U* the part that is free of
// divergence.
#pragma once

#include <optional>
#include <vector>

#include "core/error.hpp"
#include "device/buffer.hpp"
#include "flow/boundary/inlet_mean.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "operators/snapshot.hpp"
#include "solvers/krylov/cg.hpp"

namespace solenoid {

template <class Real>
class Projection {
  public:
    virtual ~Projection() = default;

    // Flux through the prescribed faces [m^3/s, in 2D m^2/s], in the order of
    // FlowBoundaries::prescribed_faces(). Throws InputError where it cannot be met. Collective.
    virtual void prescribe(const std::vector<double>& flux) = 0;

    // The pressure at open boundaries at a time, for a method that knows one. Throws InputError.
    // Collective.
    virtual void update_boundary_pressure(double) {}
    virtual void follow(const InletMean&) {}  // of given total pressures; must outlive this
    // it jumps with the next one seen: what the pressure was before tells nothing
    virtual void restart() {}

    // A body force F [m/s^2], until another is seen: flux is the projection of flux_star + step A n
    // . F, and (flux_star - flux) / step what the pressure's gradient has more than F. Of cells,
    // followed by its values at boundary faces, and of nodes. Must outlive this. Collective.
    virtual void update_force(const Field<Real>& force, const Buffer<Real>& at_nodes) = 0;

    // flux = the projection of flux_star, which holds the prescribed values on its faces; `step`
    // [s] relates their difference to a pressure gradient. Collective.
    virtual SolveReport project(Field<Real>& flux_star, Field<Real>& flux, double step) = 0;
    // The same, with nothing left to later steps: parts of the pressure's gradient that are else
    // taken from the last one are of this one. Collective.
    virtual SolveReport project_whole(Field<Real>& flux_star, Field<Real>& flux, double step) {
        return project(flux_star, flux, step);
    }

    // The same of an initial velocity: what is taken away is no pressure.
    virtual SolveReport start(Field<Real>& flux_star, Field<Real>& flux) = 0;

    // Flux through the sections of a periodic mesh [m^3/s, in 2D m^2/s], one a pair of
    // Mesh::folding; absent: what comes of it. Throws InputError where none can pass. Collective.
    virtual void impose(const std::vector<std::optional<double>>& flux) {
        for (const auto& one : flux)
            if (one)
                throw InputError(
                    "this method cannot impose the flux between periodic sides: leave it out, or "
                    "take flow.method = \"exact\"");
    }
    // Of the last projection, of the imposed ones: pressure over density at `to` less that at
    // `from` [m^2/s^2].
    virtual std::vector<std::optional<double>> pressure_rise() const { return {}; }

    // A n . (grad p - F) of the pressure that the potential is, F the force; leaves `flux` alone
    // where it is none. Collective.
    virtual void take_gradient(Field<Real>&) {}

    virtual void keep_in(Snapshot<Real>& snapshot) = 0;

    // What is solved for, on its entities: the stream function or the pressure. A solve starts from
    // it.
    virtual Field<Real>& potential() = 0;
    // over density [m^2/s^2] in the cells, of the last projection, where it is that
    virtual const Field<Real>* pressure() { return nullptr; }
    virtual Field<Real>* stream_function() { return nullptr; }  // whose curl the last flux is
    virtual const char* name() const = 0;                       // "stream_function", "pressure"
    virtual PreconditionerSummary preconditioner() const = 0;
};

}  // namespace solenoid
