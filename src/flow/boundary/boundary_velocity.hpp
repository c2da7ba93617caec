// Boundary values of velocities on the device: u_b = P u_in + g at faces and nodes, and the
// prescribed fluxes, at one time (FlowBoundaries has P and g).
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
    ~BoundaryVelocity();

    // Evaluates the conditions at a time [s]. Returns false where nothing has changed. Collective.
    bool update(double time);
    void forget() { seen_ = false; }
    // Convected outflow. follow_from(): before the first update(), the initial velocity [m/s].
    // follow(): before the update() of a step, the velocity at its start and its length [s].
    // restart_from(): before a step is repeated, flux() of its start.
    void follow_from(const VectorFormula& initial) { followed_.start(initial); }
    void follow(const Field<Real>& u, double step) { followed_.advance(u, flux_, step); }
    void restart_from(const std::vector<double>& flux) { followed_.restart(flux); }
    // Inflow where a pressure is given. enter_from(): the initial velocity and its flux. enter():
    // after each step, the flux at its end, the viscosity at FlowBoundaries::faces() [m^2/s], the
    // length of the step and its end [s].
    void enter_from(const VectorFormula& initial, const Field<Real>& flux) {
        pressure_inflow_.start(initial, flux);
    }
    void enter(const Field<Real>& flux, const std::vector<double>& viscosity, double step,
               double time) {
        pressure_inflow_.advance(flux, viscosity, step, time);
    }
    // The velocities that enter through this rank's own faces with a given pressure, by a flux.
    // Empty for differences of velocities.
    std::vector<EndVelocity> ends(const Field<Real>& flux);
    const PressureInflow<Real>& pressure_inflow() const { return pressure_inflow_; }
    // The inflow is extrapolated by `reach` steps beyond the last one.
    void look_ahead(double reach) { pressure_inflow_.look_ahead(reach); }
    std::uint64_t version() const { return version_; }  // grows when a given value changes
    // Says whether fields are differences of two velocities: their given values are zero.
    void use_differences(bool are_differences) {
        if (are_differences != are_differences_) ++version_;
        are_differences_ = are_differences;
    }

    // At the time of the last update(): the given velocity at FlowBoundaries::faces(), column by
    // column [m/s]; the flux through prescribed_faces() [m^3/s, in 2D m^2/s].
    const std::vector<double>& face_velocity() const { return face_velocity_; }
    const std::vector<double>& flux() const { return flux_; }

    // Sets the boundary values of a velocity's cell field at faces(). at_nodes: its node values.
    void impose_at_faces(Field<Real>& u, const Field<Real>& at_nodes);
    // The velocity that `flux` carries through faces(), a list. Sets the boundary values of u.
    // Collective.
    const Buffer<Real>& carried(const Field<Real>& u, const Field<Real>& flux);
    // Sets the boundary values of another cell vector to P times the value of the cell.
    void extend_to_faces(Field<Real>& field);
    // Sets node values to P u + g.
    void constrain_at_nodes(Field<Real>& at_nodes);
    // The same of means of cells with their mirror images: on curved walls along which the fluid
    // slips they are extended by du_t/dn = S u_t from where the cells lie.
    void extend_to_nodes(Field<Real>& at_nodes);
    // Sets node values of a change of velocity to P u: zero where the velocity is given, the
    // tangential part in symmetry.
    void project_to_free_at_nodes(Field<Real>& at_nodes);
    // Likewise extend_to_nodes(): a symmetric map.
    void extend_change_to_nodes(Field<Real>& at_nodes);
    void constrain_flux(Field<Real>& flux);  // on the prescribed faces
    void register_state(const State<Real>& state);

  private:
    void set_free_faces(const DistributedMesh& mesh);
    void set_curved_faces();
    void set_nodes();
    void extend(std::vector<Vec3>& directions) const;
    void keep_in_symmetry(const Buffer<Real>& kept, Field<Real>& at_nodes);
    void evaluate();

    const Domain& domain_;
    const int d_;
    const FlowBoundaries& boundaries_;
    PressureInflow<Real> pressure_inflow_;
    ConvectedOutflow<Real> followed_;
    bool seen_ = false, are_differences_ = false;
    double time_ = 0;  // of the last update() [s]
    std::uint64_t version_ = 0;
    std::vector<double> face_velocity_, flux_;
    Buffer<std::uint32_t> face_entry_, node_entry_, flux_entry_;
    Buffer<Real> face_value_, face_rest_, node_value_, node_rest_, flux_value_;
    Buffer<std::uint32_t> free_place_, free_face_, free_entry_, free_cell_, free_node_,
        symmetry_node_;
    Buffer<Real> free_open_, projection_, free_reach_, free_kept_, free_rest_;
    // Of symmetry_node_: the directions along the walls, and those of extend_to_nodes().
    Buffer<Real> symmetry_kept_, symmetry_extended_;
    struct {
        Buffer<std::uint32_t> cell, entry, node;
        Buffer<Real> foot, kept, value;
    } curved_;  // lists of faces of curved walls along which the fluid slips
    Buffer<Real> carried_, free_value_, free_carried_, symmetry_value_;
};

}  // namespace solenoid
