// Messages between ranks: exchanges of ghosts by their size, and sums over the ranks.
#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/error.hpp"
#include "parallel/halo.hpp"

namespace solenoid::bench {
namespace {

// Ranks in a ring: each sends n entities to the one before and the one after it, and receives as many from either.
HaloPlan ring(const Communicator& comm, Index n) {
    const int size = comm.size(), before = (comm.rank() + size - 1) % size, after = (comm.rank() + 1) % size;
    HaloPlan plan;
    plan.neighbours = before == after ? std::vector{after} : std::vector{std::min(before, after), std::max(before, after)};
    Index next = n;
    for (std::size_t k = 0; k < plan.neighbours.size(); ++k) {
        for (Index i = 0; i < n; ++i) {
            plan.send.push_back(i);
            plan.receive.push_back(next++);
        }
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

class HaloBenchmark : public Benchmark {
  public:
    std::string name() const override { return "halo"; }
    std::string help() const override { return "exchanges of ghosts round a ring of ranks, and sums over the ranks, by each transport"; }
    std::string size_help() const override { return "entities to each neighbour"; }
    std::vector<Index> default_sizes() const override { return {1, 10, 100, 1000, 10000, 100000, 1000000}; }
    void add_options(CLI::App& command) override {
        command.add_option("--columns", columns_, "numbers an entity")->check(CLI::Range(1, 12))->capture_default_str();
    }

    void run(const Session& session) override {
        session.comm.agree([&] {
            if (session.comm.size() < 2) throw InputError("halo takes two ranks or more: tools/mpirun -n 2 build/solenoid-bench halo");
        });
        const std::unique_ptr<Device> device = session.device();
        for (const Transport transport : {Transport::automatic, Transport::mpi}) {
            if (transport == Transport::automatic && session.settings.transport == "mpi") continue;
            session.comm.set_transport(transport);
            if (transport == Transport::automatic && session.comm.transport() == "MPI") continue;  // the same again
            session.is_double() ? measure_exchanges<double>(session, *device) : measure_exchanges<float>(session, *device);
            measure_sums(session, *device);
        }
    }

  private:
    template <class Real>
    void measure_exchanges(const Session& session, Device& device) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index n : session.settings.sizes) {
            const HaloPlan plan = ring(session.comm, n);
            Halo<Real> halo(session.comm, device, plan, columns_);
            const Index all = n * static_cast<Index>(1 + plan.neighbours.size());
            const std::vector<Real> ranks(std::size_t(all) * columns_, Real(1 + session.comm.rank()));
            Buffer<Real> field = device.buffer<Real>(std::span<const Real>(ranks), columns_);
            const Timing t = timer.of([&] { halo.exchange(field); });
            const Real last = field.download()[all - 1];
            session.comm.agree([&] {
                if (last != Real(1 + plan.neighbours.back())) throw ComputationError("halo: a ghost is not what its owner holds");
            });
            const double bytes = double(halo.bytes_per_exchange());
            add(session, "exchange", n, bytes, t);
        }
    }

    void measure_sums(const Session& session, Device& device) const {
        const Timer timer(session.comm, device, session.settings.repeats);
        for (Index n : {1u, 4u}) {
            std::vector<double> values(n, 1.0);
            add(session, "sum", n, double(n * sizeof(double)), timer.of([&] {
                values.assign(n, 1.0);
                session.comm.sum(std::span<double>(values));
            }));
            if (values.back() != session.comm.size()) throw ComputationError("halo: the sum over the ranks is wrong");
        }
    }

    // bytes: that a rank sends. transport: what carries messages from host memory to host memory.
    void add(const Session& session, const char* operation, Index entities, double bytes, const Timing& t) const {
        Row row{{"operation", operation}, {"transport", session.comm.transport()}, {"precision", session.settings.precision}, {"entities", entities}, {"bytes", bytes},
                {"seconds", t.seconds}, {"spread", t.spread}, {"gb_per_s", bytes / t.seconds * 1e-9}};
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
