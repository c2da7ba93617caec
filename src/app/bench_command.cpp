#include "app/bench_command.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/hypre_reference.hpp"
#include "app/poisson_problem.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/timer.hpp"
#include "device/choice/select_device.hpp"
#include "device/timed_device.hpp"
#include "flow/projection/edge_preconditioner.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "parallel/fill_ghosts.hpp"
#include "run/hierarchy_table.hpp"
#include "run/words.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {
namespace {

struct BenchResult {
    std::int64_t unknowns = 0;
    SolveReport report;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0, operator_complexity = 1;
    std::size_t bytes = 0;
    std::vector<LevelSummary> levels;
};

// Another program's solve of the same system.
struct Rival {
    std::string name;
    int iterations = 0;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0;
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

// One solve: the system on the device in Real, perhaps preconditioned in single precision.
template <class Real>
class Bench {
  public:
    Bench(const Communicator& comm, Device& device, TimedDevice* timed, const DistributedMesh& mesh, const PoissonProblem& problem,
          const PoissonBenchOptions& options)
        : comm_(comm), device_(device), timed_(timed), mesh_(mesh), problem_(problem), options_(options),
          matrix_(comm, device, ranges(), halo(), problem.matrix), solver_(comm, device, matrix_) {
        matrix_.fix(problem.fixed);
        std::vector<Real> rhs(problem.rhs.begin(), problem.rhs.end());
        rhs.resize(ranges().all);
        b_ = device.buffer<Real>(std::span<const Real>(rhs));
        x_ = device.buffer<Real>(ranges().all);
    }

    BenchResult run() {
        BenchResult result;
        result.unknowns = comm_.sum(static_cast<std::int64_t>(ranges().owned) - static_cast<std::int64_t>(problem_.fixed.size()));
        comm_.barrier();
        Stopwatch watch;
        set_up(result);
        device_.finish();
        comm_.barrier();
        result.setup_seconds = watch.seconds();
        if (device_.info().kind != "cpu") warm_up();
        if (timed_) timed_->forget();
        comm_.barrier();
        watch.restart();
        result.report = solve();
        device_.finish();
        result.solve_seconds = comm_.max(watch.seconds());
        const std::vector<Real> answer = x_.download();
        result.true_residual = true_residual(comm_, halo(), problem_, {answer.begin(), answer.end()});
        return result;
    }

  private:
    const EntityRanges& ranges() const { return mesh_.range(problem_.kind); }
    const HaloPlan& halo() const { return mesh_.halo(problem_.kind); }

    // What make_preconditioner makes, described in `result`.
    template <class Made>
    std::unique_ptr<Made> described(std::unique_ptr<Made> made, BenchResult& result) {
        result.levels = made->summary().levels;
        result.operator_complexity = made->operator_complexity();
        result.bytes = made->bytes();
        return made;
    }

    void set_up(BenchResult& result) {
        const bool is_mixed = options_.precision == "mixed";
        if (options_.preconditioner != "multigrid")
            preconditioner_ = std::make_unique<DiagonalPreconditioner<Real>>(options_.preconditioner == "none" ? matrix_.free() : matrix_.inverse_diagonal());
        else if (problem_.kind == Kind::edge)
            preconditioner_ = make_preconditioner<Real>(device_, is_mixed, [&]<class Precision>() {
                return described(edge_preconditioner<Precision>(comm_, device_, mesh_, problem_.matrix, problem_.fixed, options_.multigrid), result);
            });
        else
            preconditioner_ = make_preconditioner<Real>(device_, is_mixed, [&]<class Precision>() {
                return described(std::make_unique<Multigrid<Precision>>(comm_, device_, ranges(), halo(), problem_.matrix, problem_.fixed, options_.multigrid),
                                 result);
            });
        solver_.prepare(*preconditioner_);
    }

    SolveReport solve() { return solver_.solve(*preconditioner_, b_, x_, {options_.tolerance, 100000}); }

    // Shaders are compiled at their first use, and a GPU that idled while the host set up takes a while to reach its clock rate.
    void warm_up() {
        const double enough = device_.info().is_software ? 0 : 1;
        Stopwatch watch;
        do {
            solve();
            x_.upload(std::vector<Real>(x_.size()));
        } while (comm_.max(watch.seconds()) < enough);
        device_.finish();
    }

    const Communicator& comm_;
    Device& device_;
    TimedDevice* timed_;  // or none
    const DistributedMesh& mesh_;
    const PoissonProblem& problem_;
    const PoissonBenchOptions& options_;
    RowMatrix<Real> matrix_;
    ConjugateGradients<Real> solver_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    Buffer<Real> b_, x_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The last of several results, with the median times of all.
template <class Result>
Result with_median_times(std::vector<Result> results) {
    std::vector<double> setup, solve;
    for (const Result& r : results) {
        setup.push_back(r.setup_seconds);
        solve.push_back(r.solve_seconds);
    }
    results.back().setup_seconds = median(setup);
    results.back().solve_seconds = median(solve);
    return results.back();
}

Rival hypre(const Communicator& comm, const DistributedMesh& mesh, const PoissonProblem& problem, const PoissonBenchOptions& options, int aggressive) {
    const HaloPlan& halo = mesh.halo(problem.kind);
    HypreResult r = solve_with_hypre(comm, mesh.range(problem.kind), halo, problem, {options.tolerance, aggressive});
    r.x.resize(mesh.range(problem.kind).all);
    return {aggressive ? "hypre, one aggressive level" : "hypre", r.iterations, r.setup_seconds, r.solve_seconds,
            true_residual(comm, halo, problem, r.x)};
}

void print_json(const PoissonBenchOptions& options, const BenchResult& r, const std::vector<Rival>& rivals, const TimedDevice* timed) {
    using Json = nlohmann::ordered_json;
    Json levels = Json::array();
    for (const LevelSummary& level : r.levels)
        levels.push_back({{"rows", level.rows}, {"nonzeros", level.nonzeros}, {"ranks", level.ranks}, {"bytes", level.bytes}});
    Json object{{"on", options.on},
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
    for (const Rival& other : rivals)
        object["against"].push_back({{"name", other.name},
                                     {"iterations", other.iterations},
                                     {"setup_seconds", other.setup_seconds},
                                     {"solve_seconds", other.solve_seconds},
                                     {"true_residual", other.true_residual},
                                     {"solve_ratio", other.solve_seconds / r.solve_seconds},
                                     {"total_ratio", (other.setup_seconds + other.solve_seconds) / (r.setup_seconds + r.solve_seconds)}});
    for (const KernelTime& t : timed ? timed->times() : std::vector<KernelTime>{})
        object["kernels"].push_back({{"kernel", t.kernel}, {"entities", t.entities}, {"launches", t.launches}, {"seconds", t.seconds}, {"bytes", t.bytes}});
    log::print(object.dump(2));
}

void print_table(const PoissonBenchOptions& options, const BenchResult& r, const std::vector<Rival>& rivals) {
    log::info("{} on {}, {} precision, {}", plural(r.unknowns, "unknown"), options.on, options.precision, options.preconditioner);
    print_hierarchy(r.levels);
    if (!r.levels.empty()) log::info("  operator complexity {:.3f}, {:.1f} MB", r.operator_complexity, double(r.bytes) / 1e6);
    log::info("setup    {:.3f} s", r.setup_seconds);
    log::info("solve    {:.3f} s, {}, true residual {:.2e}", r.solve_seconds, plural(r.report.iterations, "iteration"), r.true_residual);
    for (const Rival& other : rivals)
        log::info("{}: setup {:.3f} s, solve {:.3f} s, {}, true residual {:.2e}; its solve takes {:.2f} times as long, setup and solve {:.2f} times",
                  other.name, other.setup_seconds, other.solve_seconds, plural(other.iterations, "iteration"), other.true_residual,
                  other.solve_seconds / r.solve_seconds, (other.setup_seconds + other.solve_seconds) / (r.setup_seconds + r.solve_seconds));
}

// What the last solve spent its time on.
void print_kernels(const TimedDevice& device) {
    log::info("  launches  microseconds    GB/s    entities  kernel");
    for (const KernelTime& t : device.times())
        log::info("{:>10} {:>13.1f} {:>7.0f}  {:>10}  {}", t.launches, t.seconds / double(t.launches) * 1e6, t.bytes / t.seconds / 1e9, t.entities, t.kernel);
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
    TimedDevice* timed = nullptr;
    if (options.kernels) {
        auto wrapped = std::make_unique<TimedDevice>(std::move(choice.device));
        timed = wrapped.get();
        choice.device = std::move(wrapped);
    }
    if (!options.against.empty()) require_hypre();
    const DistributedMesh mesh = distribute(comm, whole_mesh(comm, options));
    const PoissonProblem problem = poisson_problem(comm, mesh, kind_of(options.on));
    const auto run = [&]<class Real>() { return Bench<Real>(comm, *choice.device, timed, mesh, problem, options).run(); };
    const auto ours = [&] { return options.precision == "single" ? run.template operator()<float>() : run.template operator()<double>(); };
    std::vector<BenchResult> results;
    std::array<std::vector<Rival>, 2> rivals;
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
        results.push_back(ours());
        for (int aggressive = 0; aggressive < 2 && !options.against.empty(); ++aggressive)
            rivals[aggressive].push_back(hypre(comm, mesh, problem, options, aggressive));
    }
    const BenchResult result = with_median_times(results);
    std::vector<Rival> others;
    for (const auto& runs : rivals)
        if (!runs.empty()) others.push_back(with_median_times(runs));
    options.json ? print_json(options, result, others, timed) : print_table(options, result, others);
    if (timed && !options.json) print_kernels(*timed);
    comm.agree([&] {
        if (!result.report.converged()) throw ComputationError("the solve " + result.report.explanation());
    });
    return 0;
}

}  // namespace solenoid
