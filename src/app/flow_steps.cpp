#include "app/flow_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "core/error.hpp"
#include "app/time_step.hpp"

namespace solenoid {
namespace {

constexpr double largest_growth = 1.2;  // of a step over the one before

}  // namespace

FlowSteps::FlowSteps(const Communicator& comm, const DistributedMesh& mesh, const CaseSettings& settings)
    : comm_(comm), mesh_(mesh), settings_(settings), step_(settings.time.step.value_or(0)) {}

double FlowSteps::next(double time, double target, double courant_rate, double limit) {
    const TimeSettings& s = settings_.time;
    if (!s.step) {
        const double most = courant_rate > 0 ? s.courant / courant_rate : HUGE_VAL;
        step_ = std::min(limit, step_ > 0 ? std::min(largest_growth * step_, most) : first(time, courant_rate));
    }
    comm_.agree([&] {
        if (!(step_ > 1e-13 * s.end))
            throw ComputationError(fmt::format(
                "the time step fell to {:.3g} s at t = {:.6g} s, the velocity grows without bound: "
                "take a smaller time.courant, or a finer mesh",
                step_, time));
    });
    return fitted_step(time, step_, target);
}

// From rest, the walls and inflows that move at its end count, and what given pressures and forces set in motion.
double FlowSteps::first(double time, double courant_rate) const {
    const double courant = settings_.time.courant, end = settings_.time.end;
    const Geometry g = geometry(mesh_.mesh);
    const double rate = std::max(courant_rate, boundary_rate(g, time));
    double step = rate > 0 ? std::min(courant / rate, end) : end;
    if (const double pull = acceleration_rate(g, time); pull > 0) step = std::min(step, std::sqrt(courant / pull));
    for (int i = 0; i < 40 && boundary_rate(g, time + step) * step > 1.5 * courant; ++i) step /= 2;
    return step;
}

// The largest a A / V of a cell, a the acceleration by the body force and by buoyancy that the scalars' first values allow [1/s^2].
double FlowSteps::acceleration_rate(const Geometry& g, double time) const {
    const Mesh& mesh = mesh_.mesh;
    double acceleration = 0;
    for (const Vec3& x : g.cell_centroid) {
        Vec3 force(0);
        for (int k = 0; k < mesh.dimension; ++k) force[k] = settings_.flow.body_force[k](x, time);
        acceleration = std::max(acceleration, glm::length(force));
    }
    for (const ScalarSettings& s : settings_.scalars) {
        double difference = 0;
        for (const Vec3& x : g.cell_centroid) difference = std::max(difference, std::abs(s.initial(x) - s.reference));
        for (const FlowBoundarySettings& b : settings_.flow_boundaries)
            if (const auto found = b.scalars.find(s.name); found != b.scalars.end() && found->second.is_value)
                for (const Side& side : mesh.sides)
                    if (mesh.boundaries[side.boundary] == b.name)
                        difference = std::max(difference, std::abs(found->second.value(g.face_centroid[side.face], 0) - s.reference));
        acceleration += std::abs(s.expansion) * glm::length(settings_.fluid.gravity) * difference;
    }
    double rate = 0;
    for (Index cell = 0; cell < mesh.cells() && acceleration > 0; ++cell)
        for (int j = 0; j <= mesh.dimension; ++j)
            rate = std::max(rate, acceleration * glm::length(g.face_area[entity_of(mesh.cell_faces(cell, j))]) / g.cell_volume[cell]);
    return comm_.max(rate);
}

// The speed that the differences of given pressures can give a fluid without friction [m/s].
double FlowSteps::pressure_speed(const Geometry& g, double time) const {
    std::map<std::string, const FlowBoundarySettings*> open;
    for (const FlowBoundarySettings& b : settings_.flow_boundaries)
        if (b.is_open()) open[b.name] = &b;
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (const Side& side : mesh_.mesh.sides)
        if (const auto b = open.find(mesh_.mesh.boundaries[side.boundary]); b != open.end()) {
            const double p = b->second->pressure(g.face_centroid[side.face], time);
            lowest = std::min(lowest, p);
            highest = std::max(highest, p);
        }
    const double range = comm_.max(highest) + comm_.max(-lowest);
    return range > 0 ? std::sqrt(2 * range / settings_.fluid.density) : 0;
}

// The largest |u| A / V of a boundary face and its cell.
double FlowSteps::boundary_rate(const Geometry& g, double time) const {
    const Mesh& mesh = mesh_.mesh;
    std::map<std::string, const FlowBoundarySettings*> conditions;
    for (const FlowBoundarySettings& b : settings_.flow_boundaries) conditions[b.name] = &b;
    const double by_pressure = pressure_speed(g, time);
    double rate = 0;
    for (const Side& side : mesh.sides) {
        const auto found = conditions.find(mesh.boundaries[side.boundary]);
        const Index one = mesh.face_cells(side.face, 0), other = mesh.face_cells(side.face, 1);
        if (found == conditions.end() || (one == none) == (other == none)) continue;
        Vec3 u(found->second->is_open() ? by_pressure : 0, 0, 0);
        for (int k = 0; k < mesh.dimension && !found->second->is_open(); ++k) u[k] = found->second->velocity[k](g.face_centroid[side.face], time);
        const double volume = g.cell_volume[one == none ? other : one];
        rate = std::max(rate, glm::length(u) * glm::length(g.face_area[side.face]) / volume);
    }
    return comm_.max(rate);
}

}  // namespace solenoid
