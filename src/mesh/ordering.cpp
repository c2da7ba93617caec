#include "mesh/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <numeric>

namespace solenoid {
namespace {

constexpr int bits = 21;  // per direction; 63 in all

using Lattice = std::array<std::uint32_t, 3>;

Lattice lattice_point(const Vec3& point, const Vec3& low, const Vec3& high, int dimension) {
    constexpr double cells = 1u << bits;
    Lattice x{};
    for (int i = 0; i < dimension; ++i) {
        const double extent = high[i] - low[i];
        const double t = extent > 0 ? (point[i] - low[i]) / extent : 0;
        x[i] = static_cast<std::uint32_t>(std::clamp(std::floor(t * cells), 0.0, cells - 1));
    }
    return x;
}

// Turns coordinates into the "transpose" of the Hilbert index, in place. J. Skilling, Programming
// the Hilbert curve, AIP Conference Proceedings 707 (2004) 381-387.
void to_transpose(Lattice& x, int dimension) {
    constexpr std::uint32_t top = 1u << (bits - 1);
    // Undoes the rotations, from the coarsest level down.
    for (std::uint32_t bit = top; bit > 1; bit >>= 1)
        for (int i = 0; i < dimension; ++i) {
            const std::uint32_t lower = bit - 1;
            if (x[i] & bit) {
                x[0] ^= lower;
            } else {
                const std::uint32_t differing = (x[0] ^ x[i]) & lower;
                x[0] ^= differing;
                x[i] ^= differing;
            }
        }
    for (int i = 1; i < dimension; ++i) x[i] ^= x[i - 1];  // Gray code
    std::uint32_t flip = 0;
    for (std::uint32_t bit = top; bit > 1; bit >>= 1)
        if (x[dimension - 1] & bit) flip ^= bit - 1;
    for (int i = 0; i < dimension; ++i) x[i] ^= flip;
}

// Breadth-first search of one component, neighbours in ascending degree.
class LevelSearch {
  public:
    explicit LevelSearch(const Rows& graph) : graph_(graph), round_(graph.rows(), 0) {}

    bool ordered(Index vertex) const { return round_[vertex] == done; }

    // Appends the levels from `root` to `order` at `begin` and returns their number. last_level()
    // is the beginning of the last level in `order`.
    int search(Index root, std::vector<Index>& order, std::size_t begin) {
        order.resize(begin);
        order.push_back(root);
        round_[root] = ++current_;
        int levels = 0;
        for (std::size_t level = begin; level < order.size(); ++levels) {
            last_level_ = level;
            for (const std::size_t end = order.size(); level < end; ++level)
                visit(order[level], order);
        }
        return levels;
    }
    std::size_t last_level() const { return last_level_; }

    void finish(const std::vector<Index>& order, std::size_t begin) {
        for (std::size_t i = begin; i < order.size(); ++i) round_[order[i]] = done;
    }

  private:
    static constexpr Index done = none;

    void visit(Index vertex, std::vector<Index>& order) {
        const std::size_t first = order.size();
        for (const Index* n = graph_.begin(vertex); n != graph_.end(vertex); ++n)
            if (round_[*n] != current_ && round_[*n] != done) {
                round_[*n] = current_;
                order.push_back(*n);
            }
        std::sort(order.begin() + first, order.end(), [this](Index a, Index b) {
            return std::pair(graph_.length(a), a) < std::pair(graph_.length(b), b);
        });
    }

    const Rows& graph_;
    std::vector<Index> round_;  // the last search that visited the vertex
    Index current_ = 0;
    std::size_t last_level_ = 0;
};

// Orders one component from a peripheral vertex (George & Liu 1979): searches start from the last
// level until the number of levels no longer grows; the last search is the order.
void order_component(const Rows& graph, Index start, LevelSearch& search,
                     std::vector<Index>& order) {
    const std::size_t begin = order.size();
    Index root = start;
    for (int levels = 0;;) {
        const int found = search.search(root, order, begin);
        if (found <= levels) break;
        levels = found;
        root = *std::min_element(
            order.begin() + search.last_level(), order.end(), [&](Index a, Index b) {
                return std::pair(graph.length(a), a) < std::pair(graph.length(b), b);
            });
    }
    search.finish(order, begin);
}

}  // namespace

std::uint64_t hilbert_index(const Vec3& point, const Vec3& low, const Vec3& high, int dimension) {
    Lattice x = lattice_point(point, low, high, dimension);
    to_transpose(x, dimension);
    std::uint64_t index = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
        for (int i = 0; i < dimension; ++i) index = index << 1 | (x[i] >> bit & 1u);
    return index;
}

std::vector<Index> hilbert_order(const std::vector<Vec3>& points, int dimension) {
    if (points.empty()) return {};
    Vec3 low = points[0], high = points[0];
    for (const Vec3& point : points) low = glm::min(low, point), high = glm::max(high, point);
    const Vec3 extent = high - low;  // a cube: steps of the curve have one length in all directions
    high = low + Vec3(std::max({extent.x, extent.y, extent.z}));

    std::vector<std::pair<std::uint64_t, Index>> keys(points.size());
    for (Index i = 0; i < points.size(); ++i)
        keys[i] = {hilbert_index(points[i], low, high, dimension), i};
    std::sort(keys.begin(), keys.end());
    std::vector<Index> order(points.size());
    std::transform(keys.begin(), keys.end(), order.begin(),
                   [](const auto& key) { return key.second; });
    return order;
}

std::vector<Index> reverse_cuthill_mckee(const Rows& neighbours) {
    const Index count = static_cast<Index>(neighbours.rows());
    std::vector<Index> order;
    order.reserve(count);
    LevelSearch search(neighbours);
    for (Index start = 0; start < count; ++start)
        if (!search.ordered(start)) order_component(neighbours, start, search, order);
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace solenoid
