// The fluxes through boundaries that follow the flow (FlowCondition::follows): of each face the
// last, and the next after a step.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/entity_access.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

template <class Real>
class ConvectedOutflow {
  public:
    // boundaries must outlive this.
    ConvectedOutflow(const Domain& domain, const FlowBoundaries& boundaries);

    // One for each of FlowBoundaries::prescribed_faces(), along its normal [m^3/s, in 2D m^2/s]; 0
    // where none follows.
    const std::vector<double>& flux() const { return flux_; }

    // Those of a velocity [m/s] at time 0. Throws InputError.
    void start(const VectorFormula& initial);
    void restart(const std::vector<double>& flux) { flux_ = flux; }
    // From the fluxes with which a step [s] from the cells' velocity u starts, as
    // FlowBoundaries::flux() has balanced them, to those of its end. Collective.
    void advance(const Field<Real>& u, const std::vector<double>& balanced, double step);
    void keep_in(Snapshot<Real>& snapshot);

  private:
    // A velocity inside is a mean of the cells round the face, at their mean distance from it.
    struct Face {
        std::size_t place;  // among prescribed_faces()
        Index face;
        int boundary;  // among FlowBoundaries::settings()
        double outward, area, distance;
        Vec3 normal;      // out of the domain
        std::size_t end;  // of its cells, which follow those of the face before
    };
    void set_weights();
    std::vector<double> speeds(const std::vector<double>& balanced) const;
    std::vector<double> fluxes_inside(const Field<Real>& u);

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const int d_;
    std::vector<Face> faces_;
    std::vector<double> weight_;  // of the cells
    std::unique_ptr<Probe<Real>> cells_;
    std::vector<double> flux_, inside_;  // inside: at the last step's start, out of the domain
    double last_step_ = 0;
};

}  // namespace solenoid
