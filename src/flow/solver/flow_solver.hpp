// Incompressible flow by a fractional step: du/dt + u . grad u = -grad p + nu lap u, div u = 0
// (docs/numerics.md).
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "core/time_parts.hpp"
#include "flow/settings/flow_case.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "parallel/distributed_mesh.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// The force of the fluid on a boundary, by density [m^4/s^2, in 2D m^3/s^2]; the moment [m^5/s^2,
// m^4/s^2] is about the origin.
struct BoundaryForce {
    // by the integral over the surface; the moment is that of both
    Vec3 pressure{0}, friction{0}, moment{0};
    // by the weak form of momentum: of pressure and friction together
    Vec3 weak{0}, weak_moment{0};
    // sum of the magnitudes over the surface, of the pressure what differs from its mean there
    double strength = 0;
};

// Of the velocity's gradient, S its symmetric part.
struct GradientIntegrals {
    double enstrophy;  // 1/2 integral of |curl u|^2 [m^3/s^2], in 2D [m^2/s^2]
    // integral of 2 nu S : S: what friction takes of the kinetic energy [m^5/s^3], in 2D [m^4/s^3]
    double dissipation;
};

// Power by density over a step, at its end [m^5/s^3, in 2D m^4/s^3]. rate = boundary + force -
// viscous - convection - jump_penalty - coupling - time_scheme, but for residual(): what solves
// leave. docs/numerics.md, "Budget of kinetic energy".
struct EnergyTerms {
    double kinetic_energy = 0;  // [m^5/s^2, m^4/s^2]
    double rate = 0;            // d/dt of it
    double viscous = 0;         // taken by friction
    double convection = 0;      // taken by the convection scheme
    double jump_penalty = 0;    // taken by the penalty of jumps between cells
    double coupling = 0;        // taken between flux, pressure gradient and cell velocity
    double time_scheme = 0;     // taken by the differences in time
    double boundary = 0;        // brought through the boundary by the flow, friction and pressure
    double force = 0;           // brought by body forces, buoyancy and imposed fluxes
    double residual() const {
        return rate + viscous + convection + jump_penalty + coupling + time_scheme - boundary -
               force;
    }
};

// Estimates of the local error of a step, root mean squares over the volume. order: of the method,
// whose error goes with the step to the order + 1.
struct StepErrors {
    int order = 2;
    double velocity = 0;          // [m/s]
    std::vector<double> scalars;  // of FlowCase::scalars
};

// How fast something that is computed changes, a second, and the size of what it is compared with,
// in its own unit.
struct RateOfChange {
    std::string of, size_of;  // "T", "its range"
    double rate = 0, size = 0;
    double relative() const { return rate / size; }  // [1/s]
};

class FlowSolver {
  public:
    virtual ~FlowSolver() = default;

    // One step of length dt [s], second order. Throws ComputationError where a solve fails or a
    // value is not finite (with time and place). Collective, as all below.
    virtual void step(double dt) = 0;
    virtual double time() const = 0;
    virtual void set_clock(double) {}  // the time of the state as it is [s]
    // body forces, sources and given fluxes of scalars, so that every step brings their whole
    // integral
    virtual void integrate_over(const TimeParts&) {}
    // the next step does not look at the states before: where what drives the flow has jumped
    virtual void restart() {}

    // Steps can be taken back, and their errors are estimated, from the next one on; false: the
    // method does neither.
    virtual bool follow_errors() { return false; }
    // of the last step; none: there are not enough states yet. Collective
    virtual std::optional<StepErrors> step_errors() { return {}; }
    virtual void keep_state() {}  // as it is, beside what is kept already
    virtual void take_back() {}   // to the state kept last, to the bit, which is let go
    virtual void let_go() {}      // the state kept last

    // largest |U| dt / V of a cell: half the sum of its faces' fluxes
    virtual double courant(double dt) const = 0;
    // the largest Courant number that explicit convection takes
    virtual double courant_limit() const { return HUGE_VAL; }
    // the longest stable step of explicit diffusion [s]
    virtual double step_limit() const { return HUGE_VAL; }
    // largest net outflow of a cell over the largest face flux
    virtual double max_divergence() = 0;
    // largest |u - u_before| / dt [m/s^2] of the last step
    virtual double rate_of_change() const = 0;
    virtual double largest_speed() const = 0;  // of a cell [m/s]
    // In the last step, of what has a size and can change: the velocity, the pressure, every
    // scalar. Empty: no step, or nothing moves.
    virtual std::vector<RateOfChange> changes() { return velocity_change(); }
    virtual double kinetic_energy() = 0;  // 1/2 integral of u^2 [m^5/s^2], in 2D [m^4/s^2]
    virtual GradientIntegrals gradient_integrals() = 0;
    // Cells whose velocity was held within reach of their fluxes, summed over all steps
    // (docs/numerics.md, "Cells held to their fluxes").
    virtual double held_cells() const { return 0; }
    // What flows into the domain through each of Mesh::boundaries [m^3/s, in 2D m^2/s].
    virtual std::vector<double> boundary_inflow() = 0;

    virtual std::vector<SectionFlow> cut_surfaces() { return {}; }  // one a periodic pair

    // On the entities held here, ghosts filled; vectors column by column, `dimension` columns.
    virtual std::vector<double> node_velocity() = 0;  // recovered, second order
    virtual std::vector<double> cell_velocity() = 0;
    virtual std::vector<double> face_flux() = 0;
    // on nodes in 2D, on edges in 3D; empty: classical in 3D
    virtual std::vector<double> stream_function() = 0;
    // Where a viscosity or a diffusivity jumps on faces, velocity and scalars have kinks: of every
    // cell held a number, the same of all that hang together without crossing one. Empty: there is
    // none.
    virtual std::vector<GlobalIndex> velocity_parts() { return {}; }
    virtual std::vector<GlobalIndex> scalar_parts(int) { return {}; }
    // by density [m^2/s^2], a solve; empty: the method has none
    virtual std::vector<double> node_pressure() { return {}; }
    // omega (1 column) in 2D, three columns in 3D
    virtual std::vector<double> node_vorticity() = 0;
    virtual std::vector<double> node_q_criterion() = 0;  // [1/s^2]

    // On each of Mesh::boundaries, with the pressure above; empty: the method has none.
    virtual std::vector<BoundaryForce> boundary_forces() { return {}; }

    virtual bool has_energy_budget() const { return false; }
    // of the last step made, which has not been taken back; costs about as much as a step
    virtual EnergyTerms energy_terms() { return {}; }

    // Of scalar i of FlowCase::scalars: values, and what diffuses into the domain through each of
    // Mesh::boundaries [scalar m^3/s, in 2D m^2/s].
    virtual std::vector<double> node_scalar(int i) = 0;
    virtual std::vector<double> cell_scalar(int i) = 0;
    virtual std::vector<double> scalar_diffused_in(int i) = 0;
    // least and greatest value of the cells
    virtual std::array<double, 2> scalar_range(int) { return {0, 0}; }

    // by name of the unknown
    virtual std::vector<std::pair<std::string, SolveTotals>> solves() const = 0;

  protected:
    std::vector<RateOfChange> velocity_change() const {
        if (!(largest_speed() > 0)) return {};
        return {{"the velocity", "the largest speed", rate_of_change(), largest_speed()}};
    }
};

}  // namespace solenoid
