// Registers lists of numbers on the host, one for each entity of a kind held here, in a registry of
// a run's state: on a mesh of any kind. They are saved and loaded, on the stack never. Fields of a
// device register in operators/state.hpp.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "core/optional_state.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

// Which columns of a saved state belong to a kind.
constexpr StateArray::Of of_entities(Kind kind) {
    constexpr StateArray::Of all[] = {StateArray::Of::nodes, StateArray::Of::edges,
                                      StateArray::Of::faces, StateArray::Of::cells};
    return all[static_cast<int>(kind)];
}

class EntityLists : private OptionalState {
  public:
    // Names begin as those of `state` do. All must outlive what is added.
    EntityLists(const OptionalState& state, const Communicator& comm, const Topology& topology)
        : OptionalState(state), numbers_(std::make_shared<Numbers>(comm, topology)) {}

    // Of a list that is not always there: whether it is, what makes it so that its values can be
    // set, and what removes it. Alike on all ranks.
    struct Presence {
        std::function<bool()> is_there = nullptr;  // null: always
        std::function<void()> make = nullptr, remove = nullptr;
    };
    // get, set: of at least the entities that this rank owns, of all that are held.
    void add(const std::string& name, Kind kind, std::function<std::vector<double>()> get,
             std::function<void(const std::vector<double>&)> set, const Presence& presence) const;

  private:
    // Found when they are first asked for.
    struct Numbers {
        Numbers(const Communicator& comm, const Topology& topology)
            : comm(comm), topology(topology) {}
        const std::vector<GlobalIndex>& of(Kind kind);
        const Communicator& comm;
        const Topology& topology;
        std::map<Kind, std::vector<GlobalIndex>> of_kind;
    };
    std::shared_ptr<Numbers> numbers_;
};

}  // namespace solenoid
