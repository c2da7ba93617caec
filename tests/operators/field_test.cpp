// Fields know whether their ghosts are those of their values: an exchange is made where something
// was written, and only there.
#include "operators/field.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "device/kernels.hpp"
#include "mesh/box.hpp"
#include "operators/operators.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/domain_fields.hpp"

namespace solenoid::field_test {
namespace {

struct Held {
    explicit Held(int dimension = 2)
        : comm(Communicator::world()),
          device(make_cpu_device()),
          mesh(distribute(
              comm, comm.is_root() ? std::optional(box_mesh({.dimension = dimension, .cells = 400}))
                                   : std::nullopt)),
          domain(comm, *device, mesh) {}

    static double value_of(const Mesh& mesh, Kind kind, Index i, int j) {
        return test::random_value(test::key_of(mesh, kind, i), 3 + j);
    }
    double value(Kind kind, Index i, int j) const { return value_of(mesh.mesh, kind, i, j); }
    Field<double> given(Kind kind, int columns) const {
        return test::owned_field_of<double>(domain, kind, columns,
                                            [&](Index i, int j) { return value(kind, i, j); });
    }
    std::size_t sent(Kind kind, int columns) const {
        return domain.halo<double>(kind, columns).bytes_sent();
    }
    bool is_cut() const { return comm.size() > 1; }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
};

TEST(Field, HasItsOwnersValuesAsGhosts) {
    const Held h(3);
    for (const Kind kind : all_kinds)
        for (const int columns : {1, 3}) {
            const Field<double> field = h.given(kind, columns);
            const auto values = field.with_ghosts().download();
            for (int j = 0; j < columns; ++j)
                for (Index i = 0; i < h.domain.range(kind).all; ++i)
                    ASSERT_EQ(values[std::size_t(j) * field.size() + i], h.value(kind, i, j)) << i;
        }
}

// By the bytes that this rank sent.
TEST(Field, ExchangesOnceAfterAWrite) {
    Held h;
    Field<double> field = h.given(Kind::cell, 2);
    const auto exchanges = [&](const auto& use) {
        const std::size_t before = h.sent(Kind::cell, 2);
        use();
        return (h.sent(Kind::cell, 2) - before) /
               std::max<std::size_t>(h.domain.halo<double>(Kind::cell, 2).bytes_per_exchange(), 1);
    };
    const std::size_t one = h.is_cut() ? 1 : 0;
    EXPECT_EQ(exchanges([&] { field.with_ghosts(); }), one);
    EXPECT_EQ(exchanges([&] { field.with_ghosts(); }), 0u);
    EXPECT_EQ(exchanges([&] { field.values().download(); }), 0u);
    h.domain.own(Kind::cell)[field] *= 2;
    Field<double> mean = h.domain.field<double>(Kind::face);
    EXPECT_EQ(exchanges([&] { h.domain.operators<double>().integration(field, mean); }), one);
    h.domain.own(Kind::cell)[column(field.write(), 1)] = column(field, 0);
    EXPECT_EQ(exchanges([&] { field.with_ghosts(); }), one);
    EXPECT_EQ(exchanges([&] { h.domain.own(Kind::cell).sum(h.domain.comm, dot(field, field)); }),
              0u);

    Field<double> other = h.domain.vector_field<double>(Kind::cell);
    EXPECT_EQ(exchanges([&] { other.with_ghosts(); }), 0u);  // zeros
    other.copy(field);
    EXPECT_EQ(exchanges([&] { other.with_ghosts(); }), 0u);
    field.write();
    other.copy(field);
    EXPECT_EQ(exchanges([&] { other.with_ghosts(); }), one);
}

// A launch renews what it gathers as far as it reads, and what it writes is stale beyond.
TEST(Field, IsRenewedByLaunches) {
    Held h;
    Field<double> p = h.given(Kind::cell, 1), flux = h.domain.field<double>(Kind::face),
                  net = h.domain.field<double>(Kind::cell);
    Operators<double>& o = h.domain.operators<double>();
    const std::size_t cells = h.sent(Kind::cell, 1), faces = h.sent(Kind::face, 1);
    o.gradient(p, flux);
    const std::size_t of_cells = h.sent(Kind::cell, 1) - cells;
    EXPECT_EQ(h.is_cut(), of_cells > 0);
    EXPECT_EQ(p.reach(), Reach::halo);
    EXPECT_EQ(flux.reach(), Reach::closure);
    // all faces of this rank's cells are there already
    o.divergence(flux, net);
    EXPECT_EQ(h.sent(Kind::face, 1), faces);
    o.gradient(p, flux);
    EXPECT_EQ(h.sent(Kind::cell, 1) - cells, of_cells);
    // those that it owns alone
    h.domain.own(Kind::face)[flux] = 2;
    EXPECT_EQ(flux.reach(), Reach::own);
    o.divergence(flux, net);
    EXPECT_EQ(h.sent(Kind::face, 1) > faces,
              h.domain.halo<double>(Kind::face).bytes_per_exchange() > 0);
    o.gradient(net, flux);
    EXPECT_EQ(h.sent(Kind::cell, 1) - cells, 2 * of_cells);
}

// An expression over entities that are not current renews what it reads.
TEST(Field, IsRenewedByExpressions) {
    Held h;
    for (const Kind kind : all_kinds) {
        Field<double> x = h.given(kind, 1), y = h.domain.field<double>(kind);
        h.domain.shared(kind)[y] = 2 * x;
        EXPECT_GE(y.reach(), Reach::closure);
        const auto of_cells = y.download();
        for (Index i = 0; i < h.domain.range(kind).shared; ++i)
            ASSERT_EQ(of_cells[i], 2 * h.value(kind, i, 0));
        h.domain.own(kind)[x] = x;
        h.domain.held(kind)[y] = 3 * x;
        const auto of_all = y.download();
        for (Index i = 0; i < h.domain.range(kind).all; ++i)
            ASSERT_EQ(of_all[i], 3 * h.value(kind, i, 0));
        h.domain.held(kind)[y] += x;
        EXPECT_EQ(y.reach(), Reach::halo);
    }
}

template <class P>
concept IsGatheredByGradient = requires(const Domain& domain, P& p, Field<double>& g) {
    kernels::Gradient<double>{.cell = domain.face_cells(), .p = p, .value = g};
};

// A buffer does not say whether its ghosts are current: who means that they are says `complete`.
TEST(Field, IsGatheredWhereABufferDoesNotCompile) {
    static_assert(IsGatheredByGradient<Field<double>>);
    static_assert(!IsGatheredByGradient<Buffer<double>>);
    static_assert(!IsGatheredByGradient<const Buffer<double>>);
    static_assert(!IsGatheredByGradient<Field<float>>);
    Held h;
    const Field<double> faces = h.given(Kind::face, 1);
    Field<double> flux = h.domain.field<double>(Kind::face);
    EXPECT_THROW(h.domain.operators<double>().gradient(faces, flux), std::logic_error);
}

// A launch without a field among its outputs cannot say over which entities it goes.
TEST(Field, SaysOverWhichEntitiesALaunchGoes) {
    Held h;
    const Field<double> p = h.given(Kind::cell, 1);
    Buffer<double> g = h.device->buffer<double>(h.domain.faces.all);
    const kernels::Gradient<double> kernel{.cell = h.domain.face_cells(), .p = p, .value = g};
    EXPECT_THROW(kernel.run(), std::logic_error);
    kernel.run(h.domain.shared(Kind::face));
    const auto values = g.download();
    for (Index f = 0; f < h.domain.faces.shared; ++f) {
        double sum = 0;
        for (int side = 0; side < 2; ++side)
            if (const Index c = h.mesh.mesh.face_cells(f, side); c != none)
                sum += (side ? 1 : -1) * h.value(Kind::cell, c, 0);
        ASSERT_EQ(values[f], sum);
    }
}

// Programs that check themselves compare the ghosts that a launch gathers with their owners'.
TEST(Field, IsCheckedAtEveryGather) {
#ifndef SOLENOID_CHECKED
    GTEST_SKIP() << "a program that checks itself finds it (presets sanitize, debug)";
#endif
    setenv("SOLENOID_CHECK_GHOSTS", "1", 1);
    Held h;
    Field<double> p = h.given(Kind::cell, 1), flux = h.domain.field<double>(Kind::face);
    Operators<double>& o = h.domain.operators<double>();
    o.gradient(p, flux);
    // written without saying so
    Over(*h.device, h.domain.cells.owned_range())[const_cast<Buffer<double>&>(p.values())] = 7;
    if (h.is_cut())
        EXPECT_THROW(o.gradient(p, flux), std::logic_error);
    else
        o.gradient(p, flux);
    h.domain.own(Kind::cell)[p] = p;
    o.gradient(p, flux);
    unsetenv("SOLENOID_CHECK_GHOSTS");
}

// Values behind those of the entities belong to no exchange.
TEST(Field, LeavesFurtherEntriesAlone) {
    Held h;
    Field<double> field = h.domain.field<double>(Kind::cell, 1, 5);
    const Index cells = h.domain.cells.all;
    ASSERT_EQ(field.size(), cells + 5);
    std::vector<double> values(field.size(), 7.0);
    field.upload(values);
    field.with_ghosts();
    const std::size_t before = h.sent(Kind::cell, 1);
    Over(*h.device, {cells, cells + 5})[field.write_further()] = 2;
    EXPECT_EQ(field.with_ghosts().download().back(), 2);
    EXPECT_EQ(h.sent(Kind::cell, 1), before);
}

// The same mesh on another device has the same sizes, not a copy of them.
TEST(Domain, SharesSizesWithAnotherDevice) {
    const Held h;
    const auto other = make_cpu_device();
    const Domain second(h.domain, *other);
    EXPECT_EQ(&second.geometry, &h.domain.geometry);
    EXPECT_EQ(&second.device, other.get());
    EXPECT_EQ(second.cell_nodes().size(), h.domain.cells.all);
    EXPECT_EQ(&second.cell_nodes(), &second.cell_nodes());
}

}  // namespace
}  // namespace solenoid::field_test
