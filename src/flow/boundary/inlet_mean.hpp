// The velocity with which fluid enters where its total pressure is given: that of the flux, each
// node the mean of the faces round it, so that faces take no part in it by themselves; and what of
// the total pressure it makes of it, p = p_total - u^2 / 2 by density. docs/numerics.md, "Given
// pressure".
#pragma once

#include <array>
#include <vector>

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

class InletMean {
  public:
    // `positions` among FlowBoundaries::faces(): of this rank's faces those with a given total
    // pressure. All references must outlive this. Collective, as all below.
    InletMean(const Domain& domain, const FlowBoundaries& boundaries,
              const std::vector<Index>& positions);

    // inflow: into the domain through each of `positions` [m^3/s, in 2D m^2/s], first and after
    // each step.
    void start(const std::vector<double>& inflow);
    void advance(const std::vector<double>& inflow);
    // what is asked for from now on is that of `reach` steps beyond the last
    void look_ahead(double reach) { reach_ = reach; }

    // Inward [m/s]: at the nodes of each of `positions`, in the order of Mesh::face_nodes. Not
    // collective, as below.
    std::vector<std::array<double, 3>> node_speeds() const;
    // u^2 / 2 of what enters [m^2/s^2]: the mean over a face, and at a node of a condition; 0 of
    // faces and nodes that are no inlet's.
    double dynamic_pressure(Index face) const;
    double dynamic_pressure(int condition, Index node) const;
    template <class Real>
    void keep_in(Snapshot<Real>& snapshot) {
        for (auto* values : {&speed_, &speed_before_}) snapshot.add_value(*values);
    }

  private:
    struct Node {
        int condition;
        GlobalIndex number;
        auto operator<=>(const Node&) const = default;
    };
    std::vector<double> means(const std::vector<double>& inflow) const;
    double at(Index node) const {
        return (1 + reach_) * speed_[node] - reach_ * speed_before_[node];
    }

    const Domain& domain_;
    const int d_;
    std::vector<Node> nodes_;   // of all ranks
    std::vector<double> area_;  // of the faces round each
    // of `positions`, ascending; d nodes each, in the order of the places
    std::vector<Index> face_, node_of_;
    std::vector<Index> place_of_face_;  // of face_: among `positions`
    std::vector<bool> is_marked_;
    std::vector<double> speed_, speed_before_;  // of the nodes, now and a step before
    double reach_ = 0;
};

}  // namespace solenoid
