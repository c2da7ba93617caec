// Where a rank reads other sums from its device than the others do, the solve ends on all of them.
// On NVIDIA's driver, or its stand-in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/lying_operator.hpp"
#include "support/devices.hpp"

namespace solenoid::ranks_differ_test {
namespace {

// Another device, but for what it shows of kept sums.
class LyingDevice final : public Device {
  public:
    // The look that is counted as `look`, from 0, shows values times `factor`.
    LyingDevice(std::unique_ptr<Device> device, int read_back, double factor)
        : device_(std::move(device)), reading_(read_back), factor_(factor) {}
    int readings() const { return readings_; }

    const DeviceInfo& info() const override { return device_->info(); }
    Index row_stride() const override { return device_->row_stride(); }
    Index parallel_rows() const override { return device_->parallel_rows(); }
    bool is_synchronous() const override { return device_->is_synchronous(); }
    std::size_t allocated_bytes() const override { return device_->allocated_bytes(); }
    void launch(const Launch& launch, Range range, std::span<double> reductions) override {
        device_->launch(launch, range, reductions);
    }
    ReductionTicket launch_ahead(const Launch& ahead, Range range) override {
        return device_->launch_ahead(ahead, range);
    }
    void collect(ReductionTicket& ticket) override { device_->collect(ticket); }
    std::unique_ptr<DeviceSums> device_sums() override { return device_->device_sums(); }
    void keep(DeviceSums* sums) override { device_->keep(sums); }
    std::vector<std::array<double, DeviceSums::most>> read_back(
        std::span<DeviceSums* const> sums) override {
        auto values = device_->read_back(sums);
        if (readings_++ == reading_)
            for (auto& four : values)
                for (double& value : four) value *= factor_;
        return values;
    }
    void scatter(const Storage& value, const Storage& where, Storage& out) override {
        device_->scatter(value, where, out);
    }
    void copy(const Storage& from, Storage& to) override { device_->copy(from, to); }
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return device_->staging(bytes); }
    void gather(const Storage& field, const Storage& where, Staging& to) override {
        device_->gather(field, where, to);
    }
    void scatter(Staging& from, const Storage& where, Storage& field) override {
        device_->scatter(from, where, field);
    }
    void repeat(std::unique_ptr<Recording>& recording, const RecordedCalls& calls) override {
        device_->repeat(recording, calls);
    }
    PeerAccess* peers() override { return device_->peers(); }
    void finish() override { device_->finish(); }
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return device_->allocate(type, size, columns);
    }

  private:
    std::unique_ptr<Device> device_;
    const int reading_;
    const double factor_;
    int readings_ = 0;
};

// Ones on the diagonal as a preconditioner, so that sums stay on the device. factor: of what the
// last rank sees at the second look.
SolveReport solved(double factor, int& readings) {
    const test::CellProblem problem(10, 0.01, 1, 0, 200);
    const Communicator& comm = problem.comm;
    comm.set_transport(Transport::gpu);
    LyingDevice device(test::make_device("cuda"), comm.rank() == comm.size() - 1 ? 1 : -1, factor);
    RowMatrix<double> matrix(comm, device, problem.ranges(), problem.halo(), problem.matrix);
    ConjugateGradients<double> cg(comm, matrix);
    const auto b = device.buffer<double>(std::span<const double>(problem.random(1)));
    auto x = device.buffer<double>(problem.ranges().all);
    const auto ones = device.buffer<double>(
        std::span<const double>(std::vector<double>(problem.ranges().all, 1.0)));
    const SolveReport report = cg.solve(ones, b, x, {1e-9, 2000});
    readings = device.readings();
    EXPECT_EQ(comm.min(double(report.outcome)), comm.max(double(report.outcome)));
    EXPECT_EQ(comm.min(double(report.iterations)), comm.max(double(report.iterations)));
    return report;
}

TEST(RanksDiffer, EndsTheSolveOnAllRanks) {
    const Communicator comm = Communicator::world();
    if (!std::ranges::count(test::device_names(), "cuda")) GTEST_SKIP() << "no device cuda";
    int readings = 0;
    EXPECT_TRUE(solved(1, readings).converged());
    EXPECT_GT(readings, 3) << "the sums stay on the device";
    // by some of them this rank alone takes the solve for ended
    for (const double factor : {1 + 1e-15, 0.5, 1e-30, 1e30, std::nan("")}) {
        const SolveReport report = solved(factor, readings);
        EXPECT_EQ(report.outcome, SolveOutcome::ranks_differ)
            << factor << ": " << report.explanation("pressure");
        EXPECT_NE(report.explanation().find("the ranks' sums differ"), std::string::npos);
        EXPECT_NE(report.explanation().find("--transport host"), std::string::npos);
        EXPECT_EQ(readings, 2);
    }
}

}  // namespace
}  // namespace solenoid::ranks_differ_test
