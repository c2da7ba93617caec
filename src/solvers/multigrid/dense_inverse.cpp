#include "solvers/multigrid/dense_inverse.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace solenoid {
namespace {

// The connected part of each row, named by its first one.
std::vector<Index> connected_parts(const HostMatrix& matrix) {
    std::vector<Index> part(matrix.rows.rows());
    std::iota(part.begin(), part.end(), Index(0));
    const auto root = [&](Index i) {
        while (part[i] != i) i = part[i] = part[part[i]];
        return i;
    };
    for (Index i = 0; i < part.size(); ++i)
        for (const Index* j = matrix.rows.begin(i); j != matrix.rows.end(i); ++j) {
            const Index a = root(i), b = root(*j);
            part[std::max(a, b)] = std::min(a, b);
        }
    for (Index i = 0; i < part.size(); ++i) part[i] = root(i);
    return part;
}

}  // namespace

HostMatrix dense_inverse(const HostMatrix& matrix, double rounding,
                         const std::vector<Index>& order) {
    const Index n = static_cast<Index>(matrix.rows.rows());
    if (!order.empty()) {
        std::vector<Index> place(n);
        for (Index i = 0; i < n; ++i) place[order[i]] = i;
        HostMatrix ordered;
        for (const Index row : order) {
            for (Index k = matrix.rows.start[row]; k < matrix.rows.start[row + 1]; ++k)
                ordered.append(place[matrix.rows.index[k]], matrix.entries[k]);
            ordered.end_row();
        }
        const HostMatrix inverse = dense_inverse(ordered, rounding);
        HostMatrix result;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j)
                result.append(order[j], inverse.entries[std::size_t(place[i]) * n + j]);
            result.end_row();
        }
        return result;
    }
    using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Dense a = Dense::Zero(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            a(i, matrix.rows.index[k]) += matrix.entries[k];
    a = (0.5 * (a + a.transpose())).eval();
    const std::vector<Index> part = connected_parts(matrix);
    std::vector<double> defect(n, 0), trace(n, 0);
    std::vector<Index> members(n, 0);
    for (Index i = 0; i < n; ++i) {
        defect[part[i]] += std::abs(a.row(i).sum());
        trace[part[i]] += a(i, i);
        ++members[part[i]];
    }
    for (Index i = 0; i < n; ++i) {
        const Index p = part[i];
        if (!(trace[p] > rounding)) {
            a(i, i) = 1;
            continue;
        }
        if (defect[p] > std::max(1e-10 * trace[p], rounding)) continue;
        for (Index j = 0; j < n; ++j)
            if (part[j] == p) a(i, j) += trace[p] / (double(members[p]) * members[p]);
    }
    const Eigen::LLT<Dense> factors(a);
    if (factors.info() != Eigen::Success)
        throw ComputationError(
            "multigrid: the coarsest matrix is not positive definite, as where coefficients of the "
            "case (a viscosity, a conductivity) are too large or too small for the "
            "precision that it computes in: take others, as by other units, or double precision");
    Dense inverse = factors.solve(Dense::Identity(n, n));
    for (Index i = 0; i < n; ++i)
        if (!(trace[part[i]] > rounding)) inverse(i, i) = 0;
    inverse = (0.5 * (inverse + inverse.transpose())).eval();
    HostMatrix result;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) result.append(j, inverse(i, j));
        result.end_row();
    }
    return result;
}

}  // namespace solenoid
