// The duct that goes on outside a boundary with a given pressure: what enters there has the
// velocity S of a flow along straight walls that carries the same flux,
//   dS/dt = g + div(nu grad S) along the boundary,  S at rest on walls,  g so that S carries
//       what passes the boundary.
// S knows the boundary's flux, not its faces': no face feeds on itself. docs/numerics.md, "Given
// pressure".
#pragma once

#include <map>
#include <memory>

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

class OutsideDuct {
  public:
    // `positions` among FlowBoundaries::faces(): of this rank's faces those with a duct outside.
    // Each part of a boundary that hangs together and is smooth has a duct of its own. All
    // references must outlive this. Collective, as all below.
    OutsideDuct(const Domain& domain, const FlowBoundaries& boundaries,
                const std::vector<Index>& positions);
    ~OutsideDuct();

    // From an initial velocity. inflow: into the domain through each of `positions` [m^3/s, in 2D
    // m^2/s].
    void start(const VectorFormula& initial, const std::vector<double>& inflow);
    // Over a step [s] to a time [s], with what flows in at its end and the viscosity of each of
    // `positions` [m^2/s]: BDF2.
    void advance(const std::vector<double>& inflow, const std::vector<double>& viscosity,
                 double step, double time);

    // The mean of S over each of `positions`, inward [m/s]; `reach` steps beyond the last one.
    std::vector<double> speeds(double reach = 0) const;
    // S at the nodes of each of `positions`, in the order of Mesh::face_nodes.
    std::vector<std::array<double, 3>> node_speeds(double reach = 0) const;
    template <class Real>
    void keep_in(Snapshot<Real>& snapshot) {
        for (auto* values : {&speed_, &speed_before_, &flux_}) snapshot.add_value(*values);
        snapshot.add_value(last_step_);
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
    std::unique_ptr<Plane> plane_;              // the same on every rank
    std::vector<double> speed_, speed_before_;  // S at its nodes, now and a step before
    std::vector<double> flux_;                  // inward, of each part
    double last_step_ = 0;
};

}  // namespace solenoid
