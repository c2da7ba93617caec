// Solves of a reproducible run on several ranks beside those of one rank that has all.
#include <gtest/gtest.h>

#include <map>

#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"
#include "solvers/multigrid/parallel_matrix.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/poisson_case.hpp"
#include "support/reproducible.hpp"

namespace solenoid::same_bits_test {
namespace {

// Of a Poisson problem.
template <class Real>
struct Solved {
    std::map<test::Key, Real> x;  // of owned entities
    std::vector<double> levels;   // rows, nonzeros and the largest eigenvalue of each
    int iterations = 0;

    Solved(const Communicator& comm, const std::string& device_name, Kind kind, std::size_t cells,
           bool is_reproducible) {
        std::optional<test::Reproducible> reproducible;
        if (is_reproducible) reproducible.emplace();
        const auto device = test::make_device(device_name);
        const DistributedMesh mesh = distribute(
            comm, comm.is_root() ? std::optional(test::PoissonCase::box(cells)) : std::nullopt);
        const test::PoissonProblem problem = test::poisson_problem(mesh, kind);
        const EntityRanges& ranges = mesh.range(kind);
        HostMatrix matrix = problem.matrix;
        if (mesh.halo(kind).names) sort_rows(matrix, *mesh.halo(kind).names);
        MultigridSettings settings;
        settings.coarsest = 20;
        settings.rows_a_rank = 60;
        for (const HierarchyLevel& level :
             make_hierarchy(comm, ranges, mesh.halo(kind), matrix, problem.fixed, settings))
            levels.insert(levels.end(),
                          {double(level.rows), double(level.nonzeros), level.largest_eigenvalue});
        Multigrid<Real> multigrid(comm, *device, ranges, mesh.halo(kind), matrix, problem.fixed,
                                  settings);
        RowMatrix<Real> rows(comm, *device, ranges, mesh.halo(kind), matrix);
        rows.fix(problem.fixed);
        ConjugateGradients<Real> cg(comm, rows);
        auto b = test::owned_field_of<Real>(*device, mesh, kind, 1,
                                            [&](Index i, int) { return problem.rhs[i]; });
        auto solution = device->template buffer<Real>(ranges.all);
        iterations = cg.solve(multigrid, b, solution, {1e-6, 200}).iterations;
        const std::vector<Real> values = solution.download();
        for (Index i = 0; i < ranges.owned; ++i) x[test::key_of(mesh.mesh, kind, i)] = values[i];
    }
};

// Whether this rank's values are those of `whole`.
template <class Real>
bool is_part_of(const Solved<Real>& part, const Solved<Real>& whole) {
    return part.iterations == whole.iterations && part.levels == whole.levels &&
           std::ranges::all_of(part.x, [&](const auto& value) {
               const auto found = whole.x.find(value.first);
               return found != whole.x.end() && found->second == value.second;
           });
}

template <class Real>
void expect_same_bits(const std::string& device, Kind kind, std::size_t cells) {
    const Communicator world = Communicator::world(), self = Communicator::self();
    const auto solved = [&](const Communicator& comm, bool is_reproducible) {
        return Solved<Real>(comm, device, kind, cells, is_reproducible);
    };
    const Solved<Real> whole = solved(self, true);
    EXPECT_GE(whole.levels.size(), 6u);  // three numbers of two levels
    EXPECT_TRUE(is_part_of(solved(world, true), whole)) << name_of(kind);
    if (device != "cpu") return;
    // the problem tells one cut from another
    EXPECT_TRUE(world.any(!is_part_of(solved(world, false), solved(self, false))));
}

class SameBitsTest : public testing::TestWithParam<std::string> {};

TEST_P(SameBitsTest, OfMultigridOnAnyNumberOfRanks) {
    if (!test::make_device(GetParam())->info().has_binned_sums)
        GTEST_SKIP() << GetParam() << " has no binned sums";
    expect_same_bits<double>(GetParam(), Kind::node, 1200);
    expect_same_bits<float>(GetParam(), Kind::cell, 500);
}

INSTANTIATE_TEST_SUITE_P(Devices, SameBitsTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::same_bits_test
