// Where a device keeps reductions that have not been collected: each place is one ticket's until
// then, however many come and go meanwhile.
#pragma once

#include <array>
#include <stdexcept>

namespace solenoid {

class TicketSlots {
  public:
    static constexpr int count = 4;

    int take() {
        for (int tried = 0; tried < count; ++tried) {
            const int slot = next_;
            next_ = (next_ + 1) % count;
            if (!is_open_[slot]) return is_open_[slot] = true, slot;
        }
        throw std::logic_error("more reductions are waited for than a device keeps");
    }
    void give_back(int slot) { is_open_[slot] = false; }

  private:
    std::array<bool, count> is_open_{};
    int next_ = 0;
};

}  // namespace solenoid
