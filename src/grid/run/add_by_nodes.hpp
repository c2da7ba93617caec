// Numbers at the nodes of a grid as a part of a run's state.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/optional_state.hpp"
#include "core/state_values.hpp"
#include "device/device.hpp"
#include "grid/grid_topology.hpp"

namespace solenoid {

// Registers a field of one column by the numbers of the nodes that this rank owns, in saved states,
// and as it is on the stack. entry: the place of each of these nodes in the field; what else it has
// is 0 behind a load. References must outlive the state.
template <class Real>
void add_by_nodes(const StateValues& state, const std::string& name, Device& device,
                  const GridTopology& topology, const std::vector<Index>& entry,
                  Buffer<Real>& field) {
    const std::string full = OptionalState(state).prefix() + name;
    const auto shape = [&topology, full] {
        StateArray array{full, StateArray::Of::nodes, 1, {}, std::vector<Real>()};
        for (Index n = 0; n < topology.range(Kind::node).owned; ++n)
            array.entity.push_back(topology.node_number(n));
        return array;
    };
    const auto save = [&topology, &entry, &field, shape] {
        StateArray array = shape();
        const std::vector<Real> all = field.download();
        auto& values = std::get<std::vector<Real>>(array.values);
        for (Index n = 0; n < topology.range(Kind::node).owned; ++n)
            values.push_back(all[entry[n]]);
        return array;
    };
    const auto load = [&entry, &field](const StateArray& array) {
        const auto& values = std::get<std::vector<Real>>(array.values);
        std::vector<Real> all(field.size(), Real(0));
        for (std::size_t n = 0; n < values.size(); ++n) all[entry[n]] = values[n];
        field.upload(all);
    };
    state.registry().add(StateRegistry::Entry{full, shape, save, load, nullptr, nullptr,
                                              check_values_of_entities,
                                              OptionalState(state).belongs_to()});
    state.stack<std::shared_ptr<Buffer<Real>>>(
        [&device, &field] {
            auto kept = std::make_shared<Buffer<Real>>(device.buffer<Real>(field.size()));
            device.copy(field, *kept);
            return kept;
        },
        [&device, &field](const std::shared_ptr<Buffer<Real>>& kept) {
            device.copy(*kept, field);
        });
}

}  // namespace solenoid
