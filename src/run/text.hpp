// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace solenoid {

std::string grouped(std::int64_t number);                         // 9 478
std::string plural(std::int64_t count, const std::string& word);  // 1 node, 9 478 nodes

}  // namespace solenoid
