#include "poisson/poisson_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/timer.hpp"
#include "device/expression.hpp"
#include "grid/run/automatic_smoother.hpp"
#include "poisson/grid_smoothers.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/residual_check.hpp"

namespace solenoid {
namespace {

// Of slopes and sources that leave more than this part of themselves over there is no solution;
// less is the error of their sums.
constexpr double most_imbalance = 0.01;
// Of the load of all: in a part of the domain that brings no more than this, it is rounding.
constexpr double least_load = 1e-12;

// Full multigrid goes on with cycles until no more of the right-hand side is left, by the norm: it
// has no tolerance, but where cycles hardly reduce the residual its answer is none.
constexpr double most_left_by_full = 1e-3;
// It gives up where so many cycles do not reduce the residual to this part.
constexpr int cycles_of_a_check = 50;
constexpr double least_reduction = 0.9;

PlaneFunction quantity(const Formula& formula) {
    return [formula](double x, double y) { return formula.quantity({x, y, 0}); };
}

SideCondition condition_of(const PoissonBoundary& boundary) {
    const PoissonCondition& its = *boundary.condition;
    return {its.alpha, its.beta, quantity(its.gamma)};
}

MappedBoundaryValues problem_of(const GridMesh& mesh, const PoissonCase& settings) {
    MappedBoundaryValues problem;
    problem.position = [&mesh](int i, int j) {
        const Vec3 at = mesh.position(i, j);
        return std::array{at.x, at.y};
    };
    problem.conductivity = [k = settings.poisson.conductivity](double x, double y) {
        return k.positive_value({x, y, 0});
    };
    problem.reaction = [c = settings.poisson.reaction](double x, double y) {
        return c.not_negative_value({x, y, 0});
    };
    problem.source = quantity(settings.poisson.source);
    if (mesh.has_land()) problem.is_part = [&mesh](int i, int j) { return mesh.is_cell(i, j); };
    for (const PoissonBoundary& boundary : settings.boundaries) {
        constexpr const char* names[] = {"west", "east", "south", "north"};
        for (const GridSide side : {west, east, south, north})
            if (boundary.name == names[side]) problem.sides[side] = condition_of(boundary);
        if (boundary.name == "land") problem.land = condition_of(boundary);
    }
    return problem;
}

GridCycle cycle_of(const Communicator& comm, const GridMesh& mesh,
                   const GridSolveSettings& settings) {
    GridCycle cycle;
    cycle.smoother = settings.smoother == "automatic"
                         ? automatic_smoother(comm, mesh.grid())
                         : kind_of(grid_smoother_kinds(), settings.smoother).smoother;
    cycle.before = settings.before;
    cycle.after = settings.after;
    cycle.coarse_cycles = settings.cycle == "W" ? 2 : 1;
    cycle.is_reversed = settings.method == "cg";
    return cycle;
}

}  // namespace

template <class Real>
PoissonSolver<Real>::PoissonSolver(const Communicator& comm, Device& device, const GridMesh& mesh,
                                   const PoissonCase& settings, const std::string& place)
    : comm_(comm),
      mesh_(mesh),
      settings_(settings),
      grid_(comm, device, GridBlocks(mesh.extents(), comm.size())),
      fields_(grid_, mesh.grid()),
      problem_(problem_of(mesh, settings)),
      system_(assemble(grid_, problem_)),
      cycle_(cycle_of(comm, mesh, settings.solver)),
      stencil_points_(system_.matrix.kind() == StencilKind::nine ? 9 : 5) {
    comm_.agree([&] { check_balance(place); });
    const Stopwatch clock;
    multigrid_ = std::make_unique<GridMultigrid<Real>>(system_.matrix, &system_.kept);
    totals_.preconditioner.setup_seconds = clock.seconds();
    unknown_ = grid_.field();
    potential_ = grid_.field();
}

template <class Real>
void PoissonSolver<Real>::check_balance(const std::string& place) const {
    for (const FloatingPart& part : system_.floating.parts) {
        if (std::abs(part.imbalance) <=
            std::max(most_imbalance * part.load, least_load * system_.load))
            continue;
        const Vec3 at = mesh_.position(part.i, part.j);
        throw InputError(
            place, fmt::format("there is no solution: land cuts off the part of the domain with "
                               "the node ({:.6g}, {:.6g}), no boundary gives U there or takes it "
                               "up, and sources and slopes leave {:.6g} over, of {:.6g} that they "
                               "bring: balance them there, or take type \"value\" or \"mixed\" on "
                               "a side or shore of that part",
                               at.x, at.y, part.imbalance, part.load));
    }
    if (!system_.is_singular || !system_.floating.empty() ||
        std::abs(system_.imbalance) <= most_imbalance * system_.load)
        return;
    throw InputError(
        place, fmt::format("there is no solution: sources and slopes leave {:.6g} over, of {:.6g} "
                           "that they bring, and no boundary gives U or takes it up: balance them, "
                           "or take type \"value\" or \"mixed\" on one",
                           system_.imbalance, system_.load));
}

template <class Real>
const std::string& PoissonSolver<Real>::smoother() const {
    return std::ranges::find(grid_smoother_kinds(), cycle_.smoother, &GridSmootherKind::smoother)
        ->help;
}

template <class Real>
void PoissonSolver<Real>::solve() {
    const GridSolveSettings& s = settings_.solver;
    const double tolerance = s.tolerance.value_or(sizeof(Real) == 4 ? 1e-5 : 1e-10);
    const Buffer<Real>& b = system_.right_hand_side;
    SolveReport report;
    const auto norm = [&](const Buffer<Real>& x) {
        return std::sqrt(grid_.dot(system_.matrix.marker(), x, x));
    };
    if (s.method == "cg") {
        GridPreconditioner<Real> preconditioner(*multigrid_, cycle_);
        ConjugateGradients<Real> solver(comm_, system_.matrix);
        report = solver.solve(
            preconditioner, b, unknown_,
            {.tolerance = tolerance, .max_iterations = s.max_iterations, .takes_rounding = true});
    } else if (s.method == "full") {
        report = solve_full();
    } else {
        // cycles until the greatest residual is a part of the greatest load, as it is told on the
        // device; then the residual by the norm of the others
        const double load = grid_.greatest(system_.matrix.marker(), b);
        if (load > 0) {
            const GridCycleReport cycles =
                multigrid_->solve_until(b, unknown_, cycle_, tolerance * load, s.max_iterations);
            report.iterations = cycles.cycles;
            if (!cycles.has_converged) report.outcome = SolveOutcome::out_of_iterations;
        }
        Buffer<Real> r = grid_.field();
        system_.matrix.subtract_from(b, unknown_, r);
        const double size = norm(b);
        report.residual = size > 0 ? norm(r) / size : 0;
    }
    totals_.add(report);
    if (!report.converged())
        comm_.agree([&] { throw ComputationError(fmt::format("U: {}", report.explanation("U"))); });
    if (!system_.floating.empty())
        system_.floating.remove_means(grid_, unknown_);
    else if (system_.is_singular)
        grid_.remove_mean(system_.matrix.marker(), unknown_);
    Over(grid_.device(), grid_.layout().nodes())[potential_] = unknown_ + system_.given;
}

// Full multigrid, and cycles where it has left too much of the right-hand side. What rounding
// leaves is not too much.
template <class Real>
SolveReport PoissonSolver<Real>::solve_full() {
    const GridSolveSettings& s = settings_.solver;
    const Buffer<Real>& b = system_.right_hand_side;
    SolveReport report;
    report.in_double = sizeof(Real) == 8;
    Buffer<Real> r = grid_.field();
    const auto norm = [&](const Buffer<Real>& x) {
        return std::sqrt(grid_.dot(system_.matrix.marker(), x, x));
    };
    const double size = norm(b);
    const auto set_residual = [&] {
        system_.matrix.subtract_from(b, unknown_, r);
        report.residual = size == 0 ? 0 : norm(r) / size;
    };
    const auto is_rounding = [&] {
        constexpr double safety = 4;  // as in true_residual.cpp
        AgreedSums sums(comm_);
        ResidualCheck<Real> check(sums, system_.matrix);
        return report.residual * size <=
               safety * std::numeric_limits<Real>::epsilon() * check.matrix_sizes(unknown_)[0];
    };
    multigrid_->solve_full(b, unknown_, cycle_, 2);
    set_residual();
    double at_last_check = report.residual;
    while (std::isfinite(report.residual) && report.residual > most_left_by_full) {
        const bool is_at_end = report.iterations == s.max_iterations;
        bool is_stuck = false;
        if (report.iterations > 0 && report.iterations % cycles_of_a_check == 0) {
            is_stuck = report.residual > least_reduction * at_last_check;
            at_last_check = report.residual;
        }
        if (is_at_end || is_stuck)
            comm_.agree([&] {
                throw ComputationError(fmt::format(
                    "U: full multigrid and {} more cycles leave {:.1e} of the right-hand side, "
                    "where at most {:.0e} is to be left: {}take {}solver.U.method = \"cg\"",
                    report.iterations, report.residual, most_left_by_full,
                    is_stuck ? "" : "raise solver.U.max_iterations, or ",
                    s.smoother == "automatic" ? "" : "solver.U.smoother = \"automatic\" or "));
            });
        const double before = report.residual;
        multigrid_->cycle(b, unknown_, cycle_);
        ++report.iterations;
        set_residual();
        if (report.residual > least_reduction * before && is_rounding()) break;
    }
    if (!std::isfinite(report.residual)) report.outcome = SolveOutcome::broken_down;
    return report;
}

template <class Real>
std::vector<double> PoissonSolver<Real>::potential() {
    return fields_.values(potential_);
}

template <class Real>
std::vector<double> PoissonSolver<Real>::gradient() {
    return fields_.gradient(potential_, mesh_);
}

template <class Real>
std::vector<double> PoissonSolver<Real>::flux(std::vector<double> values) const {
    const Index nodes = mesh_.grid().range(Kind::node).all;
    for (Index n = 0; n < nodes; ++n) {
        const double k = settings_.poisson.conductivity.positive_value(mesh_.grid().position(n));
        for (int c = 0; c < 2; ++c) values[std::size_t(c) * nodes + n] *= -k;
    }
    return values;
}

template <class Real>
double PoissonSolver<Real>::Balance::imbalance() const {
    double sum = source - reaction;
    for (const double flow : boundaries) sum += flow;
    return sum;
}

template <class Real>
typename PoissonSolver<Real>::Balance PoissonSolver<Real>::balance() {
    grid_.exchange(potential_);
    const auto held = fields_.held(potential_);
    const BoundaryFlows flows = boundary_flows(comm_, grid_.layout(), problem_, [&](int i, int j) {
        return held[grid_.layout().entry(i, j)];
    });
    Balance balance{{}, flows.source, flows.reaction};
    constexpr const char* names[] = {"west", "east", "south", "north"};
    for (const std::string& name : mesh_.grid().boundaries()) {
        double flow = flows.land;
        for (const GridSide side : {west, east, south, north})
            if (name == names[side]) flow = flows.sides[side];
        balance.boundaries.push_back(flow);
    }
    return balance;
}

template class PoissonSolver<float>;
template class PoissonSolver<double>;

}  // namespace solenoid
