#include "core/optional_state.hpp"

namespace solenoid {

template <class Values>
void OptionalState::add(const std::string& name, std::function<bool()> is_there,
                        std::function<Values()> get,
                        std::function<void(std::optional<Values>)> set) const {
    StateArray shape;
    shape.name = prefix_ + name;
    shape.values = Values();
    registry_->add({shape.name, [shape] { return shape; },
                    [shape, get] {
                        StateArray array = shape;
                        array.values = get();
                        return array;
                    },
                    [set](const StateArray& array) { set(std::get<Values>(array.values)); },
                    is_there, [set] { set({}); }});
}

template void OptionalState::add(const std::string&, std::function<bool()>,
                                 std::function<std::string()>,
                                 std::function<void(std::optional<std::string>)>) const;
template void OptionalState::add(const std::string&, std::function<bool()>,
                                 std::function<std::vector<double>()>,
                                 std::function<void(std::optional<std::vector<double>>)>) const;
template void OptionalState::add(
    const std::string&, std::function<bool()>, std::function<std::vector<std::int64_t>()>,
    std::function<void(std::optional<std::vector<std::int64_t>>)>) const;

}  // namespace solenoid
