#include "parallel/component_labels.hpp"

#include <algorithm>
#include <numeric>

#include "parallel/halo.hpp"

namespace solenoid {
namespace {

// Union-find with path halving.
Index root_of(std::vector<Index>& parent, Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

std::vector<Index> local_roots(Index count, const std::vector<std::array<Index, 2>>& links) {
    std::vector<Index> parent(count);
    std::iota(parent.begin(), parent.end(), Index(0));
    for (const auto& [a, b] : links) {
        const Index p = root_of(parent, a), q = root_of(parent, b);
        parent[std::max(p, q)] = std::min(p, q);
    }
    for (Index i = 0; i < count; ++i) parent[i] = root_of(parent, i);
    return parent;
}

}  // namespace

// Each rank joins the entities that it holds. The halo then carries the lowest labels until no
// label on any rank falls further. Labels travel as doubles, exact up to 2^53.
std::vector<GlobalIndex> component_labels(const Communicator& comm, const EntityRanges& ranges,
                                          const HaloPlan& plan,
                                          const std::vector<GlobalIndex>& numbers,
                                          const std::vector<std::array<Index, 2>>& links) {
    const std::vector<Index> root = local_roots(ranges.all, links);
    std::vector<double> label(numbers.begin(), numbers.end());
    const auto device = make_cpu_device();
    auto field = device->buffer<double>(ranges.all);
    Halo<double> halo(comm, *device, plan);
    for (bool differs = true; differs;) {
        for (Index i = 0; i < ranges.all; ++i) label[root[i]] = std::min(label[root[i]], label[i]);
        for (Index i = 0; i < ranges.all; ++i) label[i] = label[root[i]];
        field.upload(label);
        halo.exchange(field);
        const auto received = field.download();
        differs = comm.any(received != label);
        label = received;
    }
    return {label.begin(), label.end()};
}

}  // namespace solenoid
