#include "flow/scalar/scalar_boundaries.hpp"

#include <fmt/format.h>

#include <glm/geometric.hpp>
#include <map>

#include "core/error.hpp"

namespace solenoid {

const ScalarCondition& ScalarBoundaries::condition(Index face) const {
    static const ScalarCondition insulated;
    const auto& scalars = flow_.boundary(face)->scalars;
    const auto found = scalars.find(scalar_);
    return found == scalars.end() ? insulated : found->second;
}

ScalarBoundaries::ScalarBoundaries(const Domain& domain, const FlowBoundaries& flow,
                                   const std::string& scalar)
    : mesh_(domain.mesh.mesh), domain_(domain), flow_(flow), scalar_(scalar) {
    domain.comm.agree([&] {
        for (const FlowBoundary& s : flow.settings())
            if (s.condition->is_inflow() &&
                !(s.scalars.contains(scalar) && s.scalars.at(scalar).is_value))
                throw InputError(
                    s.place,
                    fmt::format("[boundary.{}]: what flows in needs a value of {}: add {} = ...",
                                s.name, scalar, scalar));
    });
    for (const FlowBoundary& s : flow.settings())
        if (const auto found = s.scalars.find(scalar); found != s.scalars.end()) {
            depends_on_time_ |= found->second.value.depends_on_time();
            has_flux_ |= !found->second.is_value;
        }
    const BoundaryFaces& faces = flow.faces();
    for (Index k = 0; k < faces.faces.size(); ++k)
        (condition(faces.faces[k]).is_value ? given_ : open_).push_back(k);

    // A face of each group with a value that a node touches.
    std::map<Index, std::map<const FlowBoundary*, Index>> at_nodes;
    for (const Side& side : mesh_.sides) {
        if (!flow.boundary(side.face) || !condition(side.face).is_value) continue;
        for (int j = 0; j < mesh_.dimension; ++j)
            if (const Index node = mesh_.nodes_of(Kind::face, side.face)[j];
                node < domain.nodes.shared)
                at_nodes[node].emplace(flow.boundary(side.face), side.face);
    }
    for (const auto& [node, groups] : at_nodes) {
        nodes_.push_back(node);
        for (const auto& [group, face] : groups) node_faces_.index.push_back(face);
        node_faces_.start.push_back(static_cast<Index>(node_faces_.index.size()));
    }
}

std::vector<double> ScalarBoundaries::face_values(double t) const {
    std::vector<double> values;
    for (const Index k : given_) {
        const Index f = flow_.faces().faces[k];
        values.push_back(condition(f).value.finite_value(domain_.geometry.face_centroid[f], t));
    }
    return values;
}

std::vector<double> ScalarBoundaries::node_values(double t) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        double sum = 0;
        for (const Index* f = node_faces_.begin(i); f != node_faces_.end(i); ++f)
            sum += condition(*f).value.finite_value(mesh_.points[nodes_[i]], t);
        values.push_back(sum / node_faces_.length(i));
    }
    return values;
}

std::vector<double> ScalarBoundaries::diffused_in(double t) const {
    std::vector<double> values;
    for (const Index k : open_) {
        const Index f = flow_.faces().faces[k];
        values.push_back(glm::length(domain_.geometry.face_area[f]) *
                         condition(f).value.finite_value(domain_.geometry.face_centroid[f], t));
    }
    return values;
}

}  // namespace solenoid
