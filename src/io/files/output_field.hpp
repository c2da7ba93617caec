// A field for output: a name, and values on the host.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/types.hpp"

namespace solenoid {

// values: column by column, as from Buffer::download(). Component k of entity i is values[k * n +
// i] with n = values.size() / components. n is at least the number of entities written; further
// values are ignored.
struct OutputField {
    std::string name;
    std::variant<std::span<const double>, std::span<const float>> values;
    int components = 1;
    bool is_parabolic = false;  // monitors interpolate by parabolas instead of linearly
    // values of parabolas are clipped to the range of the fitted node values
    bool is_bounded = false;
    // a number for each of the rank's cells; a parabola is fitted within cells of one number.
    // Empty: all cells have the same number
    std::span<const GlobalIndex> parts = {};
    // of one component: the value at the only point where it is asked for, in place of `values`
    std::optional<double> at_point = {};

    std::size_t size() const {
        return std::visit([](auto v) { return v.size(); }, values) /
               static_cast<std::size_t>(components);
    }
    double operator()(std::size_t i, int component = 0) const {
        const std::size_t at = component * size() + i;
        return std::visit([at](auto v) { return static_cast<double>(v[at]); }, values);
    }
};

using PointField = OutputField;  // values at the rank's nodes
using CellField = OutputField;   // values at the rank's cells
using NodeField = OutputField;

}  // namespace solenoid
