// A named entry of a run's state as plain values: what a registry hands over and a checkpoint
// stores.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

// One named entry of a run's state, of this rank, as a checkpoint stores it.
struct StateArray {
    enum class Of : std::uint8_t { numbers, nodes, edges, faces, cells };  // numbers: of no entity

    std::string name;  // "flow/velocity", "monitors/drag/rows"
    Of of = Of::numbers;
    int columns = 1;
    // global numbers, each entry on one rank alone; empty for numbers, which all ranks have alike
    std::vector<GlobalIndex> entity;
    // column by column; a text has one column
    std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>, std::string>
        values;
    // What of the case it belongs to, in its user's words, such as [[ship]] "a"; empty: the run.
    std::string belongs_to = {};
};

}  // namespace solenoid
