#include "io/monitors/parabolic_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <unordered_map>

namespace solenoid {
namespace {

constexpr int most_edges = 6;
using EdgeValues = std::array<double, most_edges>;
using Shape = std::array<double, 4>;

// The nodes of edges 01, 02, (03), 12, (13, 23) of a cell.
struct Ends {
    int a, b;
};
constexpr std::array<Ends, 3> triangle_edges{{{0, 1}, {0, 2}, {1, 2}}};
constexpr std::array<Ends, 6> tet_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
std::span<const Ends> edges(int dimension) {
    return dimension == 2 ? std::span<const Ends>(triangle_edges)
                          : std::span<const Ends>(tet_edges);
}

EdgeValues products(const Shape& shape, int dimension) {
    EdgeValues values{};
    int e = 0;
    for (const auto [a, b] : edges(dimension)) values[e++] = shape[a] * shape[b];
    return values;
}

// The linear shape functions of a cell, extended beyond it.
class ShapeFunctions {
  public:
    ShapeFunctions(const Topology& mesh, Index cell)
        : d_(mesh.dimension()), origin_(mesh.corner(cell, 0)) {
        const double volume = mesh.volume(cell);
        for (int j = 0; j <= d_; ++j) slope_[j] = mesh.side_area(cell, j) / (-d_ * volume);
    }
    Shape at(const Vec3& x) const {
        Shape shape{};
        for (int j = 0; j <= d_; ++j) shape[j] = (j == 0) + glm::dot(slope_[j], x - origin_);
        return shape;
    }

  private:
    int d_;
    Vec3 origin_;
    std::array<Vec3, 4> slope_;
};

// Inverts A in place by Cholesky factorization; false where A is not safely positive definite. The
// diagonal of A is of order one.
bool invert(std::array<EdgeValues, most_edges>& a, int n) {
    constexpr double least_pivot = 1e-6;
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, a[i][i]);
    std::array<EdgeValues, most_edges> l{}, inverse{};
    for (int j = 0; j < n; ++j) {
        double pivot = a[j][j];
        for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
        if (!(pivot > least_pivot * largest)) return false;
        l[j][j] = std::sqrt(pivot);
        for (int i = j + 1; i < n; ++i) {
            double sum = a[i][j];
            for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
            l[i][j] = sum / l[j][j];
        }
    }
    for (int column = 0; column < n; ++column) {
        EdgeValues x{};
        for (int i = 0; i < n; ++i) {
            x[i] = i == column;
            for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
            x[i] /= l[i][i];
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
            x[i] /= l[i][i];
        }
        for (int i = 0; i < n; ++i) inverse[i][column] = x[i];
    }
    a = inverse;
    return true;
}

// The cells at the nodes of chosen cells, each visited once, in the order of their numbers.
class CellsAround {
  public:
    CellsAround(const Topology& mesh, std::span<const PointInCell> points) {
        for (const auto& p : points)
            for (const Index node : mesh.nodes_of(p.cell)) cells_[node];
        for (Index c = 0; c < mesh.range(Kind::cell).all; ++c) {
            const CellNodes nodes = mesh.nodes_of(c);
            for (int j = 0; j < nodes.size(); ++j)
                if (const auto found = cells_.find(nodes[j]); found != cells_.end())
                    found->second.push_back({c, j});
        }
        for (auto& [node, corners] : cells_)
            std::ranges::stable_sort(
                corners, {}, [&](const Corner& corner) { return mesh.cell_number(corner.cell); });
    }
    struct Corner {
        Index cell;
        int j;
    };
    const std::vector<Corner>& of(Index node) const { return cells_.at(node); }

  private:
    std::unordered_map<Index, std::vector<Corner>> cells_;
};

// The parabola of one cell: the coefficient of each edge's function, as weights of surrounding
// nodes.
class CellFit {
  public:
    CellFit(const Topology& mesh, const CellsAround& around, Index cell,
            std::span<const GlobalIndex> parts)
        : mesh_(mesh),
          parts_(parts),
          cell_(cell),
          nodes_(mesh.nodes_of(cell)),
          d_(mesh.dimension()),
          shapes_(mesh, cell) {
        collect(around);
        fit();
    }

    void add_row(const Shape& shape, SampleRows& rows) const {
        const EdgeValues at_point = products(shape, d_);
        Shape linear = shape;
        for (const Sample& s : samples_) {
            double weight = 0;
            for (std::size_t e = 0; e < edges(d_).size(); ++e) weight += at_point[e] * s.weight[e];
            rows.node.push_back(s.node);
            rows.weight.push_back(weight);
            for (int j = 0; j <= d_; ++j) linear[j] -= weight * s.shape[j];
        }
        for (int j = 0; j <= d_; ++j) {
            rows.node.push_back(nodes_[j]);
            rows.weight.push_back(linear[j]);
        }
        rows.start.push_back(rows.node.size());
    }

  private:
    struct Sample {
        Index node;
        GlobalIndex number;
        Shape shape;        // of the cell's nodes, evaluated at this node
        EdgeValues weight;  // in the coefficients of the cell's edges
    };

    void collect(const CellsAround& around);
    void add_boundary(Index neighbour);
    void fit();
    bool is_of_cell(const Shape& shape) const;

    const Topology& mesh_;
    const std::span<const GlobalIndex> parts_;
    const Index cell_;
    const CellNodes nodes_;
    const int d_;
    const ShapeFunctions shapes_;
    std::vector<Sample> samples_;
    std::array<bool, most_edges> on_boundary_{};
};

bool CellFit::is_of_cell(const Shape& shape) const {
    return std::ranges::count_if(shape, [](double s) { return std::abs(s) < 1e-6; }) == 3;
}

// Collects nodes in the order of their global numbers, so that sums are equal on any number of
// ranks. A node that a periodic mesh sees in several places counts in each.
void CellFit::collect(const CellsAround& around) {
    for (int i = 0; i <= d_; ++i)
        for (const auto [neighbour, j] : around.of(nodes_[i])) {
            add_boundary(neighbour);
            if (mesh_.region(neighbour) != mesh_.region(cell_) ||
                (!parts_.empty() && parts_[neighbour] != parts_[cell_]))
                continue;
            const Vec3 offset = mesh_.corner(cell_, i) - mesh_.corner(neighbour, j);
            const CellNodes around_it = mesh_.nodes_of(neighbour);
            for (int k = 0; k <= d_; ++k) {
                const Index node = around_it[k];
                samples_.push_back({node,
                                    mesh_.node_number(node),
                                    shapes_.at(mesh_.corner(neighbour, k) + offset),
                                    {}});
            }
        }
    const auto farther = [](const Sample& a, const Sample& b) {
        for (int j = 0; j < 4; ++j)
            if (std::abs(a.shape[j] - b.shape[j]) > 1e-6) return a.shape[j] < b.shape[j] ? -1 : 1;
        return 0;
    };
    std::ranges::stable_sort(samples_, [&](const Sample& a, const Sample& b) {
        return a.number != b.number ? a.number < b.number : farther(a, b) < 0;
    });
    const auto repeated = std::ranges::unique(samples_, [&](const Sample& a, const Sample& b) {
        return a.number == b.number && farther(a, b) == 0;
    });
    samples_.erase(repeated.begin(), repeated.end());
    std::erase_if(samples_, [&](const Sample& s) { return is_of_cell(s.shape); });
}

// Marks the edges of the cell on boundary faces. Both cells of a face of the neighbour with two of
// the cell's nodes are held here.
void CellFit::add_boundary(Index neighbour) {
    const CellNodes theirs = mesh_.nodes_of(neighbour);
    for (int k = 0; k <= d_; ++k) {
        if (mesh_.beyond(neighbour, k) != Beyond::nothing) continue;
        const auto holds = [&](int j) {
            const auto* const found = std::find(theirs.begin(), theirs.end(), nodes_[j]);
            return found != theirs.end() && found != theirs.begin() + k;
        };
        int e = 0;
        for (const auto [a, b] : edges(d_)) {
            if (holds(a) && holds(b)) on_boundary_[e] = true;
            ++e;
        }
    }
}

void CellFit::fit() {
    const int n = static_cast<int>(edges(d_).size());
    std::array<EdgeValues, most_edges> normal{};
    for (Sample& s : samples_) {
        double distance = 0;  // squared, in barycentric coordinates of the cell
        for (int j = 0; j <= d_; ++j) distance += std::pow(s.shape[j] - 1.0 / (d_ + 1), 2);
        const EdgeValues p = products(s.shape, d_);
        for (int e = 0; e < n; ++e) s.weight[e] = p[e] / (distance * distance);
        for (int e = 0; e < n; ++e)
            for (int f = 0; f < n; ++f) normal[e][f] += s.weight[e] * p[f];
    }
    const bool determined = invert(normal, n);
    for (Sample& s : samples_) {
        const EdgeValues weighted = s.weight;
        for (int e = 0; e < n; ++e) {
            s.weight[e] = 0;
            if (!determined || on_boundary_[e]) continue;
            for (int f = 0; f < n; ++f) s.weight[e] += normal[e][f] * weighted[f];
        }
    }
}

// The row of the cell's own shape functions.
void add_own_nodes(const CellNodes& nodes, const PointInCell& point, SampleRows& rows) {
    for (int j = 0; j < nodes.size(); ++j) {
        rows.node.push_back(nodes[j]);
        rows.weight.push_back(point.weight[j]);
    }
    rows.start.push_back(rows.node.size());
}

}  // namespace

SampleRows parabolic_rows(const Topology& topology, std::span<const PointInCell> points,
                          std::span<const GlobalIndex> parts) {
    const CellsAround around(topology, points);
    SampleRows rows;
    std::optional<CellFit> fit;
    Index cell = none;
    for (const PointInCell& p : points) {
        const CellNodes nodes = topology.nodes_of(p.cell);
        if (nodes.shape == CellShape::quadrilateral) {
            add_own_nodes(nodes, p, rows);
            continue;
        }
        if (!fit || p.cell != cell) fit.emplace(topology, around, cell = p.cell, parts);
        fit->add_row(p.weight, rows);
    }
    return rows;
}

}  // namespace solenoid
