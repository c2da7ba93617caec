// The values of what a physics can tell: computed when they are first asked for, and kept until the
// state changes. So what nobody asks for costs nothing, and what several ask for is computed once.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case/quantity_info.hpp"
#include "io/files/output_field.hpp"

namespace solenoid {

class Quantities {
  public:
    using Of = QuantityInfo::Of;
    // Values column by column: on the entities held here with ghosts filled, or of each of
    // Mesh::boundaries. Collective.
    using Compute = std::function<std::vector<double>()>;
    // How lines and points interpolate a quantity on nodes: as in OutputField.
    struct Interpolation {
        bool is_parabolic = false, is_bounded = false;
        std::function<std::vector<GlobalIndex>()> parts = {};  // empty: all cells are one part
    };

    // A sum of weight times a quantity on nodes, without its values at all nodes. watch: takes the
    // weights on one rank, or none, of nodes held there; returns what to ask for the sum by, -1:
    // the values are needed. value: of each column, on all ranks; empty: the values are needed in
    // this state. Collective.
    using Weights = std::vector<std::pair<Index, double>>;
    struct AtPoint {
        std::function<int(const Weights&)> watch = {};  // empty: the values are always needed
        std::function<std::vector<double>(int)> value = {};
    };
    // A place where quantities are asked for at each step: its weights, and what was found.
    struct Point {
        Weights linear = {}, parabolic = {};
        std::map<std::string, int> watched = {};
        bool is_outside = false;  // of the mesh: its row stays empty, and nothing is computed
    };

    // Throws std::logic_error for a second one of this name on entities of this kind.
    void add(QuantityInfo info, Compute compute, Interpolation interpolation, AtPoint at_point);
    void add(QuantityInfo info, Compute compute, Interpolation interpolation) {
        add(std::move(info), std::move(compute), std::move(interpolation), AtPoint());
    }
    void add(QuantityInfo info, Compute compute) {
        add(std::move(info), std::move(compute), Interpolation());
    }
    // From now on values are computed anew, of the present state.
    void state_changed();

    // Throw std::logic_error for an unknown name. The values stay valid until the state changes.
    // values(): collective.
    const std::vector<double>& values(const std::string& name, Of of = Of::nodes);
    // On nodes, as pictures show it: of vectors the length.
    std::span<const double> drawn(const std::string& name);
    const QuantityInfo& info(const std::string& name, Of of = Of::nodes) const;
    bool has(const std::string& name, Of of = Of::nodes) const { return find(name, of) != nullptr; }
    // Says that someone records it at each step. is_asked(): whether one does.
    void ask(const std::string& name, Of of = Of::nodes) { at(name, of).is_asked = true; }
    bool is_asked(const std::string& name, Of of = Of::nodes) const {
        return has(name, of) && at(name, of).is_asked;
    }
    // Of a quantity on boundaries, says which of Mesh::boundaries are read; asked_of(): all of
    // them. Values of it are computed anew.
    void ask_of(const std::string& name, const std::vector<std::size_t>& boundaries);
    const std::vector<std::size_t>& asked_of(const std::string& name) const {
        return at(name, Of::boundaries).asked_of;
    }
    std::int64_t times_computed(const std::string& name, Of of = Of::nodes) const;

    QuantityList list() const;
    // The arrays of files; the columns of these on nodes that tables of lines and points have, by
    // their place ("names" empty: of all). Collective.
    std::vector<OutputField> in_files(Of of);
    // point: not null where their values are needed there alone.
    std::vector<OutputField> in_tables(const std::vector<std::string>& names,
                                       Point* point = nullptr);
    std::vector<std::string> columns_in_tables(const std::vector<std::string>& names);

  private:
    struct Entry {
        QuantityInfo info;
        Compute compute;
        Interpolation interpolation;
        AtPoint at_point;
        std::optional<std::vector<double>> values = {}, lengths = {};
        std::optional<std::vector<GlobalIndex>> parts = {};
        std::int64_t times_computed = 0;
        bool is_asked = false;
        std::vector<std::size_t> asked_of = {};
    };
    const Entry* find(const std::string& name, Of of) const;
    const Entry& at(const std::string& name, Of of) const;
    Entry& at(const std::string& name, Of of) {
        return const_cast<Entry&>(static_cast<const Quantities&>(*this).at(name, of));
    }
    static const std::vector<double>& values(Entry& entry);
    std::vector<Entry*> for_tables(const std::vector<std::string>& names);
    static std::vector<double> at_point(Entry& entry, Point& point);

    std::deque<Entry> all_;  // a deque: references stay valid while others are added
};

// The lengths of vectors given column by column.
std::vector<double> magnitudes(std::span<const double> vectors, int columns);

}  // namespace solenoid
