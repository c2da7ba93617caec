#include "flow/boundary_velocity.hpp"

namespace solenoid {

template <class Real>
BoundaryVelocity<Real>::BoundaryVelocity(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FlowBoundaries& boundaries)
    : comm_(comm), device_(device), boundaries_(boundaries) {
    const int d = mesh.mesh.dimension;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> entries(b.faces.size());
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = b.first + static_cast<Index>(k);
    face_entry_ = uploaded(device, entries);
    face_value_ = device.buffer<Real>(face_entry_.size(), d);
    node_entry_ = uploaded(device, boundaries.nodes());
    node_value_ = device.buffer<Real>(node_entry_.size(), d);
    const Subset& held = boundaries.prescribed_faces();
    flux_entry_ = uploaded(device, std::vector<Index>(held.members.begin(), held.members.begin() + held.ranges.shared));
    flux_value_ = device.buffer<Real>(flux_entry_.size());
}

template <class Real>
bool BoundaryVelocity<Real>::see(double time) {
    if (seen_ && !boundaries_.depends_on_time()) return false;
    seen_ = true;
    std::vector<double> at_nodes;
    comm_.agree([&] {
        face_velocity_ = boundaries_.face_velocity(time);
        at_nodes = boundaries_.node_velocity(time);
    });
    face_value_.upload(std::vector<Real>(face_velocity_.begin(), face_velocity_.end()));
    node_value_.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
    flux_ = boundaries_.flux(time);
    flux_value_.upload(std::vector<Real>(flux_.begin(), flux_.begin() + flux_entry_.size()));
    return true;
}

template <class Real>
void BoundaryVelocity<Real>::hold_at_faces(Buffer<Real>& cells) const {
    if (face_entry_.size()) device_.scatter(face_value_, face_entry_, cells);
}

template <class Real>
void BoundaryVelocity<Real>::hold_at_nodes(Buffer<Real>& nodes) const {
    if (node_entry_.size()) device_.scatter(node_value_, node_entry_, nodes);
}

template <class Real>
void BoundaryVelocity<Real>::hold_flux(Buffer<Real>& flux) const {
    if (flux_entry_.size()) device_.scatter(flux_value_, flux_entry_, flux);
}

template class BoundaryVelocity<float>;
template class BoundaryVelocity<double>;

}  // namespace solenoid
