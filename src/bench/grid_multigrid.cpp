// Geometric multigrid on structured grids: factors, iterations and errors that its page promises,
// and the measurements of Goodnight et al. and of Bolz et al. (both 2003).
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/error.hpp"
#include "device/any_above.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/timed_device.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/stencil/mapped_grid.hpp"
#include "solvers/krylov/cg.hpp"

namespace solenoid::bench {
namespace {

constexpr int cycles_of_a_factor = 13;  // before the smallest residuals round to zero

// A grid, and what it is good for, of one size, precision and device.
template <class Real>
class GridMeasurements {
  public:
    GridMeasurements(const Session& session, Device& device, int n)
        : session_(session), device_(device), n_(n) {}

    void factors() const {
        struct Case {
            const char* name;
            SideCondition side;
            bool is_periodic;
        };
        for (const auto& [name, side, is_periodic] :
             {Case{"given values", {1, 0, nullptr}, false},
              {"periodic", {1, 0, nullptr}, true},
              {"exchange (Robin)", {1, 1, nullptr}, false}}) {
            const int n = is_periodic ? n_ - 1 : n_;
            const Grid<Real> on = grid({n, n, is_periodic, is_periodic});
            BoundaryValues problem = unit_square();
            problem.sides.fill(side);
            auto system = assemble(on, problem);
            GridMultigrid<Real> multigrid(system.matrix, &system.kept);
            factors_of(name, multigrid, system.is_singular, {});
            if (is_periodic || side.beta != 0) continue;
            GridMultigrid<Real> again(
                system.matrix, &system.kept,
                [&](const Grid<Real>& coarse, int level) -> std::optional<Stencil<Real>> {
                    const auto there = coarser(problem, on.layout().extents(), level);
                    if (!there) return std::nullopt;
                    return std::move(assemble(coarse, *there).matrix);
                });
            factors_of("discretized again", again, false, {});
        }
        const Grid<Real> on = grid({n_, n_}, GridBlocks::Uncut::x);
        BoundaryValues problem = unit_square();
        problem.hy = 20 * problem.hx;
        auto system = assemble(on, problem);
        GridMultigrid<Real> multigrid(system.matrix, &system.kept);
        factors_of("cells 1 : 20, lines", multigrid, false, {.smoother = GridSmoother::lines_x});
    }

    void jumps() const {
        const auto blocks = [](int count) {
            return [count](double x, double y) {
                return (static_cast<int>(x * count) + static_cast<int>(y * count)) % 2 ? 1e3 : 1.0;
            };
        };
        const auto random = [](int count) {
            return [count](double x, double y) {
                std::mt19937 generator(static_cast<unsigned>(x * count) * 65537u +
                                       static_cast<unsigned>(y * count));
                return std::pow(10, std::uniform_real_distribution<double>(0, 3)(generator));
            };
        };
        struct Case {
            std::string name;
            PlaneFunction conductivity;
        };
        const std::vector<Case> cases{
            {"blocks of 1/8", blocks(8)},
            {"blocks of 1/16", blocks(16)},
            {"circular inclusion",
             [](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1e3 : 1.0; }},
            {"blocks of 1/7", blocks(7)},
            {"random cells of 1/16", random(16)},
            {"random cells of the grid", random(n_ - 1)}};
        for (const auto& [name, conductivity] : cases) {
            const Grid<Real> on = grid({n_, n_});
            BoundaryValues problem = unit_square();
            problem.conductivity = conductivity;
            auto system = assemble(on, problem);
            Buffer<Real> b = on.field_of([](int i, int j) { return noise(i, j); });
            Over(device_, on.layout().nodes())[b] = b * system.matrix.marker();
            for (const int coarse_cycles : {1, 2})
                iterations(name, on, system, b, {.coarse_cycles = coarse_cycles});
        }
    }

    void full() const {
        using std::numbers::pi;
        const Grid<Real> on = grid({n_, n_});
        const auto exact = [](double x, double y) {
            return std::sin(3 * pi * x) * std::sin(2 * pi * y);
        };
        BoundaryValues problem = unit_square();
        problem.source = [&](double x, double y) { return 13 * pi * pi * exact(x, y); };
        auto system = assemble(on, problem);
        GridMultigrid<Real> multigrid(system.matrix, &system.kept);
        const Buffer<Real> expected =
            on.field_of([&](int i, int j) { return exact(i * problem.hx, j * problem.hy); });
        Buffer<Real> u = on.field(), difference = on.field();
        const auto error = [&] {
            Over(device_, on.layout().nodes())[difference] = u - expected;
            return on.greatest(system.matrix.marker(), difference);
        };
        const Timer timer(session_.comm, device_, session_.settings.repeats);
        std::vector<std::pair<double, double>> errors;
        for (const int cycles : {1, 2}) {
            const Timing t = timer.of_each(
                [] {}, [&] { multigrid.solve_full(system.right_hand_side, u, {}, cycles); });
            errors.emplace_back(error(), t.seconds);
        }
        multigrid.solve(system.right_hand_side, u, {}, 0, 12);
        const double discrete = error();
        for (int cycles = 1; cycles <= 2; ++cycles) {
            const auto& [found, seconds] = errors[cycles - 1];
            Row row = head("full multigrid");
            row["cycles_a_level"] = cycles;
            row["error"] = found;
            row["of_discrete_error"] = found / discrete;
            row["seconds"] = seconds;
            session_.results.add(row);
        }
    }

    // Potential flow round a cylinder and a profile of Joukowski's, in n - 1 x n nodes round it.
    void mapped() const {
        using Complex = std::complex<double>;
        const int m = n_ - 1;
        for (const bool is_profile : {false, true}) {
            const double radius = is_profile ? 1.12 : 1, outer = is_profile ? 8 * radius : 4;
            const Complex centre =
                is_profile ? Complex(1.05 - std::sqrt(radius * radius - 0.01), 0.1) : Complex(0);
            const auto before_mapping = [&](int i, int j) {
                const double share = double(j) / m;
                const double r = is_profile ? radius * std::pow(outer / radius, share)
                                            : radius + (outer - radius) * share;
                return centre + std::polar(r, -2 * std::numbers::pi * i / m);
            };
            const auto stream_function = [&](Complex zeta) {
                const Complex w = zeta - centre, attack = std::polar(1.0, -0.1);
                return (w * attack + radius * radius / w / attack +
                        Complex(0, 0.25) * std::log(w / radius))
                    .imag();
            };
            MappedBoundaryValues problem;
            problem.position = [&](int i, int j) {
                const Complex zeta = before_mapping(i, j),
                              z = is_profile ? zeta + 1.0 / zeta : zeta;
                return std::array{z.real(), z.imag()};
            };
            problem.sides[north].gamma = [&](double x, double y) {
                const Complex z(x, y), root = std::sqrt(z * z - 4.0), one = (z + root) / 2.0,
                                       two = (z - root) / 2.0;
                if (!is_profile) return stream_function(z);
                return stream_function(std::abs(one - centre) > std::abs(two - centre) ? one : two);
            };
            const Grid<Real> on = grid({m, n_, true, false}, GridBlocks::Uncut::y);
            auto system = assemble(on, problem);
            const Buffer<Real> exact =
                on.field_of([&](int i, int j) { return stream_function(before_mapping(i, j)); });
            for (const GridSmoother smoother : {GridSmoother::lines_y, GridSmoother::lines}) {
                Buffer<Real> u = iterations(is_profile ? "profile" : "cylinder", on, system,
                                            system.right_hand_side, {.smoother = smoother}, &exact);
            }
        }
    }

    // Goodnight's figure 2 and 6: one sweep of red-black Gauss-Seidel.
    void sweeps() const {
        const int n = n_ - 1;
        for (const bool is_periodic : {false, true}) {
            const Grid<Real> on = grid({n, n, is_periodic, is_periodic});
            Stencil<Real> matrix(on, on.marker(), {4, -1, -1});
            Buffer<Real> u = on.field_of(noise), b = on.field(), scratch = on.field();
            time_sweep(is_periodic ? "quarters, ghosts" : "quarters, not periodic",
                       [&] { matrix.relax(b, u, scratch, false); });
            if (!is_periodic || session_.comm.size() > 1) continue;
            const Buffer<Real> black = on.field_of([](int i, int j) { return (i + j) % 2; });
            const GridLayout& layout = on.layout();
            for (const bool is_stored : {true, false}) {
                Buffer<Real>*from = &u, *to = &scratch;
                time_sweep(
                    is_stored ? "one kernel, colours stored" : "one kernel, colours computed", [&] {
                        for (const std::uint32_t colour : {0u, 1u}) {
                            kernels::GridRelaxGeneral<Real>{
                                .black = black,
                                .b = b,
                                .u = *from,
                                .value = *to,
                                .pitch = static_cast<std::uint32_t>(layout.pitch()),
                                .quarter = static_cast<std::uint32_t>(layout.quarter_size()),
                                .nx = static_cast<std::uint32_t>(n),
                                .ny = static_cast<std::uint32_t>(n),
                                .colour = colour,
                                .is_stored = is_stored ? 1u : 0u}
                                .run(device_, layout.nodes());
                            std::swap(from, to);
                        }
                    });
            }
        }
    }

    // Goodnight's figures 3 and 7: V-cycles of 8 sweeps, and what a test of convergence costs.
    void cycles() const {
        const Grid<Real> on = grid({n_, n_});
        auto system = assemble(on, unit_square());
        GridMultigrid<Real> multigrid(system.matrix, &system.kept);
        Buffer<Real> u = on.field_of(noise), r = on.field();
        Over(device_, on.layout().nodes())[u] = u * system.matrix.marker();
        const Buffer<Real> zero = on.field();
        const Timer timer(session_.comm, device_, session_.settings.repeats);
        const auto add = [&](const char* name, const std::function<void()>& call) {
            const Timing t = timer.of(call);
            Row row = head(name);
            row["seconds"] = t.seconds;
            row["spread"] = t.relative_quartiles;
            session_.results.add(row);
        };
        add("V(8,8) cycle", [&] { multigrid.cycle(zero, u, {.before = 8, .after = 8}); });
        add("V(1,1) cycle", [&] { multigrid.cycle(zero, u, {}); });
        system.matrix.subtract_from(system.right_hand_side, u, r);
        const Range nodes = on.layout().nodes();
        bool is_above = false;
        add("test on the device", [&] { is_above = any_above(device_, r, nodes, 1e30); });
        add("test by a reduction",
            [&] { is_above = Over(device_, nodes).greatest(abs(r)) > 1e30; });
        add("test read back", [&] {
            const std::vector<Real> values = r.download();
            is_above = std::any_of(values.begin(), values.end(),
                                   [](Real value) { return std::abs(value) > Real(1e30); });
        });
        if (is_above) throw ComputationError("a residual of noise is beyond 1e30");
    }

    // Bolz' table: kernels of a nine-point operator, and cycles a second.
    void kernels_of_bolz() const {
        TimedDevice timed(session_.device());
        const Grid<Real> on(session_.comm, timed, GridBlocks({n_, n_}, session_.comm.size()));
        MappedBoundaryValues problem;  // sheared a little, so that no coefficient is zero
        problem.position = [&](int i, int j) { return std::array{i + 0.1 * j, double(j)}; };
        auto system = assemble(on, problem);
        GridMultigrid<Real> multigrid(system.matrix, &system.kept);
        Buffer<Real> u = on.field(), v = on.field();
        const Buffer<Real> zero = on.field();
        for (const bool is_measured : {false, true}) {
            timed.forget();
            for (int k = 0; k < (is_measured ? 20 : 2); ++k) {
                system.matrix.apply(u, v);
                multigrid.cycle(zero, u, {});
            }
        }
        std::map<std::string, std::pair<Index, double>> largest;  // by kernel
        for (const KernelTime& t : timed.times()) {
            auto& [entities, seconds] = largest[t.kernel];
            if (t.entities < entities) continue;
            entities = t.entities;
            seconds = t.seconds / double(t.launches);
        }
        struct Part {
            const char *name, *kernel;
            int launches;  // for a grid
        };
        for (const auto& [name, kernel, launches] :
             {Part{"product, nine points", "stencil_residual_nine", 4},
              {"projection", "multigrid_restrict", 1},
              {"interpolation", "multigrid_correct", 4}}) {
            Row row = head(name);
            row["seconds"] = largest[kernel].second * launches;
            session_.results.add(row);
        }
        Device& device = device_;
        const Grid<Real> free(session_.comm, device, GridBlocks({n_, n_}, session_.comm.size()));
        auto same = assemble(free, problem);
        GridMultigrid<Real> plain(same.matrix, &same.kept);
        Buffer<Real> x = free.field();
        const Buffer<Real> none = free.field();
        const Timer timer(session_.comm, device, session_.settings.repeats);
        const Timing t = timer.of([&] { plain.cycle(none, x, {}); });
        Row row = head("V(1,1) cycle, nine points");
        row["seconds"] = t.seconds;
        row["a_second"] = 1 / t.seconds;
        session_.results.add(row);
    }

  private:
    static double noise(int i, int j) {
        std::uint32_t bits = static_cast<std::uint32_t>(i) * 2654435761u +
                             static_cast<std::uint32_t>(j) * 40503u + 12345u;
        for (int k = 0; k < 2; ++k) {
            bits ^= bits >> 16;
            bits *= 2246822519u;
            bits ^= bits >> 13;
        }
        return bits / 2147483648.0 - 1;
    }
    Grid<Real> grid(const GridExtents& extents,
                    GridBlocks::Uncut uncut = GridBlocks::Uncut::neither) const {
        return Grid<Real>(session_.comm, device_, GridBlocks(extents, session_.comm.size(), uncut));
    }
    BoundaryValues unit_square() const {
        BoundaryValues problem;
        problem.hx = problem.hy = 1.0 / (n_ - 1);
        return problem;
    }
    Row head(const std::string& name) const {
        return {{"measured", name}, {"size", n_}, {"precision", session_.settings.precision}};
    }

    void factors_of(const char* name, GridMultigrid<Real>& multigrid, bool is_singular,
                    GridCycle settings) const {
        const Grid<Real>& on = multigrid.matrix(0).grid();
        const Buffer<Real>& marker = multigrid.matrix(0).marker();
        const Buffer<Real> zero = on.field();
        for (const bool is_reversed : {false, true})
            for (const int coarse_cycles : {1, 2}) {
                settings.coarse_cycles = coarse_cycles;
                settings.is_reversed = is_reversed;
                Buffer<Real> u = on.field_of(noise);
                Over(device_, on.layout().nodes())[u] = u * marker;
                if (is_singular) on.remove_mean(marker, u);
                const auto report = multigrid.solve(zero, u, settings, 0, cycles_of_a_factor);
                const double last = report.residuals.back(),
                             before = report.residuals[report.residuals.size() - 6];
                const Timer timer(session_.comm, device_, session_.settings.repeats);
                const Timing t = timer.of_each([] {}, [&] { multigrid.cycle(zero, u, settings); });
                Row row = head(name);
                row["cycle"] = std::string(coarse_cycles == 1 ? "V(1,1)" : "W(1,1)") +
                               (is_reversed ? ", reversed" : "");
                row["factor"] = std::pow(last / before, 1.0 / 5);
                row["seconds"] = t.seconds;
                session_.results.add(row);
            }
    }

    Buffer<Real> iterations(const std::string& name, const Grid<Real>& on,
                            BoundaryValueSystem<Real>& system, const Buffer<Real>& b,
                            const GridCycle& settings, const Buffer<Real>* exact = nullptr) const {
        GridMultigrid<Real> multigrid(system.matrix, &system.kept);
        GridPreconditioner<Real> preconditioner(multigrid, settings);
        ConjugateGradients<Real> cg(session_.comm, system.matrix);
        cg.prepare(preconditioner);
        Buffer<Real> u = on.field();
        SolveReport report;
        const Timer timer(session_.comm, device_, session_.settings.repeats);
        const double tolerance = session_.is_double() ? 1e-8 : 1e-5;
        const Timing t = timer.of_each(
            [&] {
                Over(device_, Range{0, u.size()})[u] = 0.0 * u;
            },
            [&] {
                report =
                    cg.solve(preconditioner, b, u, {.tolerance = tolerance, .max_iterations = 200});
            });
        Row row = head(name);
        row["cycle"] = settings.coarse_cycles == 1 ? "V(1,1)" : "W(1,1)";
        if (settings.smoother != GridSmoother::colours)
            row["smoother"] = settings.smoother == GridSmoother::lines ? "lines" : "lines outward";
        row["iterations"] = report.iterations;
        row["has_converged"] = report.converged();
        if (exact) {
            Buffer<Real> difference = on.field();
            Over(device_, on.layout().nodes())[difference] = u - *exact;
            row["error"] = on.greatest(system.matrix.marker(), difference);
        }
        row["seconds"] = t.seconds;
        session_.results.add(row);
        return u;
    }

    void time_sweep(const char* name, const std::function<void()>& sweep) const {
        const Timer timer(session_.comm, device_, session_.settings.repeats);
        const Timing t = timer.of(sweep);
        Row row = head(name);
        row["seconds"] = t.seconds;
        row["spread"] = t.relative_quartiles;
        session_.results.add(row);
    }

    const Session& session_;
    Device& device_;
    const int n_;
};

class GridBenchmark : public Benchmark {
  public:
    std::string name() const override { return "grid"; }
    std::string help() const override {
        return "geometric multigrid on structured grids: factors, iterations, errors and times";
    }
    std::string size_help() const override { return "nodes in each direction of a square grid"; }
    std::vector<Index> default_sizes() const override { return {257, 1025}; }
    void add_options(CLI::App& command) override {
        command.add_option("--of", parts_, "what is measured")
            ->delimiter(',')
            ->check(CLI::IsMember(
                {"factors", "jumps", "full", "mapped", "sweeps", "cycles", "kernels"}))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        session.comm.agree([&] {
            for (const Index size : session.settings.sizes)
                if (size < 9 || size > 20000)
                    throw InputError("--size", "from 9 to 20000 nodes in each direction");
        });
        const std::unique_ptr<Device> device = session.device();
        for (const std::string& part : parts_)
            for (const Index size : session.settings.sizes)
                session.is_double()
                    ? measure(part, GridMeasurements<double>(session, *device, size))
                    : measure(part, GridMeasurements<float>(session, *device, size));
    }

  private:
    template <class Real>
    static void measure(const std::string& part, const GridMeasurements<Real>& grid) {
        if (part == "factors") grid.factors();
        if (part == "jumps") grid.jumps();
        if (part == "full") grid.full();
        if (part == "mapped") grid.mapped();
        if (part == "sweeps") grid.sweeps();
        if (part == "cycles") grid.cycles();
        if (part == "kernels") grid.kernels_of_bolz();
    }

    std::vector<std::string> parts_{"factors"};
};

}  // namespace

Benchmark& grid() {
    static GridBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
