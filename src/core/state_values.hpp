// Registers plain values in a registry: numbers, lists of numbers and what is made of them, which
// all ranks have alike.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/state_registry.hpp"

namespace solenoid {

// What the numbers of a value may be: a saved state with others is refused. Without a type's own
// bounds they are finite.
struct StateBounds {
    double least = -DBL_MAX, greatest = DBL_MAX;
    bool are_whole = false;
    bool have_any_count = false;  // else as many as the value has now
};
inline constexpr StateBounds not_negative{.least = 0};
inline constexpr StateBounds perhaps_infinite{-HUGE_VAL, HUGE_VAL};
// Of a list that its owner looks through by its length.
inline constexpr StateBounds of_any_count{.have_any_count = true};

// Throws InputError where a number is out of bounds, or there are not so many. count: negative for
// any.
void check_numbers(std::span<const double> numbers, const StateBounds& bounds, std::int64_t count);

// Throws InputError where a value of entities is not finite, or so large that its square may not
// be.
void check_values_of_entities(const StateArray& array);

// `bounds`, and what the numbers of a type hold.
template <class T>
constexpr StateBounds narrowed(StateBounds bounds) {
    if constexpr (std::is_integral_v<T>) {
        constexpr auto largest = static_cast<double>(
            std::min<std::int64_t>(std::numeric_limits<T>::max(), std::int64_t(1) << 53));
        bounds.least = std::max(bounds.least, std::is_same_v<T, bool> ? 0 : -largest);
        bounds.greatest = std::min(bounds.greatest, largest);
        bounds.are_whole = true;
    }
    return bounds;
}

// A value as a list of numbers. Values of other types have pack() and unpack() beside their type:
// unpack() throws InputError where the numbers make no value.
template <class T>
requires std::is_arithmetic_v<T> std::vector<double> pack(T value) {
    return {static_cast<double>(value)};
}
template <class T>
std::vector<double> pack(const std::vector<T>& values) {
    return {values.begin(), values.end()};
}
template <class T, std::size_t n>
std::vector<double> pack(const std::array<T, n>& values) {
    return {values.begin(), values.end()};
}
// Two numbers each: whether it is there, and the value or 0.
inline std::vector<double> pack(const std::vector<std::optional<double>>& values) {
    std::vector<double> numbers;
    for (const auto& one : values)
        numbers.insert(numbers.end(), {one ? 1.0 : 0.0, one.value_or(0)});
    return numbers;
}

template <class T>
requires std::is_arithmetic_v<T>
void unpack(std::span<const double> numbers, T& value) { value = static_cast<T>(numbers[0]); }
template <class T>
void unpack(std::span<const double> numbers, std::vector<T>& values) {
    values.assign(numbers.begin(), numbers.end());
}
template <class T, std::size_t n>
void unpack(std::span<const double> numbers, std::array<T, n>& values) {
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(numbers[i]);
}
inline void unpack(std::span<const double> numbers, std::vector<std::optional<double>>& values) {
    values.clear();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        values.push_back(numbers[i] > 0 ? std::optional(numbers[i + 1]) : std::nullopt);
}

// A place in a registry: what is added gets the names of its parts in front. Copies refer to the
// same registry. What is added must outlive its use.
class StateValues {
  public:
    explicit StateValues(StateRegistry& registry) : registry_(&registry) {}

    StateValues part(const std::string& name) const { return of_part(*this, name); }
    // Of one of a list of the case, by the name that its user gave it: what the list has more or
    // less of than a saved state is told so. kind: "[[ship]]".
    StateValues owned_by(const std::string& kind, const std::string& name) const {
        return of_owner(*this, kind, name);
    }
    // Entries of a group are taken and restored apart from others.
    StateValues group(const std::string& name) const { return of_group(*this, name); }
    // Entries that are saved and loaded, but that steps taken back leave as they are.
    StateValues off_stack() const { return beside_stack(*this); }

    StateRegistry& registry() const { return *registry_; }

    // A value of a type with pack() and unpack(); alike on all ranks.
    template <class T>
    void add(const std::string& name, T& value, const StateBounds& bounds = {}) const;
    // A value that functions read and set.
    template <class T>
    void add(const std::string& name, std::function<T()> get, std::function<void(const T&)> set,
             const StateBounds& bounds = {}) const;
    // A copyable value that is on the stack alone: a saved state has what it follows from.
    template <class T>
    void stack(T& value) const;
    template <class T>
    void stack(std::function<T()> get, std::function<void(const T&)> set) const;
    // Actions after a restore or a load, in the order of the calls: they compute what follows from
    // the values. Those of off_stack() run after a load alone.
    void remade(std::function<void()> action) const {
        registry_->remade(
            group_,
            is_stacked_ ? StateRegistry::When::restored_or_loaded : StateRegistry::When::loaded,
            std::move(action));
    }

  protected:
    template <class Values>
    static Values of_part(Values values, const std::string& name) {
        values.prefix_ += name + '/';
        return values;
    }
    template <class Values>
    static Values of_owner(Values values, const std::string& kind, const std::string& name) {
        values.belongs_to_ = kind + " \"" + name + '"';
        return values;
    }
    template <class Values>
    static Values of_group(Values values, const std::string& name) {
        values.group_ = name;
        return values;
    }
    template <class Values>
    static Values beside_stack(Values values) {
        values.is_stacked_ = false;
        return values;
    }
    StateRegistry* registry_;
    std::string prefix_, group_, belongs_to_;
    bool is_stacked_ = true;
};

template <class T>
void StateValues::add(const std::string& name, T& value, const StateBounds& bounds) const {
    add<T>(
        name, [&value] { return value; }, [&value](const T& one) { value = one; }, bounds);
}

template <class T>
void StateValues::add(const std::string& name, std::function<T()> get,
                      std::function<void(const T&)> set, const StateBounds& bounds) const {
    StateArray shape;
    shape.name = prefix_ + name;
    const auto value_of = [get, bounds = narrowed<T>(bounds)](const StateArray& array) {
        const std::span<const double> numbers = std::get<std::vector<double>>(array.values);
        check_numbers(numbers, bounds,
                      bounds.have_any_count ? -1 : static_cast<std::int64_t>(pack(get()).size()));
        T value{};
        unpack(numbers, value);
        return value;
    };
    registry_->add({.name = shape.name,
                    .wanted = [shape] { return shape; },
                    .save =
                        [shape, get] {
                            StateArray array = shape;
                            array.values = pack(get());
                            return array;
                        },
                    .load = [set, value_of](const StateArray& array) { set(value_of(array)); },
                    .check = [value_of](const StateArray& array) { value_of(array); },
                    .belongs_to = belongs_to_});
    stack<T>(std::move(get), std::move(set));
}

template <class T>
void StateValues::stack(T& value) const {
    stack<T>([&value] { return value; }, [&value](const T& one) { value = one; });
}

template <class T>
void StateValues::stack(std::function<T()> get, std::function<void(const T&)> set) const {
    if (!is_stacked_) return;
    auto kept = std::make_shared<std::vector<T>>();
    registry_->add(StateRegistry::Stacked{group_,
                                          [=](std::size_t level) {
                                              kept->resize(level);
                                              kept->push_back(get());
                                          },
                                          [=](std::size_t level) { set((*kept)[level]); },
                                          [=](std::size_t levels) {
                                              if (kept->size() > levels) kept->resize(levels);
                                          }});
}

// Compiled once, in state_values.cpp: what most classes register.
#define SOLENOID_STATE_VALUE(linkage, ...)                                                       \
    linkage template void StateValues::add(const std::string&, __VA_ARGS__&, const StateBounds&) \
        const;                                                                                   \
    linkage template void StateValues::add(const std::string&, std::function<__VA_ARGS__()>,     \
                                           std::function<void(const __VA_ARGS__&)>,              \
                                           const StateBounds&) const;                            \
    linkage template void StateValues::stack(__VA_ARGS__&) const;                                \
    linkage template void StateValues::stack(std::function<__VA_ARGS__()>,                       \
                                             std::function<void(const __VA_ARGS__&)>) const;
#define SOLENOID_STATE_VALUES(linkage)                   \
    SOLENOID_STATE_VALUE(linkage, bool)                  \
    SOLENOID_STATE_VALUE(linkage, int)                   \
    SOLENOID_STATE_VALUE(linkage, std::int64_t)          \
    SOLENOID_STATE_VALUE(linkage, double)                \
    SOLENOID_STATE_VALUE(linkage, std::array<double, 3>) \
    SOLENOID_STATE_VALUE(linkage, std::vector<double>)   \
    SOLENOID_STATE_VALUE(linkage, std::vector<std::optional<double>>)
SOLENOID_STATE_VALUES(extern)

}  // namespace solenoid
