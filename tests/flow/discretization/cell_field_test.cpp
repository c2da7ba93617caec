// Fields of cells know what is recovered from them, and whether it is current.
#include "flow/discretization/cell_field.hpp"

#include <gtest/gtest.h>

#include "device/kernels.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::cell_field_test {
namespace {

template <class P>
concept IsGatheredByGradient = requires(const Domain& domain, P& p, Field<double>& g) {
    kernels::Gradient<double>{.cell = domain.face_cells(), .p = p, .value = g};
};
static_assert(IsGatheredByGradient<CellField<double>>);

// Counts how often it is asked.
class Counted final : public Recovery<double> {
  public:
    void to_nodes(const Field<double>& cells, Field<double>& at_nodes) override {
        cells.with_ghosts();
        at_nodes.write();
        ++nodes;
    }
    void to_boundary(CellField<double>& cells) override {
        cells.at_nodes();
        cells.write_further();
        ++boundaries;
    }
    std::uint64_t version() const override { return given; }
    int nodes = 0, boundaries = 0;
    std::uint64_t given = 0;
};

TEST(CellField, IsRecoveredWhereCellsOrBoundaryHaveChanged) {
    const Communicator comm = Communicator::world();
    const auto device = make_cpu_device();
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(box_mesh({.dimension = 2, .cells = 400}))
                                        : std::nullopt);
    const Domain domain(comm, *device, mesh);
    Counted recovery;
    CellField<double> u(domain, 2, 4, recovery);
    const auto counts = [&] { return std::pair(recovery.nodes, recovery.boundaries); };
    using Pair = std::pair<int, int>;
    u.at_nodes();
    u.at_nodes();
    EXPECT_EQ(counts(), Pair(1, 0));
    u.with_boundary();
    u.with_boundary();
    u.at_nodes();
    EXPECT_EQ(counts(), Pair(1, 1));
    domain.own(Kind::cell)[u] = 1;
    u.with_boundary();
    EXPECT_EQ(counts(), Pair(2, 2));
    ++recovery.given;
    u.at_nodes();
    EXPECT_EQ(counts(), Pair(3, 2));
    u.with_boundary();
    EXPECT_EQ(counts(), Pair(3, 3));
    CellField<double> v(domain, 2, 4, recovery);
    v.copy(u);
    v.with_boundary();
    std::swap(u, v);
    u.with_boundary();
    EXPECT_EQ(counts(), Pair(4, 4));
}

}  // namespace
}  // namespace solenoid::cell_field_test
