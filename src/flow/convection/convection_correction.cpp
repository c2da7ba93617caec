#include "flow/convection/convection_correction.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "parallel/halo.hpp"

namespace solenoid {
namespace {

using Matrix = glm::dmat3;  // [l][k]: the defect of component l of x in a flow along k

// Values of cells, several each, with their ghosts.
class GhostedValues {
  public:
    GhostedValues(const Communicator& comm, const DistributedMesh& mesh, int columns)
        : device_(make_cpu_device()), halo_(comm, *device_, mesh.halo(Kind::cell), columns), buffer_(device_->buffer<double>(mesh.range(Kind::cell).all, columns)), columns_(columns) {}

    // values: `columns` of each cell held, cell by cell.
    void fill(std::vector<double>& values) {
        const std::size_t cells = buffer_.size();
        std::vector<double> by_column(values.size());
        for (std::size_t c = 0; c < cells; ++c)
            for (int k = 0; k < columns_; ++k) by_column[k * cells + c] = values[c * columns_ + k];
        buffer_.upload(by_column);
        halo_.exchange(buffer_);
        by_column = buffer_.download();
        for (std::size_t c = 0; c < cells; ++c)
            for (int k = 0; k < columns_; ++k) values[c * columns_ + k] = by_column[k * cells + c];
    }

  private:
    std::unique_ptr<Device> device_;
    Halo<double> halo_;
    Buffer<double> buffer_;
    const int columns_;
};

class Correction {
  public:
    Correction(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry)
        : comm_(comm),
          m_(mesh.mesh),
          g_(geometry),
          d_(mesh.mesh.dimension),
          faces_(d_ + 1),
          owned_(mesh.range(Kind::cell).owned),
          held_(mesh.range(Kind::cell).all),
          tensors_(comm, mesh, d_ * d_),
          weights_(comm, mesh, faces_ * faces_) {
        neighbour_.resize(std::size_t(held_) * faces_, none);
        away_.resize(neighbour_.size(), Vec3(0));
        area_.resize(neighbour_.size(), Vec3(0));
        for (Index c = 0; c < held_; ++c)
            for (int j = 0; j < faces_; ++j) put(c, j);
    }

    ConvectionCorrection solve(const std::vector<double>& transposed, double left, int most);

  private:
    std::size_t at(Index c, int j) const { return std::size_t(c) * faces_ + j; }

    void put(Index c, int j) {
        const Index o = m_.cell_faces(c, j), f = entity_of(o);
        const auto [a, b] = centroids_beside(m_, g_, f);
        neighbour_[at(c, j)] = m_.face_cells(f, 0) == c ? m_.face_cells(f, 1) : m_.face_cells(f, 0);
        away_[at(c, j)] = m_.face_cells(f, 0) == c ? b - a : a - b;
        area_[at(c, j)] = double(orientation_of(o)) * g_.face_area[f];
    }

    std::vector<Matrix> defect(const std::vector<double>& transposed);
    std::vector<Matrix> with_ghosts(std::vector<Matrix> tensors);
    std::vector<double> gradient(const std::vector<Matrix>& residual) const;
    std::vector<Matrix> applied(std::vector<double>& gamma);
    double square(const std::vector<Matrix>& x) const;
    double square(const std::vector<double>& x) const;
    int place_of(Index cell, Index face) const;

    const Communicator& comm_;
    const Mesh& m_;
    const Geometry& g_;
    const int d_, faces_;
    const Index owned_, held_;
    GhostedValues tensors_, weights_;
    std::vector<Index> neighbour_;      // through each face of each cell held
    std::vector<Vec3> away_, area_;     // to its centroid; outward
};

int Correction::place_of(Index cell, Index face) const {
    for (int j = 0; j < faces_; ++j)
        if (entity_of(m_.cell_faces(cell, j)) == face) return j;
    return -1;
}

// Without gamma: half of what the faces' values lack with the plain mean, less half of the transposed.
std::vector<Matrix> Correction::defect(const std::vector<double>& transposed) {
    std::vector<Matrix> jumps(held_, Matrix(0.0)), result(owned_, Matrix(0.0));
    for (Index c = 0; c < owned_; ++c)
        for (int j = 0; j < faces_; ++j) {
            if (neighbour_[at(c, j)] == none) continue;
            jumps[c] -= glm::outerProduct(area_[at(c, j)], away_[at(c, j)]);
            result[c] -= 0.5 * glm::outerProduct(area_[at(c, j)], face_offset(m_, g_, c, j) - 0.5 * away_[at(c, j)]);
        }
    jumps = with_ghosts(std::move(jumps));
    std::vector<Matrix> at_node(m_.nodes(), Matrix(0.0));
    for (Index c = 0; c < held_; ++c)
        for (int i = 0; i < faces_; ++i) {
            Matrix here(0.0);
            for (int j = 0; j < faces_; ++j)
                if (j != i && neighbour_[at(c, j)] != none) here -= glm::outerProduct(area_[at(c, j)], away_[at(c, j)]);
            at_node[m_.cell_nodes(c, i)] += here * (0.5 / d_) - jumps[c] * (0.5 / (d_ + 1));
        }
    for (Index c = 0; c < owned_; ++c) {
        for (int i = 0; i < faces_; ++i) result[c] -= 0.5 * transposed[at(c, i)] * at_node[m_.cell_nodes(c, i)];
        result[c] /= g_.cell_volume[c];
    }
    return result;
}

std::vector<Matrix> Correction::with_ghosts(std::vector<Matrix> tensors) {
    tensors.resize(held_, Matrix(0.0));
    std::vector<double> values(std::size_t(held_) * d_ * d_);
    for (Index c = 0; c < held_; ++c)
        for (int l = 0; l < d_; ++l)
            for (int k = 0; k < d_; ++k) values[(std::size_t(c) * d_ + l) * d_ + k] = tensors[c][l][k];
    tensors_.fill(values);
    for (Index c = owned_; c < held_; ++c)
        for (int l = 0; l < d_; ++l)
            for (int k = 0; k < d_; ++k) tensors[c][l][k] = values[(std::size_t(c) * d_ + l) * d_ + k];
    return tensors;
}

// Of each gamma_fg: what it adds to the defects of its cell n and of the neighbours through f and g (applied()), times these.
std::vector<double> Correction::gradient(const std::vector<Matrix>& residual) const {
    std::vector<double> result(std::size_t(held_) * faces_ * faces_, 0.0);
    for (Index n = 0; n < owned_; ++n) {
        const Matrix own = residual[n] / g_.cell_volume[n];
        for (int f = 0; f < faces_; ++f) {
            const Index nf = neighbour_[at(n, f)];
            if (nf == none) continue;
            const Vec3 area = 0.5 * area_[at(n, f)], there = area * (residual[nf] / g_.cell_volume[nf]), here = area * own;
            for (int g = 0; g < faces_; ++g) {
                const Index ng = neighbour_[at(n, g)];
                if (g == f || ng == none) continue;
                const Vec3 beyond = area * (residual[ng] / g_.cell_volume[ng]);
                result[at(n, f) * faces_ + g] = glm::dot(here, away_[at(n, g)] - away_[at(n, f)]) - glm::dot(there, away_[at(n, g)]) + glm::dot(beyond, away_[at(n, f)]);
            }
        }
    }
    return result;
}

// What gamma, whose ghosts are filled on the way, adds to the defects of owned cells.
std::vector<Matrix> Correction::applied(std::vector<double>& gamma) {
    weights_.fill(gamma);
    std::vector<Matrix> result(owned_, Matrix(0.0));
    for (Index c = 0; c < owned_; ++c) {
        for (int f = 0; f < faces_; ++f) {
            const Index n = neighbour_[at(c, f)];
            if (n == none) continue;
            const int back = place_of(n, entity_of(m_.cell_faces(c, f)));
            for (int g = 0; g < faces_; ++g) {
                if (g != f && neighbour_[at(c, g)] != none)
                    result[c] += glm::outerProduct(0.5 * gamma[at(c, f) * faces_ + g] * area_[at(c, f)], away_[at(c, g)] - away_[at(c, f)]);
                if (g == back) continue;
                result[c] -= glm::outerProduct(0.5 * gamma[at(n, back) * faces_ + g] * area_[at(n, back)], away_[at(n, g)]);
                result[c] += glm::outerProduct(0.5 * gamma[at(n, g) * faces_ + back] * area_[at(n, g)], away_[at(n, g)]);
            }
        }
        result[c] /= g_.cell_volume[c];
    }
    return result;
}

double Correction::square(const std::vector<Matrix>& x) const {
    double sum = 0;
    for (Index c = 0; c < owned_; ++c)
        for (int l = 0; l < d_; ++l) sum += glm::dot(x[c][l], x[c][l]);
    return comm_.sum(sum);
}

double Correction::square(const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t k = 0; k < std::size_t(owned_) * faces_ * faces_; ++k) sum += x[k] * x[k];
    return comm_.sum(sum);
}

// Conjugate gradients for least squares (Bjorck 1996), from zero.
ConvectionCorrection Correction::solve(const std::vector<double>& transposed, double left, int most) {
    std::vector<Matrix> residual = defect(transposed);
    for (Matrix& r : residual) r = -r;
    const double cells = comm_.sum(double(owned_)), start = std::sqrt(square(residual));
    ConvectionCorrection result{std::vector<double>(std::size_t(held_) * faces_ * faces_, 0.0), start / std::sqrt(cells), 0, 0};
    double norm = start;
    std::vector<double> s = gradient(with_ghosts(residual)), p = s;
    double ss = square(s);
    while (result.iterations < most && norm > left * start && ss > 0) {
        const std::vector<Matrix> q = applied(p);
        const double step = ss / square(q);
        for (std::size_t k = 0; k < p.size(); ++k) result.gamma[k] += step * p[k];
        for (Index c = 0; c < owned_; ++c) residual[c] -= step * q[c];
        norm = std::sqrt(square(residual));
        s = gradient(with_ghosts(residual));
        const double next = square(s), turn = next / ss;
        for (std::size_t k = 0; k < p.size(); ++k) p[k] = s[k] + turn * p[k];
        ss = next;
        ++result.iterations;
    }
    weights_.fill(result.gamma);
    result.after = norm / std::sqrt(cells);
    return result;
}

}  // namespace

ConvectionCorrection convection_correction(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry, const std::vector<double>& transposed,
                                           double left, int most) {
    return Correction(comm, mesh, geometry).solve(transposed, left, most);
}

}  // namespace solenoid
