// Cost of an iteration of conjugate gradients with Jacobi's preconditioner, for the systems of heat
// (nodes), pressure (cells), momentum (cell vectors) and stream function (edges).
#include "solvers/krylov/cg.hpp"

#include "bench/bench_meshes.hpp"
#include "bench/benchmark.hpp"
#include "bench/poisson_problem.hpp"
#include "bench/timing.hpp"
#include "parallel/slices/distribute.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid::bench {
namespace {

class CgBenchmark : public Benchmark {
  public:
    std::string name() const override { return "cg"; }
    std::string help() const override {
        return "an iteration of conjugate gradients with Jacobi's preconditioner";
    }
    std::string size_help() const override { return "cells of an unstructured box"; }
    std::vector<Index> default_sizes() const override { return {5000, 20000, 100000}; }
    void add_options(CLI::App& command) override {
        command
            .add_option("--on", on_, "systems: heat's, pressure's, momentum's, stream function's")
            ->type_name("nodes,cells,momentum,edges")
            ->delimiter(',')
            ->check(CLI::IsMember({"nodes", "cells", "momentum", "edges"}));
        command
            .add_option("--dimension", dimension_,
                        "3: tets, 2: triangles, where the stream function is nodes'")
            ->check(CLI::IsMember({2, 3}))
            ->capture_default_str();
        command.add_option("--iterations", iterations_, "of a measurement, at most")
            ->check(CLI::Range(1, 100000))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (Index size : session.settings.sizes) {
            const DistributedMesh mesh =
                distribute(session.comm, box_of(session.comm, size, dimension_));
            for (const std::string& on : on_)
                if (on != "edges" || dimension_ == 3)
                    session.is_double() ? measure<double>(session, *device, mesh, on)
                                        : measure<float>(session, *device, mesh, on);
        }
    }

  private:
    template <class Real>
    void measure(const Session& session, Device& device, const DistributedMesh& mesh,
                 const std::string& on) const {
        const bool is_momentum = on == "momentum";
        const PoissonProblem problem = is_momentum ? momentum_problem(mesh, mesh.mesh.dimension)
                                                   : poisson_problem(session.comm, mesh,
                                                                     on == "cells"   ? Kind::cell
                                                                     : on == "nodes" ? Kind::node
                                                                                     : Kind::edge);
        const int columns = is_momentum ? mesh.mesh.dimension : 1;
        const EntityRanges& ranges = mesh.range(problem.kind);
        const std::unique_ptr<System<Real>> system =
            system_of<Real>(session.comm, device, mesh, problem, columns);
        ConjugateGradients<Real> solver(session.comm, *system->matrix);
        DiagonalPreconditioner<Real> jacobi(*system->inverse);
        const std::vector<Preconditioner<Real>*> preconditioners(columns, &jacobi);
        std::vector<Real> rhs(std::size_t(ranges.all) * columns, Real(0));
        for (int k = 0; k < columns; ++k)
            std::copy(problem.rhs.begin(), problem.rhs.end(),
                      rhs.begin() + std::ptrdiff_t(k) * ranges.all);
        const Buffer<Real> b = device.buffer<Real>(std::span<const Real>(rhs), columns);
        Buffer<Real> x = device.buffer<Real>(ranges.all, columns);
        const std::vector<Real> zero(rhs.size(), Real(0));
        SolveReport last;
        const CgSettings settings{.tolerance = is_double_precision<Real> ? 1e-10 : 1e-4,
                                  .max_iterations = iterations_};
        const Timing t =
            Timer(session.comm, device, session.settings.repeats)
                .of_each([&] { x.upload(zero); },
                         [&] { last = slowest(solver.solve(preconditioners, b, x, settings)); });
        add(session, mesh, problem, on, columns, last.iterations, t);
    }

    void add(const Session& session, const DistributedMesh& mesh, const PoissonProblem& problem,
             const std::string& on, int columns, int iterations, const Timing& t) const {
        const double entities = double(mesh.global_count[static_cast<int>(problem.kind)]),
                     one = t.seconds / std::max(1, iterations);
        session.results.add({{"on", on},
                             {"dimension", dimension_},
                             {"precision", session.settings.precision},
                             {"cells", mesh.global_count[3]},
                             {"faces", mesh.global_count[2]},
                             {"entities", entities},
                             {"columns", columns},
                             {"iterations", iterations},
                             {"seconds", t.seconds},
                             {"spread", t.relative_quartiles},
                             {"seconds_per_iteration", one},
                             {"seconds_per_iteration_and_unknown", one / (entities * columns)}});
    }

    template <class Real>
    static constexpr bool is_double_precision = sizeof(Real) == 8;

    template <class Real>
    struct System {
        std::unique_ptr<LinearOperator<Real>> matrix;
        const Buffer<Real>* inverse;
        Buffer<Real> own_inverse;
    };
    // The system in rows with their diagonal or, for several columns, as differences with a shift.
    template <class Real>
    static std::unique_ptr<System<Real>> system_of(const Communicator& comm, Device& device,
                                                   const DistributedMesh& mesh,
                                                   const PoissonProblem& problem, int columns) {
        const EntityRanges& ranges = mesh.range(problem.kind);
        const HaloPlan& halo = mesh.halo(problem.kind);
        auto system = std::make_unique<System<Real>>();
        if (columns == 1) {
            auto matrix =
                std::make_unique<RowMatrix<Real>>(comm, device, ranges, halo, problem.matrix);
            matrix->fix(problem.fixed);
            system->inverse = &matrix->inverse_diagonal();
            system->matrix = std::move(matrix);
            return system;
        }
        const Differences given = differences_of(problem.matrix);
        auto matrix = std::make_unique<GraphLaplacian<Real>>(
            comm, device, ranges, halo, given.neighbours, given.weights, columns);
        const std::vector<Real> shift = padded<Real>(given.shift, matrix->shift().size()),
                                inverse = padded<Real>(given.inverse, ranges.all);
        matrix->shift().upload(shift);
        system->own_inverse = device.buffer<Real>(std::span<const Real>(inverse));
        system->inverse = &system->own_inverse;
        system->matrix = std::move(matrix);
        return system;
    }
    template <class Real>
    static std::vector<Real> padded(const std::vector<double>& values, Index size) {
        std::vector<Real> result(values.begin(), values.end());
        result.resize(size);
        return result;
    }

    std::vector<std::string> on_{"nodes", "cells", "momentum", "edges"};
    int dimension_ = 3, iterations_ = 200;
};

}  // namespace

Benchmark& cg() {
    static CgBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
