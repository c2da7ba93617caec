// Memory bandwidth of simple passes, as reference for all other figures.
#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "device/expression.hpp"

namespace solenoid::bench {
namespace {

class MemoryBenchmark : public Benchmark {
  public:
    std::string name() const override { return "memory"; }
    std::string help() const override {
        return "copy, scale, axpy and triad of arrays on the device";
    }
    std::string size_help() const override { return "numbers an array, of all ranks together"; }
    std::vector<Index> default_sizes() const override {
        return {10000, 100000, 600000, 1000000, 10000000};
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        session.is_double() ? measure<double>(session, *device) : measure<float>(session, *device);
    }

  private:
    template <class Real>
    void measure(const Session& session, Device& device) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index size : session.settings.sizes) {
            const Index n = session.share_of(size);
            const std::vector<Real> ones(n, Real(1));
            Buffer<Real> x = device.buffer<Real>(std::span<const Real>(ones)),
                         y = device.buffer<Real>(n), z = device.buffer<Real>(n);
            const Over all(device, {0, n});
            const double numbers = double(n) * session.comm.size();
            const auto add = [&](const char* operation, int arrays, const Timing& t) {
                const double bytes = arrays * numbers * sizeof(Real);
                session.results.add({{"operation", operation},
                                     {"precision", session.settings.precision},
                                     {"numbers", numbers},
                                     {"bytes", bytes},
                                     {"seconds", t.seconds},
                                     {"spread", t.relative_quartiles},
                                     {"gb_per_s", bytes / t.seconds * 1e-9}});
            };
            add("copy", 2, timer.of([&] { all[y] = x; }));
            add("scale", 2, timer.of([&] { all[y] = Real(0.5) * x; }));
            add("axpy", 3, timer.of([&] { all[y] += Real(1e-9) * x; }));
            add("triad", 3, timer.of([&] { all[z] = x + Real(0.5) * y; }));
        }
    }
};

}  // namespace

Benchmark& memory() {
    static MemoryBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
