// Fluxes through boundaries that follow the flow (FlowCondition::follows), by the convection
// equation du/dt + c du/dn = 0 (Orlanski 1976). docs/numerics.md, "Boundaries of a flow".
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/entity_access.hpp"
#include "operators/state.hpp"

namespace solenoid {

template <class Real>
class ConvectedOutflow {
  public:
    // boundaries must outlive this.
    ConvectedOutflow(const Domain& domain, const FlowBoundaries& boundaries);

    // Fluxes of FlowBoundaries::prescribed_faces() along their normals [m^3/s, in 2D m^2/s]; 0
    // where the condition does not follow the flow.
    const std::vector<double>& flux() const { return flux_; }

    // Sets the fluxes of an initial velocity [m/s]. Throws InputError where it is not finite, and
    // where a boundary stays shut. Collective.
    void start(const VectorFormula& initial);
    void restart(const std::vector<double>& flux) { flux_ = flux; }
    // Advances the fluxes by a step [s]. u: the cells' velocity at its start; balanced: the fluxes
    // at its start as FlowBoundaries::flux() corrected them. Collective.
    void advance(const Field<Real>& u, const std::vector<double>& balanced, double step);
    void register_state(const State<Real>& state);

  private:
    // The velocity inside is a mean over the cells round the face, at their mean distance from it.
    struct Face {
        std::size_t place;  // index into prescribed_faces()
        Index face;
        int boundary;  // index into FlowBoundaries::settings()
        double outward, area, distance;
        Vec3 normal;  // out of the domain
        // end of its cells in weight_; they begin at the end of the previous face's
        std::size_t end;
    };
    void set_weights();
    void refuse_what_stays_shut() const;
    std::vector<double> speeds(const std::vector<double>& balanced) const;
    std::vector<double> fluxes_inside(const Field<Real>& u);

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const int d_;
    std::vector<Face> faces_;
    std::vector<double> weight_;  // of the cells of all faces
    std::unique_ptr<Probe<Real>> cells_;
    std::vector<double> flux_, inside_;  // inside: at the start of the last step, out of the domain
    double last_step_ = 0;
};

}  // namespace solenoid
