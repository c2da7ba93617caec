// The velocity of fluid that enters where the total pressure is given, and its dynamic pressure: p
// = p_total - density u^2 / 2. Node values are means of the flux velocities of the faces at the
// node, so that no face depends on its own flux alone. docs/numerics.md, "Given pressure".
#pragma once

#include <array>
#include <vector>

#include "core/state_values.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

class InletMean {
  public:
    // positions: indices into FlowBoundaries::faces() of this rank's faces with a given total
    // pressure. All references must outlive this. Collective, as all below.
    InletMean(const Domain& domain, const FlowBoundaries& boundaries,
              const std::vector<Index>& positions);

    // Sets the initial inflow, and adds that of a step. inflow: through each of `positions` into
    // the domain [m^3/s, in 2D m^2/s].
    void start(const std::vector<double>& inflow);
    void advance(const std::vector<double>& inflow);
    // Results below are extrapolated by `reach` steps beyond the last one.
    void look_ahead(double reach) { reach_ = reach; }

    // Inward velocities [m/s] at the nodes of each of `positions`, in the order of
    // Mesh::face_nodes. Not collective, as all below.
    std::vector<std::array<double, 3>> node_speeds() const;
    // u^2 / 2 of entering fluid [m^2/s^2]: the mean over a face, and at a node of a condition. 0
    // where no total pressure is given.
    double dynamic_pressure(Index face) const;
    double dynamic_pressure(int condition, Index node) const;
    void register_state(const StateValues& state) {
        state.add("speed", speed_);
        state.add("speed_before", speed_before_);
    }

  private:
    struct Node {
        int condition;  // its place by name, which does not depend on the order of the case
        GlobalIndex number;
        auto operator<=>(const Node&) const = default;
    };
    std::vector<double> means(const std::vector<double>& inflow) const;
    double at(Index node) const {
        return (1 + reach_) * speed_[node] - reach_ * speed_before_[node];
    }

    const Domain& domain_;
    const int d_;
    std::vector<int> place_by_name_;  // of each of FlowBoundaries::settings()
    std::vector<Node> nodes_;         // of all ranks
    std::vector<double> area_;        // sum of the areas of the faces at each node
    // of `positions`, ascending: the face, and the places of its d nodes in nodes_
    std::vector<Index> face_, node_of_;
    std::vector<Index> place_of_face_;  // index into `positions` of each of face_
    std::vector<bool> is_marked_;
    std::vector<double> speed_, speed_before_;  // at the nodes, now and one step before [m/s]
    double reach_ = 0;
};

}  // namespace solenoid
