// Messages between ranks: ghost exchanges by size, and sums over the ranks.
#include "parallel/halo.hpp"

#include <set>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/error.hpp"
#include "parallel/device_allreduce.hpp"
#include "parallel/transport.hpp"

namespace solenoid::bench {
namespace {

class HaloBenchmark : public Benchmark {
  public:
    std::string name() const override { return "halo"; }
    std::string help() const override {
        return "exchanges of ghosts round a ring of ranks, and sums over the ranks, by each "
               "transport";
    }
    std::string size_help() const override { return "entities to each neighbour"; }
    std::vector<Index> default_sizes() const override {
        return {1, 10, 100, 1000, 10000, 100000, 1000000};
    }
    void add_options(CLI::App& command) override {
        command.add_option("--columns", columns_, "numbers an entity")
            ->check(CLI::Range(1, 12))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        session.comm.agree([&] {
            if (session.comm.size() < 2)
                throw InputError(
                    "halo takes two ranks or more: tools/mpirun -n 2 build/solenoid-bench halo");
        });
        const std::unique_ptr<Device> device = session.device();
        std::set<std::string> measured;
        for (const std::string& choice : session.settings.transport == "auto"
                                             ? transport_choices()
                                             : std::vector{session.settings.transport}) {
            session.comm.set_transport(transport_of(choice));
            if (!measured.insert(transport_name(session.comm, *device)).second) continue;
            session.is_double() ? measure_exchanges<double>(session, *device)
                                : measure_exchanges<float>(session, *device);
            measure_sums(session, *device);
            measure_device_sums(session, *device);
        }
    }

  private:
    template <class Real>
    void measure_exchanges(const Session& session, Device& device) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index n : session.settings.sizes) {
            const HaloPlan plan = ring_plan(session.comm, n);
            Halo<Real> halo(session.comm, device, plan, columns_);
            const Index all = n * static_cast<Index>(1 + plan.neighbours.size());
            const std::vector<Real> ranks(std::size_t(all) * columns_,
                                          Real(1 + session.comm.rank()));
            Buffer<Real> field = device.buffer<Real>(std::span<const Real>(ranks), columns_);
            const Timing t = timer.of([&] { halo.exchange(field); });
            const Real last = field.download()[all - 1];
            session.comm.agree([&] {
                if (last != Real(1 + plan.neighbours.back()))
                    throw ComputationError("halo: a ghost is not what its owner holds");
            });
            const double bytes = double(halo.bytes_per_exchange());
            add(session, device, "exchange", n, bytes, t);
        }
    }

    void measure_sums(const Session& session, Device& device) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index n : {1u, 4u}) {
            std::vector<double> values(n, 1.0);
            add(session, device, "sum", n, double(n * sizeof(double)), timer.of([&] {
                values.assign(n, 1.0);
                session.comm.sum(std::span<double>(values));
            }));
            if (values.back() != session.comm.size())
                throw ComputationError("halo: the sum over the ranks is wrong");
        }
    }

    // Measures sums of four numbers that stay on the devices, where these can write to each other.
    void measure_device_sums(const Session& session, Device& device) const {
        const auto ranks = DeviceAllreduce::make(session.comm, device);
        if (!ranks) return;
        const auto kept = device.device_sums();
        kept->set({1, 0, 0, 0});
        const Timer timer(session.comm, device, session.settings.repeats);
        add(session, device, "kept sum", 4, double(4 * sizeof(double)),
            timer.of([&] { ranks->add(*kept); }));
    }

    // bytes: sent by a rank.
    void add(const Session& session, Device& device, const char* operation, Index entities,
             double bytes, const Timing& t) const {
        Row row{{"operation", operation},
                {"transport", transport_name(session.comm, device)},
                {"precision", session.settings.precision},
                {"entities", entities},
                {"bytes", bytes},
                {"seconds", t.seconds},
                {"spread", t.relative_quartiles},
                {"gb_per_s", bytes / t.seconds * 1e-9}};
        session.results.add(row);
    }

    int columns_ = 1;
};

}  // namespace

Benchmark& halo() {
    static HaloBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
