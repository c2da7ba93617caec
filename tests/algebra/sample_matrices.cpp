#include "algebra/sample_matrices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "algebra/space.hpp"
#include "support/devices.hpp"

namespace solenoid::algebra {

const Communicator& world() {
    static const Communicator comm = Communicator::world();
    return comm;
}

const Context& context_on(const std::string& device, bool is_double) {
    // never destroyed: MPI ends before statics do
    static auto& devices = *new std::map<std::string, std::shared_ptr<Device>>;
    static auto& contexts = *new std::map<std::pair<std::string, bool>, Context>;
    if (!devices.contains(device)) devices[device] = test::make_device(device);
    const std::pair key(device, is_double);
    if (!contexts.contains(key))
        contexts.emplace(key, Context(make_space(world(), devices[device], is_double)));
    return contexts.at(key);
}

void on_all_devices(const std::function<void(const Context& algebra, double epsilon)>& test,
                    bool on_ranks_too) {
    for (const std::string& name : test::device_names())
        for (const bool is_double : {true, false}) {
            if (world().size() > 1 && !on_ranks_too && (name != "cpu" || !is_double)) continue;
            SCOPED_TRACE(name + (is_double ? " double" : " single"));
            test(context_on(name, is_double), is_double ? std::numeric_limits<double>::epsilon()
                                                        : std::numeric_limits<float>::epsilon());
        }
}

DenseMatrix random_matrix(int rows, int columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> number(-1, 1);
    DenseMatrix a(rows, columns);
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) a(i, j) = number(generator);
    return a;
}

DenseVector random_vector(int size, unsigned seed) { return random_matrix(size, 1, seed); }

DenseMatrix random_sparse(int rows, int columns, unsigned seed) {
    DenseMatrix a = random_matrix(rows, columns, seed);
    std::mt19937 generator(seed + 1);
    for (int i = 0; i < rows; ++i) {
        const int kept = i % 5 == 3 ? 0 : i % 7 == 0 ? columns : i % 6 + 1;
        std::vector<int> order(columns);
        for (int j = 0; j < columns; ++j) order[j] = j;
        std::shuffle(order.begin(), order.end(), generator);
        for (int j = kept; j < columns; ++j) a(i, order[j]) = 0;
    }
    return a;
}

DenseMatrix with_diagonals(const DenseMatrix& a, const std::vector<std::int64_t>& offsets) {
    DenseMatrix banded = DenseMatrix::Zero(a.rows(), a.cols());
    for (const std::int64_t offset : offsets)
        for (int i = 0; i < a.rows(); ++i)
            if (i + offset >= 0 && i + offset < a.cols()) banded(i, i + offset) = a(i, i + offset);
    return banded;
}

Vector vector_of(const Context& algebra, const DenseVector& x) {
    return algebra.vector(x.size(), [&](std::int64_t i) { return x[i]; });
}
Matrix dense_of(const Context& algebra, const DenseMatrix& a) {
    return algebra.dense(a.rows(), a.cols(),
                         [&](std::int64_t i, std::int64_t j) { return a(i, j); });
}
Matrix banded_of(const Context& algebra, const DenseMatrix& a,
                 const std::vector<std::int64_t>& offsets, bool shares) {
    std::vector<Diagonal> diagonals;
    for (const std::int64_t offset : offsets)
        diagonals.push_back({offset, [&a, offset](std::int64_t i) { return a(i, i + offset); }});
    return algebra.banded(a.rows(), a.cols(), diagonals, shares);
}
Matrix sparse_of(const Context& algebra, const DenseMatrix& a, SparseForm form) {
    SparseRows rows;
    const RowRange mine = algebra.rows(a.rows());
    for (std::int64_t i = mine.begin; i < mine.end; ++i) {
        for (int j = static_cast<int>(a.cols()) - 1; j >= 0; --j) {
            if (a(i, j) == 0) continue;
            rows.append(j, j == 0 ? a(i, j) / 2 : a(i, j));
            if (j == 0) rows.append(j, a(i, j) / 2);
        }
        rows.end_row();
    }
    return algebra.sparse(a.rows(), a.cols(), rows, form);
}

DenseVector eigen_of(const Vector& x) {
    const std::vector<double> all = x.unpack_all();
    return DenseVector::Map(all.data(), static_cast<Eigen::Index>(all.size()));
}

void expect_close(const Vector& found, const DenseVector& exact, const DenseVector& magnitude,
                  double terms, double epsilon) {
    const DenseVector values = eigen_of(found);
    ASSERT_EQ(values.size(), exact.size());
    for (Eigen::Index i = 0; i < exact.size(); ++i)
        EXPECT_NEAR(values[i], exact[i], (terms + 4) * epsilon * magnitude[i]) << "row " << i;
}

}  // namespace solenoid::algebra
