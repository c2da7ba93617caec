#include "parallel/transport.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "parallel/communicator_handle.hpp"
#include "parallel/halo.hpp"
#include "parallel/peer_window.hpp"

namespace solenoid {
namespace {

struct Choice {
    const char* name;
    Transport transport;
};
constexpr Choice choices[] = {{"auto", Transport::automatic},
                              {"gpu", Transport::gpu},
                              {"host", Transport::host},
                              {"mpi", Transport::mpi}};

}  // namespace

std::vector<std::string> transport_choices() {
    std::vector<std::string> names;
    for (const Choice& choice : choices) names.push_back(choice.name);
    return names;
}

Transport transport_of(const std::string& name) {
    for (const Choice& choice : choices)
        if (choice.name == name) return choice.transport;
    throw InputError("no transport is called " + name);
}

HaloPlan ring_plan(const Communicator& comm, Index n) {
    const int size = comm.size(), before = (comm.rank() + size - 1) % size,
              after = (comm.rank() + 1) % size;
    HaloPlan plan;
    if (size == 1) return plan;
    plan.neighbours = before == after
                          ? std::vector{after}
                          : std::vector{std::min(before, after), std::max(before, after)};
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

std::string transport_name(const Communicator& comm, Device& device) {
    if (comm.size() == 1) return "none";
    Communicator::Handle& handle = comm.handle();
    const bool by_gpu = comm.any(PeerWindow::of(handle, device) != nullptr);
    const bool by_host = comm.any(!by_gpu && handle.window());
    const bool by_mpi =
        comm.any(handle.local_size < handle.size || handle.lacks_memory) || !(by_gpu || by_host);
    std::string name = by_gpu ? "GPU memory" : by_host ? "shared memory" : "";
    if (by_mpi) name += name.empty() ? "MPI" : ", MPI";
    return name;
}

namespace {

// Time [s] of one of several exchanges of n numbers in a row: the best of some rows, on the slowest
// rank.
double seconds_of_exchange(const Communicator& comm, Device& device, Index n) {
    constexpr int rows = 3, in_a_row = 5;
    Halo<double> halo(comm, device, ring_plan(comm, n));
    Buffer<double> field = device.buffer<double>(3 * n);
    halo.exchange(field);
    double least = 1e300;
    for (int row = 0; row < rows; ++row) {
        device.finish();
        comm.barrier();
        const Stopwatch watch;
        for (int k = 0; k < in_a_row; ++k) halo.exchange(field);
        device.finish();
        least = std::min(least, comm.max(watch.seconds()) / in_a_row);
    }
    return least;
}

}  // namespace

TransportSpeed transport_speed(const Communicator& comm, Device& device) {
    if (comm.size() == 1) return {};
    constexpr Index many = 1 << 17;
    const Traffic before = comm.traffic();
    const double neighbours = comm.size() == 2 ? 1 : 2;
    const TransportSpeed speed{
        seconds_of_exchange(comm, device, 1),
        neighbours * many * sizeof(double) / seconds_of_exchange(comm, device, many)};
    comm.handle().traffic = before;  // the run's, without this measurement
    return speed;
}

}  // namespace solenoid
