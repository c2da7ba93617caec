// Generalized conjugate residuals on small dense systems, against direct solves on the host.
#include "solvers/krylov/gcr.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/devices.hpp"
#include "support/eigen_problems.hpp"

namespace solenoid::gcr_test {
namespace {

using test::Matrix;
using test::times;
using test::Vector;

// A pseudo-random number in [-1, 1].
double noise(int i, int j) { return std::sin(12.9898 * (i + 1) + 78.233 * (j + 1) + 0.7 * i * j); }
Vector noise(int n) {
    Vector v(n);
    for (int i = 0; i < n; ++i) v[i] = noise(i, 3);
    return v;
}

// Nonsymmetric, with eigenvalues in the right half plane.
Matrix nonsymmetric(int n) {
    Matrix a = 3 * Matrix::Identity(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a(i, j) += 1.5 * noise(i, j) / std::sqrt(n);
    return a;
}

// A dense matrix applied on the host, and GCR with the weights 1, 2, 3, 1, ...
class Dense {
  public:
    Dense(const std::string& device_name, const Matrix& a, int depth)
        : device(test::make_device(device_name)),
          n(static_cast<Index>(a.rows())),
          matrix(*device, {0, n}, n, 1,
                 [this, a](Buffer<double>& x, Buffer<double>& y) {
                     ++products;
                     upload(times(a, download(x)), y);
                 }),
          weight(weights(n)),
          weight_(vector(weight)),
          gcr(comm, matrix, weight_, depth) {}

    static Vector weights(Index n) {
        Vector w(n);
        for (Index i = 0; i < n; ++i) w[i] = 1 + i % 3;
        return w;
    }
    static Vector download(const Buffer<double>& x) {
        const std::vector<double> values = x.download();
        return Eigen::Map<const Vector>(values.data(), std::ssize(values));
    }
    static void upload(const Vector& values, Buffer<double>& x) {
        x.upload(std::vector<double>(values.begin(), values.end()));
    }
    Buffer<double> vector(const Vector& values) {
        auto x = device->buffer<double>(n);
        upload(values, x);
        return x;
    }
    double norm(const Vector& v) const { return std::sqrt(v.dot(weight.cwiseProduct(v))); }

    Communicator comm = Communicator::self();
    std::unique_ptr<Device> device;
    const Index n;
    int products = 0;
    FunctionOperator<double> matrix;
    const Vector weight;

  private:
    Buffer<double> weight_;

  public:
    Gcr<double> gcr;
};

class GcrTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, GcrTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

// From a guess, with few directions kept: the answer of a direct solve, with the residual that it
// says, and one product an iteration.
TEST_P(GcrTest, FindsTheAnswerOfADirectSolve) {
    const Matrix a = nonsymmetric(30);
    const Vector b = noise(30), guess = 2 * b.reverse(), answer = test::solve(a, b);
    Dense s(GetParam(), a, 3);
    auto x = s.vector(guess), r = s.vector(b - times(a, guess));
    int iterations = 0;
    const double left = s.gcr.iterate(x, r, s.gcr.norm(r), 1e-11, 200, iterations);
    EXPECT_LE(left, 1e-11);
    EXPECT_EQ(s.products, iterations);
    EXPECT_LT((s.download(x) - answer).norm(), 1e-10);
    EXPECT_LT(s.norm(b - times(a, s.download(x)) - s.download(r)), 1e-12);
    EXPECT_NEAR(left, s.norm(s.download(r)), 1e-18);
    // stops where it is told, and counts on
    auto y = s.vector(guess), rest = s.vector(b - times(a, guess));
    int count = 10;
    EXPECT_GT(s.gcr.iterate(y, rest, s.gcr.norm(rest), 1e-11, 14, count), 1e-11);
    EXPECT_EQ(count, 14);
}

// The residual after k iterations is the least of all b - A x with x in the Krylov space, which a
// QR decomposition of A r, A^2 r, ... finds, and orthogonal to all of these.
TEST_P(GcrTest, MinimizesTheResidualOverTheKrylovSpace) {
    const int n = 20;
    const Matrix a = nonsymmetric(n);
    const Vector b = noise(n);
    for (int most = 1; most <= 6; ++most) {
        Dense s(GetParam(), a, 6);
        auto x = s.vector(Vector::Zero(n)), r = s.vector(b);
        int iterations = 0;
        const double left = s.gcr.iterate(x, r, s.norm(b), 0, most, iterations);
        const Vector root = s.weight.cwiseSqrt();
        Matrix images(n, most);
        for (int k = 0; k < most; ++k) images.col(k) = times(a, k ? Vector(images.col(k - 1)) : b);
        const Matrix weighted = root.asDiagonal() * images;
        const Vector target = root.cwiseProduct(b);
        const Vector least = target - times(weighted, test::least_squares(weighted, target));
        EXPECT_NEAR(left, least.norm(), 1e-12 * s.norm(b)) << most;
        for (int k = 0; k < most; ++k)
            EXPECT_LT(std::abs(weighted.col(k).normalized().dot(root.cwiseProduct(s.download(r)))),
                      1e-12 * s.norm(b))
                << most << ", " << k;
    }
}

// Blocks of 3 x 3, all alike: the matrix has a minimal polynomial of the third degree, so that the
// third iteration ends and the second does not.
TEST_P(GcrTest, EndsWithTheMinimalPolynomial) {
    const int n = 24;
    Matrix block(3, 3), a = Matrix::Zero(n, n);
    block << 2, 1, 0, -1, 3, 0.5, 0.3, -0.7, 1.5;
    for (int k = 0; k < n; k += 3) a.block(k, k, 3, 3) = block;
    const Vector b = noise(n);
    for (const int most : {2, 3}) {
        Dense s(GetParam(), a, 4);
        auto x = s.vector(Vector::Zero(n)), r = s.vector(b);
        int iterations = 0;
        const double left = s.gcr.iterate(x, r, s.norm(b), 0, most, iterations);
        if (most == 2) {
            EXPECT_GT(left, 1e-3 * s.norm(b));
        } else {
            EXPECT_LT(left, 1e-13 * s.norm(b));
        }
    }
}

// With eigenvalues on both sides of zero, where it may stop short of the answer.
TEST_P(GcrTest, NeverLetsTheResidualGrow) {
    const int n = 20;
    Matrix a = nonsymmetric(n);
    a.topRows(n / 2) *= -1;
    const Vector b = noise(n);
    Dense s(GetParam(), a, 1);
    auto x = s.vector(Vector::Zero(n)), r = s.vector(b);
    double left = s.norm(b);
    for (int k = 0; k < 12;) {
        const double before = left;
        left = s.gcr.iterate(x, r, left, 0, k + 3, k);
        EXPECT_LE(left, (1 + 1e-14) * before);
    }
    EXPECT_LT(s.norm(b - times(a, s.download(x)) - s.download(r)), 1e-12);
}

// G(x) = L x + g with eigenvalues of L beyond one, which no iteration of G bears: applied to a
// direction at any point the operator is 1 - L, and GCR finds the fixed point.
TEST_P(GcrTest, FindsTheFixedPointOfAnAffineMap) {
    const int n = 15;
    const Matrix l = Matrix::Identity(n, n) - nonsymmetric(n);
    const Vector g = noise(n), start = 0.5 * g.reverse(),
                 answer = test::solve(Matrix::Identity(n, n) - l, g);
    Dense s(GetParam(), l, 4);
    FixedPointOperator<double> operation(*s.device, {0, n}, n, 1);
    auto image = s.vector(g), x = s.vector(start), r = s.vector(times(l, start) + g - start);
    int maps = 0;
    operation.set(x, r, [&](Buffer<double>& at) -> const Buffer<double>& {
        ++maps;
        s.upload(times(l, s.download(at)) + g, image);
        return image;
    });
    auto d = s.vector(g), y = s.vector(g);
    operation.apply(d, y);
    EXPECT_LT((s.download(y) - (g - times(l, g))).norm(), 1e-13);
    EXPECT_EQ(maps, 1);
    const auto weight = s.vector(s.weight);
    Gcr<double> gcr(s.comm, operation, weight);
    int iterations = 0;
    EXPECT_LE(gcr.iterate(x, r, gcr.norm(r), 1e-12, 100, iterations), 1e-12);
    EXPECT_EQ(maps, 1 + iterations);
    EXPECT_LT((s.download(x) - answer).norm(), 1e-11);
}

}  // namespace
}  // namespace solenoid::gcr_test
