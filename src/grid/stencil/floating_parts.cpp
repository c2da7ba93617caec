#include "grid/stencil/floating_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "core/stop_signal.hpp"

namespace solenoid {
namespace {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), std::size_t(0));
    }
    std::size_t root(std::size_t k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    void join(std::size_t a, std::size_t b) {
        a = root(a), b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> parent_;
};

// What a rank sees of a part: its nodes of the block.
struct Piece {
    RankSum imbalance, load;
    std::int64_t nodes = 0, first = INT64_MAX;  // of the numbers of its nodes, row by row
    std::int64_t is_held = 0;
};
// A node at the border of a block, which more than one rank sees, or one rank twice.
struct BorderNode {
    std::int64_t node, piece;
};

// What each rank has, on every rank.
template <class T>
std::vector<std::vector<T>> of_all_ranks(const Communicator& comm, const std::vector<T>& mine) {
    std::vector<std::vector<std::byte>> bytes = comm.gather(std::as_bytes(std::span(mine)));
    bytes.resize(comm.size());
    std::vector<std::vector<T>> all(comm.size());
    for (int rank = 0; rank < comm.size(); ++rank) {
        comm.broadcast(bytes[rank]);
        all[rank].resize(bytes[rank].size() / sizeof(T));
        if (!all[rank].empty())
            std::memcpy(all[rank].data(), bytes[rank].data(), bytes[rank].size());
    }
    return all;
}

int wrapped(int i, int n) { return (i + n) % n; }

}  // namespace

// Each rank joins the unknowns of its block and next to it. Every rank then joins the pieces of all
// ranks that have a node in common.
FloatingParts floating_parts(const Communicator& comm, const GridLayout& layout,
                             const std::function<bool(int i, int j)>& has_cell,
                             const std::function<bool(int i, int j)>& is_unknown,
                             std::span<const double> right, const std::vector<bool>& is_held) {
    const GridExtents& whole = layout.extents();
    const GridBlock& b = layout.block();
    const int width = b.width + 2;
    const std::size_t size = std::size_t(width) * (b.height + 2);
    const auto place = [&](int i, int j) {
        return std::size_t(j - b.y + 1) * width + (i - b.x + 1);
    };
    DisjointSets sets(size);
    std::vector<bool> is_part(size);
    const auto join_row = [&](int j) {
        for (int i = b.x - 1; i < b.x + b.width; ++i) {
            if (!has_cell(i, j)) continue;
            std::size_t first = size;
            for (int c = 0; c < 4; ++c) {
                const int ci = i + (c & 1), cj = j + (c >> 1);
                if (!is_unknown(ci, cj)) continue;
                const std::size_t k = place(ci, cj);
                is_part[k] = true;
                if (first == size) first = k;
                sets.join(first, k);
            }
        }
    };
    comm.agree([&] {
        for (int j = b.y - 1; j < b.y + b.height; ++j) {
            break_off_if_overdue();
            join_row(j);
        }
    });

    constexpr int none_yet = -1;
    std::vector<int> piece_of(size, none_yet);
    std::vector<Piece> pieces;
    std::vector<BorderNode> border;
    const auto take_row = [&](int j) {
        for (int i = b.x - 1; i <= b.x + b.width; ++i) {
            const std::size_t k = place(i, j);
            if (!is_part[k]) continue;
            int& of_root = piece_of[sets.root(k)];
            if (of_root == none_yet) {
                of_root = static_cast<int>(pieces.size());
                pieces.emplace_back();
            }
            piece_of[k] = of_root;
            const std::int64_t node =
                std::int64_t(wrapped(j, whole.ny)) * whole.nx + wrapped(i, whole.nx);
            if (b.contains(i, j)) {
                const std::size_t own = std::size_t(j - b.y) * b.width + (i - b.x);
                Piece& piece = pieces[of_root];
                piece.imbalance += right[own];
                piece.load += std::abs(right[own]);
                ++piece.nodes;
                piece.first = std::min(piece.first, node);
                if (is_held[own]) piece.is_held = 1;
            }
            if (i <= b.x || j <= b.y || i >= b.x + b.width - 1 || j >= b.y + b.height - 1)
                border.push_back({node, of_root});
        }
    };
    comm.agree([&] {
        for (int j = b.y - 1; j <= b.y + b.height; ++j) {
            break_off_if_overdue();
            take_row(j);
        }
    });

    const std::vector<std::vector<Piece>> of_ranks = of_all_ranks(comm, pieces);
    const std::vector<std::vector<BorderNode>> borders = of_all_ranks(comm, border);
    std::vector<Piece> all;
    std::vector<std::size_t> start;
    for (const std::vector<Piece>& of_rank : of_ranks) {
        start.push_back(all.size());
        all.insert(all.end(), of_rank.begin(), of_rank.end());
    }
    DisjointSets joined(all.size());
    std::unordered_map<std::int64_t, std::size_t> found;
    for (std::size_t rank = 0; rank < borders.size(); ++rank)
        for (const auto& [node, piece] : borders[rank]) {
            const std::size_t here = start[rank] + static_cast<std::size_t>(piece);
            joined.join(found.try_emplace(node, here).first->second, here);
        }
    for (std::size_t k = 0; k < all.size(); ++k) {
        Piece& to = all[joined.root(k)];
        if (&to == &all[k]) continue;
        to.imbalance += all[k].imbalance;
        to.load += all[k].load;
        to.nodes += all[k].nodes;
        to.first = std::min(to.first, all[k].first);
        to.is_held |= all[k].is_held;
    }
    std::vector<std::size_t> floating;  // roots
    std::size_t parts = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (joined.root(k) != k) continue;
        ++parts;
        if (!all[k].is_held) floating.push_back(k);
    }
    FloatingParts result;
    if (parts < 2 || floating.empty()) return result;
    std::sort(floating.begin(), floating.end(),
              [&](std::size_t k, std::size_t l) { return all[k].first < all[l].first; });
    std::vector<int> part_of(all.size(), -1);
    for (const std::size_t k : floating) {
        part_of[k] = static_cast<int>(result.parts.size());
        const Piece& its = all[k];
        result.parts.push_back({static_cast<int>(its.first % whole.nx),
                                static_cast<int>(its.first / whole.nx), its.nodes, its.imbalance,
                                its.load});
    }
    for (int j = b.y; j < b.y + b.height; ++j)
        for (int i = b.x; i < b.x + b.width; ++i) {
            const int piece = piece_of[place(i, j)];
            result.of_node.push_back(
                piece == none_yet
                    ? -1
                    : part_of[joined.root(start[comm.rank()] + static_cast<std::size_t>(piece))]);
        }
    return result;
}

template <class Real>
void FloatingParts::remove_means(const Grid<Real>& grid, Buffer<Real>& field) const {
    std::vector<double> values = grid.to_host(field);
    std::vector<RankSum> sums(parts.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        if (of_node[k] >= 0) sums[of_node[k]] += values[k];
    grid.comm().sum(std::span(sums));
    for (std::size_t k = 0; k < values.size(); ++k)
        if (of_node[k] >= 0) values[k] -= sums[of_node[k]] / double(parts[of_node[k]].nodes);
    grid.from_host(values, field);
}

template void FloatingParts::remove_means(const Grid<float>&, Buffer<float>&) const;
template void FloatingParts::remove_means(const Grid<double>&, Buffer<double>&) const;

}  // namespace solenoid
