#include "flow/boundary/boundary_velocity.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "flow/discretization/slope_parts.hpp"

namespace solenoid {

template <class Real>
BoundaryVelocity<Real>::BoundaryVelocity(const Domain& domain, const FlowBoundaries& boundaries)
    : domain_(domain),
      d_(domain.dimension),
      boundaries_(boundaries),
      pressure_inflow_(domain, boundaries),
      followed_(domain, boundaries) {
    const int d = d_;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> entries(b.faces.size());
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = b.first + static_cast<Index>(k);
    face_entry_ = uploaded(domain.device, entries);
    for (auto* field : {&face_value_, &face_rest_, &carried_})
        *field = domain.device.buffer<Real>(face_entry_.size(), d);
    face_rest_.upload(std::vector<Real>(std::size_t(face_entry_.size()) * d, Real(0)));
    node_entry_ = uploaded(domain.device, boundaries.nodes());
    for (auto* field : {&node_value_, &node_rest_})
        *field = domain.device.buffer<Real>(node_entry_.size(), d);
    node_rest_.upload(std::vector<Real>(std::size_t(node_entry_.size()) * d, Real(0)));
    const EntitySubset& held = boundaries.prescribed_faces();
    flux_entry_ = uploaded(
        domain.device,
        std::vector<Index>(held.members.begin(), held.members.begin() + held.ranges.shared));
    flux_value_ = domain.device.buffer<Real>(flux_entry_.size());
    set_free_faces(domain.mesh);
    set_curved_faces();
    set_nodes();
}

template <class Real>
void BoundaryVelocity<Real>::set_nodes() {
    const FreeDirections& symmetry = boundaries_.symmetry_nodes();
    const std::size_t count = symmetry.entities.size();
    symmetry_node_ = uploaded(domain_.device, symmetry.entities);
    symmetry_kept_ = uploaded_vectors<Real>(domain_.device, symmetry.directions, count, d_, d_);
    symmetry_value_ = domain_.device.buffer<Real>(symmetry_node_.size(), d_);
    std::vector<Vec3> directions = symmetry.directions;
    if (boundaries_.has_curved_slip()) extend(directions);
    symmetry_extended_ = uploaded_vectors<Real>(domain_.device, directions, count, d_, d_);
}

// On curved walls a mean of cells and their mirror images, sum w u_c, is of the place sum w x_c.
// From there du_t/dn = S u_t leads to the node: (1 + d S) u = sum w u_c, d that place's distance
// along the normal. So the directions kept get the lengths (1 + d k)^(-1/2), k the curvatures.
template <class Real>
void BoundaryVelocity<Real>::extend(std::vector<Vec3>& directions) const {
    const FreeDirections& symmetry = boundaries_.symmetry_nodes();
    const std::size_t count = symmetry.entities.size();
    const NodeWeights weights = node_weights(domain_.mesh, domain_.geometry, symmetry);
    std::vector<Index> place(domain_.mesh.range(Kind::node).shared, none);
    for (std::size_t i = 0; i < count; ++i) place[symmetry.entities[i]] = static_cast<Index>(i);
    for (const FlowBoundaries::CurvedNode& node : boundaries_.curved_nodes()) {
        const Vec3 offset = mean_place(domain_.mesh.mesh, domain_.geometry, weights, node.node);
        Vec3* kept = &directions[std::size_t(place[node.node]) * d_];
        const int free = static_cast<int>(std::count_if(
            kept, kept + d_, [](const Vec3& direction) { return direction != Vec3(0); }));
        if (free == 0) continue;
        Eigen::Matrix2d reach = Eigen::Matrix2d::Zero();  // -d S
        for (const auto& face : node.faces)
            for (int k = 0; k < d_ - 1; ++k)
                for (int i = 0; i < free; ++i)
                    for (int j = 0; j < free; ++j)
                        reach(i, j) -= glm::dot(offset, face.normal) * face.part *
                                       face.curvature[k] * glm::dot(face.direction[k], kept[i]) *
                                       glm::dot(face.direction[k], kept[j]);
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes;
        modes.computeDirect(reach);  // needs no products of blocks
        const std::array<Vec3, 2> axes{kept[0], free > 1 ? kept[1] : Vec3(0)};
        for (int k = 0; k < free; ++k) {
            // of one free direction alone the other mode is 0 and along the second axis
            const auto mode = free > 1 ? k : (std::abs(modes.eigenvectors()(0, 0)) > 0.5 ? 0 : 1);
            const Vec3 axis =
                modes.eigenvectors()(0, mode) * axes[0] + modes.eigenvectors()(1, mode) * axes[1];
            kept[k] = axis / std::sqrt(1 - std::min(modes.eigenvalues()[mode], 0.5));
        }
    }
}

template <class Real>
void BoundaryVelocity<Real>::set_free_faces(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const BoundaryFaces& b = boundaries_.faces();
    const FreeDirections& free = boundaries_.free_faces();
    const std::size_t count = free.entities.size();
    std::vector<Index> faces, entries, cells;
    std::vector<double> reach, open, part;
    Table nodes(count, d_ + 1);
    const std::vector<double> slope_part = slope_parts(m);
    for (std::size_t i = 0; i < count; ++i) {
        const Index k = free.entities[i], cell = b.cells[k];
        faces.push_back(b.faces[k]);
        entries.push_back(b.first + k);
        cells.push_back(cell);
        const bool is_open = boundaries_.condition(k).is_open();
        part.push_back(boundaries_.condition(k).drives() ? 0 : 0.5);
        open.push_back(is_open ? b.outward[k] : 0);
        // In symmetry the line to the mirror image crosses the face at the cell's value. In thin
        // cells slopes would take R (1 - P) I out of [0, 4/3).
        reach.push_back(is_open ? slope_part[cell] : 0);
        int before = 0;
        for (int j = 0; j <= d_; ++j)
            nodes(i, entity_of(m.cell_faces(cell, j)) == b.faces[k] ? d_ : before++) =
                m.cell_nodes(cell, j);
    }
    free_place_ = uploaded(domain_.device, free.entities);
    free_face_ = uploaded(domain_.device, faces);
    free_entry_ = uploaded(domain_.device, entries);
    free_cell_ = uploaded(domain_.device, cells);
    free_node_ = uploaded_table(domain_.device, nodes, count);
    free_open_ = uploaded<Real>(domain_.device, open);
    projection_ = uploaded<Real>(domain_.device, part);
    free_reach_ = uploaded<Real>(domain_.device, reach);
    free_kept_ = uploaded_vectors<Real>(domain_.device, free.directions, count, d_, d_);
    for (auto* field : {&free_value_, &free_carried_, &free_rest_})
        *field = domain_.device.buffer<Real>(free_entry_.size(), d_);
    free_rest_.upload(std::vector<Real>(count * d_, Real(0)));
}

template <class Real>
void BoundaryVelocity<Real>::set_curved_faces() {
    const BoundaryFaces& b = boundaries_.faces();
    std::vector<Index> faces, cells, entries;
    for (std::size_t k = 0; k < b.faces.size(); ++k)
        if (b.slips_curved[k]) faces.push_back(static_cast<Index>(k));
    const std::size_t count = faces.size();
    const std::vector<double> foot =
        foot_weights(domain_.mesh, domain_.geometry, b, b.slips_curved);
    std::vector<double> weights(count * (d_ + 1));
    std::vector<Vec3> kept(count * d_, Vec3(0));
    Table nodes(count, d_ + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const Index k = faces[i];
        cells.push_back(b.cells[k]);
        entries.push_back(b.first + k);
        const std::array<double, 2> reach = boundaries_.slip_reach(k);
        for (int j = 0; j < d_ - 1; ++j)
            kept[i * d_ + j] = boundaries_.curved(k)->direction[j] / std::sqrt(1 - reach[j]);
        for (int j = 0; j <= d_; ++j) {
            weights[j * count + i] = foot[j * b.faces.size() + k];
            nodes(i, j) = domain_.mesh.mesh.cell_nodes(b.cells[k], j);
        }
    }
    curved_ = {uploaded(domain_.device, cells),
               uploaded(domain_.device, entries),
               uploaded_table(domain_.device, nodes, count),
               uploaded<Real>(domain_.device, weights, d_ + 1),
               uploaded_vectors<Real>(domain_.device, kept, count, d_, d_),
               domain_.device.buffer<Real>(static_cast<Index>(count), d_)};
}

template <class Real>
bool BoundaryVelocity<Real>::update(double time) {
    if (seen_ && !boundaries_.depends_on_time()) return false;
    seen_ = true;
    time_ = time;
    evaluate();
    return true;
}

// The values at time_.
template <class Real>
void BoundaryVelocity<Real>::evaluate() {
    ++version_;
    std::vector<double> at_nodes;
    domain_.comm.agree([&] {
        face_velocity_ = boundaries_.face_velocity(time_);
        at_nodes = boundaries_.node_velocity(time_);
    });
    face_value_.upload(std::vector<Real>(face_velocity_.begin(), face_velocity_.end()));
    node_value_.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
    flux_ = boundaries_.flux(time_, followed_.flux());
    flux_value_.upload(std::vector<Real>(flux_.begin(), flux_.begin() + flux_entry_.size()));
}

template <class Real>
void BoundaryVelocity<Real>::impose_at_faces(Field<Real>& u, const Field<Real>& at_nodes) {
    domain_.device.scatter(are_differences_ ? face_rest_ : face_value_, face_entry_,
                           u.write_further());
    kernels::BoundaryVelocity<Real>{.dimension = d_,
                                    .cell = free_cell_,
                                    .node = free_node_,
                                    .reach = free_reach_,
                                    .kept = free_kept_,
                                    .u = u,
                                    .t = at_nodes,
                                    .value = free_value_}
        .run(domain_.device, {0, free_entry_.size()});
    domain_.device.scatter(free_value_, free_entry_, u.write_further());
    if (!boundaries_.has_curved_slip()) return;
    kernels::CurvedSlipVelocity<Real>{.dimension = d_,
                                      .cell = curved_.cell,
                                      .node = curved_.node,
                                      .foot = curved_.foot,
                                      .kept = curved_.kept,
                                      .u = u,
                                      .t = at_nodes,
                                      .value = curved_.value}
        .run(domain_.device, {0, curved_.entry.size()});
    domain_.device.scatter(curved_.value, curved_.entry, u.write_further());
}

template <class Real>
const Buffer<Real>& BoundaryVelocity<Real>::carried(const Field<Real>& u, const Field<Real>& flux) {
    const Buffer<Real>& given = are_differences_ ? face_rest_ : face_value_;
    const Buffer<Real>& entering = are_differences_ ? free_rest_ : pressure_inflow_.entering(flux);
    kernels::BoundaryConvectedVelocity<Real>{.dimension = d_,
                                             .face = free_face_,
                                             .cell = free_cell_,
                                             .open = free_open_,
                                             .flux = flux,
                                             .part = projection_,
                                             .entering = entering,
                                             .entry = free_entry_,
                                             .u = u,
                                             .value = free_carried_}
        .run(domain_.device, {0, free_entry_.size()});
    if (!free_entry_.size()) return given;
    domain_.device.copy(given, carried_);
    domain_.device.scatter(free_carried_, free_place_, carried_);
    return carried_;
}

template <class Real>
std::vector<EndVelocity> BoundaryVelocity<Real>::ends(const Field<Real>& flux) {
    return pressure_inflow_.ends(flux, are_differences_);
}

template <class Real>
void BoundaryVelocity<Real>::extend_to_faces(Field<Real>& field) {
    kernels::TangentialProjection<Real>{.dimension = d_,
                                        .entity = free_cell_,
                                        .kept = free_kept_,
                                        .v = field,
                                        .value = free_carried_}
        .run(domain_.device, {0, free_entry_.size()});
    domain_.device.scatter(free_carried_, free_entry_, field.write_further());
}

template <class Real>
void BoundaryVelocity<Real>::keep_in_symmetry(const Buffer<Real>& kept, Field<Real>& at_nodes) {
    kernels::TangentialProjection<Real>{.dimension = d_,
                                        .entity = symmetry_node_,
                                        .kept = kept,
                                        .v = at_nodes,
                                        .value = symmetry_value_}
        .run(domain_.device, {0, symmetry_node_.size()});
    domain_.device.scatter(symmetry_value_, symmetry_node_, at_nodes, Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::constrain_at_nodes(Field<Real>& at_nodes) {
    keep_in_symmetry(symmetry_kept_, at_nodes);
    domain_.device.scatter(are_differences_ ? node_rest_ : node_value_, node_entry_, at_nodes,
                           Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::extend_to_nodes(Field<Real>& at_nodes) {
    keep_in_symmetry(symmetry_extended_, at_nodes);
    domain_.device.scatter(are_differences_ ? node_rest_ : node_value_, node_entry_, at_nodes,
                           Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::project_to_free_at_nodes(Field<Real>& at_nodes) {
    keep_in_symmetry(symmetry_kept_, at_nodes);
    domain_.device.scatter(node_rest_, node_entry_, at_nodes, Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::extend_change_to_nodes(Field<Real>& at_nodes) {
    keep_in_symmetry(symmetry_extended_, at_nodes);
    domain_.device.scatter(node_rest_, node_entry_, at_nodes, Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::constrain_flux(Field<Real>& flux) {
    domain_.device.scatter(flux_value_, flux_entry_, flux, Reach::closure);
}

template <class Real>
void BoundaryVelocity<Real>::register_state(const State<Real>& state) {
    pressure_inflow_.register_state(state.part("entering"));
    if (!boundaries_.depends_on_time()) return;
    followed_.register_state(state.part("leaving"));
    state.add("time", time_);
    state.stack(seen_);  // a flow that is saved has evaluated its boundary
    state.remade([this] {
        if (seen_) evaluate();
    });
}

template <class Real>
BoundaryVelocity<Real>::~BoundaryVelocity() = default;

template class BoundaryVelocity<float>;
template class BoundaryVelocity<double>;

}  // namespace solenoid
