// A virtual duct outside a boundary with a given pressure. Fluid enters with the velocity S of a
// flow along straight walls that carries the boundary's flux:
//   dS/dt = g + div(nu grad S) on the boundary,  S = 0 on walls,  g such that S carries the flux.
// S depends on the flux of the boundary, not of single faces, so that no face amplifies itself.
// docs/numerics.md, "Given pressure".
#pragma once

#include <map>
#include <memory>

#include "core/state_values.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

class OutsideDuct {
  public:
    // positions: indices into FlowBoundaries::faces() of this rank's faces with a duct outside.
    // Each connected smooth part of a boundary has its own duct. All references must outlive this.
    // Collective, as all below.
    OutsideDuct(const Domain& domain, const FlowBoundaries& boundaries,
                const std::vector<Index>& positions);
    ~OutsideDuct();

    // Sets S from an initial velocity. inflow: through each of `positions` into the domain [m^3/s,
    // in 2D m^2/s].
    void start(const VectorFormula& initial, const std::vector<double>& inflow);
    // Advances S by a step [s] to a time [s] with BDF2. inflow: at the step's end; viscosity: at
    // each of `positions` [m^2/s].
    void advance(const std::vector<double>& inflow, const std::vector<double>& viscosity,
                 double step, double time);

    // The mean of S over each of `positions`, inward [m/s], extrapolated by `reach` steps.
    std::vector<double> speeds(double reach = 0) const;
    // S at the nodes of each of `positions`, in the order of Mesh::face_nodes.
    std::vector<std::array<double, 3>> node_speeds(double reach = 0) const;
    void register_state(const StateValues& state) {
        state.add("speed", speed_);
        state.add("speed_before", speed_before_);
        state.add("flux", flux_);
        state.add("last_step", last_step_, not_negative);
    }

  private:
    struct Plane;
    void update_walls(double time);
    void set_viscosity(const std::vector<double>& viscosity);
    std::vector<double> through(const std::vector<double>& inflow) const;
    std::vector<double> solved(double shift, const std::vector<double>& rhs,
                               std::vector<double> x) const;
    std::vector<double> solved_for_flux(double shift, const std::vector<double>& rhs,
                                        const std::vector<double>& guess,
                                        const std::vector<double>& flux) const;

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    std::unique_ptr<Plane> plane_;              // equal on all ranks
    std::vector<double> speed_, speed_before_;  // S at the nodes, now and one step before
    std::vector<double> flux_;                  // into each part
    double last_step_ = 0;
};

}  // namespace solenoid
