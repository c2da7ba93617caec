#include "flow/discretization/implicit_part.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/threads.hpp"

namespace solenoid {
namespace {

constexpr double largest = 12;  // where parts of a mesh share only a node there is no bound

// x . A x and x . K x are sums over nodes of contributions of the faces at a node with its value t
// = sum w_c x_c:
//   sum over its faces of K_f (x_b - x_a)^2 / d - cross_f (x_b - x_a) (t - (x_a + x_b) / 2)
// This class finds the largest ratio of both for the cells at one node; a bound at every node
// bounds the sums.
class Patch {
  public:
    Patch(const Mesh& mesh, const Geometry& geometry) : mesh_(mesh), geometry_(geometry) {}

    double largest_ratio(Index node, const Index* cells, Index count, const double* weights) {
        weights_ = Eigen::Map<const Eigen::VectorXd>(weights, count);
        whole_.setZero(count, count);
        straight_.setZero(count, count);
        for (Index a = 0; a < count; ++a)
            for (int j = 0; j <= mesh_.dimension; ++j) {
                const Index f = entity_of(mesh_.cell_faces(cells[a], j)),
                            other = mesh_.face_cells(f, 1);
                if (mesh_.face_cells(f, 0) != cells[a] || other == none) continue;
                const Index b = static_cast<Index>(std::find(cells, cells + count, other) - cells);
                if (b < count) add(node, f, a, b);
            }
        const double mean = straight_.trace() / (double(count) * count);
        if (!(mean > 0)) return 1;
        whole_ += straight_;
        straight_.array() += mean;  // makes it regular: constants are in the null space of both
        straight_.diagonal().array() += 1e-9 * mean;
        factor_.compute(straight_);
        if (factor_.info() != Eigen::Success) return largest;
        factor_.matrixL().solveInPlace<Eigen::OnTheLeft>(whole_);
        factor_.matrixU().solveInPlace<Eigen::OnTheRight>(whole_);
        tridiagonal_.compute(whole_);
        return largest_eigenvalue(tridiagonal_.diagonal(), tridiagonal_.subDiagonal());
    }

  private:
    // Adds the face between the patch's cells a and b, if it contains the node.
    void add(Index node, Index face, Index a, Index b) {
        const Index* nodes = mesh_.face_nodes.row(face);
        const auto j = std::find(nodes, nodes + mesh_.dimension, node) - nodes;
        if (j == mesh_.dimension) return;
        const FaceGradient gradient = face_gradient(mesh_, geometry_, face);
        const double straight = gradient.conduction / mesh_.dimension,
                     cross = gradient.cross[j] / 2;
        straight_(a, a) += straight;
        straight_(b, b) += straight;
        straight_(a, b) -= straight;
        straight_(b, a) -= straight;
        row_ = weights_;
        row_[a] -= 0.5;
        row_[b] -= 0.5;
        for (const auto& [cell, sign] : {std::pair{b, -1.0}, std::pair{a, 1.0}}) {
            whole_.row(cell) += sign * cross * row_.transpose();
            whole_.col(cell) += sign * cross * row_;
        }
    }

    // The largest eigenvalue of a tridiagonal matrix, between 1 and `largest`, to 1e-9 by
    // bisection.
    static double largest_eigenvalue(const Eigen::VectorXd& diagonal,
                                     const Eigen::VectorXd& beside) {
        const auto is_above_all = [&](double x) {
            double pivot = x - diagonal[0];
            for (Eigen::Index k = 1; k < diagonal.size() && pivot > 0; ++k)
                pivot = x - diagonal[k] - beside[k - 1] * beside[k - 1] / pivot;
            return pivot > 0;
        };
        double low = 1, high = largest;
        if (!is_above_all(high)) return high;
        if (is_above_all(low)) return low;
        while (high - low > 1e-9)
            (is_above_all(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
        return high;
    }

    const Mesh& mesh_;
    const Geometry& geometry_;
    Eigen::MatrixXd whole_, straight_;
    Eigen::VectorXd weights_, row_;
    Eigen::LLT<Eigen::MatrixXd> factor_;
    Eigen::Tridiagonalization<Eigen::MatrixXd> tridiagonal_;
};

}  // namespace

std::vector<double> oblique_ratios(const DistributedMesh& mesh, const Geometry& geometry,
                                   const NodeWeights& weights) {
    std::vector<double> ratios(mesh.range(Kind::node).shared);
    in_parts(
        0, ratios.size(),
        [&](Index begin, Index end) {
            Patch patch(mesh.mesh, geometry);
            for (Index i = begin; i < end; ++i) {
                const Index start = weights.cells.start[i],
                            count = weights.cells.start[i + 1] - start;
                ratios[i] = patch.largest_ratio(i, &weights.cells.index[start], count,
                                                &weights.weights[start]);
            }
        },
        64);
    return ratios;
}

std::vector<double> implicit_factors(const DistributedMesh& mesh, const std::vector<double>& ratios,
                                     double most) {
    const Mesh& m = mesh.mesh;
    std::vector<double> factors(mesh.range(Kind::face).shared, 1.0);
    for_each(0, factors.size(), [&](Index f) {
        if (m.face_cells(f, 0) == none || m.face_cells(f, 1) == none) return;
        factors[f] = 0;
        for (int j = 0; j < m.dimension; ++j)
            factors[f] += std::max(1.0, ratios[m.face_nodes(f, j)] / most) / m.dimension;
    });
    return factors;
}

}  // namespace solenoid
