// The byte model of kernels beside counts made by hand, and what a meter does to the computation
// that it listens to: nothing.
#include <gtest/gtest.h>

#include "bench/box_flow.hpp"
#include "bench/kernel_meter.hpp"
#include "bench/kernel_tour.hpp"
#include "device/kernels.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::bench::kernel_traffic_test {
namespace {

struct Fixture {
    Communicator comm = Communicator::self();
    std::unique_ptr<Device> device = make_cpu_device();
    KernelMeter meter{comm, *device, 1};
    DistributedMesh mesh = distribute(comm, box_mesh({.cells = 400}));

    double bytes(const std::string& kernel) const {
        for (const KernelMeasurement& m : meter.measurements())
            if (m.kernel == kernel) return m.bytes;
        ADD_FAILURE() << kernel << " was not launched";
        return 0;
    }
    double count(Kind kind) const { return double(mesh.global_count[static_cast<int>(kind)]); }
};

const TourStage& stage(const std::string& name) {
    return *std::ranges::find(tour_stages(), name, &TourStage::name);
}

// 4 bytes a number of an entity, r a real: every array of docs/numerics.md's operators once.
TEST(KernelTraffic, OperatorsReadAndWriteEachArrayOnce) {
    for (const bool is_double : {true, false}) {
        Fixture f;
        stage("operators").visit(Domain(f.comm, f.meter, f.mesh), is_double);
        const double r = is_double ? 8 : 4, cells = f.count(Kind::cell),
                     faces = f.count(Kind::face), edges = f.count(Kind::edge);
        EXPECT_EQ(f.bytes("gradient"), faces * (2 * 4 + r) + cells * r);
        EXPECT_EQ(f.bytes("divergence"), cells * (4 * 4 + r) + faces * r);
        EXPECT_EQ(f.bytes("curl"), faces * (3 * 4 + r) + edges * r);
        EXPECT_EQ(f.bytes("interpolation"), cells * (4 * 4 + 12 * r + r + 3 * r) + faces * r);
    }
}

// Faces of edges, in rows: a table of two numbers an edge, and as many entries as all edges have
// faces, padded in eights to the longest.
TEST(KernelTraffic, RowsCountWithTheirPadding) {
    Fixture f;
    stage("operators").visit(Domain(f.comm, f.meter, f.mesh), true);
    std::vector<int> faces_of(f.mesh.mesh.edges(), 0);
    for (Index face = 0; face < f.mesh.mesh.faces(); ++face)
        for (int j = 0; j < 3; ++j) ++faces_of[entity_of(f.mesh.mesh.face_codim2(face)[j])];
    double entries = 0;
    for (std::size_t first = 0; first < faces_of.size(); first += 8) {
        const std::size_t end = std::min(first + 8, faces_of.size());
        entries += 8.0 * *std::max_element(faces_of.begin() + std::ptrdiff_t(first),
                                           faces_of.begin() + std::ptrdiff_t(end));
    }
    EXPECT_EQ(f.bytes("rotation"),
              f.count(Kind::edge) * (2 * 4 + 8) + entries * 4 + f.count(Kind::face) * 8);
}

// Few of many values: as many as numbers name them.
TEST(KernelTraffic, AListReadsNoMoreThanItNames) {
    Fixture f;
    constexpr Index listed = 10, all = 1000;
    const Buffer<std::uint32_t> entity = f.device->buffer<std::uint32_t>(listed);
    const Buffer<double> x = f.device->buffer<double>(all);
    Buffer<double> value = f.device->buffer<double>(listed);
    kernels::OrientedValues<double>{.entity = entity, .x = complete(x), .value = value}.run(
        f.meter, {0, listed});
    EXPECT_EQ(f.bytes("oriented_values"), listed * (4 + 8 + 8));
}

// Two read, two updated in place.
TEST(KernelTraffic, WhatIsUpdatedInPlaceCountsTwice) {
    Fixture f;
    constexpr Index n = 100;
    const Buffer<float> p = f.device->buffer<float>(n), q = f.device->buffer<float>(n);
    Buffer<float> x = f.device->buffer<float>(n), r = f.device->buffer<float>(n);
    kernels::CgStep<float>{.p = p, .q = q, .x = x, .r = r, .alpha = 1.0F}.run(ThisRank(), f.meter,
                                                                              {0, n});
    EXPECT_EQ(f.bytes("cg_step"), n * 4 * (2 + 2 * 2));
}

TEST(KernelMeter, TheComputationGoesOnAsWithoutIt) {
    Fixture f;
    const auto velocities = [&](Device& device) {
        const Domain domain(f.comm, device, f.mesh);
        const auto solver = make_flow_solver<double>(domain, cavity(f.mesh.mesh, 1e-8));
        for (int k = 0; k < 3; ++k) solver->step(0.01);
        return solver->cell_velocity();
    };
    const std::vector<double> plain = velocities(*f.device), metered = velocities(f.meter);
    EXPECT_GT(f.meter.measurements().size(), 20u);
    EXPECT_EQ(plain, metered);
    for (const KernelMeasurement& m : f.meter.measurements()) {
        EXPECT_GT(m.bytes, 0) << m.kernel;
        EXPECT_GT(m.time.seconds, 0) << m.kernel;
        EXPECT_GT(m.copy.seconds, 0) << m.kernel;
    }
}

TEST(Timing, MedianAndQuartiles) {
    const Timing t = timing_of({4, 1, 2, 3, 5});
    EXPECT_DOUBLE_EQ(t.seconds, 3);
    EXPECT_DOUBLE_EQ(t.relative_quartiles, 2.0 / 3);
    EXPECT_DOUBLE_EQ(median({1, 2}), 1.5);
    EXPECT_DOUBLE_EQ(timing_of({7}).relative_quartiles, 0);
}

}  // namespace
}  // namespace solenoid::bench::kernel_traffic_test
