#include "flow/collocated/curved_walls.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
CurvedWalls<Real>::CurvedWalls(const Domain& domain, const FlowBoundaries& boundaries,
                               Viscosity<Real>& viscosity, Moving moving)
    : domain_(domain), viscosity_(viscosity) {
    const std::vector<bool>& slips = boundaries.faces().slips_curved;
    std::vector<bool> bent(slips), moved(slips.size(), false);
    for (std::size_t k = 0; k < slips.size(); ++k)
        if (boundaries.curved_wall(k) && !slips[k])
            (moving == Moving::gradient ? bent : moved)[k] = true;
    exist_ = domain.comm.any(std::ranges::count(bent, true) + std::ranges::count(moved, true) > 0);
    if (!exist_) return;
    bent_ = walls_of(boundaries, bent);
    moved_ = walls_of(boundaries, moved);
    gradient_ = domain.field<Real>(Kind::face);
    if (moving == Moving::second) second_ = domain.field<Real>(Kind::face);
}

template <class Real>
typename CurvedWalls<Real>::Walls CurvedWalls<Real>::walls_of(
    const FlowBoundaries& boundaries, const std::vector<bool>& taken) const {
    const Mesh& m = domain_.mesh.mesh;
    const int d = domain_.dimension;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> faces, entries, cells, indices;
    std::vector<double> areas, distances, conductions;
    std::vector<Vec3> directions, curvatures, tangents;
    for (std::size_t k = 0; k < b.faces.size(); ++k) {
        if (!taken[k]) continue;
        const CurvedFace& curved = *boundaries.curved_wall(k);
        const Index f = b.faces[k];
        const Vec3& area = domain_.geometry.face_area[f];
        const auto [left, right] = centroids_beside(m, domain_.geometry, f);
        indices.push_back(static_cast<Index>(k));
        faces.push_back(f);
        cells.push_back(b.cells[k]);
        entries.push_back(b.first + static_cast<Index>(k));
        areas.push_back(b.outward[k] * glm::length(area));
        distances.push_back(std::abs(glm::dot(right - left, glm::normalize(area))));
        // the velocity of a wall that holds the fluid does not tell div S u
        conductions.push_back(b.slips_curved[k] ? areas.back() / distances.back() : 0);
        for (int j = 0; j < d; ++j) {
            directions.push_back(j < 2 ? curved.direction[j] : Vec3(0));
            curvatures.push_back(j < 2 ? curved.curvature[j] * curved.direction[j] : Vec3(0));
        }
        const auto gradient = tangential_gradients(m, f, area);
        tangents.insert(tangents.end(), gradient.begin() + 1, gradient.begin() + d);
    }
    const std::size_t count = faces.size();
    const std::vector<double> foot = foot_weights(domain_.mesh, domain_.geometry, b, taken);
    std::vector<double> weights(count * (d + 1));
    Table face_nodes(count, d), cell_nodes(count, d + 1);
    for (std::size_t i = 0; i < count; ++i) {
        for (int j = 0; j < d; ++j) face_nodes(i, j) = m.face_nodes(faces[i], j);
        for (int j = 0; j <= d; ++j) {
            cell_nodes(i, j) = m.cell_nodes(cells[i], j);
            weights[j * count + i] = foot[j * b.faces.size() + indices[i]];
        }
    }
    Device& device = domain_.device;
    const auto list = [&] { return device.buffer<Real>(static_cast<Index>(count)); };
    return {uploaded(device, faces),
            uploaded(device, entries),
            uploaded(device, cells),
            uploaded_table(device, face_nodes, count),
            uploaded_table(device, cell_nodes, count),
            uploaded_vectors<Real>(device, directions, count, d, d),
            uploaded_vectors<Real>(device, curvatures, count, d, d),
            uploaded_vectors<Real>(device, tangents, count, d - 1, d),
            uploaded<Real>(device, weights, d + 1),
            uploaded<Real>(device, areas),
            uploaded<Real>(device, distances),
            uploaded<Real>(device, conductions),
            list(),
            list()};
}

template <class Real>
void CurvedWalls<Real>::update(CellField<Real>& u) {
    if (!exist_) return;
    viscosity_.gather(bent_.face, bent_.conduction, bent_.viscous);
    kernels::CurvedWallGradient<Real>{.dimension = domain_.dimension,
                                      .entry = bent_.entry,
                                      .node = bent_.face_node,
                                      .direction = bent_.direction,
                                      .bend = bent_.bend,
                                      .tangent = bent_.tangent,
                                      .area = bent_.area,
                                      .distance = bent_.distance,
                                      .conduction = bent_.viscous,
                                      .u = u.with_boundary(),
                                      .t = u.at_nodes(),
                                      .value = bent_.value}
        .run(domain_.device, {0, bent_.face.size()});
    domain_.device.scatter(bent_.value, bent_.face, gradient_, Reach::closure);
    if (!second_) return;
    kernels::CurvedWallSecond<Real>{.dimension = domain_.dimension,
                                    .entry = moved_.entry,
                                    .cell = moved_.cell,
                                    .node = moved_.cell_node,
                                    .foot = moved_.foot,
                                    .direction = moved_.direction,
                                    .bend = moved_.bend,
                                    .area = moved_.area,
                                    .distance = moved_.distance,
                                    .u = u.with_boundary(),
                                    .t = u.at_nodes(),
                                    .value = moved_.value}
        .run(domain_.device, {0, moved_.face.size()});
    domain_.device.scatter(moved_.value, moved_.face, second_, Reach::closure);
}

template class CurvedWalls<float>;
template class CurvedWalls<double>;

}  // namespace solenoid
