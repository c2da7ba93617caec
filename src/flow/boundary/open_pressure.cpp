#include "flow/boundary/open_pressure.hpp"

#include <algorithm>
#include <map>

namespace solenoid {

OpenPressure::OpenPressure(const Domain& domain, const FlowBoundaries& boundaries, double density)
    : mesh_(domain.mesh.mesh), domain_(domain), boundaries_(boundaries), density_(density) {
    const BoundaryFaces& b = boundaries.faces();
    for (std::size_t k = 0; k < b.faces.size(); ++k)
        if (boundaries.has_pressure(b.faces[k])) positions_.push_back(static_cast<Index>(k));
    std::map<Index, std::map<const FlowBoundary*, Index>> found;  // by node
    for (const Side& side : mesh_.sides) {
        if (!boundaries.has_pressure(side.face)) continue;
        for (int j = 0; j < mesh_.dimension; ++j)
            if (const Index node = mesh_.nodes_of(Kind::face, side.face)[j];
                node < domain.nodes.shared)
                found[node].emplace(boundaries.boundary(side.face), side.face);
    }
    for (const auto& [node, faces] : found) {
        nodes_.push_back(node);
        for (const auto& [condition, face] : faces) node_faces_.index.push_back(face);
        node_faces_.start.push_back(static_cast<Index>(node_faces_.index.size()));
    }
}

bool OpenPressure::is_given() const {
    return std::ranges::any_of(boundaries_.settings(),
                               [](const FlowBoundary& s) { return s.condition->drives(); });
}

bool OpenPressure::depends_on_time() const {
    return std::ranges::any_of(boundaries_.settings(), [](const FlowBoundary& s) {
        return s.condition->is_total() || s.condition->pressure().depends_on_time();
    });
}

double OpenPressure::pressure(const FlowBoundary& boundary, const Vec3& x, double t) const {
    return boundary.condition->pressure().quantity(x, t) / density_;
}

std::vector<double> OpenPressure::at_faces(double t) const {
    std::vector<double> values;
    for (const Index k : positions_) {
        const Index face = boundaries_.faces().faces[k];
        values.push_back(
            pressure(*boundaries_.boundary(face), domain_.geometry.face_centroid[face], t) -
            (inlets_ ? inlets_->dynamic_pressure(face) : 0));
    }
    return values;
}

std::vector<double> OpenPressure::at_nodes(double t) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        double sum = 0;
        for (const Index* f = node_faces_.begin(i); f != node_faces_.end(i); ++f) {
            const FlowBoundary& boundary = *boundaries_.boundary(*f);
            sum += pressure(boundary, mesh_.points[nodes_[i]], t);
            if (inlets_)
                sum -= inlets_->dynamic_pressure(
                    static_cast<int>(&boundary - boundaries_.settings().data()), nodes_[i]);
        }
        values.push_back(sum / static_cast<double>(node_faces_.length(i)));
    }
    return values;
}

}  // namespace solenoid
