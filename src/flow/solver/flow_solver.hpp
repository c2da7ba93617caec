// Incompressible flow by a fractional step: du/dt + u . grad u = -grad p + nu lap u, div u = 0
// (docs/numerics.md).
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "core/state_registry.hpp"
#include "core/time_parts.hpp"
#include "flow/settings/flow_case.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/entity_shares.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// The force of the fluid on a boundary, by density [m^4/s^2, in 2D m^3/s^2]; the moment [m^5/s^2,
// m^4/s^2] is about the origin.
struct BoundaryForce {
    // By the integral over the surface; the moment of pressure and friction together.
    Vec3 pressure{0}, friction{0}, moment{0};
    // By the weak form of momentum; pressure and friction together.
    Vec3 weak{0}, weak_moment{0};
    // Sum of the magnitudes of the surface's forces; the pressure less its mean over the surface.
    double strength = 0;
};

// Integrals of the velocity's gradient; S is its symmetric part.
struct GradientIntegrals {
    double enstrophy;  // 1/2 integral of |curl u|^2 [m^3/s^2], in 2D [m^2/s^2]
    // integral of 2 nu S : S, the dissipation by friction [m^5/s^3], in 2D [m^4/s^3]
    double dissipation;
};

// Budget of kinetic energy at the end of a step, by density [m^5/s^3, in 2D m^4/s^3]:
//   rate = boundary + force - viscous - convection - jump_penalty - coupling - time_scheme
// up to residual(), the tolerance of the solves. docs/numerics.md, "Budget of kinetic energy".
struct EnergyTerms {
    double kinetic_energy = 0;  // [m^5/s^2, m^4/s^2]
    double rate = 0;            // d/dt of it
    double viscous = 0;         // lost by friction
    double convection = 0;      // lost by the convection scheme
    double jump_penalty = 0;    // lost by the penalty of jumps between cells
    double coupling = 0;        // lost between flux, pressure gradient and cell velocity
    double time_scheme = 0;     // lost by the differences in time
    double boundary = 0;        // gained through the boundary: convection, friction and pressure
    double force = 0;           // gained by body forces, buoyancy and imposed fluxes
    double residual() const {
        return rate + viscous + convection + jump_penalty + coupling + time_scheme - boundary -
               force;
    }
};

// Estimated local errors of a step, root mean squares over the volume. The error is proportional to
// dt^(order + 1).
struct StepErrors {
    int order = 2;
    double velocity = 0;          // [m/s]
    std::vector<double> scalars;  // of FlowCase::scalars
};

// What a scalar did in the last step, means over it [its unit times m^3/s, in 2D m^2/s]:
//   the sums of convected_in and diffused_in + source + divergence = storage
struct ScalarBalance {
    std::vector<double> convected_in, diffused_in;  // through each of Mesh::boundaries
    double source = 0;                              // made in the volume
    double divergence = 0;  // by the divergence that a solve for the pressure has left in the flux
    double storage = 0;     // kept in the volume, or still to be placed there by the next solve
};

// Rate of change of an unknown [its unit/s], and the size that it is compared with [its unit].
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
    virtual void set_clock(double) {}  // sets time() of the present state [s]
    // Steps take the whole integral of body forces, sources and given fluxes over these parts of
    // time.
    virtual void integrate_over(const TimeParts&) {}
    // The next step starts from one state alone: after a jump of the data.
    virtual void restart() {}

    // From the next step on the errors of steps are estimated. Returns false where the method does
    // not.
    virtual bool follow_errors() { return false; }
    // Of the last step; none while there are too few states. Collective.
    virtual std::optional<StepErrors> step_errors() { return {}; }
    void keep_state() { state_.take(); }    // pushes the present state on a stack
    void take_back() { state_.restore(); }  // pops the last kept state and restores it to the bit
    void let_go() { state_.drop(); }        // pops the last kept state
    // All that a step leaves to the next. Who drives the steps adds what it keeps itself.
    StateRegistry& state() { return state_; }

    // Courant number of a step: the largest of a cell, dt / (2 V) times the sum of |U| of its
    // faces.
    virtual double courant(double dt) const = 0;
    // Largest stable Courant number of explicit convection.
    virtual double courant_limit() const { return HUGE_VAL; }
    // Longest stable step of explicit diffusion [s].
    virtual double step_limit() const { return HUGE_VAL; }
    // Largest net outflow of a cell over the largest face flux.
    virtual double max_divergence() = 0;
    // Largest |u - u_before| / dt of the last step [m/s^2].
    virtual double rate_of_change() const = 0;
    virtual double largest_speed() const = 0;  // of a cell [m/s]
    // Rates of change in the last step: velocity, pressure, every scalar. Empty before the first
    // step and where nothing moves.
    virtual std::vector<RateOfChange> changes() { return velocity_change(); }
    virtual double kinetic_energy() = 0;  // 1/2 integral of u^2 [m^5/s^2], in 2D [m^4/s^2]
    virtual GradientIntegrals gradient_integrals() = 0;
    // Number of cells whose velocity was constrained by their fluxes, summed over all steps
    // (docs/numerics.md, "Cells held to their fluxes").
    virtual double held_cells() const { return 0; }
    // Inflow through each of Mesh::boundaries [m^3/s, in 2D m^2/s].
    virtual std::vector<double> boundary_inflow() = 0;

    virtual std::vector<SectionFlow> cut_surfaces() { return {}; }  // one a periodic pair

    // On the entities held here, ghosts filled; vectors column by column, `dimension` columns.
    virtual std::vector<double> node_velocity() = 0;  // recovered, second order
    virtual std::vector<double> cell_velocity() = 0;
    virtual std::vector<double> face_flux() = 0;
    // On nodes in 2D, on edges in 3D; empty for the classical method in 3D.
    virtual std::vector<double> stream_function() = 0;
    // Where a viscosity or a diffusivity jumps on faces, velocity and scalars have kinks. A number
    // for each cell, equal for cells that are connected without crossing a kink. Empty where there
    // is none.
    virtual std::vector<GlobalIndex> velocity_parts() { return {}; }
    virtual std::vector<GlobalIndex> scalar_parts(int) { return {}; }
    // Pressure over density [m^2/s^2]; costs a solve. Empty where the method has no pressure.
    virtual std::vector<double> node_pressure() { return {}; }

    // On each of Mesh::boundaries, with node_pressure(). Empty where the method has none.
    virtual std::vector<BoundaryForce> boundary_forces() { return {}; }
    // The same on some of Mesh::boundaries, without `strength`; zero on others. The first call for
    // a boundary makes some solves, further ones products in place of node_pressure(). Throws
    // ComputationError where a solve fails.
    virtual std::vector<BoundaryForce> watched_forces(const std::vector<std::size_t>&) {
        return boundary_forces();
    }

    // Sums over nodes of weight times node_velocity() or node_pressure(), without their values at
    // all nodes. watch_...: finds what they take once, for the pressure by a solve, and returns
    // what to ask for them by; -1: the values are needed. shares: on any rank that holds the node;
    // of component k of the velocity in sum s as sum 3 s + k. watched_velocity() is empty where the
    // values are needed in this state. Throw ComputationError where a solve fails.
    virtual int watch_velocity(const std::vector<EntityShare>&, int) { return -1; }
    virtual std::vector<double> watched_velocity(int) { return {}; }
    virtual int watch_pressure(const std::vector<EntityShare>&) { return -1; }
    virtual double watched_pressure(int) { return 0; }

    virtual bool has_energy_budget() const { return false; }
    // Of the last step that was not taken back; costs about as much as a step.
    virtual EnergyTerms energy_terms() { return {}; }

    // Scalar i of FlowCase::scalars: its values, and its diffusive inflow through each of
    // Mesh::boundaries [its unit times m^3/s, in 2D m^2/s].
    virtual std::vector<double> node_scalar(int i) = 0;
    virtual std::vector<double> cell_scalar(int i) = 0;
    virtual std::vector<double> scalar_diffused_in(int i) = 0;
    virtual ScalarBalance scalar_balance(int) { return {}; }
    // Least and greatest value of the cells.
    virtual std::array<double, 2> scalar_range(int) { return {0, 0}; }

    // For the start of a run, where the mesh has asked for another form of the equations than
    // most: which, and why. Empty: the usual one.
    virtual std::string chosen_form() const { return {}; }

    // By the name of the unknown.
    virtual std::vector<std::pair<std::string, SolveTotals>> solves() const = 0;
    // Whether it has node_pressure() and boundary_forces().
    virtual bool has_pressure() const { return false; }

  protected:
    std::vector<RateOfChange> velocity_change() const {
        if (!(largest_speed() > 0)) return {};
        return {{"the velocity", "the largest speed", rate_of_change(), largest_speed()}};
    }

  private:
    StateRegistry state_;
};

}  // namespace solenoid
