#include "bench/benchmark.hpp"
#include "parallel/checks/choose_transport.hpp"

namespace solenoid::bench {

// Each is defined in its own file.
Benchmark& memory();
Benchmark& operators();
Benchmark& reductions();
Benchmark& cg();
Benchmark& poisson();
Benchmark& grid();
Benchmark& rrb();
Benchmark& boussinesq();
Benchmark& linear_algebra();
Benchmark& surface();
Benchmark& step();
Benchmark& halo();
Benchmark& stress();
Benchmark& checkpoint();
Benchmark& tonemap();

const std::vector<Benchmark*>& benchmarks() {
    static const std::vector<Benchmark*> all{
        &memory(), &operators(),  &reductions(),     &cg(),      &poisson(), &grid(),
        &rrb(),    &boussinesq(), &linear_algebra(), &tonemap(), &surface(), &step(),
        &halo(),   &stress(),     &checkpoint()};
    return all;
}

std::unique_ptr<Device> Session::device(const DeviceRequest& request) const {
    DeviceChoice choice;
    comm.agree([&] {
        choice =
            select_device(settings.device, {comm.local_rank(), is_double(), request.least_side});
    });
    choose_transport(comm, *choice.device, settings.transport);
    results.note_device(choice.device->info().kind, choice.device->info().name);
    return std::move(choice.device);
}

}  // namespace solenoid::bench
