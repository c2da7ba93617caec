#include "grid/run/node_fields.hpp"

#include "core/stop_signal.hpp"
#include "grid/run/add_by_nodes.hpp"

namespace solenoid {

template <class Real>
NodeFields<Real>::NodeFields(const Grid<Real>& grid, const GridTopology& topology)
    : grid_(grid), topology_(topology) {
    const GridLayout& layout = grid.layout();
    const GridExtents& extents = layout.extents();
    // next to the block, round a periodic direction
    const auto near = [](int k, int n, bool is_periodic, int first, int last) {
        if (is_periodic && k < first) return k + n;
        if (is_periodic && k > last) return k - n;
        return k;
    };
    grid.comm().agree([&] {
        for (Index n = 0; n < topology.range(Kind::node).all; ++n) {
            if (n % 4096 == 0) break_off_if_overdue();
            const auto [i, j] = topology.node_place(n);
            entry_.push_back(layout.entry(
                near(i, extents.nx, extents.is_periodic_x, layout.first_x(), layout.last_x()),
                near(j, extents.ny, extents.is_periodic_y, layout.first_y(), layout.last_y())));
        }
    });
}

template <class Real>
std::vector<double> NodeFields<Real>::held(const Buffer<Real>& field, int column) const {
    const std::vector<Real> all = field.download();
    const auto first = all.begin() + std::ptrdiff_t(column) * grid_.layout().size();
    return {first, first + grid_.layout().size()};
}

template <class Real>
std::vector<double> NodeFields<Real>::values(Buffer<Real>& field) const {
    grid_.exchange(field);
    const std::vector<Real> all = field.download();
    std::vector<double> values;
    values.reserve(entry_.size() * field.columns());
    for (int c = 0; c < field.columns(); ++c)
        for (const Index entry : entry_)
            values.push_back(all[std::size_t(c) * grid_.layout().size() + entry]);
    return values;
}

// Along each direction the difference of what lies on both sides, or, at an end, of three nodes of
// one side; both together give the gradient by the differences of positions.
template <class Real>
std::vector<double> NodeFields<Real>::gradient(Buffer<Real>& field, const GridMesh& mesh) const {
    grid_.exchange(field);
    const auto u = held(field);
    const GridLayout& layout = grid_.layout();
    const GridBlock& b = layout.block();
    struct Difference {
        double u = 0;
        Vec3 x{0};
    };
    const auto along = [&](int i, int j, int di, int dj) {
        Difference sum;
        const auto take = [&](int steps, double weight) {
            const int x = i + steps * di, y = j + steps * dj;
            sum.u += weight * u[layout.entry(x, y)];
            sum.x += weight * mesh.position(x, y);
        };
        const bool ahead = mesh.is_line(i, j, di, dj),
                   behind = mesh.is_line(i - di, j - dj, di, dj);
        if (ahead && behind) {
            take(1, 0.5);
            take(-1, -0.5);
        } else if (ahead || behind) {
            const int s = ahead ? 1 : -1, next = ahead ? 1 : -2;
            if (mesh.is_line(i + next * di, j + next * dj, di, dj)) {
                take(0, -1.5 * s);
                take(s, 2.0 * s);
                take(2 * s, -0.5 * s);
            } else {
                take(0, -1.0 * s);
                take(s, 1.0 * s);
            }
        }
        return sum;
    };
    const std::size_t size = std::size_t(b.width) * b.height;
    std::vector<double> rows(2 * size, 0);
    for (int j = b.y; j < b.y + b.height; ++j)
        for (int i = b.x; i < b.x + b.width; ++i) {
            if (!mesh.is_node(i, j)) continue;
            const Difference x = along(i, j, 1, 0), y = along(i, j, 0, 1);
            const double area = x.x.x * y.x.y - x.x.y * y.x.x;
            const std::size_t k = std::size_t(j - b.y) * b.width + (i - b.x);
            rows[k] = (x.u * y.x.y - y.u * x.x.y) / area;
            rows[size + k] = (y.u * x.x.x - x.u * y.x.x) / area;
        }
    Buffer<Real> gradient = grid_.field(2);
    grid_.from_host(rows, gradient);
    std::vector<double> result = values(gradient);
    result.resize(3 * entry_.size(), 0);
    return result;
}

template <class Real>
void NodeFields<Real>::add(const StateValues& state, const std::string& name,
                           Buffer<Real>& field) const {
    add_by_nodes(state, name, grid_.device(), topology_, entry_, field);
}

template class NodeFields<float>;
template class NodeFields<double>;

}  // namespace solenoid
