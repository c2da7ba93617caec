// The boundary's velocities and fluxes of one time on the device: what fields are given there.
#pragma once

#include "device/upload.hpp"
#include "flow/boundary/convected_outflow.hpp"
#include "flow/boundary/pressure_inflow.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class BoundaryVelocity {
  public:
    // boundaries must outlive this.
    BoundaryVelocity(const Domain& domain, const FlowBoundaries& boundaries);

    // Evaluates the conditions at a time [s]. False where they are those already seen. Collective.
    bool update(double time);
    void forget() { seen_ = false; }
    // Where boundaries follow the flow: before the first update(), with the initial velocity;
    // before a step's, with that which it starts with and the length of the step [s]. A step that
    // is made again: with the flux that it started with, flux() of then.
    void follow_from(const VectorFormula& initial) { followed_.start(initial); }
    void follow(const Field<Real>& u, double step) { followed_.advance(u, flux_, step); }
    void restart_from(const std::vector<double>& flux) { followed_.restart(flux); }
    // What enters where a pressure is given: from an initial velocity and its flux; after each step
    // [s] to a time [s] with the flux at its end and the viscosity of FlowBoundaries::faces()
    // [m^2/s]; from then on that of `reach` steps beyond.
    void enter_from(const VectorFormula& initial, const Field<Real>& flux) {
        pressure_inflow_.start(initial, flux);
    }
    void enter(const Field<Real>& flux, const std::vector<double>& viscosity, double step,
               double time) {
        pressure_inflow_.advance(flux, viscosity, step, time);
    }
    // What enters through this rank's own faces where a pressure is given, by the last flux that
    // was carried. Of differences: none.
    std::vector<EndVelocity> ends(const Field<Real>& flux);
    const PressureInflow<Real>& pressure_inflow() const { return pressure_inflow_; }
    void look_ahead(double reach) { pressure_inflow_.look_ahead(reach); }
    std::uint64_t version() const { return version_; }  // grows when what is given changes
    // Whether fields are differences of two velocities, for which all that is given is zero.
    void use_differences(bool are_differences) {
        if (are_differences != are_differences_) ++version_;
        are_differences_ = are_differences;
    }

    // Of the time last seen: given velocity at FlowBoundaries::faces(), column by column; flux
    // through prescribed_faces().
    const std::vector<double>& face_velocity() const { return face_velocity_; }
    const std::vector<double>& flux() const { return flux_; }

    // Sets the boundary values of a velocity's cell field: the velocities at faces().
    // at_nodes: of that velocity.
    void impose_at_faces(Field<Real>& u, const Buffer<Real>& at_nodes);
    // The velocity that `flux` carries through faces(), a list. Sets the boundary values of u.
    // Collective.
    const Buffer<Real>& carried(const Buffer<Real>& u, const Buffer<Real>& flux);
    // The further entries of another field where the velocity is not given: of its cells' values
    // what P keeps.
    void extend_to_faces(Field<Real>& field);
    void constrain_at_nodes(Field<Real>& at_nodes);
    // Of node values that a velocity's change may have: none where it is given, the kept part in
    // symmetry.
    void project_to_free_at_nodes(Field<Real>& at_nodes);
    void keep_in_symmetry(Field<Real>& at_nodes);
    void constrain_flux(Field<Real>& flux);  // on the prescribed faces
    void keep_in(Snapshot<Real>& snapshot);

  private:
    void set_free_faces(const DistributedMesh& mesh);

    const Domain& domain_;
    const int d_;
    const FlowBoundaries& boundaries_;
    PressureInflow<Real> pressure_inflow_;
    ConvectedOutflow<Real> followed_;
    bool seen_ = false, are_differences_ = false;
    std::uint64_t version_ = 0;
    std::vector<double> face_velocity_, flux_;
    Buffer<std::uint32_t> face_entry_, node_entry_, flux_entry_;
    Buffer<Real> face_value_, face_rest_, node_value_, node_rest_, flux_value_;
    Buffer<std::uint32_t> free_place_, free_face_, free_entry_, free_cell_, free_node_,
        symmetry_node_;
    Buffer<Real> free_open_, projection_, free_reach_, free_kept_, free_rest_, symmetry_kept_;
    Buffer<Real> carried_, free_value_, free_carried_, symmetry_value_;
};

}  // namespace solenoid
