#include "parallel/checks/choose_transport.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "parallel/checks/transport_check.hpp"
#include "parallel/communicator_handle.hpp"
#include "parallel/peer_window.hpp"
#include "parallel/transport.hpp"

namespace solenoid {
namespace {

// Whether the GPUs of a host reach each other and each rank has its own, on every host with several
// ranks. The transport must be gpu.
bool gpus_reach_each_other(const Communicator& comm, Device& device) {
    Communicator::Handle& handle = comm.handle();
    const bool is_asked = handle.local_size > 1;
    const bool is_there =
        is_asked && PeerWindow::has_own_devices(handle, device) && PeerWindow::of(handle, device);
    return comm.any(is_there) && !comm.any(is_asked && !is_there);
}

Transport decided(const Communicator& comm, Device& device) {
    comm.set_transport(Transport::gpu);
    if (!gpus_reach_each_other(comm, device)) return Transport::host;
    const TransportCheck check = check_transport(comm, device);
    if (!check.wrong.empty()) {
        log::warning(
            "messages go through the host's memory, since a check of messages from GPU to GPU "
            "failed: {}",
            check.wrong);
        return Transport::host;
    }
    log::info("messages from GPU to GPU: {} sums and {} exchanges were right ({:.2f} s)",
              check.sums, check.exchanges, check.seconds);
    return Transport::gpu;
}

void check_is_there(const Communicator& comm, Device& device, Transport transport) {
    Communicator::Handle& handle = comm.handle();
    const bool is_missing = handle.local_size > 1 &&
                            ((transport == Transport::gpu && !PeerWindow::of(handle, device)) ||
                             (transport == Transport::host && !handle.window()));
    const bool is_missing_anywhere = comm.any(is_missing);
    comm.agree([&] {
        if (!is_missing_anywhere) return;
        if (transport == Transport::gpu)
            throw InputError(
                "--transport gpu: the ranks' devices cannot write into each other's memory (" +
                device.info().kind + ": " + device.info().name +
                "): leave the option out, or take the device cuda on GPUs that reach each other");
        throw InputError(
            "--transport host: the ranks of this host cannot share memory: free space in /dev/shm, "
            "or leave the option out");
    });
}

}  // namespace

void choose_transport(const Communicator& comm, Device& device, const std::string& choice) {
    const Transport transport = transport_of(choice);
    comm.set_transport(transport);
    if (comm.size() == 1) return;
    if (transport == Transport::automatic)
        comm.set_transport(decided(comm, device));
    else
        check_is_there(comm, device, transport);
}

}  // namespace solenoid
