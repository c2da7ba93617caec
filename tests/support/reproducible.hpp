// A reproducible run, as --reproducible makes one.
#pragma once

#include "core/reproducible.hpp"

namespace solenoid::test {

// From here to its end all that is made has the same bits on any number of ranks.
class Reproducible {
  public:
    Reproducible() { set_reproducible(true); }
    ~Reproducible() { set_reproducible(false); }
    Reproducible(const Reproducible&) = delete;
    Reproducible& operator=(const Reproducible&) = delete;
};

}  // namespace solenoid::test
