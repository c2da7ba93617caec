// Values of scalars that are given at boundaries through which the fluid leaves in the mean: what
// a run warns of at its end.
#pragma once

#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid {

class HeldScalars {
  public:
    // boundaries: the names of Mesh::boundaries. The case must outlive this.
    HeldScalars(const FlowCase& flow, const std::vector<std::string>& boundaries);

    bool are_watched() const { return !watched_.empty(); }
    // inflow: through each of Mesh::boundaries at the end of a step of this length [s].
    void add(const std::vector<double>& inflow, double length);
    std::vector<std::string> warnings() const;
    void register_state(const StateValues& state);

  private:
    struct Watched {
        const FlowBoundary* boundary;
        std::size_t index;  // into Mesh::boundaries
    };
    std::vector<Watched> watched_;
    // Of Mesh::boundaries: what has entered less what has left, and the magnitudes of the steps
    // added up [m^3, in 2D m^2].
    std::vector<double> entered_, passed_;
};

}  // namespace solenoid
