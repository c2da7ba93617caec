// Sums and products of whole arrays, by the schemes of the thesis (chapter 4): a dot product in one
// pass or two, and R_min of the device `fragment`.
#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/error.hpp"
#include "device/expression.hpp"

namespace solenoid::bench {
namespace {

class ReductionsBenchmark : public Benchmark {
  public:
    std::string name() const override { return "reductions"; }
    std::string help() const override { return "sum and dot product of arrays, over all ranks"; }
    std::string size_help() const override { return "numbers an array, of all ranks together"; }
    std::vector<Index> default_sizes() const override {
        return {1000, 3000, 10000, 30000, 100000, 300000, 1000000, 2000000};
    }
    void add_options(CLI::App& command) override {
        command
            .add_option(
                "--r-min", r_mins_,
                "of the device fragment: values by R_min x R_min are left to the host; 0: its own")
            ->type_name("N,...")
            ->delimiter(',')
            ->check(CLI::Range(0, 1024));
    }

    void run(const Session& session) override {
        if (r_mins_.empty()) return measure_with(session, 0);
        for (Index r_min : r_mins_) measure_with(session, r_min);
    }

  private:
    void measure_with(const Session& session, Index r_min) const {
        constexpr Index least = 8;  // smaller layouts are hardly rectangles
        const std::unique_ptr<Device> device = session.device({.least_side = r_min});
        session.comm.agree([&] {
            if (r_min > 0 && r_min < least) throw InputError("--r-min", "from 8 to 1024, or 0");
            if (r_min > 0 && device->info().kind != "fragment")
                throw InputError("--r-min", "belongs to the device fragment");
        });
        session.is_double() ? measure<double>(session, *device, r_min)
                            : measure<float>(session, *device, r_min);
    }

    template <class Real>
    void measure(const Session& session, Device& device, Index r_min) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index size : session.settings.sizes) {
            const Index n = session.share_of(size);
            const std::vector<Real> values(n, Real(0.5));
            Buffer<Real> x = device.buffer<Real>(std::span<const Real>(values)),
                         y = device.buffer<Real>(std::span<const Real>(values)),
                         product = device.buffer<Real>(n);
            const Over all(device, {0, n});
            const double numbers = double(n) * session.comm.size();
            const auto add = [&](const char* scheme, int flops, int arrays, double expected,
                                 const std::function<double()>& call) {
                double result = 0;
                const Timing t = timer.of([&] { result = session.comm.sum(call()); });
                if (std::abs(result - expected * numbers) > 1e-6 * expected * numbers)
                    throw ComputationError(std::string(scheme) + ": the sum is wrong");
                Row row{{"scheme", scheme},
                        {"precision", session.settings.precision},
                        {"numbers", numbers},
                        {"seconds", t.seconds},
                        {"spread", t.relative_quartiles},
                        {"gflop_per_s", flops * numbers / t.seconds * 1e-9},
                        {"gb_per_s", arrays * numbers * sizeof(Real) / t.seconds * 1e-9}};
                if (r_min > 0) row["r_min"] = r_min;
                session.results.add(row);
            };
            add("sum", 1, 1, 0.5, [&] { return all.sum(ThisRank(), x); });
            add("dot in one pass", 2, 2, 0.25, [&] { return all.dot(ThisRank(), x, y); });
            add("dot in two passes", 2, 4, 0.25, [&] {
                all[product] = x * y;
                return all.sum(ThisRank(), product);
            });
        }
    }

    std::vector<Index> r_mins_;
};

}  // namespace

Benchmark& reductions() {
    static ReductionsBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
