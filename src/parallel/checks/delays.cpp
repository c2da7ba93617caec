#include "parallel/checks/delays.hpp"

#include <chrono>
#include <thread>

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr Index numbers = 2000;

}  // namespace

Delays::Delays(Device& device, std::uint64_t seed)
    : device_(device),
      draws_(seed),
      work_(device.buffer<float>(numbers)),
      more_(device.buffer<float>(numbers)) {}

void Delays::maybe(Index one_in) {
    if (!draws_.is_one_in(one_in)) return;
    if (draws_.is_one_in(2)) {
        std::this_thread::sleep_for(std::chrono::microseconds(draws_.below(500)));
        return;
    }
    for (Index launches = 1 + draws_.below(8); launches > 0; --launches)
        Over(device_, {0, 1 + draws_.below(numbers)})[column(work_, 0)] =
            column(more_, 0) + double(launches);
}

}  // namespace solenoid
