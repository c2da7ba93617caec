#include "io/checkpoint/partition_array.hpp"

namespace solenoid {
namespace {

constexpr const char* partition_name = "partition";

}  // namespace

StateArray partition_array(const DistributedMesh& mesh) {
    const Index owned = mesh.range(Kind::cell).owned;
    const auto& number = mesh.mesh.cell_number;
    return {partition_name,
            StateArray::Of::cells,
            1,
            {number.begin(), number.begin() + owned},
            std::vector<std::int64_t>(mesh.cell_owner.begin(), mesh.cell_owner.begin() + owned)};
}

std::vector<int> stored_partition(const CheckpointFile& file, std::vector<GlobalIndex> cells) {
    StateArray array{partition_name, StateArray::Of::cells, 1, std::move(cells),
                     std::vector<std::int64_t>()};
    file.fill(array);
    const auto& ranks = std::get<std::vector<std::int64_t>>(array.values);
    return {ranks.begin(), ranks.end()};
}

}  // namespace solenoid
