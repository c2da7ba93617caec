// Numbering of simplices that occur several times, by first appearance.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/pieces.hpp"
#include "core/transposed_incidence.hpp"

namespace solenoid {

template <int width>
class SimplexNumbering {
  public:
    using Nodes = std::array<Index, width>;

    // nodes(k): the nodes of occurrence k < count. All occurrences of a simplex give one order.
    template <class NodesOf>
    SimplexNumbering(std::size_t node_count, std::size_t count, const NodesOf& nodes) {
        if (count >= reversed)
            throw std::length_error("more than 2^31 edges of cells, or faces, on a rank");
        by_first_ =
            transposed_incidence(count, node_count, [&](std::size_t k) { return nodes(k)[0]; });
        number_.resize(count);
        in_parts(
            0, node_count,
            [&](std::size_t begin, std::size_t end) {
                std::vector<Occurrence> row;
                for (std::size_t n = begin; n < end; ++n) find_firsts(n, nodes, row);
            },
            256);
        number_firsts(nodes);
        for_each(0, count, [&](std::size_t k) {
            if (!(number_[k] & is_number)) number_[k] = entity_of(number_[number_[k]]);
        });
        for_each(0, count, [&](std::size_t k) { number_[k] = entity_of(number_[k]); });
    }

    std::size_t size() const { return nodes_.size() / width; }
    const std::vector<Index>& numbers() const { return number_; }  // of each occurrence

    // The number of a simplex, `none` where it does not occur.
    Index find(const Nodes& nodes) const {
        for (const Index* k = by_first_.begin(nodes[0]); k != by_first_.end(nodes[0]); ++k)
            if (std::equal(nodes.begin(), nodes.end(),
                           nodes_.begin() + std::size_t{number_[*k]} * width))
                return number_[*k];
        return none;
    }

    // Move the nodes of every simplex, and the numbers, out of the numbering.
    Table release() {
        Table table;
        table.width = width;
        table.data = std::move(nodes_);
        return table;
    }
    std::vector<Index> release_numbers() { return std::move(number_); }

  private:
    struct Occurrence {
        Nodes nodes;
        Index place;
        auto operator<=>(const Occurrence&) const = default;
    };
    // marks numbers in number_ during construction; other entries are places of first occurrences
    static constexpr Index is_number = reversed;

    template <class NodesOf>
    void find_firsts(std::size_t node, const NodesOf& nodes, std::vector<Occurrence>& row) {
        row.clear();
        for (const Index* k = by_first_.begin(node); k != by_first_.end(node); ++k)
            row.push_back({nodes(*k), *k});
        std::sort(row.begin(), row.end());
        for (std::size_t i = 0, first = 0; i < row.size(); ++i) {
            if (row[i].nodes != row[first].nodes) first = i;
            number_[row[i].place] = row[first].place;
        }
    }

    template <class NodesOf>
    void number_firsts(const NodesOf& nodes) {
        const Parts parts(0, number_.size(), 16384);
        std::vector<Index> next(parts.count + 1, 0);
        in_threads(parts.count, [&](int part) {
            for (std::size_t k = parts.bound(part); k < parts.bound(part + 1); ++k)
                next[part + 1] += number_[k] == k;
        });
        std::partial_sum(next.begin(), next.end(), next.begin());
        nodes_.resize(std::size_t{next.back()} * width);
        in_threads(parts.count, [&](int part) {
            Index number = next[part];
            for (std::size_t k = parts.bound(part); k < parts.bound(part + 1); ++k) {
                if (number_[k] != k) continue;
                const Nodes of_simplex = nodes(k);
                std::copy(of_simplex.begin(), of_simplex.end(),
                          nodes_.begin() + std::size_t{number} * width);
                number_[k] = number++ | is_number;
            }
        });
    }

    Rows by_first_;              // occurrences of the simplices by their first node
    std::vector<Index> number_;  // of each occurrence
    std::vector<Index> nodes_;
};

}  // namespace solenoid
