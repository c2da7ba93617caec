// Decompositions of matrices and products of dense ones by Eigen: compiled once, since each takes
// seconds of a compiler.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace solenoid::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;  // of a sparse matrix; equal places are added

Matrix product(const Matrix& a, const Matrix& b);             // a b
Matrix transposed_product(const Matrix& a, const Matrix& b);  // a^T b
Vector times(const Matrix& a, const Vector& x);               // a x
Vector transposed_times(const Matrix& a, const Vector& x);    // a^T x

// Orthonormal columns, as many: a basis of the columns' range.
Matrix orthonormal(const Matrix& columns);
// Orthonormal columns: a basis of the vectors x with a x = 0.
Matrix null_space(const Matrix& a);

Vector solve(const Matrix& a, const Vector& b);  // of a square matrix
Matrix inverse(const Matrix& a);
Matrix least_squares(const Matrix& a, const Matrix& b);   // of all x that of least norm
Vector solve_positive(const Matrix& a, const Vector& b);  // fails unless a is positive definite

// Of a square matrix; in no order.
Eigen::VectorXcd eigenvalues(const Matrix& a);
// Of a symmetric one, the least first; the vectors are columns.
struct Modes {
    Vector values;
    Matrix vectors;
};
Modes modes(const Matrix& a);
Vector symmetric_eigenvalues(const Matrix& a);

SparseMatrix sparse(Eigen::Index rows, Eigen::Index columns, const Entries& entries);
Vector solve(const SparseMatrix& a, const Vector& b);            // of a square matrix
Matrix solve_symmetric(const SparseMatrix& a, const Matrix& b);  // for each column
SparseMatrix product(const SparseMatrix& a, const SparseMatrix& b);

}  // namespace solenoid::test
