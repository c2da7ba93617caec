// What stands behind a Communicator: for the sources of this room only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>

#include "parallel/calls/checked_calls.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_window.hpp"

namespace solenoid {

// Tags of the room's own messages; halos count up from first_halo.
namespace tags {
inline constexpr int gather = 20000, exchange = 20001, first_halo = 20010,
                     last_halo = 32767;  // 32767: least upper bound
}

class Device;
class PeerWindow;

struct Communicator::Handle {
    MPI_Comm comm = MPI_COMM_NULL;  // none for Communicator::self(), which never calls MPI
    int rank = 0, size = 1;
    int local_rank = 0, local_size = 1;
    // messages are cut into chunks: MPI counts with int
    std::size_t chunk_bytes = std::size_t(1) << 30;
    int next_halo_tag = tags::first_halo;
    MPI_Comm local = MPI_COMM_NULL;  // the ranks of this host
    std::vector<int> local_rank_of;  // of every rank; -1: on another host
    Transport transport = Transport::automatic;
    Traffic traffic;

    CallingRanks calling();  // for checks of collective calls

    // What the ranks of this host share, or null. Made when it is first asked for: collective.
    const std::shared_ptr<SharedWindow>& window();
    // kept by halos (PeerWindow::of)
    std::map<const Device*, std::weak_ptr<PeerWindow>> peer_windows;

    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle();

  private:
    std::shared_ptr<SharedWindow> window_;
    bool has_asked_ = false;
};

}  // namespace solenoid
