#include "support/eigen_problems.hpp"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <stdexcept>

namespace solenoid::test {
namespace {

template <class Decomposition>
const Decomposition& well(const Decomposition& done) {
    if (done.info() != Eigen::Success) throw std::runtime_error("Eigen finds no decomposition");
    return done;
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b) { return a * b; }
Matrix transposed_product(const Matrix& a, const Matrix& b) { return a.transpose() * b; }
Vector times(const Matrix& a, const Vector& x) { return a * x; }
Vector transposed_times(const Matrix& a, const Vector& x) { return a.transpose() * x; }

Matrix orthonormal(const Matrix& columns) {
    return Eigen::HouseholderQR<Matrix>(columns).householderQ() *
           Matrix::Identity(columns.rows(), columns.cols());
}
Matrix null_space(const Matrix& a) {
    const Eigen::ColPivHouseholderQR<Matrix> qr(a.transpose());
    const Matrix q = qr.householderQ();
    return q.rightCols(q.cols() - qr.rank());
}

Vector solve(const Matrix& a, const Vector& b) { return Eigen::PartialPivLU<Matrix>(a).solve(b); }
Matrix inverse(const Matrix& a) { return a.inverse(); }
Matrix least_squares(const Matrix& a, const Matrix& b) {
    return Eigen::CompleteOrthogonalDecomposition<Matrix>(a).solve(b);
}
Vector solve_positive(const Matrix& a, const Vector& b) {
    return well(Eigen::LLT<Matrix>(a)).solve(b);
}

Eigen::VectorXcd eigenvalues(const Matrix& a) {
    return well(Eigen::EigenSolver<Matrix>(a, false)).eigenvalues();
}
Modes modes(const Matrix& a) {
    const Eigen::SelfAdjointEigenSolver<Matrix> found(a);
    return {well(found).eigenvalues(), found.eigenvectors()};
}
Vector symmetric_eigenvalues(const Matrix& a) {
    return well(Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly)).eigenvalues();
}

SparseMatrix sparse(Eigen::Index rows, Eigen::Index columns, const Entries& entries) {
    SparseMatrix a(rows, columns);
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
}
Vector solve(const SparseMatrix& a, const Vector& b) {
    Eigen::SparseLU<SparseMatrix> factors(a);
    return well(factors).solve(b);
}
Matrix solve_symmetric(const SparseMatrix& a, const Matrix& b) {
    return well(Eigen::SimplicialLDLT<SparseMatrix>(a)).solve(b);
}
SparseMatrix product(const SparseMatrix& a, const SparseMatrix& b) { return a * b; }

}  // namespace solenoid::test
