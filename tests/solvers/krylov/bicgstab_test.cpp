// BiCGStab on nonsymmetric systems with known answers, on every device and on several ranks.
#include "solvers/krylov/bicgstab.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/expression.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"

namespace solenoid::bicgstab_test {
namespace {

// Over the cells of a box: shift on the diagonal, and for neighbours a, b the skew entries +-turn
// and the symmetric ones of a difference. Which of the two comes first tells the sign, so that the
// matrix does not depend on the ranks.
HostMatrix transport_matrix(const DistributedMesh& mesh, double shift, double diffusion,
                            double antisymmetric) {
    const Mesh& m = mesh.mesh;
    HostMatrix matrix;
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) {
        double diagonal = shift;
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j)),
                        other = m.face_cells(f, 0) == c ? m.face_cells(f, 1) : m.face_cells(f, 0);
            if (other == none) continue;
            diagonal += diffusion;
            matrix.append(other,
                          -diffusion + (m.cell_number[c] < m.cell_number[other] ? antisymmetric
                                                                                : -antisymmetric));
        }
        matrix.append(c, diagonal);
        matrix.end_row();
    }
    return matrix;
}

template <class Real>
class Transport final : public LinearOperator<Real> {
  public:
    Transport(const std::string& device_name, double shift, double diffusion, double antisymmetric,
              int columns)
        : comm(Communicator::world()),
          device_(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root()
                                    ? std::optional(box_mesh({.dimension = 2, .cells = 300}))
                                    : std::nullopt)),
          matrix(comm, *device_, mesh.range(Kind::cell), mesh.halo(Kind::cell),
                 transport_matrix(mesh, shift, diffusion, antisymmetric)),
          columns_(columns),
          x_(device_->template buffer<Real>(size())),
          y_(device_->template buffer<Real>(size())) {}

    Device& device() const override { return *device_; }
    Range range() const override { return matrix.range(); }
    int columns() const override { return columns_; }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override {
        if (columns_ == 1) return matrix.apply(x, y);
        const Over over(*device_, range());
        for (int k = 0; k < columns_; ++k) {
            over[x_] = column(x, k);
            matrix.apply(x_, y_);
            over[column(y, k)] = y_;
        }
    }

    FunctionOperator<Real> identity() {
        return {*device_, range(), size(), columns_,
                [this](Buffer<Real>& r, Buffer<Real>& z) { device_->copy(r, z); }};
    }

    Index size() const override { return mesh.range(Kind::cell).all; }
    double value(Index c, int k) const {
        return test::random_value(test::key_of(mesh.mesh, Kind::cell, c), 5 + k);
    }
    // A times a random field, which is the answer.
    Buffer<Real> right_hand_side() {
        auto x = this->vector(), b = this->vector();
        std::vector<Real> values(std::size_t(size()) * columns_, Real(0));
        for (int k = 0; k < columns_; ++k)
            for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
                values[std::size_t(k) * size() + c] = static_cast<Real>(value(c, k));
        x.upload(values);
        apply(x, b);
        return b;
    }
    double error(const Buffer<Real>& x) const {
        const auto values = x.download();
        double largest = 0;
        for (int k = 0; k < columns_; ++k)
            for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
                largest =
                    std::max(largest, std::abs(values[std::size_t(k) * size() + c] - value(c, k)));
        return comm.max(largest);
    }

    Communicator comm;
    std::unique_ptr<Device> device_;
    DistributedMesh mesh;
    RowMatrix<Real> matrix;

  private:
    const int columns_;
    Buffer<Real> x_, y_;
};

template <class Real>
SolveReport solved(Transport<Real>& system, const CgSettings& settings, double most) {
    auto one = system.identity();
    Bicgstab<Real> bicgstab(system.comm, system, one);
    const auto b = system.right_hand_side();
    auto x = system.vector();
    const SolveReport report = bicgstab.solve(b, x, settings);
    if (report.converged()) {
        EXPECT_LT(system.error(x), most);
    }
    return report;
}

class BicgstabTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, BicgstabTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

// Eigenvalues with imaginary parts of up to three times their real parts.
TEST_P(BicgstabTest, SolvesNumbersAndVectors) {
    for (const int columns : {1, 2, 3})
        for (const double antisymmetric : {0.2, 0.5, 1.0}) {
            Transport<double> system(GetParam(), 1, 0.1, antisymmetric, columns);
            const auto report = solved(system, {1e-11, 400}, 1e-9);
            EXPECT_TRUE(report.converged())
                << report.explanation() << ", " << columns << " columns, turn " << antisymmetric;
            EXPECT_LE(report.residual, 1e-11);
            EXPECT_LE(report.iterations, 100);
        }
    Transport<float> single(GetParam(), 1, 0.1, 1, 2);
    EXPECT_TRUE(solved(single, {1e-5, 100}, 1e-3).converged());
}

TEST_P(BicgstabTest, ReportsWhatFails) {
    Transport<double> system(GetParam(), 1, 0.1, 2, 1);
    const auto few = solved(system, {1e-11, 5}, 0);
    EXPECT_EQ(few.outcome, SolveOutcome::out_of_iterations);
    EXPECT_EQ(few.iterations, 5);
    Transport<float> single(GetParam(), 1, 0.1, 1, 1);
    const auto stagnated = solved(single, {1e-12, 2000}, 0);
    EXPECT_EQ(stagnated.outcome, SolveOutcome::stagnated);
    EXPECT_LT(stagnated.residual, 1e-4);
    // Skew: r . A r = 0.
    Transport<double> skew(GetParam(), 0, 0, 1, 1);
    EXPECT_FALSE(solved(skew, {1e-11, 2000}, HUGE_VAL).converged());
    Transport<double> infinite(GetParam(), std::nan(""), 0, 1, 1);
    EXPECT_EQ(solved(infinite, {1e-11, 100}, 0).outcome, SolveOutcome::broken_down);
}

TEST_P(BicgstabTest, ZeroRightHandSideGivesZero) {
    Transport<double> system(GetParam(), 1, 0, 1, 2);
    auto one = system.identity();
    Bicgstab<double> bicgstab(system.comm, system, one);
    const auto b = system.vector();
    auto x = system.right_hand_side();
    const auto report = bicgstab.solve(b, x, {1e-11, 100});
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    for (double v : x.download()) EXPECT_EQ(v, 0);
}

}  // namespace
}  // namespace solenoid::bicgstab_test
