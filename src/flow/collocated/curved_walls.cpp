#include "flow/collocated/curved_walls.hpp"

#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
CurvedWalls<Real>::CurvedWalls(const Domain& domain, const FlowBoundaries& boundaries,
                               Viscosity<Real>& viscosity, bool also_held)
    : domain_(domain), viscosity_(viscosity) {
    const Mesh& m = domain.mesh.mesh;
    const int d = domain.dimension;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> faces, entries;
    std::vector<double> areas, distances, conductions;
    std::vector<Vec3> directions, curvatures, tangents;
    for (std::size_t k = 0; k < b.faces.size(); ++k) {
        const CurvedFace* curved = boundaries.curved_wall(k);
        if (!curved || !(also_held || b.slips_curved[k])) continue;
        const Index f = b.faces[k];
        const Vec3& area = domain.geometry.face_area[f];
        const auto [left, right] = centroids_beside(m, domain.geometry, f);
        faces.push_back(f);
        entries.push_back(b.first + static_cast<Index>(k));
        areas.push_back(b.outward[k] * glm::length(area));
        distances.push_back(std::abs(glm::dot(right - left, glm::normalize(area))));
        // the velocity of a wall that holds the fluid does not tell div S u
        conductions.push_back(b.slips_curved[k] ? areas.back() / distances.back() : 0);
        for (int j = 0; j < d; ++j) {
            directions.push_back(j < 2 ? curved->direction[j] : Vec3(0));
            curvatures.push_back(j < 2 ? curved->curvature[j] * curved->direction[j] : Vec3(0));
        }
        const auto gradient = tangential_gradients(m, f, area);
        tangents.insert(tangents.end(), gradient.begin() + 1, gradient.begin() + d);
    }
    exist_ = domain.comm.any(!faces.empty());
    if (!exist_) return;
    Table face_nodes(faces.size(), d);
    for (std::size_t i = 0; i < faces.size(); ++i)
        for (int j = 0; j < d; ++j) face_nodes(i, j) = m.face_nodes(faces[i], j);
    Device& device = domain.device;
    face_ = uploaded(device, faces);
    entry_ = uploaded(device, entries);
    node_ = uploaded_table(device, face_nodes, faces.size());
    direction_ = uploaded_vectors<Real>(device, directions, faces.size(), d, d);
    bend_ = uploaded_vectors<Real>(device, curvatures, faces.size(), d, d);
    tangent_ = uploaded_vectors<Real>(device, tangents, faces.size(), d - 1, d);
    area_ = uploaded<Real>(device, areas);
    distance_ = uploaded<Real>(device, distances);
    conduction_ = uploaded<Real>(device, conductions);
    for (auto* list : {&viscous_, &value_}) *list = device.buffer<Real>(face_.size());
    gradient_ = domain.field<Real>(Kind::face);
}

template <class Real>
void CurvedWalls<Real>::update(CellField<Real>& u) {
    if (!exist_) return;
    viscosity_.gather(face_, conduction_, viscous_);
    kernels::CurvedWallGradient<Real>{.dimension = domain_.dimension,
                                      .entry = entry_,
                                      .node = node_,
                                      .direction = direction_,
                                      .bend = bend_,
                                      .tangent = tangent_,
                                      .area = area_,
                                      .distance = distance_,
                                      .conduction = viscous_,
                                      .u = u.with_boundary(),
                                      .t = u.at_nodes(),
                                      .value = value_}
        .run(domain_.device, {0, face_.size()});
    domain_.device.scatter(value_, face_, gradient_, Reach::closure);
}

template class CurvedWalls<float>;
template class CurvedWalls<double>;

}  // namespace solenoid
