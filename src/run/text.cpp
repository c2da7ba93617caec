#include "run/text.hpp"

#include <fmt/core.h>

namespace solenoid {

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, 1, ' ');
    return digits;
}

std::string plural(std::int64_t count, const std::string& word) {
    return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

}  // namespace solenoid
