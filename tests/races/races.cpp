// A small program for the thread sanitizer (tools/validate races): what the threads of a rank do in
// a set-up, in kernels and in multigrid. It compares the bits with those of one thread. With the
// word "planted" it makes two races instead, which must be reported.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/threads.hpp"
#include "heat/heat_solver.hpp"
#include "mesh/box.hpp"
#include "parallel/reported.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid {
namespace {

// So many that each rank's nodes are shared out, too.
constexpr std::size_t cells = 40000;

std::vector<double> temperature_after_a_step(const Communicator& comm, int count_of_threads) {
    set_threads(count_of_threads);
    const auto device = make_cpu_device();
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(box_mesh({.dimension = 3, .cells = cells}))
                                        : std::nullopt);
    const Domain domain(comm, *device, mesh);
    MaterialSettings material;
    material.conductivity = Formula("1+x", "races");
    material.heat_capacity = Formula(1.0);
    material.source = Formula("sin(3*t)*y", "races");
    SolverSettings settings;
    settings.preconditioner = "multigrid";
    HeatSolver<double> solver(domain, {material}, {}, Formula("x*y+z", "races"), settings);
    solver.keep_state();
    solver.step(0.1, true);
    solver.let_go();
    return solver.temperature();
}

// ---- races that are planted

// Their names are in tools/lib/races.py.
[[gnu::noinline]] void increment_in_threads(int& count) { ++count; }
[[gnu::noinline]] void increment_in_tbb(int& count) { ++count; }

// Calls `increment` from two threads at least; `run` calls its argument once in each part of a
// loop.
template <class Run>
void plant(void increment(int&), const Run& run) {
    int count = 0;
    std::atomic<int> begun{0};  // relaxed, it orders nothing
    run([&] {
        begun.fetch_add(1, std::memory_order_relaxed);
        while (begun.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
        increment(count);
    });
}

void plant_races() {
    set_threads(2);
    plant(increment_in_threads, [](const auto& part) { in_threads(2, [&](int) { part(); }); });
    const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
    tbb::task_arena arena(2);
    plant(increment_in_tbb, [&](const auto& part) {
        arena.execute([&] {
            tbb::parallel_for(
                0, 2, 1, [&](int) { part(); }, tbb::simple_partitioner());
        });
    });
}

}  // namespace
}  // namespace solenoid

int main(int argc, char** argv) {
    using namespace solenoid;
    MpiSession session(argc, argv);
    const Communicator comm = Communicator::world();
    return reported(comm, "races", [&] {
        if (argc == 2 && std::strcmp(argv[1], "planted") == 0) {
            plant_races();
            return 0;
        }
        const bool good =
            !comm.any(temperature_after_a_step(comm, 1) != temperature_after_a_step(comm, 3));
        if (!good && comm.is_root()) std::fprintf(stderr, "races: other bits in threads\n");
        return good ? 0 : 1;
    });
}
