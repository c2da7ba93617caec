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

}  // namespace
}  // namespace solenoid

int main(int argc, char** argv) {
    using namespace solenoid;
    MpiSession session(argc, argv);
    const Communicator comm = Communicator::world();
    return reported(comm, "races", [&] {
        const bool good =
            !comm.any(temperature_after_a_step(comm, 1) != temperature_after_a_step(comm, 3));
        if (!good && comm.is_root()) std::fprintf(stderr, "races: other bits in threads\n");
        return good ? 0 : 1;
    });
}
