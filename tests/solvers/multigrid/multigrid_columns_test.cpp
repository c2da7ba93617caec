// A cycle of several columns beside cycles of each.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/multigrid/multigrid.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/poisson_case.hpp"

namespace solenoid::multigrid_columns_test {
namespace {

class MultigridColumns : public testing::TestWithParam<std::string> {};

MultigridSettings several_levels() {
    MultigridSettings settings;
    settings.coarsest = 20;
    settings.rows_a_rank = 60;
    return settings;
}

// Of several columns the bits of a cycle of each, messages of one for all.
template <class Real>
void expect_columns(const test::PoissonCase& on, Device& device, const MultigridSettings& settings,
                    int columns) {
    const auto make = [&](int count) {
        return Multigrid<Real>(on.comm, device, on.ranges, on.mesh.halo(on.problem.kind),
                               on.problem.matrix, on.problem.fixed, settings, count);
    };
    Multigrid<Real> together = make(columns), alone = make(1);
    const auto value = [&](Index i, int k) {
        return test::random_value(test::key_of(on.mesh.mesh, on.problem.kind, i), 11 + k);
    };
    const auto corrected = [&](Multigrid<Real>& multigrid, int first, int count) {
        const auto r =
            test::owned_field_of<Real>(device, on.mesh, on.problem.kind, count,
                                       [&](Index i, int k) { return value(i, first + k); });
        auto z = device.buffer<Real>(on.ranges.all, count);
        const std::int64_t before = on.comm.traffic().exchanges;
        multigrid.correct(r, z);
        return std::pair(z.download(), on.comm.traffic().exchanges - before);
    };
    const auto [all, messages] = corrected(together, 0, columns);
    double largest = 0;
    for (int k = 0; k < columns; ++k) {
        const auto [one, its_messages] = corrected(alone, k, 1);
        EXPECT_EQ(its_messages, messages);
        for (Index i = 0; i < on.ranges.owned; ++i) {
            ASSERT_EQ(all[std::size_t(k) * on.ranges.all + i], one[i]) << k << ", " << i;
            largest = std::max(largest, std::abs(double(one[i])));
        }
    }
    EXPECT_GT(on.comm.max(largest), 0);
}

// What apply() gives, but for rounding: with layers of ghosts the last step has another range, and
// where lanes share rows another order.
TEST_P(MultigridColumns, CorrectAsIsApplied) {
    const auto device = test::make_device(GetParam());
    const test::PoissonCase on(Kind::cell, 1500);
    Multigrid<double> multigrid(on.comm, *device, on.ranges, on.mesh.halo(Kind::cell),
                                on.problem.matrix, on.problem.fixed, several_levels());
    const auto r = test::owned_field_of<double>(*device, on.mesh, Kind::cell, 1, [&](Index i, int) {
        return test::random_value(test::key_of(on.mesh.mesh, Kind::cell, i), 3);
    });
    auto z = device->buffer<double>(on.ranges.all), applied = device->buffer<double>(on.ranges.all);
    multigrid.correct(r, z);
    multigrid.apply(r, applied);
    const std::vector<double> found = z.download(), expected = applied.download();
    for (Index i = 0; i < on.ranges.owned; ++i) ASSERT_NEAR(found[i], expected[i], 1e-13) << i;
}

TEST_P(MultigridColumns, AreCyclesOfTheirOwn) {
    const auto device = test::make_device(GetParam());
    for (const Index rows_a_message : {1, 1000000}) {
        MultigridSettings settings = several_levels();
        settings.rows_a_message = rows_a_message;
        expect_columns<double>(test::PoissonCase(Kind::node, 2500), *device, settings, 3);
        expect_columns<float>(test::PoissonCase(Kind::node, 2500), *device, settings, 3);
        expect_columns<double>(test::PoissonCase(Kind::cell, 1500), *device, settings, 2);
    }
    // on one rank an inverse and no more
    expect_columns<double>(test::PoissonCase(Kind::cell, 100), *device, {}, 3);
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridColumns, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::multigrid_columns_test
