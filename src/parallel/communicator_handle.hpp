// The state of a Communicator. Used in src/parallel only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>

#include "parallel/calls/checked_calls.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_window.hpp"

namespace solenoid {

// Tags of the messages of this room; halos take tags from first_halo on.
namespace tags {
inline constexpr int gather = 20000, exchange = 20001, first_halo = 20010,
                     last_halo = 32767;  // the largest tag that every MPI allows
}

class Device;
class PeerWindow;

struct Communicator::Handle {
    MPI_Comm comm = MPI_COMM_NULL;  // MPI_COMM_NULL for Communicator::self(), which never calls MPI
    int rank = 0, size = 1;
    int local_rank = 0, local_size = 1;
    // size of the chunks of a message; MPI counts with int
    std::size_t chunk_bytes = std::size_t(1) << 30;
    int next_halo_tag = tags::first_halo;
    MPI_Comm local = MPI_COMM_NULL;  // the ranks of this host
    std::vector<int> local_rank_of;  // of each rank; -1 on other hosts
    Transport transport = Transport::automatic;
    Traffic traffic;
    bool lacks_memory = false;  // halos of this host found no room to share, and go by MPI

    CallingRanks calling();  // for checks of collective calls

    // The shared memory of this host's ranks, or null. Made at the first call. Collective.
    const std::shared_ptr<SharedWindow>& window();
    // owned by halos (PeerWindow::of)
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
