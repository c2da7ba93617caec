// Numbers simplices by first appearance: a hash table with chains, 4 bytes a bucket and 4 a simplex besides
// its nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

template <int width>
class SimplexNumbering {
  public:
    using Nodes = std::array<Index, width>;

    SimplexNumbering(std::size_t node_count, std::size_t expected)
        : scale_((std::uint64_t{expected} << 32) / std::max<std::size_t>(node_count, 1)),
          first_(expected + window, none) {
        next_.reserve(expected);
        nodes_.reserve(expected * width);
    }

    // The same simplex must always come with its nodes in the same order.
    Index find(const Nodes& nodes) const { return find_in(bucket(nodes), nodes); }

    Index number(const Nodes& nodes) {
        const std::size_t slot = bucket(nodes);
        const Index found = find_in(slot, nodes);
        return found != none ? found : append(slot, nodes);
    }

    std::size_t size() const { return next_.size(); }
    const Index* nodes(Index simplex) const { return nodes_.data() + std::size_t{simplex} * width; }

    // The nodes of every simplex; the numbering is empty afterwards.
    Table release() {
        Table table;
        table.width = width;
        table.data = std::move(nodes_);
        *this = SimplexNumbering(0, 0);
        return table;
    }

  private:
    // Buckets follow the first node, so that lookups stay near one another in memory; the other nodes spread
    // them over a window, so that a node with very many simplices makes no long chain.
    static constexpr std::size_t window = 4096;

    std::size_t bucket(const Nodes& nodes) const {
        std::uint64_t mixed = 0;
        for (int i = 1; i < width; ++i) mixed = (mixed ^ nodes[i]) * 0x9E3779B97F4A7C15u;
        return ((nodes[0] * scale_) >> 32) + (mixed >> 52);
    }

    Index find_in(std::size_t slot, const Nodes& key) const {
        Index simplex = first_[slot];
        while (simplex != none && !std::equal(key.begin(), key.end(), nodes(simplex)))
            simplex = next_[simplex];
        return simplex;
    }

    Index append(std::size_t slot, const Nodes& nodes) {
        const std::size_t simplex = size();
        if (simplex >= reversed)
            throw std::length_error("more than 2^31 mesh entities of one kind on a rank");
        if (next_.size() == next_.capacity()) grow();
        next_.push_back(first_[slot]);
        nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
        return first_[slot] = static_cast<Index>(simplex);
    }

    void grow() {  // by an eighth: doubling would set the program's peak of memory
        const std::size_t capacity = next_.size() + next_.size() / 8 + 64;
        next_.reserve(capacity);
        nodes_.reserve(capacity * width);
    }

    std::uint64_t scale_;       // buckets a node, in units of 2^-32
    std::vector<Index> first_;  // of each bucket's chain
    std::vector<Index> next_;   // in the chain, of each simplex
    std::vector<Index> nodes_;
};

// Faces to expect of a mesh: (dimension + 1)/2 a cell, and half of those on its surface.
inline std::size_t expected_faces(int dimension, std::size_t cells) {
    const double surface = 5 * std::pow(static_cast<double>(cells), (dimension - 1.0) / dimension);
    return (dimension + 1) * cells / 2 + static_cast<std::size_t>(surface) + 16;
}

}  // namespace solenoid
