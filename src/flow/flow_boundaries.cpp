#include "flow/flow_boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "core/error.hpp"
#include "heat/heat_boundaries.hpp"

namespace solenoid {

FlowBoundaries::FlowBoundaries(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry,
                               const std::vector<FlowBoundarySettings>& settings)
    : comm_(comm),
      mesh_(mesh.mesh),
      geometry_(geometry),
      settings_(settings),
      faces_(boundary_faces(mesh)),
      prescribed_(mesh.mesh.faces(), false),
      condition_(mesh.mesh.faces(), -1) {
    const GroupPlaces places = group_places(comm, mesh);
    std::vector<int> of_group(mesh_.boundaries.size(), -1);
    for (std::size_t g = 0; g < of_group.size(); ++g) {
        if (!places.on_boundary[g]) continue;
        const auto found = std::find_if(settings_.begin(), settings_.end(), [&](const auto& s) { return s.name == mesh_.boundaries[g]; });
        comm.agree([&] {
            if (found == settings_.end()) throw InputError(fmt::format("boundary '{}' of the mesh has no condition", mesh_.boundaries[g]));
        });
        of_group[g] = static_cast<int>(found - settings_.begin());
    }
    for (const Side& side : mesh_.sides) {
        if (of_group[side.boundary] < 0) continue;
        condition_[side.face] = of_group[side.boundary];
        prescribed_[side.face] = true;
    }
    prescribed_faces_ = subset(mesh.range(Kind::face), mesh.halo(Kind::face), prescribed_);
    std::vector<std::set<int>> conditions(mesh.range(Kind::node).shared);
    for (const Side& side : mesh_.sides)
        for (int j = 0; j < mesh_.dimension && condition_[side.face] >= 0; ++j)
            if (const Index node = mesh_.nodes_of(Kind::face, side.face)[j]; node < conditions.size()) conditions[node].insert(condition_[side.face]);
    for (Index i = 0; i < conditions.size(); ++i) {
        if (conditions[i].empty()) continue;
        nodes_.push_back(i);
        node_conditions_.index.insert(node_conditions_.index.end(), conditions[i].begin(), conditions[i].end());
        node_conditions_.start.push_back(static_cast<Index>(node_conditions_.index.size()));
    }
}

bool FlowBoundaries::depends_on_time() const {
    return std::any_of(settings_.begin(), settings_.end(), [](const FlowBoundarySettings& s) {
        return std::any_of(s.velocity.begin(), s.velocity.end(), [](const Formula& f) { return f.depends_on_time(); });
    });
}

Vec3 FlowBoundaries::velocity(int condition, const Vec3& x, double t) const {
    const VectorFormula& v = settings_[condition].velocity;
    return {v[0](x, t), v[1](x, t), mesh_.dimension == 3 ? v[2](x, t) : 0.0};
}

std::vector<double> FlowBoundaries::face_velocity(double t) const {
    const std::size_t n = faces_.faces.size();
    std::vector<double> values(n * mesh_.dimension);
    for (std::size_t k = 0; k < n; ++k) {
        const Index f = faces_.faces[k];
        Vec3 u = velocity(condition_[f], geometry_.face_centroid[f], t);
        if (settings_[condition_[f]].type == FlowBoundaryType::wall) {
            const Vec3 normal = glm::normalize(geometry_.face_area[f]);
            u -= glm::dot(u, normal) * normal;  // a wall slides along itself
        }
        for (int j = 0; j < mesh_.dimension; ++j) values[j * n + k] = u[j];
    }
    return values;
}

std::vector<double> FlowBoundaries::node_velocity(double t) const {
    const std::size_t n = nodes_.size();
    std::vector<double> values(n * mesh_.dimension);
    for (std::size_t k = 0; k < n; ++k) {
        Vec3 slowest = velocity(static_cast<int>(*node_conditions_.begin(k)), mesh_.points[nodes_[k]], t);
        for (const Index* c = node_conditions_.begin(k) + 1; c != node_conditions_.end(k); ++c) {
            const Vec3 other = velocity(static_cast<int>(*c), mesh_.points[nodes_[k]], t);
            if (glm::dot(other, other) < glm::dot(slowest, slowest)) slowest = other;
        }
        for (int j = 0; j < mesh_.dimension; ++j) values[j * n + k] = slowest[j];
    }
    return values;
}

// Simpson's rule on a side, the rule of the three mid-sides on a triangle: both exact for quadratic velocities.
double FlowBoundaries::flux_through(Index face, double t) const {
    const int c = condition_[face];
    if (settings_[c].type == FlowBoundaryType::wall) return 0;
    const auto [a, b, d] = mesh_.face_corners(face);
    Vec3 mean;
    if (mesh_.dimension == 2) {
        mean = (velocity(c, a, t) + 4.0 * velocity(c, 0.5 * (a + b), t) + velocity(c, b, t)) / 6.0;
    } else {
        mean = (velocity(c, 0.5 * (a + b), t) + velocity(c, 0.5 * (b + d), t) + velocity(c, 0.5 * (d + a), t)) / 3.0;
    }
    return glm::dot(mean, geometry_.face_area[face]);
}

std::vector<double> FlowBoundaries::flux(double t) const {
    const std::vector<Index>& faces = prescribed_faces_.members;
    const Index marked = prescribed_faces_.ranges.owned;
    std::vector<double> flux(faces.size());
    comm_.agree([&] {
        for (std::size_t k = 0; k < faces.size(); ++k) flux[k] = flux_through(faces[k], t);
    });
    const auto outward = [&](Index face) { return mesh_.face_cells(face, 1) == none ? 1.0 : -1.0; };
    std::array<double, 2> net_and_gross{0, 0};
    for (Index k = 0; k < marked; ++k) {
        net_and_gross[0] += outward(faces[k]) * flux[k];
        net_and_gross[1] += std::abs(flux[k]);
    }
    comm_.sum(net_and_gross);
    const auto [net, gross] = net_and_gross;
    comm_.agree([&] {
        if (std::abs(net) > 5e-3 * gross)
            throw InputError(fmt::format("at t = {:.6g} s the inflow does not equal the outflow: {:.6g} more leaves than enters, of {:.6g}", t, net, 0.5 * gross));
    });
    if (gross == 0) return flux;
    for (Index k = 0; k < marked; ++k) flux[k] -= outward(faces[k]) * net * std::abs(flux[k]) / gross;
    return flux;
}

}  // namespace solenoid
