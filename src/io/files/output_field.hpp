// A field as the output sees it: a name and values on the host.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "core/types.hpp"

namespace solenoid {

// Values column by column, as Buffer::download gives them: component k of entity i at values[k * n
// + i] with n = values.size() / components. n is at least the number of entities written; what
// comes after is not read.
struct OutputField {
    std::string name;
    std::variant<std::span<const double>, std::span<const float>> values;
    int components = 1;
    bool is_parabolic = false;  // between nodes, for monitors; else linear
    // the parabola stays in the range of the node values that it is fitted to
    bool is_bounded = false;
    // of the rank's cells: parabolas are fitted within cells of one number; empty: all have the
    // same
    std::span<const GlobalIndex> parts = {};

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
