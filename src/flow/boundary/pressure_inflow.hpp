// What enters through boundaries with a given pressure, along the normal. Of a static one: with the
// velocity of the duct that goes on outside, so far as more enters through a boundary than leaves
// it; of the rest half of the flux's own velocity, which brings no energy in, as at an outflow. Of
// a total one: with the flux's velocity (InletMean).
#pragma once

#include "device/device.hpp"
#include "flow/boundary/inlet_mean.hpp"
#include "flow/boundary/outside_duct.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// What enters through a face where a pressure is given, if fluid enters there.
struct EndVelocity {
    Vec3 velocity;                // that is carried [m/s]
    Vec3 normal;                  // into the domain
    std::array<double, 3> given;  // at its nodes along that normal [m/s], beside
    double part;                  // of the velocity of the flow inside there
};

template <class Real>
class PressureInflow {
  public:
    // All references must outlive this. Collective.
    PressureInflow(const Domain& domain, const FlowBoundaries& boundaries);

    // Vectors of FlowBoundaries::free_faces(), a list: the entering velocity by the face's flux,
    // zero where no pressure is given [1/m^2, in 2D 1/m]. Collective.
    const Buffer<Real>& entering(const Field<Real>& flux);

    // The ducts outside: from an initial velocity and its flux; over a step [s] to a time [s] with
    // the flux at its end and the viscosity of FlowBoundaries::faces() [m^2/s]. What enters is then
    // that of `reach` steps beyond. Collective.
    void start(const VectorFormula& initial, const Field<Real>& flux);
    void advance(const Field<Real>& flux, const std::vector<double>& viscosity, double step,
                 double time);
    void look_ahead(double reach);
    const InletMean* inlets() const { return inlets_.get(); }  // null: no pressure is given
    // Of this rank's own faces; of a difference of two velocities nothing is given. Collective.
    std::vector<EndVelocity> ends(const Field<Real>& flux, bool of_difference);
    // faces with a given pressure among FlowBoundaries::faces()
    const std::vector<Index>& boundary_places() const { return boundary_place_; }
    void keep_in(Snapshot<Real>& snapshot);

  private:
    std::vector<double> inflow(const Field<Real>& flux);  // of each face
    struct Outside {                                      // of each face: what is outside
        std::vector<double> speed;
        std::vector<std::array<double, 3>> at_nodes;
    };
    Outside outside() const;
    std::vector<double> net_shares(const std::vector<double>& inflow) const;

    const Domain& domain_;
    const int d_;
    const std::size_t conditions_;
    bool is_present_ = false;  // on any rank
    // of each face with a given pressure, among the free ones
    std::vector<std::size_t> place_;
    std::vector<Index> boundary_place_;        // among FlowBoundaries::faces()
    std::vector<std::size_t> condition_;       // of FlowBoundaries::settings()
    std::vector<bool> is_marked_, is_inward_;  // its normal points into the domain
    std::vector<Vec3> normal_;                 // n / A
    // among these faces: with a duct outside, with a given total pressure
    std::vector<std::size_t> duct_places_, inlet_places_;
    std::unique_ptr<OutsideDuct> duct_;
    std::unique_ptr<InletMean> inlets_;
    double reach_ = 0;
    Buffer<std::uint32_t> face_;  // oriented into the domain
    Buffer<Real> inflow_, entering_;
};

}  // namespace solenoid
