// A reproducible run, as --reproducible makes one.
#pragma once

#include <algorithm>

#include "parallel/communicator.hpp"

namespace solenoid::test {

// From here to its end all that is made has the same bits on any number of ranks.
class Reproducible {
  public:
    explicit Reproducible(const Communicator& comm) {
        set_reproducible([comm](std::span<BinnedSum> sums) {
            comm.sum(sums);
            if (!comm.is_root()) std::ranges::fill(sums, BinnedSum());
        });
    }
    ~Reproducible() { set_reproducible(nullptr); }
};

}  // namespace solenoid::test
