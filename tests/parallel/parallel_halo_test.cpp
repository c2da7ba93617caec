// Ghosts are filled from their owners; products count every entity once.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "delayed_device.hpp"
#include "device/expression.hpp"
#include "entity_keys.hpp"
#include "parallel/device_allreduce.hpp"
#include "parallel/halo.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/transport.hpp"
#include "support/devices.hpp"
#include "support/failing_calls.hpp"
#include "support/inner_product.hpp"
#include "support/sample_meshes.hpp"

namespace solenoid::parallel_halo_test {
namespace {

struct Case {
    Communicator comm = Communicator::world();
    DistributedMesh part;

    explicit Case(int dimension, Transport transport = Transport::automatic)
        : part(distribute(
              comm, comm.is_root() ? std::optional(sample::box(dimension, 1200)) : std::nullopt)) {
        comm.set_transport(transport);
    }

    // A hash of the entity's key in each column; in copies of other ranks' entities 7 until they
    // are exchanged.
    template <class Real>
    std::vector<Real> values(Kind kind, int columns, bool is_exchanged) const {
        const EntityRanges& ranges = part.range(kind);
        std::vector<Real> result(std::size_t(ranges.all) * columns, Real(7));
        for (int j = 0; j < columns; ++j)
            for (Index e = 0; e < (is_exchanged ? ranges.all : ranges.owned); ++e)
                result[std::size_t(j) * ranges.all + e] =
                    static_cast<Real>(key_hash(entity_key(part.mesh, kind, e), j));
        return result;
    }
};

template <class Real>
class HaloOf : public testing::Test {};
using Reals = testing::Types<float, double, std::uint32_t>;
TYPED_TEST_SUITE(HaloOf, Reals);

template <class Real>
void expect_exchange(Device& device, Transport transport = Transport::automatic) {
    for (int dimension : {2, 3}) {
        const Case test(dimension, transport);
        for (Kind kind : all_kinds)
            for (int columns : {1, 3}) {
                Halo<Real> halo(test.comm, device, test.part.halo(kind), columns);
                const std::vector<Real> before = test.values<Real>(kind, columns, false);
                const std::vector<Real> after = test.values<Real>(kind, columns, true);
                for (int round = 0; round < 2; ++round) {
                    auto field = device.buffer<Real>(std::span<const Real>(before), columns);
                    Exchange ghosts = halo.start(field);
                    ghosts.finish();
                    EXPECT_EQ(field.download(), after) << name_of(kind) << " " << columns;
                }
                EXPECT_EQ(halo.bytes_sent(), 2 * halo.bytes_per_exchange());
                EXPECT_EQ(halo.bytes_per_exchange(),
                          test.part.halo(kind).send.size() * columns * sizeof(Real));
            }
    }
}

TYPED_TEST(HaloOf, FillsEveryCopy) { expect_exchange<TypeParam>(*make_cpu_device()); }

TYPED_TEST(HaloOf, FillsEveryCopyWhereTheDeviceLags) {
    DelayedDevice device;
    expect_exchange<TypeParam>(device);
}

TYPED_TEST(HaloOf, FillsEveryCopyByMpi) {
    expect_exchange<TypeParam>(*make_cpu_device(), Transport::mpi);
    DelayedDevice device;
    expect_exchange<TypeParam>(device, Transport::mpi);
}

// From GPU to GPU: the kernels' texts on the stand-in of NVIDIA's driver, memory of one process
// mapped into others, or GPUs.
class Gpu : public testing::Test {
  protected:
    void SetUp() override {
        if (!is_there()) GTEST_SKIP() << "no device cuda";
        device_ = test::make_device("cuda");
        ASSERT_NE(device_->peers(), nullptr);
    }
    static bool is_there() { return std::ranges::count(test::device_names(), "cuda"); }
    std::unique_ptr<Device> device_;
};

TEST_F(Gpu, FillsEveryCopyOfDoubles) { expect_exchange<double>(*device_, Transport::gpu); }
TEST_F(Gpu, FillsEveryCopyOfFloats) { expect_exchange<float>(*device_, Transport::gpu); }
TEST_F(Gpu, FillsEveryCopyByTheHost) { expect_exchange<double>(*device_, Transport::host); }

TEST_F(Gpu, NoHostTakesPart) {
    const Case test(3, Transport::gpu);
    const Halo<double> halo(test.comm, *device_, test.part.halo(Kind::node));
    EXPECT_EQ(halo.has_messages(), test.comm.size() > 1);
    EXPECT_FALSE(halo.takes_the_host());
    EXPECT_EQ(transport_name(test.comm, *device_), test.comm.size() > 1 ? "GPU memory" : "none");
    test.comm.set_transport(Transport::automatic);  // all ranks on one GPU
    EXPECT_EQ(transport_name(test.comm, *device_), test.comm.size() > 1 ? "shared memory" : "none");
}

// Added up on the GPUs with the bits of the host's sums; many in a row.
TEST_F(Gpu, AddsUpWhatIsKept) {
    const Communicator comm = Communicator::world();
    comm.set_transport(Transport::gpu);
    const auto ranks = DeviceAllreduce::make(comm, *device_);
    ASSERT_TRUE(ranks);
    const auto kept = device_->device_sums();
    for (int round = 0; round < 50; ++round) {
        std::array<double, 4> values;
        for (int n = 0; n < 4; ++n)
            values[n] =
                std::sin(1 + comm.rank() + 10 * n + 100 * round) * std::pow(10, comm.rank() % 3);
        kept->set(values);
        ranks->add(*kept);
        comm.sum(values);
        if (round % 7) continue;
        DeviceSums* const one[] = {kept.get()};
        ASSERT_EQ(device_->read_back(one)[0], values) << round;
    }
    comm.set_transport(Transport::mpi);
    EXPECT_EQ(DeviceAllreduce::make(comm, *device_) != nullptr, comm.size() == 1);
}

// Sums and halos that live at the same time write into rooms of their own, whichever was made
// first.
TEST_F(Gpu, SumsAndHalosShareNoRoom) {
    const Case test(3, Transport::gpu);
    const auto ranks = DeviceAllreduce::make(test.comm, *device_);
    ASSERT_TRUE(ranks);
    const auto kept = device_->device_sums();
    Halo<double> halo(test.comm, *device_, test.part.halo(Kind::node));
    auto field =
        device_->buffer<double>(std::span<const double>(test.values<double>(Kind::node, 1, false)));
    const std::vector<double> expected = test.values<double>(Kind::node, 1, true);
    for (int round = 0; round < 10; ++round) {
        for (int k = 0; k < 5; ++k) halo.exchange(field);
        ASSERT_EQ(field.download(), expected) << round;
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * (test.comm.rank() + round) % 3));
        std::array<double, 4> values{1.0 + test.comm.rank(), 2.0 * round, -3.0, 0.25};
        kept->set(values);
        ranks->add(*kept);
        const double n = test.comm.size();
        DeviceSums* const one[] = {kept.get()};
        ASSERT_EQ(device_->read_back(one)[0],
                  (std::array<double, 4>{n * (n + 1) / 2, 2 * n * round, -3 * n, n / 4}))
            << round;
    }
}

// Recorded once, repeated by the device alone: every exchange brings what there is then.
TEST_F(Gpu, RepeatsWhatIsRecorded) {
    const Case test(3, Transport::gpu);
    const EntityRanges& ranges = test.part.range(Kind::node);
    Halo<double> halo(test.comm, *device_, test.part.halo(Kind::node));
    auto field =
        device_->buffer<double>(std::span<const double>(test.values<double>(Kind::node, 1, false)));
    std::vector<double> expected = test.values<double>(Kind::node, 1, true);
    std::unique_ptr<Recording> recording;
    for (int round = 0; round < 6; ++round) {
        device_->repeat(recording, [&] {
            Over(*device_, {0, ranges.owned})[field] += 1;
            halo.exchange(field);
        });
        for (double& value : expected) ++value;
        ASSERT_EQ(field.download(), expected) << round;
    }
}

void expect_other_order(Device& device, Transport transport = Transport::automatic) {
    const Case test(3, transport);
    const std::vector<double> before = test.values<double>(Kind::cell, 1, false),
                              after = test.values<double>(Kind::cell, 1, true);
    const std::vector<float> face_before = test.values<float>(Kind::face, 1, false);
    Halo<double> cells(test.comm, device, test.part.halo(Kind::cell));
    Halo<double> again(test.comm, device, test.part.halo(Kind::cell));
    Halo<float> faces(test.comm, device, test.part.halo(Kind::face));
    auto a = device.buffer<double>(std::span(before)), b = device.buffer<double>(std::span(before));
    auto c = device.buffer<float>(std::span(face_before));
    {
        Exchange first = cells.start(a);
        Exchange second = again.start(b);
        Exchange third = faces.start(c);
        third.finish();
        EXPECT_EQ(c.download(), test.values<float>(Kind::face, 1, true));
        second.finish();
        second = std::move(first);  // finished by the destructor
    }
    EXPECT_EQ(a.download(), after);
    EXPECT_EQ(b.download(), after);
}

TEST(Exchanges, FinishInAnotherOrderThanTheyStarted) {
    DelayedDevice device;
    for (const Transport transport : {Transport::automatic, Transport::mpi}) {
        expect_other_order(*make_cpu_device(), transport);
        expect_other_order(device, transport);
    }
}

TEST_F(Gpu, FinishesInAnotherOrderThanItStarted) { expect_other_order(*device_, Transport::gpu); }

// Rank 0 alone sends: it may run ahead of those who receive, who find every message as it was sent.
void expect_patience(Device& device, Transport transport) {
    constexpr Index n = 50;
    const Communicator comm = Communicator::world();
    comm.set_transport(transport);
    HaloPlan plan;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank == comm.rank() || (comm.rank() != 0 && rank != 0)) continue;
        plan.neighbours.push_back(rank);
        for (Index i = 0; i < n; ++i) (comm.rank() == 0 ? plan.send : plan.receive).push_back(i);
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    Halo<double> halo(comm, device, plan);
    for (int round = 0; round < 40; ++round) {
        auto field = device.buffer<double>(
            std::span<const double>(std::vector<double>(n, comm.is_root() ? round : -1)));
        if (comm.rank() == comm.size() - 1 && round % 8 == 3)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        halo.exchange(field);
        ASSERT_EQ(field.download(), std::vector<double>(n, round));
    }
}

TEST(Exchanges, DoNotOvertakeASlowReceiver) {
    for (const Transport transport : {Transport::automatic, Transport::mpi})
        expect_patience(*make_cpu_device(), transport);
}

TEST_F(Gpu, DoesNotOvertakeASlowReceiver) { expect_patience(*device_, Transport::gpu); }

// On a host without room in /dev/shm, from the start or later, MPI carries what finds none.
TEST(Exchanges, GoByMpiWhereMemoryIsLacking) {
    const auto device = make_cpu_device();
    if (Communicator::world().size() == 1) return;
    for (const int at : {1, 2}) {
        const Communicator comm = Communicator::world();
        fail_call("open", at, "/dev/shm", 1);
        constexpr Index n = 200000;  // more than a first segment holds
        const HaloPlan plan = ring_plan(comm, n);
        Halo<double> halo(comm, *device, plan);
        fail_call("", 0, "", 0);
        std::vector<double> values(n + plan.receive.size(), 0);
        for (Index i = 0; i < n; ++i) values[i] = n * comm.rank() + i;
        auto field = device->buffer<double>(std::span<const double>(values));
        halo.exchange(field);
        std::vector<double> expected = values;
        for (std::size_t k = 0; k < plan.neighbours.size(); ++k)
            for (Index i = 0; i < n; ++i)
                expected[plan.receive[k * n + i]] = n * plan.neighbours[k] + i;
        EXPECT_EQ(field.download(), expected);
        EXPECT_EQ(comm.sum(std::int64_t(comm.rank())), comm.size() * (comm.size() - 1) / 2);
        EXPECT_EQ(transport_name(comm, *device), at == 1 ? "MPI" : "shared memory, MPI");
    }
}

std::vector<std::string> segments_with_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
        if (const std::string name = entry.path().filename();
            name.starts_with("solenoid-" + std::to_string(getpid()) + "-"))
            names.push_back(name);
    return names;
}

// Memory without a name at any time is gone with the ranks, however they end; where ranks cannot
// open it a name leads to it, until all have it open.
TEST(Exchanges, LeaveNoNamesInSharedMemory) {
    const Communicator world = Communicator::world();
    if (world.size() == 1) return;
    for (const bool is_named : {false, true}) {
        const Communicator comm = Communicator::world();
        fail_call("open", 1, is_named ? "/proc/" : "/dev/shm/solenoid-", 1);
        const auto device = make_cpu_device();
        const HaloPlan plan = ring_plan(comm, 10);
        const Halo<double> halo(comm, *device, plan);
        fail_call("", 0, "", 0);
        EXPECT_EQ(transport_name(comm, *device), "shared memory") << is_named;
        EXPECT_EQ(segments_with_names(), std::vector<std::string>());
    }
}

// A run that was killed at the wrong moment may leave a name; a later run removes it, not those
// that are new, or locked by one that is stopped just then.
TEST(Exchanges, RemoveWhatAKilledRunLeft) {
    const Communicator world = Communicator::world();
    if (world.size() == 1) return;
    namespace fs = std::filesystem;
    const auto path = [](int number) {
        return fs::path("/dev/shm") /
               ("solenoid-9" + std::to_string(getpid()) + "9" + "-" + std::to_string(number));
    };
    int lock = -1;
    if (world.is_root())
        for (const int number : {1, 2, 3}) {
            std::ofstream(path(number)) << "x";
            if (number != 2)
                fs::last_write_time(path(number),
                                    fs::file_time_type::clock::now() - std::chrono::seconds(100));
            if (number == 3) {
                lock = open(path(number).c_str(), O_RDWR);
                flock(lock, LOCK_EX);
            }
        }
    world.barrier();
    const Communicator comm = Communicator::world();
    const auto device = make_cpu_device();
    const Halo<double> halo(comm, *device, ring_plan(comm, 10));
    comm.barrier();
    if (!world.is_root()) return;
    EXPECT_FALSE(fs::exists(path(1)));
    EXPECT_TRUE(fs::exists(path(2)));
    EXPECT_TRUE(fs::exists(path(3)));
    close(lock);
    for (const int number : {1, 2, 3}) fs::remove(path(number));
}

// Halos come and go, and their room with them; what is counted.
TEST(Exchanges, OfManyHalosInTurn) {
    const Case test(3);
    const auto device = make_cpu_device();
    const HaloPlan& plan = test.part.halo(Kind::node);
    const std::vector<double> before = test.values<double>(Kind::node, 1, false),
                              after = test.values<double>(Kind::node, 1, true);
    std::vector<std::unique_ptr<Halo<double>>> halos(5);
    const Traffic start = test.comm.traffic();
    for (int round = 0; round < 60; ++round) {
        auto& halo = halos[(round * round) % 5];
        halo = std::make_unique<Halo<double>>(test.comm, *device, plan);
        auto field = device->buffer<double>(std::span(before));
        halo->exchange(field);
        ASSERT_EQ(field.download(), after);
    }
    const Traffic& end = test.comm.traffic();
    EXPECT_EQ(end.exchanges - start.exchanges, test.comm.size() > 1 ? 60 : 0);
    EXPECT_EQ(end.bytes - start.bytes, std::int64_t(60 * plan.send.size() * sizeof(double)));
}

TEST(Exchanges, OfOneHaloDoNotOverlap) {
    const Case test(2);
    const auto device = make_cpu_device();
    Halo<double> halo(test.comm, *device, test.part.halo(Kind::node));
    auto field = device->buffer<double>(test.part.range(Kind::node).all);
    Exchange ghosts = halo.start(field);
    if (test.comm.size() > 1) {
        EXPECT_THROW(halo.start(field), std::logic_error);
    }
}

// ---- products

template <class Real>
class Products : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Products, Floats);

TYPED_TEST(Products, EqualThoseOfOneRank) {
    using Real = TypeParam;
    const auto device = make_cpu_device();
    for (int dimension : {2, 3}) {
        const Case test(dimension);
        const DistributedMesh whole =
            distribute(Communicator::self(), sample::box(dimension, 1200));
        for (Kind kind : all_kinds) {
            double xy = 0, xx = 0, sum = 0, least = INFINITY,
                   greatest = -INFINITY;  // integers below 2^53: exact
            for (Index e = 0; e < whole.mesh.count(kind); ++e) {
                const EntityKey key = entity_key(whole.mesh, kind, e);
                const double x = key_hash(key, 0), y = key_hash(key, 1);
                xy += x * y;
                xx += x * x;
                sum += x;
                least = std::min(least, x);
                greatest = std::max(greatest, x);
            }
            // What is not exchanged does not count.
            const EntityRanges& ranges = test.part.range(kind);
            const std::vector<Real> both = test.values<Real>(kind, 2, false);
            const auto x = device->buffer<Real>(std::span(both).first(ranges.all));
            const auto y = device->buffer<Real>(std::span(both).last(ranges.all));
            const InnerProduct dot(test.comm, *device, ranges.owned_range());
            EXPECT_EQ(dot(x, y), xy) << name_of(kind);
            const auto [first, second] = dot.many(Pair{x, y}, Pair{x, x});
            EXPECT_EQ(first, xy);
            EXPECT_EQ(second, xx);
            EXPECT_EQ(dot.sum(x), sum);
            EXPECT_EQ(dot.min(x), least);
            EXPECT_EQ(dot.max(x), greatest);
        }
    }
}

}  // namespace
}  // namespace solenoid::parallel_halo_test
