// Time steps of the lid-driven cavity in a box, by both methods.
#include "bench/bench_meshes.hpp"
#include "bench/benchmark.hpp"
#include "bench/box_flow.hpp"
#include "bench/timing.hpp"
#include "core/timer.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::bench {
namespace {

class StepBenchmark : public Benchmark {
  public:
    std::string name() const override { return "step"; }
    std::string help() const override {
        return "a step of the lid-driven cavity, by the exact and the classical method";
    }
    std::string size_help() const override { return "cells of an unstructured box"; }
    std::vector<Index> default_sizes() const override { return {20000}; }
    std::vector<std::string> precisions() const override { return {"single", "double", "mixed"}; }
    void add_options(CLI::App& command) override {
        command.add_option("--method", methods_, "projection method")
            ->type_name("exact,classical")
            ->delimiter(',')
            ->check(CLI::IsMember({"exact", "classical"}));
        command.add_option("--dimension", dimension_, "3: tets, 2: triangles")
            ->check(CLI::IsMember({2, 3}))
            ->capture_default_str();
        command.add_option("--steps", steps_, "each of them measured, after two for warm-up")
            ->check(CLI::Range(1, 100000))
            ->capture_default_str();
        command.add_option("--tolerance", tolerance_, "of all solves")
            ->check(CLI::Range(1e-15, 0.1))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (Index size : session.settings.sizes) {
            const DistributedMesh mesh =
                distribute(session.comm, box_of(session.comm, size, dimension_));
            const Domain domain(session.comm, *device, mesh);
            for (const std::string& method : methods_)
                session.is_double() ? measure<double>(session, domain, method)
                                    : measure<float>(session, domain, method);
        }
    }

  private:
    template <class Real>
    void measure(const Session& session, const Domain& domain, const std::string& method) const {
        FlowCase flow =
            cavity(domain.mesh.mesh, sizeof(Real) == 8 ? tolerance_ : std::max(tolerance_, 1e-5));
        flow.flow.method = method;
        for (SolverSettings* solver :
             {&flow.solvers.stream_function, &flow.solvers.pressure, &flow.solvers.momentum})
            solver->is_mixed = session.settings.precision == "mixed";
        domain.comm.barrier();
        Stopwatch watch;
        const std::unique_ptr<FlowSolver> solver = make_flow_solver<Real>(domain, flow);
        const double setup = domain.comm.max(watch.seconds()), length = length_of(domain.mesh);
        constexpr int untimed = 2;
        for (int k = 0; k < untimed; ++k) solver->step(length);
        const auto before = solver->solves();
        std::vector<double> seconds;
        for (int k = 0; k < steps_; ++k) {
            domain.device.finish();
            domain.comm.barrier();
            watch.restart();
            solver->step(length);
            domain.device.finish();
            seconds.push_back(domain.comm.max(watch.seconds()));
        }
        add(session, domain.mesh, method, setup, timing_of(seconds), before, solver->solves());
    }

    // The time step in which a lid at 1 m/s passes half a cell [s].
    double length_of(const DistributedMesh& mesh) const {
        return 0.5 * std::pow(double(mesh.global_count[3]), -1.0 / dimension_);
    }

    using Solves = std::vector<std::pair<std::string, SolveTotals>>;
    void add(const Session& session, const DistributedMesh& mesh, const std::string& method,
             double setup, const Timing& t, const Solves& before, const Solves& after) const {
        Row row{{"method", method},
                {"dimension", dimension_},
                {"precision", session.settings.precision},
                {"cells", mesh.global_count[3]},
                {"faces", mesh.global_count[2]},
                {"setup_seconds", setup},
                {"seconds", t.seconds},
                {"spread", t.relative_quartiles},
                {"seconds_per_cell", t.seconds / double(mesh.global_count[3])}};
        for (std::size_t k = 0; k < after.size(); ++k) {
            const double iterations = double(after[k].second.iterations -
                                             (k < before.size() ? before[k].second.iterations : 0));
            row["iterations_" + after[k].first] = iterations / steps_;
        }
        session.results.add(row);
    }

    std::vector<std::string> methods_{"exact", "classical"};
    int dimension_ = 3, steps_ = 10;
    double tolerance_ = 1e-6;
};

}  // namespace

Benchmark& step() {
    static StepBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
