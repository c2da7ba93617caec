// The boundary's velocities and fluxes of one time on the device: what fields are given there.
#pragma once

#include "flow/flow_boundaries.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
class BoundaryVelocity {
  public:
    // boundaries must outlive this.
    BoundaryVelocity(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FlowBoundaries& boundaries);

    // Evaluates the conditions at a time [s]. False where they are those already seen. Collective.
    bool see(double time);
    void forget() { seen_ = false; }

    // Of the time last seen: velocity at FlowBoundaries::faces(), column by column; flux through prescribed_faces().
    const std::vector<double>& face_velocity() const { return face_velocity_; }
    const std::vector<double>& flux() const { return flux_; }
    const Buffer<Real>& face_values() const { return face_value_; }

    void hold_at_faces(Buffer<Real>& cells) const;  // the further entries of a lengthened cell field
    void hold_at_nodes(Buffer<Real>& nodes) const;
    void hold_flux(Buffer<Real>& flux) const;       // on the prescribed faces

  private:
    const Communicator& comm_;
    Device& device_;
    const FlowBoundaries& boundaries_;
    bool seen_ = false;
    std::vector<double> face_velocity_, flux_;
    Buffer<std::uint32_t> face_entry_, node_entry_, flux_entry_;
    Buffer<Real> face_value_, node_value_, flux_value_;
};

}  // namespace solenoid
