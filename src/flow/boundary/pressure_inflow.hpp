// The velocity of fluid that enters through boundaries with a given pressure, along the normal.
// Static pressure: the velocity of the duct outside (OutsideDuct) for the share of net inflow in
// the boundary's inflow; for the rest half the flux's own velocity, which brings in no energy, as
// at an outflow. Total pressure: the velocity of the flux (InletMean).
#pragma once

#include "device/device.hpp"
#include "flow/boundary/inlet_mean.hpp"
#include "flow/boundary/outside_duct.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// Velocity at a face with a given pressure, for fluid that enters.
struct EndVelocity {
    Vec3 velocity;                // convected velocity [m/s]
    Vec3 normal;                  // into the domain
    std::array<double, 3> given;  // given velocity at its nodes along that normal [m/s]
    double part;                  // share of the velocity inside the domain
};

template <class Real>
class PressureInflow {
  public:
    // All references must outlive this. Collective.
    PressureInflow(const Domain& domain, const FlowBoundaries& boundaries);

    // The entering velocity divided by the flux of the face, for each of
    // FlowBoundaries::free_faces() [1/m^2, in 2D 1/m]: a vector for each entry; zero where no
    // pressure is given. Collective.
    const Buffer<Real>& entering(const Field<Real>& flux);

    // The ducts outside. start(): an initial velocity and its flux. advance(): a step [s] to a time
    // [s] with the flux at its end and the viscosity at FlowBoundaries::faces() [m^2/s].
    // look_ahead(): later results are extrapolated by `reach` steps. Collective.
    void start(const VectorFormula& initial, const Field<Real>& flux);
    void advance(const Field<Real>& flux, const std::vector<double>& viscosity, double step,
                 double time);
    void look_ahead(double reach);
    const InletMean* inlets() const { return inlets_.get(); }  // null where no pressure is given
    // The entering velocities of this rank's own faces. A difference of two velocities has none.
    // Collective.
    std::vector<EndVelocity> ends(const Field<Real>& flux, bool of_difference);
    // Indices into FlowBoundaries::faces() of faces with a given pressure.
    const std::vector<Index>& boundary_places() const { return boundary_place_; }
    void register_state(const StateValues& state);

  private:
    std::vector<double> inflow(const Field<Real>& flux);  // of each face with a given pressure
    struct Outside {                                      // velocity outside each face
        std::vector<double> speed;
        std::vector<std::array<double, 3>> at_nodes;
    };
    Outside outside() const;
    std::vector<double> net_shares(const std::vector<double>& inflow) const;

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const int d_;
    const std::size_t conditions_;
    bool is_present_ = false;  // on any rank
    // index into free_faces() of each face with a given pressure
    std::vector<std::size_t> place_;
    std::vector<Index> boundary_place_;        // index into FlowBoundaries::faces()
    std::vector<std::size_t> condition_;       // index into FlowBoundaries::settings()
    std::vector<bool> is_marked_, is_inward_;  // inward: the face's normal points into the domain
    std::vector<Vec3> normal_;                 // n / A
    // indices of these faces: with a duct outside, with a given total pressure
    std::vector<std::size_t> duct_places_, inlet_places_;
    std::unique_ptr<OutsideDuct> duct_;
    std::unique_ptr<InletMean> inlets_;
    double reach_ = 0;
    Buffer<std::uint32_t> face_;  // oriented into the domain
    Buffer<Real> inflow_, entering_;
};

}  // namespace solenoid
