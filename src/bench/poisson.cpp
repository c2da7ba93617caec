// One linear solve: setup, iterations, time, compared with hypre where it is installed.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bench/bench_meshes.hpp"
#include "bench/benchmark.hpp"
#include "bench/hypre_reference.hpp"
#include "bench/poisson_problem.hpp"
#include "bench/timing.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/timer.hpp"
#include "device/timed_device.hpp"
#include "flow/projection/edge_preconditioner.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/transport.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid::bench {
namespace {

struct PoissonOptions {
    std::string on;                            // "cells", "nodes", "edges"
    std::filesystem::path mesh;                // empty: a box
    std::string preconditioner = "multigrid";  // one of preconditioner_kinds()
    std::string against;                       // "hypre" or empty
    double tolerance = 1e-8;
    bool kernels = false;
    MultigridSettings multigrid;
};

struct PoissonResult {
    std::int64_t unknowns = 0;
    SolveReport report;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0, operator_complexity = 1;
    Traffic traffic;  // of the solve, on rank 0
    std::string transport;
    std::size_t bytes = 0;
    std::vector<LevelSummary> levels;
};

// The solve of the system by another program.
struct Rival {
    std::string name;
    int iterations = 0;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0;
};

// ||b - A x|| / ||b|| in double precision on the host.
double true_residual(const Communicator& comm, const HaloPlan& halo, const PoissonProblem& problem,
                     std::vector<double> x) {
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

// One solve: the system on the device in Real, with a preconditioner perhaps in single precision.
template <class Real>
class PoissonSolve {
  public:
    PoissonSolve(const Communicator& comm, Device& device, TimedDevice* timed,
                 const DistributedMesh& mesh, const PoissonProblem& problem,
                 const PoissonOptions& options, const std::string& precision)
        : comm_(comm),
          device_(device),
          timed_(timed),
          mesh_(mesh),
          problem_(problem),
          options_(options),
          precision_(precision),
          matrix_(comm, device, ranges(), halo(), problem.matrix),
          solver_(comm, matrix_) {
        matrix_.fix(problem.fixed);
        std::vector<Real> rhs(problem.rhs.begin(), problem.rhs.end());
        rhs.resize(ranges().all);
        b_ = device.buffer<Real>(std::span<const Real>(rhs));
        x_ = device.buffer<Real>(ranges().all);
    }

    PoissonResult run() {
        PoissonResult result;
        result.unknowns = comm_.sum(static_cast<std::int64_t>(ranges().owned) -
                                    static_cast<std::int64_t>(problem_.fixed.size()));
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
        const Traffic before = comm_.traffic();
        result.report = solve();
        result.traffic = comm_.traffic() - before;
        device_.finish();
        result.solve_seconds = comm_.max(watch.seconds());
        result.transport = transport_name(comm_, device_);
        const std::vector<Real> answer = x_.download();
        result.true_residual =
            true_residual(comm_, halo(), problem_, {answer.begin(), answer.end()});
        return result;
    }

  private:
    const EntityRanges& ranges() const { return mesh_.range(problem_.kind); }
    const HaloPlan& halo() const { return mesh_.halo(problem_.kind); }

    // Returns a preconditioner and stores its description in `result`.
    template <class Made>
    std::unique_ptr<Made> described(std::unique_ptr<Made> made, PoissonResult& result) {
        result.levels = made->summary().levels;
        result.operator_complexity = made->operator_complexity();
        result.bytes = made->bytes();
        return made;
    }

    void set_up(PoissonResult& result) {
        const bool is_mixed = precision_ == "mixed";
        const PreconditionerKind& kind = preconditioner_kind(options_.preconditioner);
        if (kind.part_without_shift() != PreconditionerPart::multigrid)
            preconditioner_ = make_diagonal(
                device_, is_mixed,
                kind.scales_by_diagonal ? matrix_.inverse_diagonal() : matrix_.free());
        else if (problem_.kind == Kind::edge)
            preconditioner_ = make_preconditioner<Real>(device_, is_mixed, [&]<class Precision>() {
                return described(
                    edge_preconditioner<Precision>(comm_, device_, mesh_, problem_.matrix,
                                                   problem_.fixed, options_.multigrid),
                    result);
            });
        else
            preconditioner_ = make_preconditioner<Real>(device_, is_mixed, [&]<class Precision>() {
                return described(std::make_unique<Multigrid<Precision>>(
                                     comm_, device_, ranges(), halo(), problem_.matrix,
                                     problem_.fixed, options_.multigrid),
                                 result);
            });
        solver_.prepare(*preconditioner_);
    }

    SolveReport solve() {
        return solver_.solve(*preconditioner_, b_, x_, {options_.tolerance, 100000});
    }

    // Runs launches until shaders are compiled and a GPU, idle during the set-up on the host, has
    // its full clock rate.
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
    TimedDevice* timed_;  // or null
    const DistributedMesh& mesh_;
    const PoissonProblem& problem_;
    const PoissonOptions& options_;
    const std::string& precision_;
    RowMatrix<Real> matrix_;
    ConjugateGradients<Real> solver_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    Buffer<Real> b_, x_;
};

// The last result, with the median times of all.
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

Rival hypre(const Communicator& comm, const DistributedMesh& mesh, const PoissonProblem& problem,
            const PoissonOptions& options, int aggressive) {
    const HaloPlan& halo = mesh.halo(problem.kind);
    HypreResult r = solve_with_hypre(comm, mesh.range(problem.kind), halo, problem,
                                     {options.tolerance, aggressive});
    r.x.resize(mesh.range(problem.kind).all);
    return {aggressive ? "hypre, one aggressive level" : "hypre", r.iterations, r.setup_seconds,
            r.solve_seconds, true_residual(comm, halo, problem, r.x)};
}

Row row_of(const PoissonOptions& options, const std::string& precision, const PoissonResult& r,
           const TimedDevice* timed) {
    Row row{{"solver", "solenoid"},
            {"on", options.on},
            {"unknowns", r.unknowns},
            {"precision", precision},
            {"preconditioner", options.preconditioner},
            {"iterations", r.report.iterations},
            {"converged", r.report.converged()},
            {"setup_seconds", r.setup_seconds},
            {"solve_seconds", r.solve_seconds},
            {"transport", r.transport},
            {"exchanges", r.traffic.exchanges},
            {"messages", r.traffic.messages},
            {"message_bytes", r.traffic.bytes},
            {"sums", r.traffic.sums},
            {"true_residual", r.true_residual},
            {"operator_complexity", r.operator_complexity},
            {"bytes", r.bytes}};
    row["levels"] = Row::array();
    for (const LevelSummary& level : r.levels)
        row["levels"].push_back({{"rows", level.rows},
                                 {"nonzeros", level.nonzeros},
                                 {"ranks", level.ranks},
                                 {"bytes", level.bytes}});
    for (const KernelTime& t : timed ? timed->times() : std::vector<KernelTime>{})
        row["kernels"].push_back({{"kernel", t.kernel},
                                  {"entities", t.entities},
                                  {"launches", t.launches},
                                  {"seconds", t.seconds},
                                  {"bytes", t.bytes}});
    return row;
}

Row row_of(const PoissonOptions& options, const Rival& other, const PoissonResult& ours) {
    return {{"solver", other.name},
            {"on", options.on},
            {"unknowns", ours.unknowns},
            {"precision", "double"},
            {"iterations", other.iterations},
            {"setup_seconds", other.setup_seconds},
            {"solve_seconds", other.solve_seconds},
            {"true_residual", other.true_residual},
            {"solve_ratio", other.solve_seconds / ours.solve_seconds},
            {"total_ratio", (other.setup_seconds + other.solve_seconds) /
                                (ours.setup_seconds + ours.solve_seconds)}};
}

void print_levels(const PoissonResult& r) {
    for (std::size_t k = 0; k < r.levels.size(); ++k) {
        const LevelSummary& level = r.levels[k];
        log::info("  level {}   {:>10} rows  {:>12} nonzeros  {:>6} ranks  {:>9.1f} MB", k,
                  level.rows, level.nonzeros, level.ranks, double(level.bytes) / 1e6);
    }
}

// Prints the times of the kernels of the last solve.
void print_kernels(const TimedDevice& device) {
    log::info("  launches  microseconds    GB/s    entities  kernel");
    for (const KernelTime& t : device.times())
        log::info("{:>10} {:>13.1f} {:>7.0f}  {:>10}  {}", t.launches,
                  t.seconds / double(t.launches) * 1e6, t.bytes / t.seconds / 1e9, t.entities,
                  t.kernel);
}

Kind kind_named(const std::string& on) {
    return on == "cells" ? Kind::cell : on == "nodes" ? Kind::node : Kind::edge;
}

class PoissonBenchmark : public Benchmark {
  public:
    std::string name() const override { return "poisson"; }
    std::string help() const override {
        return "one linear solve on a box or a mesh file, compared with hypre's if asked for";
    }
    std::string size_help() const override { return "cells of an unstructured box of tets"; }
    std::vector<Index> default_sizes() const override { return {40000}; }
    std::vector<std::string> precisions() const override { return {"single", "double", "mixed"}; }

    void add_options(CLI::App& command) override {
        command.add_option("--on", options_.on, "entities of the unknowns")
            ->required()
            ->check(CLI::IsMember({"cells", "nodes", "edges"}));
        command.add_option("--mesh", options_.mesh, "a Gmsh file")
            ->type_name("FILE")
            ->excludes(command.get_option("--size"));
        command
            .add_option("--preconditioner", options_.preconditioner, "of the conjugate gradients")
            ->check(CLI::IsMember(preconditioner_names()))
            ->capture_default_str();
        command
            .add_option("--tolerance", options_.tolerance,
                        "of the residual, relative to the right-hand side")
            ->check(CLI::Range(1e-15, 1.0))
            ->capture_default_str();
        command
            .add_option("--smoothing", options_.multigrid.smoothing,
                        "steps of the smoother, before and after")
            ->check(CLI::Range(1, 4))
            ->capture_default_str();
        command
            .add_option("--strength", options_.multigrid.strength,
                        "of couplings that make aggregates")
            ->check(CLI::Range(0.0, 1.0))
            ->capture_default_str();
        command
            .add_option("--rows-a-rank", options_.multigrid.rows_a_rank,
                        "a level with fewer is gathered on fewer ranks; 0: chosen by the device")
            ->capture_default_str();
        command
            .add_option("--rows-a-message", options_.multigrid.rows_a_message,
                        "rows of other ranks that a level computes to save a message; 1: none, 0: "
                        "as --rows-a-rank")
            ->capture_default_str();
        command
            .add_option(
                "--most-replicas", options_.multigrid.most_replicas,
                "what one rank would do alone all do, where they are no more; 0: one does it")
            ->capture_default_str();
        command
            .add_option("--against", options_.against, "also solve the system with this program")
            ->check(CLI::IsMember({"hypre"}));
        command.add_flag(
            "--kernels", options_.kernels,
            "print the time of each kernel of the (last) solve, each waiting for the one before");
    }

    void run(const Session& session) override {
        std::unique_ptr<Device> device = session.device();
        TimedDevice* timed = nullptr;
        if (options_.kernels) {
            auto wrapped = std::make_unique<TimedDevice>(std::move(device));
            timed = wrapped.get();
            device = std::move(wrapped);
        }
        session.comm.agree([&] {
            if (!options_.against.empty()) require_hypre();
        });
        if (!options_.mesh.empty())
            return solve_on(session, *device, timed,
                            distribute(session.comm, mesh_of_file(session.comm, options_.mesh)));
        for (Index size : session.settings.sizes)
            solve_on(session, *device, timed, distribute(session.comm, box_of(session.comm, size)));
    }

  private:
    void solve_on(const Session& session, Device& device, TimedDevice* timed,
                  const DistributedMesh& mesh) const {
        const PoissonProblem problem = poisson_problem(session.comm, mesh, kind_named(options_.on));
        const std::string& precision = session.settings.precision;
        const auto ours = [&]<class Real>() {
            return PoissonSolve<Real>(session.comm, device, timed, mesh, problem, options_,
                                      precision)
                .run();
        };
        std::vector<PoissonResult> results;
        std::array<std::vector<Rival>, 2> rivals;
        for (int repeat = 0; repeat < session.settings.repeats; ++repeat) {
            results.push_back(session.is_double() ? ours.template operator()<double>()
                                                  : ours.template operator()<float>());
            for (int aggressive = 0; aggressive < 2 && !options_.against.empty(); ++aggressive)
                rivals[aggressive].push_back(
                    hypre(session.comm, mesh, problem, options_, aggressive));
        }
        const PoissonResult result = with_median_times(results);
        session.results.add(row_of(options_, precision, result, timed));
        for (const auto& runs : rivals)
            if (!runs.empty())
                session.results.add(row_of(options_, with_median_times(runs), result));
        print_levels(result);
        if (timed) print_kernels(*timed);
        session.comm.agree([&] {
            if (!result.report.converged())
                throw ComputationError("the solve " + result.report.explanation());
        });
    }

    PoissonOptions options_;
};

}  // namespace

Benchmark& poisson() {
    static PoissonBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
