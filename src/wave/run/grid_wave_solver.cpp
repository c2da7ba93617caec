#include "wave/run/grid_wave_solver.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/state_values.hpp"
#include "grid/run/automatic_smoother.hpp"
#include "wave/time_scheme.hpp"

namespace solenoid {
namespace {

GridWaveFunction function_of(const Formula& formula) {
    if (formula.is_constant() && formula(Vec3(0)) == 0) return {nullptr, false};
    return {[formula](double x, double y, double t) {
                return formula.quantity({x, y, 0}, t);
            },
            formula.depends_on_time()};
}

PlaneFunction at_start(const Formula& formula) {
    if (formula.is_constant() && formula(Vec3(0)) == 0) return nullptr;
    return [formula](double x, double y) { return formula.quantity({x, y, 0}); };
}

GridWaveSide side_of(const WaveCondition& condition) {
    if (const Formula* given = condition.displacement()) return {1, 0, false, function_of(*given)};
    if (const Formula* in = condition.incident()) return {0, 1, true, function_of(*in)};
    return {};
}

GridWaveProblem problem_of(const GridMesh& mesh, const WaveCase& wave) {
    GridWaveProblem problem;
    problem.position = [&mesh](int i, int j) {
        const Vec3 at = mesh.position(i, j);
        return std::array{at.x, at.y};
    };
    problem.speed = [c = wave.wave.speed](double x, double y) {
        return c.positive_value({x, y, 0});
    };
    problem.source = function_of(wave.wave.source);
    if (mesh.has_land()) problem.is_part = [&mesh](int i, int j) { return mesh.is_cell(i, j); };
    for (const WaveBoundary& boundary : wave.boundaries) {
        constexpr const char* names[] = {"west", "east", "south", "north"};
        for (const GridSide side : {west, east, south, north})
            if (boundary.name == names[side]) problem.sides[side] = side_of(*boundary.condition);
        if (boundary.name == "land") problem.land = side_of(*boundary.condition);
    }
    return problem;
}

const WaveTimeSchemeKind& scheme_of(const WaveCase& wave) {
    return kind_of(wave_time_scheme_kinds(), wave.wave.time_scheme);
}

GridWaveSettings how_to_step(const Communicator& comm, const GridMesh& mesh, const WaveCase& wave) {
    GridWaveSettings how;
    if (!scheme_of(wave).is_explicit) how.scheme = GridWaveScheme::trapezoidal;
    how.cycle.smoother = automatic_smoother(comm, mesh.grid());
    how.tolerance = wave.solver.tolerance;
    how.max_iterations = wave.solver.max_iterations;
    return how;
}

}  // namespace

template <class Real>
GridWaveSolver<Real>::GridWaveSolver(const Communicator& comm, Device& device, const GridMesh& mesh,
                                     const WaveCase& wave)
    : mesh_(mesh),
      solves_(!scheme_of(wave).is_explicit),
      grid_(comm, device, GridBlocks(mesh.extents(), comm.size())),
      fields_(grid_, mesh.grid()),
      wave_(grid_, problem_of(mesh, wave), how_to_step(comm, mesh, wave)),
      velocity_(grid_.field()) {
    wave_.start(at_start(wave.initial_displacement), at_start(wave.initial_velocity));
    register_state();
}

// The velocity is saved for cases that start from it alone; what follows from it is in the others.
template <class Real>
void GridWaveSolver<Real>::register_state() {
    const StateValues state = StateValues(registry_).part("wave");
    GridWaveState<Real>& of = wave_.state();
    state.add("time", of.time);
    state.add("time_before", of.before);
    state.add("step", of.step, not_negative);
    fields_.add(state, "displacement", of.displacement);
    fields_.add(state, "change", of.change);
    if (solves_) {
        fields_.add(state, "second_difference", of.second_difference);
        fields_.add(state, "left_over", of.left_over);
    }
    fields_.add(StateValues(of_velocity_).part("wave"), "velocity", velocity_);
    StateRegistry::Entry entry = of_velocity_.entry("wave/velocity");
    entry.save = [this, save = entry.save] {
        velocity_ = wave_.velocity();
        return save();
    };
    entry.load = [](const StateArray&) {};
    registry_.add(std::move(entry));
    state.remade([this] { wave_.restart(); });
}

template <class Real>
std::vector<double> GridWaveSolver<Real>::velocity() {
    velocity_ = wave_.velocity();
    return fields_.values(velocity_);
}

template <class Real>
void GridWaveSolver<Real>::push(const Vec3& at, double radius, double height) {
    const GridExtents& extents = mesh_.extents();
    const Vec3 first = mesh_.position(0, 0);
    std::vector<Vec3> shifts{Vec3(0)};  // to periodic images
    if (extents.is_periodic_x) shifts.push_back(mesh_.position(extents.nx, 0) - first);
    if (extents.is_periodic_y) {
        const Vec3 across = mesh_.position(0, extents.ny) - first;
        const std::vector<Vec3> one = shifts;
        shifts.clear();
        for (const Vec3& shift : one)
            for (const int k : {-1, 0, 1}) shifts.push_back(shift + double(k) * across);
    }
    wave_.push([=](double x, double y) {
        const Vec3 way = Vec3(x, y, 0) - Vec3(at.x, at.y, 0);
        double square = glm::dot(way, way);
        for (const Vec3& shift : shifts)
            square = std::min(
                {square, glm::dot(way + shift, way + shift), glm::dot(way - shift, way - shift)});
        const double s = 1 - square / (radius * radius);
        return s > 0 ? height * s * s * s : 0;
    });
}

template class GridWaveSolver<float>;
template class GridWaveSolver<double>;

}  // namespace solenoid
