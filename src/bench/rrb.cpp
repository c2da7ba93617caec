// Conjugate gradients with a repeated red-black factorization, and the measurements of the wave
// study (de Jong, van der Ploeg, Ditzel & Vuik): iterations on its problem (9) to a reduction of
// the residual's norm in M^-1 by 1e-5 from the zero guess (figure 7), and that system by other
// solvers, too; iterations of the frames of waves behind a ship (table 1); times of the routines
// (table 2), of the levels (table 3), and of copies with a stride (figure 9).
#include "grid/rrb/rrb_solver.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/benchmark.hpp"
#include "bench/square_problem.hpp"
#include "bench/timing.hpp"
#include "boussinesq/boussinesq_model.hpp"
#include "core/timer.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/timed_device.hpp"

namespace solenoid::bench {
namespace {

// Waters of 4800 m x 4800 m with a ship under way, as the study has a river, a bay and a harbour.
struct Water {
    const char* name;
    BoussinesqSettings::Field depth;  // [m]
    // of the ship: [m]; it goes from the one to the other and back
    double from_x, from_y, to_x, to_y;
};
std::vector<Water> waters() {
    const auto river = [](double x, double y) {
        const double middle = 2400 + 600 * std::sin(x / 700), off = (y - middle) / 180;
        return 6 * (1 - off * off);
    };
    const auto bay = [](double x, double y) {
        const bool is_island = std::hypot(x - 1700, y - 2900) < 250;
        const double coast = 900 + 500 * std::cos(y / 800);
        return is_island ? -1.0 : std::min(25.0, 0.008 * (x - coast) + 0.5 * std::sin(y / 90));
    };
    const auto harbour = [](double x, double y) {
        const bool is_mole = std::abs(x - 2400) < 20 && std::abs(y - 2400) > 200;
        const bool is_quay = x > 2800 && x < 4400 && std::fmod(y, 600.0) < 60 && y > 300;
        return is_mole || is_quay ? -1.0 : x < 2400 ? 18 : 12.0;
    };
    return {{"river", river, 600, 2853, 1500, 2905},
            {"bay", bay, 3000, 800, 3000, 4000},
            {"harbour", harbour, 700, 2400, 2200, 2400}};
}

class RrbBenchmark : public Benchmark {
  public:
    std::string name() const override { return "rrb"; }
    std::string help() const override {
        return "conjugate gradients with a repeated red-black factorization: iterations and times";
    }
    std::string size_help() const override { return "nodes in each direction of a square grid"; }
    std::vector<Index> default_sizes() const override { return {64, 128, 256, 512}; }
    void add_options(CLI::App& command) override {
        command
            .add_option("--last", last_nodes_, "nodes of the last level, solved exactly, at most")
            ->check(CLI::Range(1, 4096))
            ->capture_default_str();
        command.add_option("--of", parts_, "what is measured")
            ->delimiter(',')
            ->check(
                CLI::IsMember({"poisson", "solvers", "frames", "routines", "levels", "strides"}))
            ->capture_default_str();
        command
            .add_option("--tolerance", tolerance_,
                        "of the residual of each of the solvers, relative to the right-hand side")
            ->check(CLI::Range(1e-14, 0.1))
            ->capture_default_str();
        command.add_option("--frames", frames_, "frames of waves")
            ->check(CLI::Range(2, 1000000))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (const std::string& part : parts_)
            for (const Index size : session.settings.sizes)
                session.is_double()
                    ? measure<double>(part, session, *device, static_cast<int>(size))
                    : measure<float>(part, session, *device, static_cast<int>(size));
    }

  private:
    template <class Real>
    void measure(const std::string& part, const Session& session, Device& device, int n) const {
        if (part == "poisson") poisson<Real>(session, device, n);
        if (part == "solvers") compare_solvers(session, device, n, tolerance_);
        if (part == "frames") frames<Real>(session, device, n);
        if (part == "routines") routines<Real>(session, device, n);
        if (part == "levels") levels<Real>(session, n);
        if (part == "strides") strides<Real>(session, device, n);
    }

    // Figure 7.
    template <class Real>
    void poisson(const Session& session, Device& device, int n) const {
        const RankBlocks blocks(session.comm, n, n);
        RrbFactorization<Real> factorization(session.comm, device, blocks, last_nodes_);
        const ArrayShape& shape = factorization.array();
        const SquareProblem<Real> problem(blocks, shape);
        Buffer<Real> matrix = device.buffer<Real>(std::span<const Real>(problem.matrix), 3),
                     b = device.buffer<Real>(std::span<const Real>(problem.b)),
                     x = device.buffer<Real>(shape.size());
        const Timer timer(session.comm, device, session.settings.repeats);
        const Timing set_up = timer.of_each([] {}, [&] { factorization.factorize(matrix); });
        RrbSolver<Real> solver(session.comm, device, factorization);
        RrbReport last;
        const Timing solve =
            timer.of_each([] {}, [&] { last = solver.solve(b, x, {.from_zero = true}); });
        const double nodes = double(n) * n, one = solve.seconds / std::max(1, last.iterations);
        session.results.add({{"nodes", nodes},
                             {"precision", session.settings.precision},
                             {"levels", factorization.levels()},
                             {"iterations", last.iterations},
                             {"factorization", set_up.seconds},
                             {"seconds", solve.seconds},
                             {"spread", solve.relative_quartiles},
                             {"seconds_per_iteration", one},
                             {"seconds_per_iteration_and_node", one / nodes}});
    }

    // Table 1, on n x n nodes with as many frames of 1/20 s, or of nine tenths of the largest step.
    template <class Real>
    void frames(const Session& session, Device& device, int n) const {
        for (const Water& water : waters()) {
            BoussinesqSettings settings;
            settings.nx = settings.ny = n;
            settings.dx = settings.dy = 4800.0 / n;
            settings.x = settings.y = settings.dx / 2;
            settings.depth = water.depth;
            BoussinesqModel<Real> model(session.comm, device, settings);
            const double dt = std::min(0.05, 0.9 * model.largest_step());
            const auto nothing = [](double, double) { return 0.0; };
            model.start(dt, nothing, nothing);
            const double length = std::hypot(water.to_x - water.from_x, water.to_y - water.from_y),
                         along_x = (water.to_x - water.from_x) / length,
                         along_y = (water.to_y - water.from_y) / length;
            double iterations = 0, seconds = 0;
            int most = 0;
            std::vector<Real> pressure(model.array().size());
            for (int frame = 0; frame < frames_; ++frame) {
                const double way = std::fmod(5 * model.time(), 2 * length),  // 5 m/s
                    at = way < length ? way : 2 * length - way;
                set_ship(model, settings, pressure, water.from_x + at * along_x,
                         water.from_y + at * along_y, along_x, along_y);
                model.pressure().upload(pressure);
                device.finish();
                Stopwatch watch;
                const RrbReport report = model.step();
                device.finish();
                seconds += watch.seconds();
                iterations += report.iterations;
                most = std::max(most, report.iterations);
            }
            session.results.add({{"measured", water.name},
                                 {"nodes", double(n) * n},
                                 {"precision", session.settings.precision},
                                 {"frames", frames_},
                                 {"step_s", dt},
                                 {"iterations", iterations / frames_},
                                 {"most_iterations", most},
                                 {"seconds", session.comm.max(seconds) / frames_}});
        }
    }
    // The pressure over density of a ship 80 m long and 14 m wide, three nodes at least, of 4 m
    // draught.
    template <class Real>
    static void set_ship(const BoussinesqModel<Real>& model, const BoussinesqSettings& settings,
                         std::vector<Real>& pressure, double x, double y, double along_x,
                         double along_y) {
        std::fill(pressure.begin(), pressure.end(), Real(0));
        const RankBlocks::Block block = model.blocks().block(1);
        const double reach = std::max(60.0, 3 * settings.dx);
        const auto first = [&](double place, int start) {
            return std::max(0, static_cast<int>((place - reach) / settings.dx) - start);
        };
        const auto last = [&](double place, int start, int count) {
            return std::min(count, static_cast<int>((place + reach) / settings.dx) + 1 - start);
        };
        for (int j = first(y, block.y); j < last(y, block.y, block.height); ++j)
            for (int i = first(x, block.x); i < last(x, block.x, block.width); ++i) {
                const double dx = settings.x + (block.x + i) * settings.dx - x,
                             dy = settings.y + (block.y + j) * settings.dy - y;
                const double s = (dx * along_x + dy * along_y) / 40,
                             q = (dy * along_x - dx * along_y) / std::max(7.0, 1.5 * settings.dx);
                if (std::abs(s) < 1 && std::abs(q) < 1)
                    pressure[model.array().entry(i, j)] = static_cast<Real>(
                        settings.gravity * 4 * std::pow(1 - s * s, 2) * std::pow(1 - q * q, 2));
            }
    }

    // Of problem (9), factorized: what routines() and levels() call.
    template <class Real>
    struct Factorized {
        RankBlocks blocks;
        RrbFactorization<Real> factorization;
        Buffer<Real> p, q;

        Factorized(const Session& session, Device& device, int n, int last_nodes)
            : blocks(session.comm, n, n),
              factorization(session.comm, device, blocks, last_nodes),
              p(factorization.red_vector()),
              q(factorization.red_vector()) {
            const ArrayShape& shape = factorization.array();
            const SquareProblem<Real> problem(blocks, shape);
            Buffer<Real> matrix = device.buffer<Real>(std::span<const Real>(problem.matrix), 3),
                         b = device.buffer<Real>(std::span<const Real>(problem.b));
            factorization.factorize(matrix);
            factorization.reduce(b, p);
        }
    };

    // Table 2. Bytes: each array that a kernel has once, what it updates twice.
    template <class Real>
    void routines(const Session& session, Device& device, int n) const {
        TimedDevice timed(session.device());
        Factorized<Real> counted(session, timed, n, last_nodes_),
            with(session, device, n, last_nodes_);
        const Timer timer(session.comm, device, session.settings.repeats);
        struct Routine {
            const char* name;
            double microseconds, gb_per_s;  // there, at 2048 x 2048
            std::function<void(Device&, Factorized<Real>&)> call;
        };
        const std::vector<Routine> routines{
            {"matrix-vector product", 732, 184,
             [](Device&, Factorized<Real>& f) { f.factorization.multiply(f.p, f.q); }},
            {"vector update", 160, 164,
             [](Device& on, Factorized<Real>& f) {
                 Over(on, f.factorization.quarter().owned())[f.q] += 1e-9 * f.p;
             }},
            {"inner product", 139, 148,
             [](Device& on, Factorized<Real>& f) {
                 Over(on, f.factorization.quarter().owned())
                     .reduce(ThisRank(), sum(product(column(f.p, 0), column(f.q, 0))),
                             sum(product(column(f.p, 1), column(f.q, 1))));
             }},
            {"preconditioner", 1092, 188,
             [](Device&, Factorized<Real>& f) { f.factorization.precondition(f.p, f.q); }}};
        for (const auto& [name, microseconds, gb_per_s, call] : routines) {
            timed.forget();
            call(timed, counted);
            double bytes = 0;
            for (const KernelTime& t : timed.times()) bytes += t.bytes;
            const Timing t = timer.of([&] { call(device, with); });
            Row row{{"measured", name},
                    {"nodes", double(n) * n},
                    {"precision", session.settings.precision},
                    {"seconds", t.seconds},
                    {"spread", t.relative_quartiles},
                    {"gb_per_s", session.comm.sum(bytes) / t.seconds * 1e-9}};
            if (n == 2048) {
                row["seconds_there"] = microseconds * 1e-6;
                row["gb_per_s_there"] = gb_per_s;
            }
            session.results.add(row);
        }
    }

    // Table 3: the kernels of the preconditioner by their levels, each waited for.
    template <class Real>
    void levels(const Session& session, int n) const {
        TimedDevice timed(session.device());
        Factorized<Real> with(session, timed, n, last_nodes_);
        constexpr int calls = 20;
        for (const int count : {2, calls}) {
            timed.forget();
            for (int k = 0; k < count; ++k) with.factorization.precondition(with.p, with.q);
        }
        // launches of a kernel get shorter from level to level; what starts at the second level
        const std::map<std::string, int> first_level{{"rrb_eliminate_r1", 1},
                                                     {"rrb_substitute_r1", 1},
                                                     {"rrb_eliminate_black", 2},
                                                     {"rrb_substitute_level", 2},
                                                     {"rrb_interleave", 2}};
        std::map<std::string, std::map<Index, double, std::greater<>>> by_kernel;
        const int last = with.factorization.levels();
        std::map<int, double> seconds;
        double all = 0;
        for (const KernelTime& t : timed.times()) {
            all += t.seconds / calls;
            if (first_level.contains(t.kernel))
                by_kernel[t.kernel][t.entities] += t.seconds / calls;
            else if (t.kernel == "rrb_last_level")
                seconds[last] += t.seconds / calls;
            else
                seconds[1] += t.seconds / calls;  // of several ranks: r1 with its ring
        }
        for (const auto& [kernel, times] : by_kernel) {
            int level = first_level.at(kernel);
            for (const auto& [entities, time] : times) seconds[level++] += time;
        }
        constexpr double there[] = {428e-6, 405e-6, 130e-6, 50e-6, 25e-6};
        for (const auto& [level, time] : seconds) {
            Row row{{"measured", "level " + std::to_string(level)},
                    {"nodes", std::ceil(double(n) / (1 << (level - 1))) *
                                  std::ceil(double(n) / (1 << (level - 1)))},
                    {"precision", session.settings.precision},
                    {"seconds", session.comm.max(time)},
                    {"percent", 100 * time / all}};
            if (n == 2048 && level <= 5) row["seconds_there"] = there[level - 1];
            session.results.add(row);
        }
    }

    // Figure 9: every stride-th number of n x n is copied to where it is beside the next one, as
    // methods without a layout for colours and levels have to read.
    template <class Real>
    void strides(const Session& session, Device& device, int n) const {
        const Index all = session.share_of(static_cast<Index>(n) * n);
        const Buffer<Real> from = device.buffer<Real>(all);
        Buffer<Real> to = device.buffer<Real>(all);
        const Timer timer(session.comm, device, session.settings.repeats);
        double contiguous = 0;
        for (const Index stride : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
            const Index count = all / stride;
            if (count == 0) break;
            const Timing t = timer.of([&] {
                kernels::StridedCopy<Real>{
                    .from = from, .value = to, .stride = static_cast<std::uint32_t>(stride)}
                    .run(device, {0, count});
            });
            const double rate = 2.0 * sizeof(Real) * count * session.comm.size() / t.seconds * 1e-9;
            if (stride == 1) contiguous = rate;
            session.results.add({{"measured", "stride " + std::to_string(stride)},
                                 {"nodes", double(n) * n},
                                 {"precision", session.settings.precision},
                                 {"numbers", count},
                                 {"seconds", t.seconds},
                                 {"spread", t.relative_quartiles},
                                 {"gb_per_s", rate},
                                 {"of_contiguous", rate / contiguous}});
        }
    }

    int last_nodes_ = 16, frames_ = 1000;
    double tolerance_ = 1e-6;
    std::vector<std::string> parts_{"poisson"};
};

}  // namespace

Benchmark& rrb() {
    static RrbBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
