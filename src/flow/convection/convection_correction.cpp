#include "flow/convection/convection_correction.hpp"

#include <cmath>
#include <glm/geometric.hpp>

#include "core/threads.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {
namespace {

// d: the dimension. On the host, in one pass over the cells each: the arithmetic of a cell is little beside what it reads.
template <int d>
class Correction {
  public:
    Correction(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry)
        : comm_(comm), mesh_(mesh), m_(mesh.mesh), g_(geometry), owned_(mesh.range(Kind::cell).owned), held_(mesh.range(Kind::cell).all), sides_(std::size_t(held_) * faces) {
        for_each(0, held_, [&](Index c) {
            for (int j = 0; j < faces; ++j) put(c, j);
        });
    }

    ConvectionCorrection solve(const std::vector<double>& transposed, double left, int most);

  private:
    static constexpr int faces = d + 1;
    static constexpr int width = d == 3 ? 4 : 2;                   // a register's; what is beyond d stays zero
    using Vector = std::array<double, width>;
    using Tensor = std::array<Vector, d>;                          // [l][k]: the defect of component l of x in a flow along k
    using Weights = std::array<std::array<double, faces>, faces>;  // gamma of a cell
    struct Side {
        Index neighbour = none;
        int back = 0;       // the face's place in the neighbour
        Vector area, away;  // half of it, outward; to the neighbour's centroid
    };

    static Vector vector(const Vec3& v) {
        Vector result{};
        for (int k = 0; k < d; ++k) result[k] = v[k];
        return result;
    }
    static double dot(const Vector& a, const Vector& b) {
        double sum = 0;
        for (int k = 0; k < width; ++k) sum += a[k] * b[k];
        return sum;
    }
    static double dot(const Tensor& a, const Tensor& b) {
        Vector sums{};
        for (int l = 0; l < d; ++l)
            for (int k = 0; k < width; ++k) sums[k] += a[l][k] * b[l][k];
        double sum = 0;
        for (double value : sums) sum += value;
        return sum;
    }
    static double dot(const Weights& a) {
        double sum = 0;
        for (const auto& row : a)
            for (double value : row) sum += value * value;
        return sum;
    }
    // a += factor x area, x along l, area along k.
    static void add(Tensor& a, double factor, const Vector& x, const Vector& area) {
        for (int l = 0; l < d; ++l)
            for (int k = 0; k < width; ++k) a[l][k] += factor * x[l] * area[k];
    }
    static void add(Tensor& a, double factor, const Tensor& b) {
        for (int l = 0; l < d; ++l)
            for (int k = 0; k < width; ++k) a[l][k] += factor * b[l][k];
    }

    void put(Index c, int j) {
        const Index o = m_.cell_faces(c, j), f = entity_of(o);
        const auto [a, b] = centroids_beside(m_, g_, f);
        const bool is_first = m_.face_cells(f, 0) == c;
        const Index neighbour = m_.face_cells(f, is_first ? 1 : 0);
        side(c, j) = {neighbour, neighbour == none ? 0 : place_of(neighbour, f), vector(0.5 * orientation_of(o) * g_.face_area[f]), vector(is_first ? b - a : a - b)};
    }
    int place_of(Index cell, Index face) const {
        int j = 0;
        while (j < d && entity_of(m_.cell_faces(cell, j)) != face) ++j;
        return j;
    }
    Side& side(Index c, int j) { return sides_[std::size_t(c) * faces + j]; }
    const Side* sides(Index c) const { return &sides_[std::size_t(c) * faces]; }

    std::vector<Tensor> defect(const std::vector<double>& transposed);
    void fill(std::vector<Tensor>& values) const { fill_ghosts(comm_, mesh_.halo(Kind::cell), values); }
    void fill(std::vector<Weights>& values) const { fill_ghosts(comm_, mesh_.halo(Kind::cell), values); }
    double gradient(const std::vector<Tensor>& residual, std::vector<Weights>& out);
    void apply(std::vector<Weights>& gamma, std::vector<Tensor>& out) const;
    double square(const std::vector<Tensor>& x) const;

    const Communicator& comm_;
    const DistributedMesh& mesh_;
    const Mesh& m_;
    const Geometry& g_;
    const Index owned_, held_;
    std::vector<Side> sides_;      // of each cell held
    std::vector<Tensor> scaled_;   // residuals over the cells' volumes
};

// Without gamma: half of what the faces' values lack with the plain mean, less half of the transposed.
template <int d>
std::vector<typename Correction<d>::Tensor> Correction<d>::defect(const std::vector<double>& transposed) {
    std::vector<Tensor> jumps(held_, Tensor{}), result(held_, Tensor{}), at_node(m_.nodes(), Tensor{});
    for_each(0, owned_, [&](Index c) {
        for (int j = 0; j < faces; ++j) {
            const Side& s = sides(c)[j];
            if (s.neighbour == none) continue;
            add(jumps[c], -2, s.away, s.area);
            add(result[c], -1, vector(face_offset(m_, g_, c, j)), s.area);
            add(result[c], 0.5, s.away, s.area);
        }
    });
    fill(jumps);
    for (Index c = 0; c < held_; ++c)
        for (int i = 0; i < faces; ++i) {
            Tensor& here = at_node[m_.cell_nodes(c, i)];
            for (int j = 0; j < faces; ++j)
                if (const Side& s = sides(c)[j]; j != i && s.neighbour != none) add(here, -1.0 / d, s.away, s.area);
            add(here, -0.5 / (d + 1), jumps[c]);
        }
    for_each(0, owned_, [&](Index c) {
        for (int i = 0; i < faces; ++i) add(result[c], -0.5 * transposed[std::size_t(c) * faces + i], at_node[m_.cell_nodes(c, i)]);
        for (Vector& row : result[c])
            for (double& value : row) value /= g_.cell_volume[c];
    });
    return result;
}

// Of each gamma_fg: what it adds to the defects of its cell n and of the neighbours through f and g (apply()), times these.
// Returns its square.
template <int d>
double Correction<d>::gradient(const std::vector<Tensor>& residual, std::vector<Weights>& out) {
    scaled_.resize(held_);
    for_each(0, owned_, [&](Index c) {
        scaled_[c] = {};
        add(scaled_[c], 1 / g_.cell_volume[c], residual[c]);
    });
    fill(scaled_);
    return comm_.sum(sum_of_each(0, owned_, [&](Index n) {
        const Side* s = sides(n);
        std::array<Tensor, faces> rise{};  // to each neighbour
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
            for (int l = 0; l < d; ++l) across[l] = dot(s[f].area, rise[f][l]);
            for (int g = 0; g < faces; ++g)
                if (g != f && s[g].neighbour != none) out[n][f][g] = dot(mine, rise[g]) - dot(across, s[g].away);
        }
        return dot(out[n]);
    }));
}

// What gamma, whose ghosts are filled on the way, adds to the defects of owned cells: of its own faces, and of each neighbour n what n's faces give to
// it through the face between them, b of n.
template <int d>
void Correction<d>::apply(std::vector<Weights>& gamma, std::vector<Tensor>& out) const {
    fill(gamma);
    for_each(0, owned_, [&](Index c) {
        const Side* s = sides(c);
        Tensor sum{};
        for (int f = 0; f < faces; ++f) {
            if (s[f].neighbour == none) continue;
            Vector here{}, there{};
            double total = 0;
            for (int g = 0; g < faces; ++g) {
                total += gamma[c][f][g];
                for (int l = 0; l < width; ++l) here[l] += gamma[c][f][g] * s[g].away[l];
            }
            for (int l = 0; l < width; ++l) here[l] -= total * s[f].away[l];
            add(sum, 1, here, s[f].area);
            const Index n = s[f].neighbour;
            const Side* t = sides(n);
            const int b = s[f].back;
            for (int g = 0; g < faces; ++g) {
                for (int l = 0; l < width; ++l) there[l] += gamma[n][b][g] * t[g].away[l];
                add(sum, gamma[n][g][b], t[g].away, t[g].area);
            }
            add(sum, -1, there, t[b].area);
        }
        for (Vector& row : sum)
            for (double& value : row) value /= g_.cell_volume[c];
        out[c] = sum;
    });
}

template <int d>
double Correction<d>::square(const std::vector<Tensor>& x) const {
    return comm_.sum(sum_of_each(0, owned_, [&](Index c) { return dot(x[c], x[c]); }));
}

// Conjugate gradients for least squares (Bjorck 1996), from zero.
template <int d>
ConvectionCorrection Correction<d>::solve(const std::vector<double>& transposed, double left, int most) {
    std::vector<Tensor> residual = defect(transposed), q(held_);
    for (Tensor& r : residual) add(r, -2, r);
    const double cells = comm_.sum(double(owned_)), start = std::sqrt(square(residual));
    std::vector<Weights> gamma(held_, Weights{}), s(held_, Weights{}), p(held_, Weights{});
    double norm = start, ss = gradient(residual, s);
    p = s;
    int iterations = 0;
    for (; iterations < most && norm > left * start && ss > 0; ++iterations) {
        apply(p, q);
        const double step = ss / square(q);
        for_each(0, owned_, [&](Index c) { add(residual[c], -step, q[c]); });
        norm = std::sqrt(square(residual));
        const double next = gradient(residual, s), turn = next / ss;
        for_each(0, owned_, [&](Index c) {
            for (int f = 0; f < faces; ++f)
                for (int g = 0; g < faces; ++g) {
                    gamma[c][f][g] += step * p[c][f][g];
                    p[c][f][g] = s[c][f][g] + turn * p[c][f][g];
                }
        });
        ss = next;
    }
    fill(gamma);
    ConvectionCorrection result{{}, start / std::sqrt(cells), norm / std::sqrt(cells), iterations};
    result.gamma.reserve(gamma.size() * faces * faces);
    for (const Weights& one : gamma)
        for (const auto& row : one) result.gamma.insert(result.gamma.end(), row.begin(), row.end());
    return result;
}

}  // namespace

ConvectionCorrection convection_correction(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry, const std::vector<double>& transposed,
                                           double left, int most) {
    return mesh.mesh.dimension == 2 ? Correction<2>(comm, mesh, geometry).solve(transposed, left, most) : Correction<3>(comm, mesh, geometry).solve(transposed, left, most);
}

}  // namespace solenoid
