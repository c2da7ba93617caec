// A small program for the thread sanitizer (tools/validate races): what the threads of a rank do in
// a set-up, in kernels and in multigrid. It compares the bits with those of one thread.
#include <cstdio>

#include "core/threads.hpp"
#include "heat/heat_solver.hpp"
#include "mesh/box.hpp"
#include "parallel/reported.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid {
namespace {

template <class Real>
std::vector<double> temperature_after_steps(const Communicator& comm, int count_of_threads) {
    set_threads(count_of_threads);
    const auto device = make_cpu_device();
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(box_mesh({.dimension = 3, .cells = 12000}))
                                        : std::nullopt);
    const Domain domain(comm, *device, mesh);
    MaterialSettings material;
    material.conductivity = Formula("1+x", "races");
    material.heat_capacity = Formula(1.0);
    material.source = Formula("sin(3*t)*y", "races");
    SolverSettings settings;
    settings.preconditioner = "multigrid";
    HeatSolver<Real> solver(domain, {material}, {}, Formula("x*y+z", "races"), settings);
    for (int step = 0; step < 2; ++step) {
        solver.keep_state();
        solver.step(0.1, true);
        solver.take_back();
        solver.step(0.05, true);
    }
    return solver.temperature();
}

template <class Real>
bool is_the_same(const Communicator& comm) {
    const auto one = temperature_after_steps<Real>(comm, 1),
               three = temperature_after_steps<Real>(comm, 3);
    return !comm.any(one != three);
}

}  // namespace
}  // namespace solenoid

int main(int argc, char** argv) {
    using namespace solenoid;
    MpiSession session(argc, argv);
    const Communicator comm = Communicator::world();
    return reported(comm, "races", [&] {
        const bool good = is_the_same<double>(comm) && is_the_same<float>(comm);
        if (!good && comm.is_root()) std::fprintf(stderr, "races: other bits in threads\n");
        return good ? 0 : 1;
    });
}
