#include "flow/convection/convection_correction.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/reproducible_sum.hpp"
#include "core/transposed_incidence.hpp"
#include "core/uninitialized_vector.hpp"
#include "flow/discretization/principal_axes.hpp"
#include "flow/discretization/slope_parts.hpp"
#include "parallel/agreed_sums.hpp"
#include "parallel/fill_ghosts.hpp"
#include "solvers/krylov/cgls.hpp"

namespace solenoid {
namespace {

// A SIMD vector of at least d components; the others are zero. It may be unaligned.
template <int d>
struct Register {
    using Vector __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)))) = double;
};
template <>
struct Register<2> {
    using Vector __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)))) = double;
};

// The conjugate gradients for a dimension d, on the host, with one pass over the cells for each
// operation: a cell's arithmetic costs little beside its memory traffic.
template <int d>
class Correction {
  public:
    Correction(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry,
               const std::vector<bool>& ends)
        : comm_(comm),
          mesh_(mesh),
          m_(mesh.mesh),
          g_(geometry),
          owned_(mesh.range(Kind::cell).owned),
          held_(mesh.range(Kind::cell).all),
          sides_(std::size_t(held_) * faces),
          scaled_(held_) {
        for_each(0, held_, [&](Index c) {
            for (int j = 0; j < faces; ++j)
                set(c, j, !ends.empty() && ends[entity_of(m_.cell_faces(c, j))]);
        });
        set_extents();
    }

    ConvectionCorrection solve(const std::vector<double>& transposed, double left, int most);

  private:
    static constexpr int faces = d + 1;
    using Vector = typename Register<d>::Vector;
    struct Tensor {  // [l][k]: the defect of component l of x for a flow along k
        Vector row[d];
        Vector& operator[](int l) { return row[l]; }
        const Vector& operator[](int l) const { return row[l]; }
    };
    using Weights = std::array<std::array<double, faces>, faces>;  // gamma of a cell
    struct Extents {
        Tensor of, inverse;
    };
    struct Side {
        Index neighbour;
        int back;  // j of the face in the neighbour
        // half of the outward area; the way to the neighbour's centroid, at an end of a duct twice
        // the way to the face's centroid
        Vector area, away;
        bool is_end;
    };

    static Vector vector(const Vec3& v) {
        Vector result{};
        for (int k = 0; k < d; ++k) result[k] = v[k];
        return result;
    }
    static double sum_of(const Vector& a) {
        double sum = a[0] + a[1];
        if constexpr (d == 3) sum += a[2] + a[3];
        return sum;
    }
    static Vector products(const Tensor& a, const Tensor& b) {
        Vector sums{};
        for (int l = 0; l < d; ++l) sums += a[l] * b[l];
        return sums;
    }
    static double dot(const Tensor& a, const Tensor& b) { return sum_of(products(a, b)); }
    static double dot(const Weights& a) {
        double sum = 0;
        for (const auto& row : a)
            for (double value : row) sum += value * value;
        return sum;
    }
    // a += factor x area with x along l and area along k.
    static void add(Tensor& a, double factor, const Vector& x, const Vector& area) {
        for (int l = 0; l < d; ++l) a[l] += factor * x[l] * area;
    }
    static void add(Tensor& a, double factor, const Tensor& b) {
        for (int l = 0; l < d; ++l) a[l] += factor * b[l];
    }
    static void divide(Tensor& a, double divisor) {
        for (Vector& row : a.row) row /= divisor;
    }

    void set(Index c, int j, bool is_end) {
        const Index o = m_.cell_faces(c, j), f = entity_of(o);
        const auto [a, b] = centroids_beside(m_, g_, f);
        const bool is_first = m_.face_cells(f, 0) == c;
        const Index neighbour = m_.face_cells(f, is_first ? 1 : 0);
        side(c, j) = {
            neighbour, neighbour == none ? 0 : place_of(neighbour, f),
            vector(0.5 * orientation_of(o) * g_.face_area[f]),
            is_end ? vector(2.0 * face_offset(m_, g_, c, j)) : vector(is_first ? b - a : a - b),
            is_end};
    }
    // The vector from the centroid of face j of a cell to its corner k.
    Vector from_centroid(Index c, int j, int k) const {
        Vec3 centroid(0);
        for (int i = 0; i < faces; ++i)
            if (i != j) centroid += m_.corner(c, i) / double(d);
        return vector(m_.corner(c, k) - centroid);
    }
    int place_of(Index cell, Index face) const {
        int j = 0;
        while (j < d && entity_of(m_.cell_faces(cell, j)) != face) ++j;
        return j;
    }
    // In thin cells x and flow are measured in the cell's own extents: a defect of x across, which
    // varies by as much in a short height, for a flow along, which crosses a cell as fast as one
    // across, would else be lost beside that of x along for a flow across.
    void set_extents() {
        const std::vector<double> part = slope_parts(m_);
        for (Index c = 0; c < owned_; ++c) {
            if (part[c] == 1) continue;
            std::vector<Vec3> corners;
            for (int j = 0; j < faces; ++j)
                corners.push_back(m_.corner(c, j) - g_.cell_centroid[c]);
            Extents extents{};
            for (const PrincipalAxis& axis : principal_axes(corners, d)) {
                const double extent = std::pow(axis.size, 1 - part[c]);
                const Vector e = vector(axis.direction);
                for (int l = 0; l < d; ++l) {
                    extents.of[l] += extent * e[l] * e;
                    extents.inverse[l] += e[l] / extent * e;
                }
            }
            thin_.push_back(c);
            extents_.push_back(extents);
        }
        place_of_thin_.assign(owned_, none);
        for (std::size_t i = 0; i < thin_.size(); ++i)
            place_of_thin_[thin_[i]] = static_cast<Index>(i);
    }
    // a = S^-1 a S with S the extents of a thin cell, symmetric: its own adjoint.
    void press(Index c, Tensor& a) const {
        if (place_of_thin_[c] == none) return;
        const Extents& extents = extents_[place_of_thin_[c]];
        a = product(product(extents.inverse, a), extents.of);
    }
    static Tensor product(const Tensor& a, const Tensor& b) {
        Tensor result{};
        for (int l = 0; l < d; ++l)
            for (int k = 0; k < d; ++k) result[l] += a[l][k] * b[k];
        return result;
    }
    Side& side(Index c, int j) { return sides_[std::size_t(c) * faces + j]; }
    const Side* sides(Index c) const { return &sides_[std::size_t(c) * faces]; }

    using Tensors = UninitializedVector<Tensor>;
    using AllWeights = UninitializedVector<Weights>;

  public:  // what cgls() sees: the defects of cells that weights gamma make
    double apply(AllWeights& gamma, Tensors& out);
    double apply_transposed(const Tensors& residual, AllWeights& out);
    double subtract(Tensors& residual, double step, const Tensors& q);
    void start(AllWeights& gamma, AllWeights& p, const AllWeights& s);
    void advance(AllWeights& gamma, double step, AllWeights& p, const AllWeights& s, double beta);

  private:
    Tensors defect(const std::vector<double>& transposed);
    template <class Values>
    void fill(Values& values) const {
        fill_ghosts(comm_, mesh_.halo(Kind::cell), values);
    }

    // The sum over all cells of value(c), with the same bits on any number of ranks: with flat
    // cells rounding grows sevenfold with each iteration.
    template <class Value>
    double sum_over_cells(const Value& value) {
        for_each(0, owned_, [&](Index c) { of_cells_[c] = value(c); });
        const ReproducibleSum sum(
            comm_.max(largest_of_each(0, owned_, [&](Index c) { return std::abs(of_cells_[c]); })),
            mesh_.global_count[int(Kind::cell)]);
        std::array<double, 3> parts = sum.parts(of_cells_);
        sums_.sum(std::span<double>(parts));
        return sum.total(parts);
    }

    const Communicator& comm_;
    AgreedSums sums_{comm_};
    const DistributedMesh& mesh_;
    const Mesh& m_;
    const Geometry& g_;
    const Index owned_, held_;
    std::vector<double> of_cells_ = std::vector<double>(owned_);
    UninitializedVector<Side> sides_;          // of each face of each cell held
    Tensors scaled_;                           // residuals divided by the cells' volumes
    std::vector<Index> thin_, place_of_thin_;  // cells, and where owned cells are among them
    std::vector<Extents> extents_;             // of thin_
};

// The defect without gamma: half of the error of face values by the plain mean, less half of the
// transposed.
template <int d>
typename Correction<d>::Tensors Correction<d>::defect(const std::vector<double>& transposed) {
    Tensors jumps(held_), result(held_), at_node(m_.nodes());
    for_each(0, owned_, [&](Index c) {
        jumps[c] = result[c] = {};
        for (int j = 0; j < faces; ++j) {
            const Side& s = sides(c)[j];
            if (s.is_end) add(jumps[c], -2, s.away, s.area);
            if (s.neighbour == none) continue;
            add(jumps[c], -2, s.away, s.area);
            add(result[c], -1, vector(face_offset(m_, g_, c, j)), s.area);
            add(result[c], 0.5, s.away, s.area);
        }
    });
    fill(jumps);
    Rows positions = transposed_incidence(m_.cell_nodes.data.size(), m_.nodes(),
                                          [&](std::size_t k) { return m_.cell_nodes.data[k]; });
    for_each(0, positions.rows(), [&](Index node) {
        std::sort(positions.index.begin() + positions.start[node],
                  positions.index.begin() + positions.start[node + 1], [&](Index a, Index b) {
                      return m_.cell_number[a / faces] < m_.cell_number[b / faces];
                  });
    });
    for_each(0, m_.nodes(), [&](Index node) {
        Tensor sum{};
        for (const Index* k = positions.begin(node); k != positions.end(node); ++k) {
            const Index c = *k / faces;
            for (int j = 0; j < faces; ++j)
                if (const Side& s = sides(c)[j];
                    j != int(*k % faces) && (s.is_end || s.neighbour != none)) {
                    add(sum, -1.0 / d, s.away, s.area);
                    if (s.is_end)
                        add(sum, -2.0 / (d * (d + 1)), from_centroid(c, j, int(*k % faces)),
                            s.area);
                }
            add(sum, -0.5 / (d + 1), jumps[c]);
        }
        at_node[node] = sum;
    });
    for_each(0, owned_, [&](Index c) {
        for (int i = 0; i < faces; ++i)
            add(result[c], -0.5 * transposed[std::size_t(c) * faces + i],
                at_node[m_.cell_nodes(c, i)]);
        divide(result[c], g_.cell_volume[c]);
        press(c, result[c]);
    });
    return result;
}

// residual -= step q; updates scaled_ with its ghosts. Returns the square of the residual.
template <int d>
double Correction<d>::subtract(Tensors& residual, double step, const Tensors& q) {
    const double square = sum_over_cells([&](Index c) {
        add(residual[c], -step, q[c]);
        scaled_[c] = {};
        add(scaled_[c], 1 / g_.cell_volume[c], residual[c]);
        press(c, scaled_[c]);
        return dot(residual[c], residual[c]);
    });
    fill(scaled_);
    return square;
}

// The gradient for each gamma_fg: the sum of what it adds to the defects of its cell n and of the
// neighbours through f and g (apply()), times the scaled residuals of subtract(). Returns its
// square.
template <int d>
double Correction<d>::apply_transposed(const Tensors&, AllWeights& out) {
    return sum_over_cells([&](Index n) {
        const Side* s = sides(n);
        std::array<Tensor, faces> rise{};  // difference to each neighbour
        for (int g = 0; g < faces; ++g)
            if (s[g].neighbour != none) {
                rise[g] = scaled_[s[g].neighbour];
                add(rise[g], -1, scaled_[n]);
            }
        for (int f = 0; f < faces; ++f) {
            out[n][f] = {};
            if (s[f].neighbour == none) continue;
            Tensor mine{};
            add(mine, 1, s[f].away, s[f].area);
            Vector across{};
            for (int l = 0; l < d; ++l) across[l] = sum_of(s[f].area * rise[f][l]);
            for (int g = 0; g < faces; ++g)
                if (g != f && s[g].neighbour != none)
                    out[n][f][g] = sum_of(products(mine, rise[g]) - across * s[g].away);
        }
        return dot(out[n]);
    });
}

// The defects of owned cells by gamma, whose ghosts are filled: by the cell's own faces, and by the
// faces of each neighbour n through the face between them. Returns their square.
template <int d>
double Correction<d>::apply(AllWeights& gamma, Tensors& out) {
    fill(gamma);
    return sum_over_cells([&](Index c) {
        const Side* s = sides(c);
        Tensor sum{};
        for (int f = 0; f < faces; ++f) {
            if (s[f].neighbour == none) continue;
            Vector here{}, there{};
            double total = 0;
            for (int g = 0; g < faces; ++g) {
                total += gamma[c][f][g];
                here += gamma[c][f][g] * s[g].away;
            }
            here -= total * s[f].away;
            add(sum, 1, here, s[f].area);
            const Index n = s[f].neighbour;
            const Side* t = sides(n);
            const int b = s[f].back;
            for (int g = 0; g < faces; ++g) {
                there += gamma[n][b][g] * t[g].away;
                add(sum, gamma[n][g][b], t[g].away, t[g].area);
            }
            add(sum, -1, there, t[b].area);
        }
        divide(sum, g_.cell_volume[c]);
        press(c, sum);
        out[c] = sum;
        return dot(sum, sum);
    });
}

template <int d>
void Correction<d>::start(AllWeights& gamma, AllWeights& p, const AllWeights& s) {
    for_each(0, owned_, [&](Index c) {
        gamma[c] = {};
        p[c] = s[c];
    });
}

template <int d>
void Correction<d>::advance(AllWeights& gamma, double step, AllWeights& p, const AllWeights& s,
                            double beta) {
    for_each(0, owned_, [&](Index c) {
        for (int f = 0; f < faces; ++f)
            for (int g = 0; g < faces; ++g) {
                gamma[c][f][g] += step * p[c][f][g];
                p[c][f][g] = s[c][f][g] + beta * p[c][f][g];
            }
    });
}

// Conjugate gradients for least squares (Bjorck 1996), starting from zero.
template <int d>
ConvectionCorrection Correction<d>::solve(const std::vector<double>& transposed, double left,
                                          int most) {
    Tensors residual = defect(transposed), q(held_);
    for_each(0, owned_, [&](Index c) { q[c] = residual[c]; });
    const double cells = sums_.sum(double(owned_)),
                 start = std::sqrt(subtract(residual, 2, q));  // b, less the defect
    AllWeights gamma(held_), s(held_), p(held_);
    const CglsReport report = cgls(*this, gamma, residual, start, left * start, most, q, s, p);
    fill(gamma);
    ConvectionCorrection result{UninitializedVector<double>(gamma.size() * faces * faces),
                                start / std::sqrt(cells), report.residual / std::sqrt(cells),
                                report.iterations};
    for_each(0, held_, [&](Index c) {
        std::copy_n(gamma[c][0].data(), faces * faces,
                    result.gamma.begin() + std::size_t(c) * faces * faces);
    });
    return result;
}

}  // namespace

ConvectionCorrection convection_correction(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry,
                                           const std::vector<double>& transposed, double left,
                                           int most, const std::vector<bool>& ends) {
    return mesh.mesh.dimension == 2
               ? Correction<2>(comm, mesh, geometry, ends).solve(transposed, left, most)
               : Correction<3>(comm, mesh, geometry, ends).solve(transposed, left, most);
}

}  // namespace solenoid
