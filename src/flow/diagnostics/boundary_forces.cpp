#include "flow/diagnostics/boundary_forces.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

constexpr double convective = 4;  // Reynolds number of a cell above which convection dominates
constexpr double most = 1e100;    // largest value of 1/nu

// The weights of the pressures at a face's nodes in the mean over the face: 1/d each, unless some
// nodes lie on a sharp edge. There p = p_e + (p_o - p_e) (r/h)^(e - 1), with p_e the mean at the
// nodes on the edge and p_o at the others, at a distance h.
std::array<double, 3> shares_of_nodes(const Index* node, int d,
                                      const std::vector<double>& exponent) {
    int on_edge = 0;
    double e = 1;
    for (int j = 0; j < d; ++j) {
        on_edge += exponent[node[j]] < 1;
        e = std::min(e, exponent[node[j]]);
    }
    std::array<double, 3> share{};
    const bool is_plain = on_edge == 0 || on_edge == d;
    // mean of (r/h)^(e - 1) over the face
    const double others = d == 2 ? 1 / e : on_edge == 2 ? 2 / (e * (e + 1)) : 2 / (e + 1);
    for (int j = 0; j < d; ++j) {
        if (is_plain)
            share[j] = 1.0 / d;
        else
            share[j] = exponent[node[j]] < 1 ? (1 - others) / on_edge : others / (d - on_edge);
    }
    return share;
}

// The mean over a face of the pressure, p at its nodes, times each node's linear function; next to
// a sharp edge with the profile of shares_of_nodes().
std::array<double, 3> loads_of_nodes(const Index* node, int d, const std::vector<double>& exponent,
                                     const std::array<double, 3>& p) {
    int on_edge = 0;
    double e = 1, at_edge = 0, sum = 0;
    for (int j = 0; j < d; ++j) {
        sum += p[j];
        if (exponent[node[j]] == 1) continue;
        ++on_edge;
        at_edge += p[j];
        e = std::min(e, exponent[node[j]]);
    }
    std::array<double, 3> load{};
    if (on_edge == 0 || on_edge == d) {
        for (int j = 0; j < d; ++j) load[j] = (p[j] + sum) / (d * (d + 1));
        return load;
    }
    at_edge /= on_edge;
    // mean of the linear function times (r/h)^(e - 1)
    const double steep = d == 2         ? 1 / (e + 1)
                         : on_edge == 2 ? 2 / ((e + 1) * (e + 2))
                                        : 1 / (e + 2);
    const std::array<double, 3> share = shares_of_nodes(node, d, exponent);
    double rest = 0;
    for (int j = 0; j < d; ++j) rest += share[j] * p[j];
    for (int j = 0; j < d; ++j)
        if (exponent[node[j]] == 1) rest -= load[j] = at_edge / d + (p[j] - at_edge) * steep;
    for (int j = 0; j < d; ++j)
        if (exponent[node[j]] < 1) load[j] = rest / on_edge;
    return load;
}

Vec3 at(const std::vector<double>& sums, std::size_t first) {
    return {sums[first], sums[first + 1], sums[first + 2]};
}

void add(std::vector<RankSum>& sums, std::size_t first, Vec3 v) {
    for (int j = 0; j < 3; ++j) sums[first + j] += v[j];
}

}  // namespace

template <class Real>
BoundaryForces<Real>::BoundaryForces(const Domain& domain, const FlowBoundaries& boundaries,
                                     const SharpEdges& edges, const CellStencil<Real>& stencil,
                                     const Viscosity<Real>& viscosity)
    : domain_(domain),
      boundaries_(boundaries),
      stencil_(stencil),
      viscosity_(viscosity),
      patches_(domain, boundaries, edges),
      exponent_(edges.exponent),
      place_(domain.mesh.mesh.faces(), none) {
    const BoundaryFaces& b = boundaries.faces();
    const int d = domain.dimension;
    const std::size_t count = b.faces.size();
    const FaceCoefficients c = face_coefficients(domain.mesh, domain.geometry, b);
    std::vector<double> weights = boundary_weights(domain.mesh, domain.geometry, b),
                        conduction(count);
    std::vector<Vec3> areas(count);
    for (std::size_t k = 0; k < count; ++k) {
        place_[b.faces[k]] = static_cast<Index>(k);
        share_.push_back(
            shares_of_nodes(domain.mesh.mesh.nodes_of(Kind::face, b.faces[k]), d, edges.exponent));
        // no friction in symmetry
        conduction[k] = boundaries.condition(k).slips() ? 0 : c.conduction[b.faces[k]];
        areas[k] = b.outward[k] * domain.geometry.face_area[b.faces[k]];
        for (int j = 0; j <= d; ++j) weights[j * count + k] *= b.outward[k];
    }
    cell_ = uploaded(domain.device, b.cells);
    weight_ = uploaded<Real>(domain.device, weights, d + 1);
    conduction_ = uploaded<Real>(domain.device, conduction);
    area_ = uploaded_vectors<Real>(domain.device, areas, count, 1, d);
    friction_ = domain.device.buffer<Real>(cell_.size(), d);
    set_normals();
}

template <class Real>
void BoundaryForces<Real>::set_normals() {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<RankSum> parts(m.boundaries.size() * 9);
    for (std::size_t s = 0; s < m.sides.size() && patches_.exist; ++s) {
        const Side& side = m.sides[s];
        if (place_[side.face] == none || side.face >= domain_.faces.owned) continue;
        const double area =
            glm::length(domain_.geometry.face_area[side.face]) *
            (patches_.on_side[s][0] + patches_.on_side[s][1] + patches_.on_side[s][2]);
        const Vec3 n = glm::normalize(domain_.geometry.face_area[side.face]);
        for (int i = 0; i < 3; ++i) add(parts, side.boundary * 9 + i * 3, area * n[i] * n);
    }
    const std::vector<double> sums = patches_.exist ? totals(domain_.comm, std::move(parts))
                                                    : std::vector<double>(parts.size(), 0.0);
    for (std::size_t g = 0; g < m.boundaries.size(); ++g) {
        const glm::dmat3 all(at(sums, g * 9), at(sums, g * 9 + 3), at(sums, g * 9 + 6));
        const double area = all[0][0] + all[1][1] + all[2][2];
        normals_.push_back(area > 0 ? all / area : glm::dmat3(0));
    }
}

// The load of pressure and friction on a face, weighted by its boundary's edge function.
template <class Real>
typename BoundaryForces<Real>::Load BoundaryForces<Real>::on_patch(std::size_t s,
                                                                   const std::array<double, 3>& p,
                                                                   Vec3 rubbed) const {
    const Mesh& m = domain_.mesh.mesh;
    const Index face = m.sides[s].face, *node = m.nodes_of(Kind::face, face);
    Load sum;
    const EdgePatches::AtNodes& function = patches_.on_side[s];
    if (function[0] + function[1] + function[2] == 0) return sum;
    const std::array<double, 3> pressure = loads_of_nodes(node, m.dimension, exponent_, p);
    const Vec3 area = outward_area(face);
    for (int j = 0; j < m.dimension; ++j) {
        const Vec3 force = function[j] * (pressure[j] * area + rubbed / double(m.dimension));
        sum.force += force;
        sum.moment += glm::cross(m.points[node[j]], force);
    }
    return sum;
}

// For each of Mesh::boundaries the share of the weak form: 1 where viscosity dominates in the cells
// near its edges, 0 where convection does. Collective.
template <class Real>
std::vector<double> BoundaryForces<Real>::shares_of_patches(
    const std::vector<Real>& at_nodes) const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<double> shares(m.boundaries.size(), 0.0), resistance(m.boundaries.size(), 0.0);
    for (std::size_t s = 0; s < m.sides.size(); ++s)
        if (const Index k = place_[m.sides[s].face];
            k != none && patches_.on_side[s] != EdgePatches::AtNodes{})
            resistance[m.sides[s].boundary] =
                std::max(resistance[m.sides[s].boundary], 1 / viscosity_.host_boundary()[k]);
    domain_.comm.max(resistance);
    std::vector<double> reynolds(m.boundaries.size(), 0.0);
    for (const EdgePatches::Node& n : patches_.nodes) {
        double square = 0;
        for (int j = 0; j < m.dimension; ++j)
            square += std::pow(at_nodes[std::size_t(j) * m.nodes() + n.node], 2);
        reynolds[n.boundary] =
            std::max(reynolds[n.boundary],
                     std::sqrt(square) * n.size * std::min(resistance[n.boundary], most));
    }
    domain_.comm.max(reynolds);
    for (std::size_t g = 0; g < shares.size(); ++g)
        shares[g] = 1 / (1 + std::pow(reynolds[g] / convective, 2));
    return shares;
}

// The weak form's forces near edges, with their moments: 6 sums of each of Mesh::boundaries.
template <class Real>
void BoundaryForces<Real>::add_reaction(const Buffer<Real>& reaction,
                                        std::vector<RankSum>& sums) const {
    const auto reactions = reaction.download();
    for (std::size_t i = 0; i < patches_.nodes.size(); ++i) {
        const EdgePatches::Node& n = patches_.nodes[i];
        Vec3 force(0);
        for (int j = 0; j < domain_.dimension; ++j)
            force[j] = n.value * reactions[j * patches_.nodes.size() + i];
        add(sums, n.boundary * 6, force);
        add(sums, n.boundary * 6 + 3, glm::cross(domain_.mesh.mesh.points[n.node], force));
    }
}

// The part of the friction by changes of the velocity along the boundary (a turning wall, a
// slipping flow): -nu A (L^T n - 2 n tr L) with L the velocity gradient along the face. It uses
// du/dn . n = -tr L, since the divergence is zero. Where fluid slips along a curved wall L^T n =
// -S u and (du/dn)_t, which is not computed, cancel.
template <class Real>
Vec3 BoundaryForces<Real>::moving_part(std::size_t k, const std::vector<Real>& at_nodes) const {
    const Mesh& m = domain_.mesh.mesh;
    const Index f = boundaries_.faces().faces[k];
    const Index* node = m.nodes_of(Kind::face, f);
    const Vec3 area = boundaries_.faces().outward[k] * domain_.geometry.face_area[f];
    const auto velocity = [&](Index i) {
        Vec3 u(0);
        for (int j = 0; j < m.dimension; ++j) u[j] = at_nodes[std::size_t(j) * m.nodes() + i];
        return u;
    };
    const auto gradient = tangential_gradients(m, f, domain_.geometry.face_area[f]);
    Vec3 turned(0);
    double trace = 0;
    for (int j = 1; j < m.dimension; ++j) {
        const Vec3 rise = velocity(node[j]) - velocity(node[0]);
        if (!boundaries_.faces().slips_curved[k]) turned += gradient[j] * glm::dot(rise, area);
        trace += glm::dot(rise, gradient[j]);
    }
    return -viscosity_.host_boundary()[k] * (turned - 2 * trace * area);
}

// Whether a force acts there, and is counted by this rank.
template <class Real>
bool BoundaryForces<Real>::is_counted(const Side& side) const {
    return place_[side.face] != none && side.face < domain_.faces.owned &&
           !boundaries_.is_open(side.face);
}

template <class Real>
Vec3 BoundaryForces<Real>::outward_area(Index face) const {
    return boundaries_.faces().outward[place_[face]] * domain_.geometry.face_area[face];
}

template <class Real>
void BoundaryForces<Real>::add_surface(std::size_t boundary, std::uint32_t first,
                                       std::vector<EntityShare>& shares) const {
    const Mesh& m = domain_.mesh.mesh;
    for (const Side& side : m.sides) {
        if (side.boundary != boundary || !is_counted(side)) continue;
        for (int j = 0; j < m.dimension; ++j)
            add_shares(m.dimension, first, m.nodes_of(Kind::face, side.face)[j],
                       share_[place_[side.face]][j] * outward_area(side.face),
                       domain_.geometry.face_centroid[side.face], shares);
    }
}

template <class Real>
void BoundaryForces<Real>::add_patch(std::size_t boundary, std::uint32_t first,
                                     std::vector<EntityShare>& shares) const {
    const Mesh& m = domain_.mesh.mesh;
    for (std::size_t s = 0; s < m.sides.size(); ++s) {
        const Side& side = m.sides[s];
        if (side.boundary != boundary || !is_counted(side)) continue;
        const Index* node = m.nodes_of(Kind::face, side.face);
        for (int j = 0; j < m.dimension; ++j) {
            std::array<double, 3> unit{};
            unit[j] = 1;
            const auto load = loads_of_nodes(node, m.dimension, exponent_, unit);
            for (int i = 0; i < m.dimension; ++i)
                if (const double part = patches_.on_side[s][i] * load[i]; part != 0)
                    add_shares(m.dimension, first, node[j], -part * outward_area(side.face),
                               m.points[node[i]], shares);
        }
    }
}

template <class Real>
std::vector<double> BoundaryForces<Real>::patch_function(std::size_t boundary) const {
    std::vector<double> values(domain_.nodes.owned, 0.0);
    for (const EdgePatches::Node& n : patches_.nodes)
        if (n.boundary == boundary) values[n.node] = n.value;
    return values;
}

template <class Real>
std::vector<BoundaryForce> BoundaryForces<Real>::measure(const Field<Real>& u,
                                                         const Field<Real>& at_nodes,
                                                         const std::vector<double>& p,
                                                         const Buffer<Real>& reaction) {
    return measure(u, at_nodes, reaction, &p, {},
                   std::vector<bool>(domain_.mesh.mesh.boundaries.size(), true));
}

template <class Real>
std::vector<Index> BoundaryForces<Real>::patch_nodes() const {
    std::vector<Index> nodes;
    for (const EdgePatches::Node& n : patches_.nodes) nodes.push_back(n.node);
    return nodes;
}

template <class Real>
std::vector<BoundaryForce> BoundaryForces<Real>::measure(const Field<Real>& u,
                                                         const Field<Real>& at_nodes,
                                                         const Buffer<Real>& reaction,
                                                         const std::vector<PressureLoads>& loads,
                                                         const std::vector<std::size_t>& asked) {
    std::vector<bool> is_asked(domain_.mesh.mesh.boundaries.size(), false);
    for (const std::size_t b : asked) is_asked[b] = true;
    return measure(u, at_nodes, reaction, nullptr, loads, is_asked);
}

template <class Real>
std::vector<BoundaryForce> BoundaryForces<Real>::measure(const Field<Real>& u,
                                                         const Field<Real>& at_nodes,
                                                         const Buffer<Real>& reaction,
                                                         const std::vector<double>* p,
                                                         const std::vector<PressureLoads>& loads,
                                                         const std::vector<bool>& is_asked) {
    const Mesh& m = domain_.mesh.mesh;
    const int d = m.dimension;
    const std::size_t count = cell_.size();
    kernels::WallFriction<Real>{.dimension = d,
                                .cell = cell_,
                                .node = stencil_.boundary_cell_nodes,
                                .weight = weight_,
                                .conduction = conduction_,
                                .nu = viscosity_.at_boundary(),
                                .area = area_,
                                .u = u,
                                .t = at_nodes,
                                .value = friction_,
                                .first = boundaries_.faces().first}
        .run(domain_.device, {0, cell_.size()});
    const auto friction = friction_.download();
    const auto velocity = at_nodes.download();

    struct Pushed {
        std::size_t boundary;
        double p;
        Vec3 area, rubbed;
    };
    std::vector<Pushed> pushed;
    std::vector<RankSum> parts(m.boundaries.size() * 9), means(m.boundaries.size() * 2);
    // the weak form's less the faces', near edges
    std::vector<RankSum> changes(patches_.exist ? m.boundaries.size() * 6 : 0);
    for (std::size_t s = 0; s < m.sides.size(); ++s) {
        const Side& side = m.sides[s];
        if (!is_asked[side.boundary] || !is_counted(side)) continue;
        const Index k = place_[side.face], *node = m.nodes_of(Kind::face, side.face);
        std::array<double, 3> pressures{};
        double mean = 0;
        for (int j = 0; j < d; ++j) {
            if (p) pressures[j] = (*p)[node[j]];
            mean += share_[k][j] * pressures[j];
        }
        const Vec3 area = outward_area(side.face), pressure = mean * area;
        Vec3 rubbed = moving_part(k, velocity);
        for (int j = 0; j < d; ++j) rubbed[j] += friction[j * count + k];
        if (p) {
            pushed.push_back({side.boundary, mean, area, rubbed});
            means[side.boundary * 2] += mean * glm::length(area);
            means[side.boundary * 2 + 1] += glm::length(area);
        }
        add(parts, side.boundary * 9, pressure);
        add(parts, side.boundary * 9 + 3, rubbed);
        add(parts, side.boundary * 9 + 6,
            glm::cross(domain_.geometry.face_centroid[side.face], pressure + rubbed));
        if (patches_.exist) {
            const Load load = on_patch(s, pressures, rubbed);
            add(changes, side.boundary * 6, -load.force);
            add(changes, side.boundary * 6 + 3, -load.moment);
        }
    }
    std::vector<double> shares(m.boundaries.size(), 0.0);
    if (patches_.exist) {
        shares = shares_of_patches(velocity);
        add_reaction(reaction, changes);
    }
    parts.insert(parts.end(), changes.begin(), changes.end());
    if (p) parts.insert(parts.end(), means.begin(), means.end());
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    const std::size_t first_change = m.boundaries.size() * 9,
                      first_mean = first_change + changes.size();
    std::vector<BoundaryForce> forces(m.boundaries.size());
    for (std::size_t g = 0; g < forces.size(); ++g) {
        BoundaryForce& force = forces[g];
        force.pressure = at(sums, g * 9);
        force.friction = at(sums, g * 9 + 3);
        force.moment = at(sums, g * 9 + 6);
        Load change;
        if (patches_.exist)
            change = {at(sums, first_change + g * 6), at(sums, first_change + g * 6 + 3)};
        if (!p && is_asked[g]) {
            force.pressure += loads[g].surface;
            force.moment += loads[g].surface_moment;
            change.force += loads[g].patch;
            change.moment += loads[g].patch_moment;
        }
        // Near edges the weak form replaces the faces' force by its share. Their difference along
        // the faces' normals counts as pressure, the rest as friction.
        const Vec3 patch = shares[g] * change.force, pressure = normals_[g] * patch;
        force.pressure += pressure;
        force.friction += patch - pressure;
        force.moment += shares[g] * change.moment;
    }
    if (!p) return forces;
    std::vector<RankSum> strength(m.boundaries.size());
    for (const Pushed& face : pushed) {
        const double* mean = &sums[first_mean + face.boundary * 2];
        strength[face.boundary] +=
            glm::length((face.p - mean[0] / mean[1]) * face.area + face.rubbed);
    }
    const std::vector<double> strengths = totals(domain_.comm, std::move(strength));
    for (std::size_t g = 0; g < forces.size(); ++g) forces[g].strength = strengths[g];
    return forces;
}

template class BoundaryForces<float>;
template class BoundaryForces<double>;

}  // namespace solenoid
