#include "flow/discretization/dense_fits.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace solenoid {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::RowVectorXd;

MatrixXd dense(const DenseMatrix& matrix) {
    return Eigen::Map<const MatrixXd>(matrix.entries.data(), matrix.rows, matrix.columns);
}
VectorXd dense(std::span<const double> values) {
    return Eigen::Map<const VectorXd>(values.data(), std::ssize(values));
}
DenseMatrix plain(const MatrixXd& matrix) {
    DenseMatrix result(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    std::copy(matrix.data(), matrix.data() + matrix.size(), result.entries.begin());
    return result;
}

// x of least norm that minimizes |matrix x - rhs|.
MatrixXd least_squares(const MatrixXd& matrix, const MatrixXd& rhs, double threshold) {
    Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(threshold);
    return svd.solve(rhs);
}

}  // namespace

DenseMatrix linear_fit(std::span<const double> given_weight, const DenseMatrix& given_functions,
                       double determined, double most) {
    const VectorXd weight = dense(given_weight);
    const MatrixXd functions = dense(given_functions);
    const Eigen::Index count = weight.size();
    const RowVectorXd mean = weight.transpose() / weight.sum();
    const VectorXd root = weight.array().sqrt();
    const RowVectorXd means = mean * functions;
    const MatrixXd centred = root.asDiagonal() * (functions.rowwise() - means);
    VectorXd scale = centred.colwise().norm().transpose();
    for (double& one : scale) one = one > 0 ? 1 / one : 0;
    const MatrixXd of_rest = MatrixXd::Identity(count, count).rowwise() - mean;
    MatrixXd rows(functions.cols() + 1, count);
    rows.bottomRows(functions.cols()) =
        scale.asDiagonal() *
        least_squares(centred * scale.asDiagonal(), root.asDiagonal() * of_rest, determined);
    const RowVectorXd quadratic = means * rows.bottomRows(functions.cols());
    const double whole = (mean - quadratic).lpNorm<1>(),
                 part = whole > most ? (most - 1) / (whole - 1) : 1;
    rows.row(0) = mean - part * quadratic;
    return plain(rows);
}

DenseMatrix staged_fit(const DenseMatrix& given_constant, const DenseMatrix& given_linear,
                       std::span<const double> given_weight, double negligible, double most) {
    const MatrixXd constant = dense(given_constant), linear = dense(given_linear);
    const VectorXd weight = dense(given_weight);
    const auto inverse = [&](const MatrixXd& matrix) {
        return least_squares(matrix, MatrixXd::Identity(matrix.rows(), matrix.rows()), negligible);
    };
    const MatrixXd mean = inverse(constant),
                   quadratic = mean * linear * inverse(linear - constant * (mean * linear));
    const auto magnitude = [&](const MatrixXd& rows) {
        return (rows * weight.asDiagonal()).colwise().norm().sum();
    };
    const double least = magnitude(mean), whole = magnitude(mean - quadratic),
                 part = whole > most ? std::max(0.0, (most - least) / (whole - least)) : 1;
    return plain((mean - part * quadratic) * weight.asDiagonal());
}

DenseMatrix pseudo_inverse(const DenseMatrix& matrix) {
    return plain(dense(matrix).completeOrthogonalDecomposition().pseudoInverse());
}

std::vector<double> scaled_solution(const DenseMatrix& given_matrix, std::span<const double> rhs,
                                    double dependent) {
    const MatrixXd matrix = dense(given_matrix);
    const VectorXd scale =
        matrix.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(dependent);
    solver.compute(scale.asDiagonal() * matrix * scale.asDiagonal());
    const VectorXd x = scale.asDiagonal() * solver.solve(scale.asDiagonal() * dense(rhs));
    return {x.data(), x.data() + x.size()};
}

double inner_product(std::span<const double> a, std::span<const double> b) {
    return dense(a).dot(dense(b));
}

}  // namespace solenoid
