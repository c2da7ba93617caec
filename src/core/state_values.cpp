#include "core/state_values.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace solenoid {

void check_numbers(std::span<const double> numbers, const StateBounds& bounds, std::int64_t count) {
    if (count >= 0 && numbers.size() != static_cast<std::size_t>(count))
        throw InputError(fmt::format("has {} {} where {} {} needed", numbers.size(),
                                     numbers.size() == 1 ? "number" : "numbers", count,
                                     count == 1 ? "is" : "are"));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double number = numbers[i];
        const char* const needed = bounds.are_whole                 ? "a whole number"
                                   : !(bounds.greatest == HUGE_VAL) ? "a finite number"
                                                                    : "a number";
        if (!(number >= bounds.least && number <= bounds.greatest) ||
            (bounds.are_whole && number != std::floor(number)))
            throw InputError(fmt::format(
                "is {:g}{} where {}{} is needed", number,
                numbers.size() == 1 ? "" : fmt::format(" at place {}", i), needed,
                std::abs(bounds.least) >= DBL_MAX ? ""
                : bounds.greatest >= 9e15
                    ? fmt::format(" of at least {:g}", bounds.least)
                    : fmt::format(" from {:g} to {:g}", bounds.least, bounds.greatest)));
    }
}

// Every run sums the squares of its fields.
void check_values_of_entities(const StateArray& array) {
    constexpr double largest = 1e150;
    std::visit(
        [&]<class Values>(const Values& values) {
            if constexpr (std::is_floating_point_v<typename Values::value_type>) {
                const auto bad = std::ranges::find_if(
                    values, [](double value) { return !(std::abs(value) <= largest); });
                if (bad == values.end()) return;
                throw InputError(fmt::format(
                    "is {:g} at number {} of the mesh's {}, where a finite number with a finite "
                    "square is needed",
                    *bad, array.entity[(bad - values.begin()) % array.entity.size()],
                    array.of == StateArray::Of::nodes   ? "nodes"
                    : array.of == StateArray::Of::edges ? "edges"
                    : array.of == StateArray::Of::faces ? "faces"
                                                        : "cells"));
            }
        },
        array.values);
}

#define SOLENOID_HERE
SOLENOID_STATE_VALUES(SOLENOID_HERE)
#undef SOLENOID_HERE

}  // namespace solenoid
