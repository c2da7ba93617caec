#include "run/entity_lists.hpp"

namespace solenoid {

const std::vector<GlobalIndex>& EntityLists::Numbers::of(Kind kind) {
    const auto [numbers, is_new] = of_kind.try_emplace(kind);
    if (is_new) numbers->second = topology.numbers(comm, kind);
    return numbers->second;
}

void EntityLists::add(const std::string& name, Kind kind, std::function<std::vector<double>()> get,
                      std::function<void(const std::vector<double>&)> set,
                      const Presence& presence) const {
    const auto shape = [kind, name = prefix_ + name, numbers = numbers_](Index count) {
        const std::vector<GlobalIndex>& of_all = numbers->of(kind);
        return StateArray{name,
                          of_entities(kind),
                          1,
                          {of_all.begin(), of_all.begin() + count},
                          std::vector<double>()};
    };
    const EntityRanges& range = numbers_->topology.range(kind);
    const auto wanted = [shape, presence, &range] {
        if (presence.is_there && !presence.is_there()) presence.make();
        return shape(range.all);
    };
    const auto save = [shape, get, &range] {
        StateArray array = shape(range.owned);
        std::vector<double> values = get();
        values.resize(range.owned);
        array.values = std::move(values);
        return array;
    };
    const auto load = [set](const StateArray& array) {
        set(std::get<std::vector<double>>(array.values));
    };
    registry_->add({prefix_ + name, wanted, save, load, presence.is_there, presence.remove,
                    check_values_of_entities, belongs_to_});
}

}  // namespace solenoid
