#include "flow/run/data_slips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "flow/run/place_of_largest.hpp"
#include "flow/viscosity/viscosity_law.hpp"
#include "mesh/coarse_curves.hpp"

namespace solenoid {
namespace {

constexpr double flat = 1e-6;          // differences of height over the domain's size that are none
constexpr double most_mach = 0.3;      // there the density varies by 4.5 %
constexpr double least_coarse = 0.01;  // part of a boundary's faces
constexpr double more = 1.01;          // a speed is noted anew where it is larger by so much

// By how much the openings differ in height [m]: the faces at which a pressure is given, and the
// sides of a periodic pair whose flux is not.
double height_of_openings(const Communicator& comm, const DistributedMesh& mesh,
                          const FlowCase& flow) {
    const Vec3 up = -flow.fluid.gravity / glm::length(flow.fluid.gravity);
    const Mesh& m = mesh.mesh;
    std::map<std::string, bool> is_open;
    for (const FlowBoundary& b : flow.boundaries)
        is_open[b.name] = b.condition->is_open() && !b.condition->follows();
    double low = HUGE_VAL, high = -HUGE_VAL, period = 0;
    for (const Side& side : m.sides) {
        const auto found = is_open.find(m.boundaries[side.boundary]);
        if (found == is_open.end() || !found->second) continue;
        const auto corners = m.face_corners(side.face);
        for (int k = 0; k < m.dimension; ++k) {
            low = std::min(low, glm::dot(corners[k], up));
            high = std::max(high, glm::dot(corners[k], up));
        }
    }
    for (const PeriodicPair& pair : m.periodic_map.pairs) {
        const std::string& name = m.boundaries[pair.from];
        const bool has_flux = std::ranges::any_of(flow.periodic, [&](const PeriodicSettings& p) {
            return p.flux && (p.name == name || p.partner == name);
        });
        if (!has_flux) period = std::max(period, std::abs(glm::dot(pair.offset, up)));
    }
    low = comm.min(low);
    high = comm.max(high);
    return std::max(high > low ? high - low : 0.0, period);
}

}  // namespace

std::vector<std::string> missing_references(const Communicator& comm, const DistributedMesh& mesh,
                                            const FlowCase& flow, FlowData& data) {
    std::vector<std::string> warnings;
    if (flow.fluid.gravity == Vec3(0)) return warnings;
    std::optional<double> height;
    for (std::size_t i = 0; i < flow.scalars.size(); ++i) {
        const ScalarSettings& scalar = flow.scalars[i];
        if (scalar.expansion == 0 || scalar.has_reference) continue;
        const FlowData::Range initial = data.initial_scalar(static_cast<int>(i)),
                              given = data.boundary_scalar(static_cast<int>(i), 0);
        const double least = std::min(initial[0], given[0]), most = std::max(initial[1], given[1]);
        if (!(least > 0 || most < 0)) continue;
        if (!height) height = height_of_openings(comm, mesh, flow);
        if (!(*height > flat * data.size())) return warnings;
        const double pull = std::abs(data.buoyancy(static_cast<int>(i), least > 0 ? least : most));
        warnings.push_back(fmt::format(
            "{}: [scalar.{}]: no reference is given, so that it is 0, and the values are {:.4g} to "
            "{:.4g}: all of the fluid is lifted, and flows through the openings, which differ by "
            "{:.3g} m in height, with {:.2g} m/s^2 and more; set reference to the value outside, "
            "such as "
            "{:.4g}, or to 0 where that is meant",
            scalar.place, scalar.name, least, most, *height, pull, initial[0]));
    }
    return warnings;
}

std::vector<std::string> coarse_slip_walls(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry, const FlowCase& flow) {
    std::vector<std::string> warnings;
    const Formula& nu = flow.fluid.viscosity;
    if (!flow.fluid.law && nu.is_constant() && nu(Vec3(0)) == 0) return warnings;
    for (const FlowBoundary& b : flow.boundaries) {
        if (!b.condition->slips()) continue;
        const CoarseCurve here =
            coarse_curve(mesh.mesh, geometry, b.name, mesh.range(Kind::face).owned);
        const double coarse = comm.sum(double(here.coarse)), faces = comm.sum(double(here.faces));
        if (coarse > least_coarse * faces)
            warnings.push_back(fmt::format(
                "[boundary.{}] slips along a curve that the mesh does not resolve: {} of {} faces "
                "turn by 20 to 45 degrees from those on both sides, and are planes for the flow, "
                "along which a curve brakes it by a shear stress of mu u / radius; mesh with 24 "
                "faces or more round a circle",
                b.name, coarse, faces));
    }
    return warnings;
}

void LargestMach::note(FlowSolver& solver) {
    if (!flow_.fluid.sound_speed) return;
    const double mach = solver.largest_speed() / *flow_.fluid.sound_speed;
    if (!(mach > most_mach && mach > more * mach_)) return;
    const auto place = centroid_of_largest(comm_, mesh_, cell_speeds(solver, mesh_));
    mach_ = mach;
    time_ = solver.time();
    place_ = place.value_or(Vec3(0));
}

std::string LargestMach::warning() const {
    if (!(mach_ > most_mach)) return "";
    return fmt::format(
        "{}: the largest speed was {:.4g} m/s, a Mach number of {:.3g}, at {} at t = {:.6g} s: "
        "beyond {:g} a gas is not incompressible, and densities and forces are others; take lower "
        "speeds, or a program for compressible flow",
        flow_.fluid.sound_speed_place, mach_ * *flow_.fluid.sound_speed, mach_,
        position_text(place_), time_, most_mach);
}

std::optional<WallCell> coarsest_wall_cell(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry, const FlowCase& flow,
                                           FlowSolver& solver) {
    const Mesh& m = mesh.mesh;
    std::map<std::string, const FlowBoundary*> walls;
    for (const FlowBoundary& b : flow.boundaries)
        if (b.condition->is_wall()) walls[b.name] = &b;
    if (walls.empty()) return {};
    const std::vector<double> velocity = solver.cell_velocity();
    const std::size_t cells = velocity.size() / m.dimension;
    const Index owned = mesh.range(Kind::cell).owned;
    std::vector<double> reynolds(cells, 0.0), height(cells, 0.0);
    std::vector<std::string> boundary_of(m.boundaries.begin(), m.boundaries.end());
    std::vector<std::uint16_t> at(cells, 0);
    for (const Side& side : m.sides) {
        const auto found = walls.find(m.boundaries[side.boundary]);
        if (found == walls.end()) continue;
        for (int k = 0; k < 2; ++k) {  // a wall that slits the mesh has one as well
            const Index cell = m.face_cells(side.face, k);
            if (cell == none || cell >= owned) continue;
            const Vec3 normal = glm::normalize(geometry.face_area[side.face]);
            const Vec3& middle = geometry.face_centroid[side.face];
            Vec3 from_wall(0);
            for (int j = 0; j <= m.dimension; ++j)
                if (entity_of(m.cell_faces(cell, j)) == side.face)
                    from_wall = -face_offset(m, geometry, cell, j);
            const double h = std::abs(glm::dot(from_wall, normal));
            const FlowCondition& condition = *found->second->condition;
            Vec3 u(0);
            for (int d = 0; d < m.dimension; ++d)
                u[d] = velocity[d * cells + cell] -
                       condition.velocity()[d].finite_value(middle, solver.time());
            u -= glm::dot(u, normal) * normal;
            const double nu = flow.fluid.law ? flow.fluid.law->limits().largest
                                             : flow.fluid.viscosity.finite_value(
                                                   geometry.cell_centroid[cell], solver.time());
            if (!(nu > 0)) continue;
            const double number = glm::length(u) * h / nu;
            if (number <= reynolds[cell]) continue;
            reynolds[cell] = number;
            height[cell] = h;
            at[cell] = side.boundary;
        }
    }
    double most = 0;
    for (Index c = 0; c < owned; ++c) most = std::max(most, reynolds[c]);
    most = comm.max(most);
    if (!(most > 0)) return {};
    WallCell found;
    found.reynolds = most;
    const auto place = centroid_of_largest(comm, mesh, reynolds);
    found.place = place.value_or(Vec3(0));
    // of the rank that holds it
    double here = 0;
    std::int64_t name = -1;
    for (Index c = 0; c < owned; ++c)
        if (reynolds[c] > 0 && geometry.cell_centroid[c] == found.place) {
            here = height[c];
            name = at[c];
        }
    found.height = comm.max(here);
    const int holder = static_cast<int>(comm.min(double(name >= 0 ? comm.rank() : comm.size())));
    if (name >= 0) found.boundary = boundary_of[name];
    if (holder < comm.size()) comm.broadcast(found.boundary, holder);
    return found;
}

std::string wall_warning(const WallCell& cell) {
    if (!(cell.reynolds > most_wall_reynolds)) return "";
    return fmt::format(
        "cells at \"{}\" do not resolve the flow along it: the Reynolds number u h / nu of the "
        "wall's cells is {:.3g} at {}, where h = {:.3g} m, and beyond {:g} no laminar boundary "
        "layer has the middle of a cell in its lowest fifth: friction, separation and losses are "
        "those of the "
        "mesh, and there is no model of turbulence; mesh with cells about {:.2g} times as high "
        "there, or take a lower speed",
        cell.boundary, cell.reynolds, position_text(cell.place), cell.height, most_wall_reynolds,
        std::sqrt(0.8 * most_wall_reynolds / cell.reynolds));
}

}  // namespace solenoid
