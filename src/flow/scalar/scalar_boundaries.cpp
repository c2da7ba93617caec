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
                    fmt::format(
                        "[boundary.{0}]: what flows in needs a value of {1}: add {1} = ..., "
                        "or {1}_inflow_value = ... where fluid leaves there, too",
                        s.name, scalar));
    });
    for (const FlowBoundary& s : flow.settings())
        if (const auto found = s.scalars.find(scalar); found != s.scalars.end()) {
            depends_on_time_ |= found->second.value.depends_on_time();
            has_flux_ |= !found->second.is_value;
            has_inflow_values_ |= found->second.of_inflow;
        }
    if (has_inflow_values_) {
        std::vector<bool> is_member(mesh_.faces(), false);
        for (Index f = 0; f < mesh_.faces(); ++f)
            is_member[f] = flow.boundary(f) && condition(f).of_inflow;
        inflow_faces_ = entity_subset(domain.faces, domain.mesh.halo(Kind::face), is_member);
        domain.comm.agree([&] {
            for (const Index f : inflow_faces_.members)
                enters_.push_back(enters_as_given(f) ? 1 : 0);
        });
    }
    sort();
}

// Whether fluid enters through a face by its given velocity at t = 0.
bool ScalarBoundaries::enters_as_given(Index face) const {
    if (!flow_.boundary(face)->condition->is_inflow()) return false;
    const double outward = mesh_.face_cells(face, 1) == none ? 1 : -1;
    return outward * glm::dot(domain_.geometry.face_area[face],
                              flow_.given_velocity(face, domain_.geometry.face_centroid[face], 0)) <
           0;
}

std::vector<Index> ScalarBoundaries::inflow_positions() const {
    std::vector<Index> positions;
    for (Index k = 0; k < flow_.faces().faces.size(); ++k)
        if (condition(flow_.faces().faces[k]).of_inflow) positions.push_back(k);
    return positions;
}

bool ScalarBoundaries::is_given(Index face) const {
    const ScalarCondition& c = condition(face);
    return c.is_value && (!c.of_inflow || enters_[inflow_faces_.place[face]] > 0);
}

void ScalarBoundaries::sort() {
    const BoundaryFaces& faces = flow_.faces();
    given_.clear();
    open_.clear();
    nodes_.clear();
    node_faces_ = {};
    for (Index k = 0; k < faces.faces.size(); ++k)
        (is_given(faces.faces[k]) ? given_ : open_).push_back(k);

    // A face of each group with a value that a node touches.
    std::map<Index, std::map<const FlowBoundary*, Index>> at_nodes;
    for (const Side& side : mesh_.sides) {
        if (!flow_.boundary(side.face) || !is_given(side.face)) continue;
        for (int j = 0; j < mesh_.dimension; ++j)
            if (const Index node = mesh_.nodes_of(Kind::face, side.face)[j];
                node < domain_.nodes.shared)
                at_nodes[node].emplace(flow_.boundary(side.face), side.face);
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
        const ScalarCondition& c = condition(f);
        values.push_back(c.is_value
                             ? 0.0
                             : glm::length(domain_.geometry.face_area[f]) *
                                   c.value.finite_value(domain_.geometry.face_centroid[f], t));
    }
    return values;
}

}  // namespace solenoid
