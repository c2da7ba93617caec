// Matrices and vectors of random numbers, as Eigen's and as the library's, on all devices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algebra/algebra.hpp"
#include "support/eigen_problems.hpp"

namespace solenoid::algebra {

using DenseMatrix = test::Matrix;
using DenseVector = test::Vector;

const Communicator& world();

// One for all tests: a device compiles its kernels once.
const Context& context_on(const std::string& device, bool is_double);

// What a test runs on: all devices, in double and single precision; several ranks compute on the
// cpu, in double precision, unless on_ranks_too.
void on_all_devices(const std::function<void(const Context& algebra, double epsilon)>& test,
                    bool on_ranks_too = false);

// Numbers that floats hold exactly, so that both precisions start from the same ones.
DenseMatrix random_matrix(int rows, int columns, unsigned seed);
DenseVector random_vector(int size, unsigned seed);
// With rows of many lengths, none and more than 32 among them.
DenseMatrix random_sparse(int rows, int columns, unsigned seed);
DenseMatrix with_diagonals(const DenseMatrix& a, const std::vector<std::int64_t>& offsets);

Vector vector_of(const Context& algebra, const DenseVector& x);
Matrix dense_of(const Context& algebra, const DenseMatrix& a);
Matrix banded_of(const Context& algebra, const DenseMatrix& a,
                 const std::vector<std::int64_t>& offsets, bool shares = true);
// Entries of the first column are given in two halves.
Matrix sparse_of(const Context& algebra, const DenseMatrix& a, SparseForm form = SparseForm::rows);
DenseVector eigen_of(const Vector& x);

// What rounding of sums of so many terms may make of each entry.
void expect_close(const Vector& found, const DenseVector& exact, const DenseVector& magnitude,
                  double terms, double epsilon);

}  // namespace solenoid::algebra
