#include "io/checkpoint/partition_array.hpp"

#include <limits>

namespace solenoid {
namespace {

constexpr const char* partition_name = "partition";

}  // namespace

StateArray partition_array(const Topology& topology) {
    StateArray array{partition_name, StateArray::Of::cells, 1, {}, std::vector<std::int64_t>()};
    auto& owners = std::get<std::vector<std::int64_t>>(array.values);
    for (Index c = 0; c < topology.range(Kind::cell).owned; ++c) {
        array.entity.push_back(topology.cell_number(c));
        owners.push_back(topology.owner(c));
    }
    return array;
}

std::vector<int> stored_partition(const CheckpointFile& file, std::vector<GlobalIndex> cells) {
    StateArray array{partition_name, StateArray::Of::cells, 1, std::move(cells),
                     std::vector<std::int64_t>()};
    file.fill(array);
    const auto& ranks = std::get<std::vector<std::int64_t>>(array.values);
    std::vector<int> in_range;  // a hostile file may have any number
    for (const std::int64_t rank : ranks)
        in_range.push_back(rank < 0 || rank > std::numeric_limits<int>::max() ? -1 : int(rank));
    return in_range;
}

}  // namespace solenoid
