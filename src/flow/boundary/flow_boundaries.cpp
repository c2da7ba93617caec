#include "flow/boundary/flow_boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "core/error.hpp"
#include "flow/topology/flow_regions.hpp"
#include "mesh/coarse_curves.hpp"
#include "parallel/group_locations.hpp"

namespace solenoid {
namespace {

// Faces of a wall that turn by less lie in one plane, but for the rounding of a mesh file.
constexpr double flat = 1e-3;

bool is_same(const Formula& f, const Formula& g) {
    return f.is_constant() && g.is_constant() ? f(Vec3(0)) == g(Vec3(0)) : f.text() == g.text();
}

bool are_alike(const FlowCondition& a, const FlowCondition& b) {
    return a.given() == b.given() && a.lets_through() == b.lets_through() &&
           a.follows() == b.follows() && a.drives() == b.drives() && a.is_total() == b.is_total() &&
           std::ranges::equal(a.velocity(), b.velocity(), is_same) &&
           is_same(a.pressure(), b.pressure());
}

// Whether a wall may have a velocity along itself.
bool moves(const FlowCondition& condition) {
    return condition.is_wall() && std::ranges::any_of(condition.velocity(), [](const Formula& f) {
               return !f.is_constant() || f(Vec3(0)) != 0;
           });
}

// Whether a face may lie in the groups of both.
bool are_alike(const FlowBoundary& a, const FlowBoundary& b) {
    return are_alike(*a.condition, *b.condition) &&
           std::ranges::equal(a.scalars, b.scalars, [](const auto& s, const auto& t) {
               return s.first == t.first && s.second.is_value == t.second.is_value &&
                      s.second.of_inflow == t.second.of_inflow &&
                      is_same(s.second.value, t.second.value);
           });
}

// Whether its given velocity depends on time.
bool is_unsteady(const FlowBoundary& boundary) {
    return std::ranges::any_of(boundary.condition->velocity(),
                               [](const Formula& f) { return f.depends_on_time(); });
}

}  // namespace

FlowBoundaries::FlowBoundaries(const Domain& domain, const std::vector<FlowBoundary>& settings)
    : domain_(domain),
      mesh_(domain.mesh.mesh),
      settings_(settings),
      faces_(boundary_faces(domain.mesh)),
      prescribed_(domain.mesh.mesh.faces(), false),
      condition_(domain.mesh.mesh.faces(), -1) {
    const GroupLocations locations = group_locations(domain.comm, domain.mesh);
    std::vector<int> of_group(mesh_.boundaries.size(), -1);
    for (std::size_t g = 0; g < of_group.size(); ++g) {
        if (!locations.on_boundary[g]) continue;
        const auto found = std::find_if(settings_.begin(), settings_.end(), [&](const auto& s) {
            return s.name == mesh_.boundaries[g];
        });
        domain.comm.agree([&] {
            if (found == settings_.end())
                throw InputError(
                    fmt::format("boundary '{}' of the mesh has no condition", mesh_.boundaries[g]));
        });
        of_group[g] = static_cast<int>(found - settings_.begin());
    }
    domain.comm.agree([&] {
        for (const Side& side : mesh_.sides)
            if (of_group[side.boundary] >= 0) set_condition(side.face, of_group[side.boundary]);
    });
    prescribed_faces_ = entity_subset(domain.faces, domain.mesh.halo(Kind::face), prescribed_);
    curved_.emplace(
        domain, [&](Index f) { return condition_[f] >= 0; },
        [&](Index f) { return at(f).slips() || moves(at(f)); });
    find_regions(domain.mesh);
    sort_faces();
    sort_nodes(domain.mesh);
}

// A face of several groups has one condition.
void FlowBoundaries::set_condition(Index face, int condition) {
    if (const int other = condition_[face];
        other >= 0 && !are_alike(settings_[other], settings_[condition])) {
        const FlowBoundary &a = settings_[other], &b = settings_[condition];
        const auto x = mesh_.face_corners(face);
        const std::string message = fmt::format(
            "[boundary.{0}]: the face at {1} lies in the groups \"{2}\" and \"{0}\", whose "
            "conditions differ{3}: give both the same, or take the face out of one group",
            b.name, position_text((x[0] + x[1]) / 2.0), a.name,
            a.place.empty() ? "" : fmt::format(" (the other at {})", a.place));
        throw b.place.empty() ? InputError(message) : InputError(b.place, message);
    }
    condition_[face] = condition;
    prescribed_[face] = !has_pressure(face);
}

void FlowBoundaries::sort_faces() {
    for (Index k = 0; k < faces_.faces.size(); ++k) {
        const Index f = faces_.faces[k];
        if (is_open(f)) {
            faces_.conductance_factor[k] = 0;
            free_faces_.add(k, {}, mesh_.dimension);
        } else if (at(f).slips()) {
            faces_.slips_curved[k] = curved(k) != nullptr;
            faces_.conductance_factor[k] = 1;  // that to the mirror image, which is twice as far
            const Vec3 n = glm::normalize(domain_.geometry.face_area[f]);
            free_faces_.add(k, {n}, mesh_.dimension);
            for (int i = 0; i < mesh_.dimension; ++i)
                for (int j = 0; j < i; ++j) {
                    Vec3 deferred(0);
                    deferred[i] = std::sqrt(std::abs(n[i] * n[j]));
                    deferred[j] = std::copysign(deferred[i], -n[i] * n[j]);
                    deferred_.push_back(deferred);
                }
        }
        deferred_.resize(free_faces_.directions.size(), Vec3(0));
    }
    has_curved_slip_ = domain_.comm.any(std::ranges::count(faces_.slips_curved, true) > 0);
    has_symmetry_ = domain_.comm.any(
        std::any_of(faces_.conductance_factor.begin(), faces_.conductance_factor.end(),
                    [](double conductance_factor) { return conductance_factor == 1; }));
}

std::array<double, 2> FlowBoundaries::slip_reach(std::size_t k) const {
    const Index f = faces_.faces[k];
    const auto [a, b] = centroids_beside(mesh_, domain_.geometry, f);
    const double distance =
        std::abs(glm::dot(b - a, glm::normalize(domain_.geometry.face_area[f])));
    std::array<double, 2> reach{};
    for (int i = 0; i < 2; ++i) reach[i] = std::min(curved(k)->curvature[i] * distance, 0.5);
    return reach;
}

Vec3 FlowBoundaries::implicit_drag(std::size_t k) const {
    if (!condition(k).slips()) return Vec3(0);
    const auto of_direction = [](const Vec3& direction) {
        const Vec3 n = glm::abs(direction);
        return (n.x + n.y + n.z) * n;
    };
    Vec3 drag = of_direction(glm::normalize(domain_.geometry.face_area[faces_.faces[k]]));
    if (const CurvedFace* face = curved(k))
        for (int i = 0; i < 2; ++i)
            if (const double reach = slip_reach(k)[i]; reach < 0)
                drag += -reach / (1 - reach) * of_direction(face->direction[i]);
    return drag;
}

void FlowBoundaries::sort_nodes(const DistributedMesh& mesh) {
    struct Round {
        std::map<int, std::vector<Index>> given;  // the faces of each condition
        std::vector<Index> symmetry;              // faces
    };
    std::vector<Round> nodes(mesh.range(Kind::node).shared);
    for (const Side& side : mesh_.sides) {
        if (condition_[side.face] < 0 || is_open(side.face)) continue;
        for (int j = 0; j < mesh_.dimension; ++j) {
            const Index node = mesh_.nodes_of(Kind::face, side.face)[j];
            if (node >= nodes.size()) continue;
            if (at(side.face).slips())
                nodes[node].symmetry.push_back(side.face);
            else
                nodes[node].given[condition_[side.face]].push_back(side.face);
        }
    }
    for (Index i = 0; i < nodes.size(); ++i) {
        const auto& [given, symmetry] = nodes[i];
        if (given.empty() && !symmetry.empty()) {
            const Meeting meeting = surfaces_at(i, symmetry);
            symmetry_nodes_.add(i, meeting.normals, mesh_.dimension);
            if (!meeting.curved.empty()) curved_nodes_.push_back({i, meeting.curved});
        }
        if (given.empty()) continue;
        std::vector<Index> moving;
        for (const auto& [condition, faces] : given)
            std::ranges::copy_if(faces, std::back_inserter(moving),
                                 [&](Index f) { return curved_->at(f) && !at(f).slips(); });
        if (!moving.empty()) moving_nodes_.push_back({i, surfaces_at(i, moving).curved});
        nodes_.push_back(i);
        for (const auto& [condition, faces] : given) {
            node_conditions_.index.push_back(condition);
            node_normals_.push_back(at(faces.front()).is_wall() ? flat_normal(i, faces) : Vec3(0));
        }
        node_conditions_.start.push_back(static_cast<Index>(node_conditions_.index.size()));
    }
    has_moving_nodes_ = domain_.comm.any(!moving_nodes_.empty());
}

// The normals of the surfaces that meet at a node. Faces that turn by less than 20 degrees form one
// surface, so that a curved boundary has one normal. Faces are visited in the order of global
// numbers, so that the result is equal on all ranks.
FlowBoundaries::Meeting FlowBoundaries::surfaces_at(Index node, std::vector<Index> faces) const {
    const auto key = [&](Index face) {
        std::array<GlobalIndex, 3> numbers{};
        for (int j = 0; j < mesh_.dimension; ++j)
            numbers[j] = mesh_.node_number[mesh_.nodes_of(Kind::face, face)[j]];
        return numbers;
    };
    std::sort(faces.begin(), faces.end(), [&](Index a, Index b) { return key(a) < key(b); });
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    struct Surface {
        Vec3 area;
        bool is_curved = false;
        std::vector<Index> faces = {};
    };
    std::vector<Surface> surfaces;
    for (const Index f : faces) {
        Vec3 area = glm::length(this->area(f)) * outward_normal(f);
        const auto same = std::find_if(surfaces.begin(), surfaces.end(), [&](const Surface& s) {
            return how_faces_meet(glm::normalize(s.area), glm::normalize(area)) ==
                   FacesMeet::smoothly;
        });
        const CurvedFace* curved = curved_->at(f);
        if (curved) {
            const Index* nodes = mesh_.nodes_of(Kind::face, f);
            area = glm::length(area) *
                   curved->normal[std::find(nodes, nodes + mesh_.dimension, node) - nodes];
        }
        if (same == surfaces.end()) {
            surfaces.push_back({area, curved != nullptr, {f}});
        } else {
            same->area += area;
            same->is_curved = same->is_curved || curved;
            same->faces.push_back(f);
        }
    }
    Meeting meeting;
    const auto add = [](Vec3 left, std::vector<Vec3>& normals) {
        left = glm::normalize(left);
        for (const Vec3& n : normals) left -= glm::dot(left, n) * n;
        if (glm::dot(left, left) > 0.01) normals.push_back(glm::normalize(left));
    };
    for (const Surface& surface : surfaces) {
        add(surface.area, meeting.normals);
        if (!surface.is_curved) {
            add(surface.area, meeting.plane_normals);
            continue;
        }
        double sum = 0;
        for (const Index f : surface.faces) sum += glm::length(area(f));
        const Vec3 normal = glm::normalize(surface.area);
        for (const Index f : surface.faces) {
            CurvedNode::Face at_node{f, glm::length(area(f)) / sum, normal, {}, {}};
            if (const CurvedFace* curved = curved_->at(f))
                for (int i = 0; i < mesh_.dimension - 1; ++i) {
                    const double k = curved->curvature[i];
                    at_node.curvature[i] = k / (1 + k * curved->depth);
                    at_node.direction[i] = turned(curved->direction[i], outward_normal(f), normal);
                }
            meeting.curved.push_back(at_node);
        }
    }
    return meeting;
}

Vec3 FlowBoundaries::outward_normal(Index face) const {
    return glm::normalize((mesh_.face_cells(face, 1) == none ? 1.0 : -1.0) * area(face));
}

// The normal of faces at a node that lie in one plane, else 0: the velocity of a curved wall is
// tangential to the curve, to which no normal of the faces belongs.
Vec3 FlowBoundaries::flat_normal(Index node, const std::vector<Index>& faces) const {
    const Vec3 normal = surfaces_at(node, faces).normals.front();
    const bool is_flat = std::ranges::all_of(faces, [&](Index f) {
        return glm::length(glm::cross(glm::normalize(area(f)), normal)) < flat;
    });
    return is_flat ? normal : Vec3(0);
}

std::vector<bool> FlowBoundaries::gradient_known() const {
    std::vector<bool> known(mesh_.faces(), true);
    for (Index f = 0; f < known.size(); ++f)
        if (condition_[f] >= 0) known[f] = at(f).slips() || is_open(f);
    return known;
}

FreeDirections FlowBoundaries::mirrors() const {
    std::map<Index, std::vector<Index>> faces;  // the slipping faces at each node
    for (Index f = 0; f < mesh_.faces(); ++f)
        if (condition_[f] >= 0 && at(f).slips())
            for (int j = 0; j < mesh_.dimension; ++j)
                faces[mesh_.nodes_of(Kind::face, f)[j]].push_back(f);
    FreeDirections kept;
    for (const auto& [node, of_node] : faces)
        if (const auto normals = surfaces_at(node, of_node).plane_normals; !normals.empty())
            kept.add(node, normals, mesh_.dimension);
    return kept;
}

bool FlowBoundaries::follow() const {
    return std::any_of(settings_.begin(), settings_.end(),
                       [](const FlowBoundary& s) { return s.condition->follows(); });
}

bool FlowBoundaries::gives_pressure() const {
    return std::any_of(settings_.begin(), settings_.end(),
                       [](const FlowBoundary& s) { return s.condition->drives(); });
}

bool FlowBoundaries::depends_on_time() const {
    return follow() || std::ranges::any_of(settings_, is_unsteady);
}

bool FlowBoundaries::has_unsteady_inflow() const {
    return std::ranges::any_of(settings_, [](const FlowBoundary& s) {
        return s.condition->is_inflow() && is_unsteady(s);
    });
}

void FlowBoundaries::find_regions(const DistributedMesh& mesh) {
    const FlowRegions regions(domain_.comm, mesh, prescribed_);
    const std::vector<Index> closed = regions.closed_of_cells();
    closed_regions_ = regions.closed();
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
        const Index f = prescribed_faces_.members[k], one = mesh_.face_cells(f, 0);
        const Index region = closed[one == none ? mesh_.face_cells(f, 1) : one];
        region_.push_back(region == none ? closed_regions_ : region);
    }
    open_faces_.assign(closed_regions_ + 1, 0.0);
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k)
        if (at(prescribed_faces_.members[k]).is_open()) ++open_faces_[region_[k]];
    domain_.comm.sum(open_faces_);
    is_remarked_ = std::make_unique<std::vector<bool>>(settings_.size(), false);
}

Vec3 FlowBoundaries::velocity(int condition, const Vec3& x, double t) const {
    const VectorFormula& v = settings_[condition].condition->velocity();
    return {v[0](x, t), v[1](x, t), mesh_.dimension == 3 ? v[2](x, t) : 0.0};
}

Vec3 FlowBoundaries::finite_velocity(int condition, const Vec3& x, double t) const {
    const VectorFormula& v = settings_[condition].condition->velocity();
    return {v[0].quantity(x, t), v[1].quantity(x, t),
            mesh_.dimension == 3 ? v[2].quantity(x, t) : 0.0};
}

std::vector<double> FlowBoundaries::face_velocity(double t) const {
    const std::size_t n = faces_.faces.size();
    std::vector<double> values(n * mesh_.dimension);
    for (std::size_t k = 0; k < n; ++k) {
        const Index f = faces_.faces[k];
        Vec3 u = finite_velocity(condition_[f], domain_.geometry.face_centroid[f], t);
        if (!at(f).lets_through()) {
            const Vec3 normal = glm::normalize(domain_.geometry.face_area[f]);
            u -= glm::dot(u, normal) * normal;  // a wall's velocity is tangential
        }
        for (int j = 0; j < mesh_.dimension; ++j) values[j * n + k] = u[j];
    }
    return values;
}

std::vector<double> FlowBoundaries::node_velocity(double t) const {
    const std::size_t n = nodes_.size();
    std::vector<double> values(n * mesh_.dimension);
    for (std::size_t k = 0; k < n; ++k) {
        Vec3 slowest(0);
        for (Index e = node_conditions_.start[k]; e < node_conditions_.start[k + 1]; ++e) {
            Vec3 u = finite_velocity(static_cast<int>(node_conditions_.index[e]),
                                     mesh_.points[nodes_[k]], t);
            u -= glm::dot(u, node_normals_[e]) * node_normals_[e];  // as face_velocity()
            if (e == node_conditions_.start[k] || glm::dot(u, u) < glm::dot(slowest, slowest))
                slowest = u;
        }
        for (int j = 0; j < mesh_.dimension; ++j) values[j * n + k] = slowest[j];
    }
    return values;
}

}  // namespace solenoid
