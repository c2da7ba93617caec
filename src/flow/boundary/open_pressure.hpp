// The given pressure over density at open boundaries: 0 at an outflow, a formula at boundaries of
// types "pressure" and "total_pressure", there less the dynamic pressure of entering fluid.
#pragma once

#include "flow/boundary/inlet_mean.hpp"
#include "operators/domain.hpp"

namespace solenoid {

class OpenPressure {
  public:
    // density [kg/m^3]. The references must outlive this.
    OpenPressure(const Domain& domain, const FlowBoundaries& boundaries, double density);

    // Indices into FlowBoundaries::faces() of open faces with a pressure.
    const std::vector<Index>& positions() const { return positions_; }
    // nodes of these faces in [0, shared)
    const std::vector<Index>& nodes() const { return nodes_; }
    bool is_given() const;  // by a condition that drives the flow
    bool depends_on_time() const;
    // The source of the dynamic pressure u^2 / 2 that is subtracted from given total pressures.
    // Must outlive this.
    void follow(const InletMean& inlets) { inlets_ = &inlets; }

    // p over density [m^2/s^2] at time t: at the centroids of positions(); at nodes(), the mean of
    // the groups that meet there. Throw InputError where a formula is not finite.
    std::vector<double> at_faces(double t) const;
    std::vector<double> at_nodes(double t) const;

  private:
    double pressure(const FlowBoundary& boundary, const Vec3& x, double t) const;
    const InletMean* inlets_ = nullptr;

    const Mesh& mesh_;
    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const double density_;
    std::vector<Index> positions_, nodes_;
    Rows node_faces_;  // of each of nodes_: one open face of each group
};

}  // namespace solenoid
