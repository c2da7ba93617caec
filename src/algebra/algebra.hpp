// Linear algebra on a device: scalars, vectors and matrices that stay there, on any number of
// ranks. docs/linear-algebra.md.
//
//   solenoid::algebra::Context algebra(session, {.device = "fragment", .precision = "single"});
//   Matrix a = algebra.banded(n, n, {{-1, minus}, {0, two}, {1, minus}});
//   Vector b = algebra.vector(n, [](std::int64_t i) { return 1.0 * i; }), x = algebra.vector(n);
//   Vector r = b - a * x;
//   const Scalar alpha = dot(r, r) / dot(r, a * r);
//   x += alpha * r;
//
// Rows and columns are numbered from 0, through all ranks. Each rank has a range of the rows of
// a vector or matrix (Context::rows). Calls are collective unless they say otherwise. Sizes that
// do not fit, and numbers of rows that are not there, are an InputError on all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/export.hpp"

namespace solenoid {

class Communicator;

namespace algebra {

class Block;          // numbers on the device
class MatrixProduct;  // what a matrix is on the device
class Space;          // a device and its pool

struct Settings {
    std::string device = "auto";  // what computes: docs/devices.md; auto: a GPU if there is one
    std::string precision = "double";  // of all numbers, or "single"
    int threads = 0;  // of each rank, up to 1024; 0: OMP_NUM_THREADS, else its share of cores
};

// A half-open range of rows.
struct RowRange {
    std::int64_t begin = 0, end = 0;
    std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

// A number on the device: a reduction, or computed of others there. It does not change; a copy is
// the same one. On several ranks each has it.
class SOLENOID_API Scalar {
  public:
    double value() const;  // on the host; waits for the device. Not collective.

    // Arithmetic on the device, not collective. A quotient is 0 where the divisor is.
    friend SOLENOID_API Scalar operator+(const Scalar& a, const Scalar& b);
    friend SOLENOID_API Scalar operator-(const Scalar& a, const Scalar& b);
    friend SOLENOID_API Scalar operator*(const Scalar& a, const Scalar& b);
    friend SOLENOID_API Scalar operator/(const Scalar& a, const Scalar& b);
    friend SOLENOID_API Scalar sqrt(const Scalar& a);
    friend SOLENOID_API Scalar least(const Scalar& a, const Scalar& b);

    Scalar(std::shared_ptr<Space> space, std::shared_ptr<Block> block);  // for the library itself
    const std::shared_ptr<Space>& space() const { return space_; }
    const std::shared_ptr<Block>& block() const { return block_; }

  private:
    std::shared_ptr<Space> space_;
    std::shared_ptr<Block> block_;
};

// What a vector is multiplied by: a number of the host, a scalar of the device, or both.
struct Factor {
    Factor(double number) : number(number) {}
    Factor(const Scalar& scalar) : scalar(scalar) {}
    double number = 1;
    std::optional<Scalar> scalar = {};
};

class Matrix;
class Vector;

// Terms of an assignment, "alpha * x", "a * x + beta * y", "A * x - b". They refer to their
// vectors: assign them where they are written.
struct Scaled {
    Scaled(Factor factor, const Vector& x) : factor(std::move(factor)), x(&x) {}
    Scaled(const Vector& x) : Scaled(1.0, x) {}
    Factor factor;
    const Vector* x;
};
struct Sum {
    Scaled a, b;
};
struct Product {
    const Matrix* matrix;
    const Vector* x;
    bool is_transposed = false;
};
struct ProductSum {  // sign A x + b
    Product product;
    double sign;
    Scaled b;
};

// Numbers, one a row, on the device.
class SOLENOID_API Vector {
  public:
    Vector(const Vector& other);  // a copy of its numbers
    Vector(Vector&& other) noexcept = default;
    Vector(const Scaled& value);
    Vector(const Sum& value);
    Vector(const Product& value);
    Vector(const ProductSum& value);
    ~Vector() = default;

    // Of the same size, else an InputError; what is assigned may name this vector.
    Vector& operator=(const Vector& other);
    Vector& operator=(Vector&& other);
    Vector& operator=(const Scaled& value);
    Vector& operator=(const Sum& value);
    Vector& operator=(const Product& value);
    Vector& operator=(const ProductSum& value);
    Vector& operator+=(const Scaled& value);
    Vector& operator-=(const Scaled& value);
    // entry by entry; a quotient is 0 where the divisor is
    Vector& operator*=(const Vector& other);
    Vector& operator/=(const Vector& other);
    void fill(double value);

    std::int64_t size() const { return size_; }  // on all ranks together; not collective
    // The numbers of this rank's rows, and back. Not collective.
    void pack(std::span<const double> mine);
    std::vector<double> unpack() const;
    std::vector<double> unpack_all() const;  // those of all ranks, on every rank; collective

    Vector(std::shared_ptr<Space> space, std::int64_t size);  // for the library itself; not filled
    const std::shared_ptr<Space>& space() const { return space_; }
    const std::shared_ptr<Block>& block() const { return block_; }

  private:
    std::shared_ptr<Space> space_;
    std::int64_t size_;
    std::shared_ptr<Block> block_;
};

SOLENOID_API Scaled operator*(const Factor& factor, const Vector& x);
SOLENOID_API Sum operator+(const Scaled& a, const Scaled& b);
SOLENOID_API Sum operator-(const Scaled& a, const Scaled& b);

// Reductions, over all ranks. Where a rank is alone the host has no part in them, nor in sums on
// GPUs that add up over the ranks among themselves. Greatest and least numbers are no number where
// an entry is none.
SOLENOID_API Scalar dot(const Vector& x, const Vector& y);
SOLENOID_API Scalar sum(const Vector& x);
SOLENOID_API Scalar norm(const Vector& x);                // sqrt(x . x)
SOLENOID_API Scalar sum_of_magnitudes(const Vector& x);   // the norm 1
SOLENOID_API Scalar greatest_magnitude(const Vector& x);  // the greatest norm
SOLENOID_API Scalar greatest(const Vector& x);
SOLENOID_API Scalar least(const Vector& x);

// A matrix of any kind. Copies are the same matrix, which does not change.
class SOLENOID_API Matrix {
  public:
    std::int64_t rows() const;     // not collective
    std::int64_t columns() const;  // not collective
    // "A.transposed() * x". Banded and sparse matrices are transposed at the first such product.
    struct Transposed {
        const Matrix* matrix;
    };
    Transposed transposed() const { return {this}; }

    explicit Matrix(std::shared_ptr<MatrixProduct> product);  // for the library itself
    MatrixProduct& product() const { return *product_; }

  private:
    std::shared_ptr<MatrixProduct> product_;
};

inline Product operator*(const Matrix& a, const Vector& x) { return {&a, &x}; }
inline Product operator*(const Matrix::Transposed& a, const Vector& x) {
    return {a.matrix, &x, true};
}
inline ProductSum operator+(const Product& product, const Scaled& b) { return {product, 1, b}; }
SOLENOID_API ProductSum operator-(const Product& product, const Scaled& b);
inline ProductSum operator-(const Scaled& b, const Product& product) { return {product, -1, b}; }
inline ProductSum operator+(const Scaled& b, const Product& product) { return {product, 1, b}; }

// A diagonal of a banded matrix: the entries (i, i + offset). entry is asked for the rows of this
// rank whose column is there.
struct Diagonal {
    std::int64_t offset;
    std::function<double(std::int64_t row)> entry;
};

// How a sparse matrix is kept. Rows and points are filled up with zeros times entries of x: what
// reads an infinite one may be no number.
enum class SparseForm {
    rows,     // in sliced rows: docs/kernels.md
    batches,  // in batches of rows of equal length (Bolz, Farmer, Grinspun & Schroeder 2003)
    // four entries a point, drawn into the row (Krueger & Westermann 2005); on the device fragment
    points
};

// Rows of a sparse matrix: row i of this rank has entries[k] in columns[k] for
// start[i] <= k < start[i + 1]. A column that a row names twice counts twice.
struct SparseRows {
    std::vector<std::size_t> start{0};
    std::vector<std::int64_t> columns;
    std::vector<double> entries;

    void append(std::int64_t column, double entry) {
        columns.push_back(column);
        entries.push_back(entry);
    }
    void end_row() { start.push_back(columns.size()); }
};

// What the pool has handed out so far, on this rank.
struct PoolCounts {
    std::size_t allocations = 0;  // from the device's memory
    std::size_t reuses = 0;       // of what was taken back
    std::size_t in_use = 0;       // handed out and not taken back
};

// A device with its pool of buffers, in one precision. What is made of it keeps it.
class SOLENOID_API Context {
  public:
    // Opens the device. Throws InputError where there is none of that name or precision. The
    // session must outlive all that is made of the context.
    template <class Session>
    requires requires(const Session& session) { session.communicator(); }
    explicit Context(const Session& session, const Settings& settings = {})
        : Context(session.communicator(), settings) {}
    Context(const Communicator& ranks, const Settings& settings);
    explicit Context(std::shared_ptr<Space> space);  // for the library itself

    std::string device() const;  // its kind and name; not collective
    // Those of this rank in vectors and matrices of so many rows. Not collective.
    RowRange rows(std::int64_t count) const;

    Scalar scalar(double value) const;       // not collective
    Vector vector(std::int64_t size) const;  // of zeros
    // entry: asked for each row of this rank.
    Vector vector(std::int64_t size, const std::function<double(std::int64_t row)>& entry) const;

    // entry: asked for each row of this rank and every column.
    Matrix dense(std::int64_t rows, std::int64_t columns,
                 const std::function<double(std::int64_t row, std::int64_t column)>& entry) const;
    // shares_vectors: of a square matrix, two opposing diagonals, n rows apart, are kept as one
    // vector. Each offset once.
    Matrix banded(std::int64_t rows, std::int64_t columns, const std::vector<Diagonal>& diagonals,
                  bool shares_vectors = true) const;
    // mine: the rows of this rank.
    Matrix sparse(std::int64_t rows, std::int64_t columns, const SparseRows& mine,
                  SparseForm form = SparseForm::rows) const;

    PoolCounts pool() const;  // not collective
    void finish() const;      // waits until the device has computed all; not collective
    Space& space() const { return *space_; }

  private:
    std::shared_ptr<Space> space_;
};

struct SolveLimits {
    // Of the residual, over the right-hand side's norm: 1e-10, in single precision 1e-5, unless
    // set.
    std::optional<double> tolerance = {};
    int most_iterations = 10000;
    // The host looks at the residual after so many iterations, which else stay on the device.
    int iterations_a_look = 8;
};
struct SolveOutcome {
    bool has_converged = false;
    int iterations = 0;
    double residual = 0;  // the norm, over that of the right-hand side, by the recurrence
};

// A x = b by conjugate gradients from the given x, A symmetric and positive definite; 0 where b is.
// Throws ComputationError where p . A p is not positive before it has converged, or numbers are not
// finite.
SOLENOID_API SolveOutcome conjugate_gradients(const Matrix& a, const Vector& b, Vector& x,
                                              const SolveLimits& limits = {});
// min ||b - A x|| from the given x by conjugate gradients for the normal equations,
// A^T A x = A^T b (CGLS). The residual of the outcome is A^T (b - A x) over A^T b. Throws
// ComputationError where numbers are not finite.
SOLENOID_API SolveOutcome least_squares(const Matrix& a, const Vector& b, Vector& x,
                                        const SolveLimits& limits = {});

}  // namespace algebra
}  // namespace solenoid
