#include "core/optional_state.hpp"

namespace solenoid {

template <class Values>
void OptionalState::add(const std::string& name, std::function<bool()> is_there,
                        std::function<Values()> get, std::function<void(std::optional<Values>)> set,
                        std::function<void(const Values&)> check) const {
    StateArray shape;
    shape.name = prefix_ + name;
    shape.values = Values();
    registry_->add(
        {.name = shape.name,
         .wanted = [shape] { return shape; },
         .save =
             [shape, get] {
                 StateArray array = shape;
                 array.values = get();
                 return array;
             },
         .load = [set](const StateArray& array) { set(std::get<Values>(array.values)); },
         .is_there = std::move(is_there),
         .remove = [set] { set({}); },
         .check = [check](const StateArray& array) { check(std::get<Values>(array.values)); },
         .belongs_to = belongs_to_});
}

#define SOLENOID_HERE
SOLENOID_OPTIONAL_STATE(SOLENOID_HERE, std::string)
SOLENOID_OPTIONAL_STATE(SOLENOID_HERE, std::vector<double>)
SOLENOID_OPTIONAL_STATE(SOLENOID_HERE, std::vector<std::int64_t>)
#undef SOLENOID_HERE

}  // namespace solenoid
