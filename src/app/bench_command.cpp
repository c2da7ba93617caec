#include "app/bench_command.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/poisson_problem.hpp"
#include "app/words.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/timer.hpp"
#include "device/gl/gl_device.hpp"
#include "flow/edge_preconditioner.hpp"
#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "solvers/cg.hpp"
#include "solvers/multigrid.hpp"
#include "solvers/row_matrix.hpp"

namespace solenoid {
namespace {

struct BenchResult {
    std::int64_t unknowns = 0;
    SolveReport report;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0, operator_complexity = 1;
    std::size_t bytes = 0;
    std::vector<LevelSummary> levels;
};

// ||b - A x|| / ||b|| in double on the host, whatever x was computed in.
double true_residual(const Communicator& comm, const HaloPlan& halo, const PoissonProblem& problem, std::vector<double> x) {
    fill_ghosts(comm, halo, x);
    std::vector<bool> is_fixed(problem.rhs.size(), false);
    for (Index i : problem.fixed) is_fixed[i] = true;
    double rr = 0, bb = 0;
    for (Index i = 0; i < problem.rhs.size(); ++i) {
        if (is_fixed[i]) continue;
        double r = problem.rhs[i];
        for (Index k = problem.matrix.rows.start[i]; k < problem.matrix.rows.start[i + 1]; ++k)
            r -= problem.matrix.entries[k] * x[problem.matrix.rows.index[k]];
        rr += r * r;
        bb += problem.rhs[i] * problem.rhs[i];
    }
    return std::sqrt(comm.sum(rr) / comm.sum(bb));
}

// Multigrid for the problem, described in `result`.
template <class Real>
std::unique_ptr<Preconditioner<Real>> hierarchy(const Communicator& comm, Device& device, const DistributedMesh& mesh,
                                                const PoissonProblem& problem, const MultigridSettings& settings, BenchResult& result) {
    const auto describe = [&](const auto& made, const Multigrid<Real>& levels) {
        result.levels = levels.levels();
        result.operator_complexity = made.operator_complexity();
        result.bytes = made.bytes();
    };
    if (problem.kind == Kind::edge) {
        auto made = edge_preconditioner<Real>(comm, device, mesh, problem.matrix, problem.fixed, settings);
        describe(*made, made->nodal());
        return made;
    }
    auto made = std::make_unique<Multigrid<Real>>(comm, device, mesh.range(problem.kind), mesh.halo(problem.kind), problem.matrix, problem.fixed, settings);
    describe(*made, *made);
    return made;
}

template <class Real>
BenchResult solve(const Communicator& comm, Device& device, const DistributedMesh& mesh, const PoissonProblem& problem,
                  const PoissonBenchOptions& options) {
    const EntityRanges& ranges = mesh.range(problem.kind);
    const HaloPlan& halo = mesh.halo(problem.kind);
    RowMatrix<Real> matrix(comm, device, ranges, halo, problem.matrix);
    matrix.fix(problem.fixed);
    ConjugateGradients<Real> cg(comm, device, matrix);
    auto b = device.buffer<Real>(ranges.all), x = device.buffer<Real>(ranges.all);
    std::vector<Real> rhs(problem.rhs.begin(), problem.rhs.end());
    rhs.resize(ranges.all);
    b.upload(rhs);

    BenchResult result;
    result.unknowns = comm.sum(static_cast<std::int64_t>(ranges.owned) - static_cast<std::int64_t>(problem.fixed.size()));
    std::unique_ptr<Preconditioner<Real>> preconditioner;
    comm.barrier();
    Stopwatch watch;
    if (options.preconditioner == "multigrid") preconditioner = hierarchy<Real>(comm, device, mesh, problem, options.multigrid, result);
    device.finish();
    comm.barrier();
    result.setup_seconds = watch.restart();
    if (!preconditioner)
        preconditioner = std::make_unique<DiagonalPreconditioner<Real>>(options.preconditioner == "none" ? matrix.free() : matrix.inverse_diagonal());
    result.report = cg.solve(*preconditioner, b, x, {options.tolerance, 100000});
    device.finish();
    result.solve_seconds = comm.max(watch.seconds());
    const std::vector<Real> answer = x.download();
    result.true_residual = true_residual(comm, halo, problem, {answer.begin(), answer.end()});
    return result;
}

void print_json(const PoissonBenchOptions& options, const BenchResult& r) {
    using Json = nlohmann::ordered_json;
    Json levels = Json::array();
    for (const LevelSummary& level : r.levels)
        levels.push_back({{"rows", level.rows}, {"nonzeros", level.nonzeros}, {"ranks", level.ranks}, {"bytes", level.bytes}});
    const Json object{{"on", options.on},
                      {"preconditioner", options.preconditioner},
                      {"precision", options.precision},
                      {"unknowns", r.unknowns},
                      {"iterations", r.report.iterations},
                      {"converged", r.report.converged()},
                      {"setup_seconds", r.setup_seconds},
                      {"solve_seconds", r.solve_seconds},
                      {"true_residual", r.true_residual},
                      {"operator_complexity", r.operator_complexity},
                      {"bytes", r.bytes},
                      {"levels", levels}};
    log::print(object.dump(2));
}

void print_table(const PoissonBenchOptions& options, const BenchResult& r) {
    log::info("{} on {}, {} precision, {}", plural(r.unknowns, "unknown"), options.on, options.precision, options.preconditioner);
    for (std::size_t k = 0; k < r.levels.size(); ++k) {
        const LevelSummary& level = r.levels[k];
        log::info("  level {}   {:>10} rows  {:>12} nonzeros  {:>8.1f} a row  {:>6}  {:>9.1f} MB", k, level.rows, level.nonzeros,
                  double(level.nonzeros) / double(std::max<std::int64_t>(level.rows, 1)), plural(level.ranks, "rank"), double(level.bytes) / 1e6);
    }
    if (!r.levels.empty()) log::info("  operator complexity {:.3f}, {:.1f} MB", r.operator_complexity, double(r.bytes) / 1e6);
    log::info("setup    {:.3f} s", r.setup_seconds);
    log::info("solve    {:.3f} s, {}, true residual {:.2e}", r.solve_seconds, plural(r.report.iterations, "iteration"), r.true_residual);
}

Kind kind_of(const std::string& on) { return on == "cells" ? Kind::cell : on == "nodes" ? Kind::node : Kind::edge; }

std::optional<SimplexMesh> whole_mesh(const Communicator& comm, const PoissonBenchOptions& options) {
    std::optional<SimplexMesh> mesh;
    comm.agree([&] {
        if (!comm.is_root()) return;
        if (!options.mesh.empty()) {
            mesh = read_mesh(options.mesh);
            return;
        }
        BoxSettings box;
        box.cells = static_cast<decltype(box.cells)>(options.size);
        mesh = box_mesh(box);
    });
    return mesh;
}

}  // namespace

int bench_poisson(const Communicator& comm, const PoissonBenchOptions& options) {
    DeviceChoice choice;
    comm.agree([&] { choice = select_device(options.device, comm.local_rank(), options.precision != "single"); });
    const DistributedMesh mesh = distribute(comm, whole_mesh(comm, options));
    const PoissonProblem problem = poisson_problem(comm, mesh, kind_of(options.on));
    const BenchResult result = options.precision == "single" ? solve<float>(comm, *choice.device, mesh, problem, options)
                                                             : solve<double>(comm, *choice.device, mesh, problem, options);
    options.json ? print_json(options, result) : print_table(options, result);
    comm.agree([&] {
        if (!result.report.converged()) throw ComputationError("the solve " + result.report.explanation());
    });
    return 0;
}

}  // namespace solenoid
