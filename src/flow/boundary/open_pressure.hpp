// The pressure that is given where the boundary is open, over the density: 0 at an outflow, by
// formula at boundaries of types "pressure" and "total_pressure", there less what the flow has of
// it.
#pragma once

#include "flow/boundary/inlet_mean.hpp"
#include "operators/domain.hpp"

namespace solenoid {

class OpenPressure {
  public:
    // density [kg/m^3]. The references must outlive this.
    OpenPressure(const Domain& domain, const FlowBoundaries& boundaries, double density);

    // of the open faces among FlowBoundaries::faces()
    const std::vector<Index>& positions() const { return positions_; }
    const std::vector<Index>& nodes() const { return nodes_; }  // on them, among [0, shared)
    bool is_given() const;  // by a boundary whose condition drives the flow
    bool depends_on_time() const;
    // Where a total pressure is given what enters takes u^2 / 2 of it: that of these from now on.
    // They must outlive this.
    void follow(const InletMean& inlets) { inlets_ = &inlets; }

    // [m^2/s^2] at time t: at the centroids of positions(), and at nodes(), the mean of the groups
    // that meet there. Throw InputError where a formula is not finite.
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
    Rows node_faces_;  // of each of nodes_: one open face a group
};

}  // namespace solenoid
