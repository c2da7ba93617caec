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

// From rest, the walls and inflows that move at its end count.
double FlowSteps::first(double time, double courant_rate) const {
    const double courant = settings_.time.courant, end = settings_.time.end;
    const Geometry g = geometry(mesh_.mesh);
    const double rate = std::max(courant_rate, boundary_rate(g, time));
    double step = rate > 0 ? std::min(courant / rate, end) : end;
    if (const double buoyant = buoyancy_rate(g); buoyant > 0) step = std::min(step, std::sqrt(courant / buoyant));
    for (int i = 0; i < 40 && boundary_rate(g, time + step) * step > 1.5 * courant; ++i) step /= 2;
    return step;
}

// The largest a A / V of a cell, a the acceleration by buoyancy that the scalars' first values allow [1/s^2].
double FlowSteps::buoyancy_rate(const Geometry& g) const {
    const Mesh& mesh = mesh_.mesh;
    double acceleration = 0;
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

// The largest |u| A / V of a boundary face and its cell.
double FlowSteps::boundary_rate(const Geometry& g, double time) const {
    const Mesh& mesh = mesh_.mesh;
    std::map<std::string, const VectorFormula*> velocities;
    for (const FlowBoundarySettings& b : settings_.flow_boundaries) velocities[b.name] = &b.velocity;
    double rate = 0;
    for (const Side& side : mesh.sides) {
        const auto velocity = velocities.find(mesh.boundaries[side.boundary]);
        const Index one = mesh.face_cells(side.face, 0), other = mesh.face_cells(side.face, 1);
        if (velocity == velocities.end() || (one == none) == (other == none)) continue;
        double square = 0;
        for (int k = 0; k < mesh.dimension; ++k)
            square += std::pow((*velocity->second)[k](g.face_centroid[side.face], time), 2);
        const double volume = g.cell_volume[one == none ? other : one];
        rate = std::max(rate, std::sqrt(square) * glm::length(g.face_area[side.face]) / volume);
    }
    return comm_.max(rate);
}

}  // namespace solenoid
