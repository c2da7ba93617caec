// The repeated red-black factorization (Brand, Numerische Mathematik 61 (1992) 433; de Jong, van
// der Ploeg, Ditzel & Vuik, Real-time computation of interactive waves using the GPU) as a plain
// sequential program: nodes are eliminated one after another from a sparse matrix that knows no
// stencils, and couplings are lumped by what their nodes are. Clear rather than fast; an oracle for
// the solver on devices.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace solenoid::test {

// A symmetric five-point matrix: d at the node (i, j), entry i + nx j; e couples it with
// (i + 1, j), n with (i, j + 1); those out of the grid are zero.
struct FivePointMatrix {
    int nx = 0, ny = 0;
    std::vector<double> d, e, n;

    FivePointMatrix(int nx, int ny)
        : nx(nx), ny(ny), d(std::size_t(nx) * ny), e(d.size()), n(d.size()) {}
    std::size_t node(int i, int j) const { return i + std::size_t(nx) * j; }

    std::vector<double> product(const std::vector<double>& x) const {
        std::vector<double> y(d.size());
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const std::size_t k = node(i, j);
                y[k] += d[k] * x[k];
                if (i + 1 < nx) y[k] += e[k] * x[k + 1], y[k + 1] += e[k] * x[k];
                if (j + 1 < ny) y[k] += n[k] * x[k + nx], y[k + nx] += n[k] * x[k];
            }
        return y;
    }
};

class SequentialRrb {
  public:
    // A level below the finest is the last, and factorized completely, where it has at most
    // `last_nodes` nodes.
    SequentialRrb(const FivePointMatrix& a, int last_nodes)
        : nx_(a.nx), ny_(a.ny), rows_(a.d.size()) {
        for (int j = 0; j < ny_; ++j)
            for (int i = 0; i < nx_; ++i) {
                const std::size_t k = a.node(i, j);
                rows_[k][k] = a.d[k];
                if (i + 1 < nx_) couple(k, k + 1, a.e[k]);
                if (j + 1 < ny_) couple(k, k + nx_, a.n[k]);
            }
        factorize(last_nodes);
    }

    int levels() const { return levels_; }
    // of a node: its entry of D; of two, the entry of L with the eliminated one's column
    double pivot(std::size_t node) const { return pivots_[node]; }
    double factor(std::size_t row, std::size_t column) const {
        for (const auto& [node, value] : columns_[column])
            if (node == row) return value;
        return 0;
    }
    const std::vector<std::size_t>& order() const { return order_; }

    // M z = r, zero where a row is empty, by L x = r, y = D^-1 x, L^T z = y (section 3.2)
    std::vector<double> solve(const std::vector<double>& r) const {
        std::vector<double> z = r;
        for (const std::size_t p : order_)
            for (const auto& [q, l] : columns_[p]) z[q] -= l * z[p];
        for (const std::size_t p : order_) z[p] = pivots_[p] == 0 ? 0 : z[p] / pivots_[p];
        for (auto p = order_.rbegin(); p != order_.rend(); ++p)
            for (const auto& [q, l] : columns_[*p]) z[*p] -= l * z[q];
        return z;
    }
    // M x
    std::vector<double> product(const std::vector<double>& x) const {
        std::vector<double> y = x;
        for (const std::size_t p : order_)
            for (const auto& [q, l] : columns_[p]) y[p] += l * x[q];
        for (const std::size_t p : order_) y[p] *= pivots_[p];
        for (auto p = order_.rbegin(); p != order_.rend(); ++p)
            for (const auto& [q, l] : columns_[*p]) y[q] += l * y[*p];
        return y;
    }

  private:
    void couple(std::size_t p, std::size_t q, double value) {
        if (value != 0) rows_[p][q] = rows_[q][p] = value;
    }

    // Gaussian elimination of one node: its row leaves the matrix, and its neighbours are coupled.
    void eliminate(std::size_t p) {
        const double pivot = rows_[p].at(p);
        pivots_[p] = pivot;
        for (const auto& [q, a] : rows_[p])
            if (q != p) columns_[p].push_back({q, a / pivot});
        for (const auto& [q, l] : columns_[p]) {
            rows_[q].erase(p);
            for (const auto& [s, a] : rows_[p])
                if (s != p) rows_[q][s] -= l * a;
        }
        order_.push_back(p);
    }

    // The coupling of p and q goes into the centres of both, so that the rows' sums stay.
    void lump(std::size_t p, std::size_t q) {
        const double a = rows_[p].at(q);
        rows_[p][p] += a;
        rows_[q][q] += a;
        rows_[p].erase(q);
        rows_[q].erase(p);
    }
    template <class Chosen>
    void lump_where(const std::vector<std::size_t>& nodes, const Chosen& chosen) {
        for (const std::size_t p : nodes) {
            std::vector<std::size_t> coupled;
            for (const auto& entry : rows_[p])
                if (entry.first > p && chosen(p, entry.first)) coupled.push_back(entry.first);
            for (const std::size_t q : coupled) lump(p, q);
        }
    }

    void factorize(int last_nodes) {
        pivots_.resize(rows_.size());
        columns_.resize(rows_.size());
        // the nodes of a level are (first_x + I step, first_y + J step)
        int first_x = 0, first_y = 0, step = 1, nx = nx_, ny = ny_;
        const auto node = [&](int i, int j) {
            return first_x + i * step + std::size_t(nx_) * (first_y + j * step);
        };
        for (levels_ = 1; levels_ == 1 || nx * ny > last_nodes; ++levels_) {
            // a line starts with an odd node, so that it has r2-nodes
            const int odd_x = nx == 1, odd_y = ny == 1;
            std::vector<std::size_t> black, r1, r2;
            for (int j = odd_y; j < ny + odd_y; ++j)
                for (int i = odd_x; i < nx + odd_x; ++i)
                    ((i + j) % 2 ? black : i % 2 ? r2 : r1).push_back(node(i - odd_x, j - odd_y));
            for (const std::size_t p : black) eliminate(p);
            // nine points; those of r1 become a rotated five-point stencil
            const auto is_r1 = [&](std::size_t p) { return std::ranges::binary_search(r1, p); };
            lump_where(r1, [&](std::size_t, std::size_t q) { return is_r1(q); });
            for (const std::size_t p : r1) eliminate(p);
            // nine points of r2, the next level; the diagonal ones are lumped
            lump_where(r2, [&](std::size_t p, std::size_t q) {
                return p % nx_ != q % nx_ && p / nx_ != q / nx_;
            });
            first_x += odd_x ? 0 : step;
            first_y += odd_y ? 0 : step;
            step *= 2;
            nx = (nx + odd_x) / 2;
            ny = (ny + odd_y) / 2;
        }
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) eliminate(node(i, j));
    }

    struct Entry {
        std::size_t node;
        double value;
    };
    const int nx_, ny_;
    int levels_ = 0;
    std::vector<std::map<std::size_t, double>> rows_;  // what is left of the matrix
    std::vector<std::size_t> order_;
    std::vector<double> pivots_;               // D
    std::vector<std::vector<Entry>> columns_;  // L, without its ones
};

struct SequentialSolve {
    std::vector<double> x;
    int iterations = 0;
};

// S x = b by conjugate gradients on the red nodes (equation (8)), from the zero guess until the
// norm of the residual in M^-1 is reduced by `reduction`.
inline SequentialSolve solve_on_red_nodes(const FivePointMatrix& s, const SequentialRrb& m,
                                          const std::vector<double>& b, double reduction) {
    const auto is_black = [&](std::size_t k) { return (k % s.nx + k / s.nx) % 2 != 0; };
    // x_b = D_b^-1 (b_b - S_br x_r)
    const auto with_black = [&](std::vector<double> x, const std::vector<double>& right) {
        for (std::size_t k = 0; k < x.size(); ++k)
            if (is_black(k)) x[k] = 0;
        const std::vector<double> product = s.product(x);
        for (std::size_t k = 0; k < x.size(); ++k)
            if (is_black(k)) x[k] = (right[k] - product[k]) / s.d[k];
        return x;
    };
    const std::vector<double> zero(b.size());
    const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
        double sum = 0;
        for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
        return sum;
    };
    // b_1 = b_r - S_rb D_b^-1 b_b, and nothing at black nodes
    std::vector<double> r = b, x = zero;
    const std::vector<double> product = s.product(with_black(zero, b));
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = is_black(k) ? 0 : b[k] - product[k];
    const auto precondition = [&] {
        std::vector<double> z = m.solve(r);
        for (std::size_t k = 0; k < z.size(); ++k)
            if (is_black(k)) z[k] = 0;
        return z;
    };
    std::vector<double> z = precondition(), p = z;
    double rho = dot(r, z);
    const double target = reduction * reduction * rho;
    SequentialSolve result;
    while (rho > target) {
        std::vector<double> q = s.product(with_black(p, zero));
        for (std::size_t k = 0; k < q.size(); ++k)
            if (is_black(k)) q[k] = 0;
        const double alpha = rho / dot(p, q);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] += alpha * p[k], r[k] -= alpha * q[k];
        z = precondition();
        const double before = rho;
        rho = dot(r, z);
        for (std::size_t k = 0; k < p.size(); ++k) p[k] = z[k] + rho / before * p[k];
        ++result.iterations;
    }
    result.x = with_black(x, b);
    return result;
}

// Numbers in [0, 1) that look random.
inline std::vector<double> random_vector(std::size_t size, std::uint64_t seed) {
    std::vector<double> x(size);
    std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (double& value : x) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = double(state >> 11) / double(std::uint64_t(1) << 53);
    }
    return x;
}

// Couplings between -1.1 and -0.1, rows that sum up to at least 0.01.
inline FivePointMatrix random_matrix(int nx, int ny) {
    FivePointMatrix a(nx, ny);
    const std::vector<double> random = random_vector(3 * a.d.size(), 1);
    for (std::size_t k = 0; k < a.d.size(); ++k) a.d[k] += 0.01 + random[3 * k];
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const std::size_t k = a.node(i, j);
            const auto couple = [&](std::vector<double>& coupling, std::size_t other, double c) {
                coupling[k] = -c;
                a.d[k] += c;
                a.d[other] += c;
            };
            if (i + 1 < nx) couple(a.e, k + 1, 0.1 + random[3 * k + 1]);
            if (j + 1 < ny) couple(a.n, k + nx, 0.1 + random[3 * k + 2]);
        }
    return a;
}

// Problem (9): Poisson's equation on N x N nodes within the unit square, times the square of the
// mesh width, for u = x (x - 1) y (y - 1) exp(x y).
struct PoissonProblem9 {
    FivePointMatrix matrix;
    std::vector<double> b, u;

    explicit PoissonProblem9(int nodes) : matrix(nodes, nodes), b(matrix.d.size()), u(b.size()) {
        const double h = 1.0 / (nodes + 1);
        for (int j = 0; j < nodes; ++j)
            for (int i = 0; i < nodes; ++i) {
                const std::size_t k = matrix.node(i, j);
                matrix.d[k] = 4;
                matrix.e[k] = i + 1 < nodes ? -1 : 0;
                matrix.n[k] = j + 1 < nodes ? -1 : 0;
                const double x = (i + 1) * h, y = (j + 1) * h;
                const double p = x * (x - 1), q = y * (y - 1), e = std::exp(x * y);
                u[k] = p * q * e;
                b[k] = -h * h * e *
                       (q * (2 + 2 * y * (2 * x - 1) + y * y * p) +
                        p * (2 + 2 * x * (2 * y - 1) + x * x * q));
            }
    }
};

}  // namespace solenoid::test
