// The CUDA device on the stand-in of its driver: bits of the CPU's, memory given back, errors with
// the driver's words.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/error.hpp"
#include "device/choice/select_device.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/plain_loops.hpp"
#include "device/test_kernels.hpp"

namespace solenoid::test::device_cuda_test {
namespace {

// A function of the stand-in beside those of the driver's; nullptr on a GPU.
template <class F>
F* of_stand_in(const char* name) {
    void* library = dlopen(SOLENOID_CUDA_STAND_IN, RTLD_NOW | RTLD_NOLOAD);
    return library ? reinterpret_cast<F*>(dlsym(library, name)) : nullptr;
}

class CudaDevice : public testing::Test {
  protected:
    void SetUp() override {
        if (!cuda::is_there()) GTEST_SKIP() << "no device cuda";
        device_ = make_device("cuda");
    }
    // The next call of the driver's function fails; on the stand-in alone.
    static bool can_fail() {
        return of_stand_in<void(const char*, int)>("stand_in_fail") != nullptr;
    }
    static void fail(const char* function, int status) {
        of_stand_in<void(const char*, int)>("stand_in_fail")(function, status);
    }
    template <class Work>
    void expect_error(const Work& work, const std::vector<std::string>& words) {
        try {
            work();
            FAIL() << "no error";
        } catch (const ComputationError& error) {
            for (const std::string& word : words)
                EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    }
    std::unique_ptr<Device> device_;
};

// PTX of the texts is for compute capability 7.0.
TEST_F(CudaDevice, RefusesAGpuBeforeVoltaByName) {
    auto* const set = of_stand_in<void(int)>("stand_in_compute_capability");
    if (!set) GTEST_SKIP() << "a real GPU";
    set(6);
    try {
        make_device("cuda");
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("processor as a GPU has compute capability 6.0, 7.0 is needed: choose "
                            "the device compute"),
                  std::string::npos)
            << said;
    }
    set(9);
    EXPECT_EQ(make_device("cuda")->info().kind, "cuda");
}

template <class T>
struct Step {
    std::vector<T> x, r;
    double rr;
};
template <class T>
Step<T> step_on(Device& device) {
    const Buffer<T> p = held(device, values<T>(1)), q = held(device, values<T>(2));
    Buffer<T> x = held(device, values<T>(3)), r = held(device, values<T>(4));
    const double rr = kernels::CgStep<T>{.p = p, .q = q, .x = x, .r = r, .alpha = T(0.3)}
                          .run(ThisRank(), device, {3, loop_size - 5})
                          .rr;
    return {x.download(), r.download(), rr};
}

TEST_F(CudaDevice, KernelsHaveTheBitsOfTheProcessors) {
    const auto cpu = make_cpu_device();
    const auto same = [&](auto real) {
        using T = decltype(real);
        const auto computed = step_on<T>(*device_), expected = step_on<T>(*cpu);
        expect_bits(computed.x, expected.x);
        expect_bits(computed.r, expected.r);
        EXPECT_NEAR(computed.rr, expected.rr, 1e-12 * expected.rr);
        EXPECT_EQ(computed.rr, step_on<T>(*device_).rr);
    };
    same(float());
    same(double());
}

TEST_F(CudaDevice, FourReductionsTravelAtATime) {
    const Buffer<double> p = held(*device_, values<double>(1)),
                         q = held(*device_, values<double>(2));
    Buffer<double> x = held(*device_, values<double>(3)), r = held(*device_, values<double>(4));
    // changes nothing
    const ThisRank alone;
    const kernels::CgStep<double> step{.p = p, .q = q, .x = x, .r = r, .alpha = 0.0};
    std::vector<decltype(step.start(alone, *device_, {0, 1}))> pending;
    std::vector<double> expected;
    for (Index end : {1u, 100u, 3000u, loop_size})
        expected.push_back(step.run(alone, *device_, {0, end}).rr);
    for (Index end : {1u, 100u, 3000u, loop_size})
        pending.push_back(step.start(alone, *device_, {0, end}));
    for (int n : {2, 0, 3, 1}) EXPECT_EQ(pending[n].get().rr, expected[n]) << n;
}

// Of the launches of one Keeping, one behind the other, and of the one before.
TEST_F(CudaDevice, KeepsSums) {
    const Buffer<double> x = held(*device_, values<double>(1)),
                         y = held(*device_, values<double>(2));
    const auto sums = device_->device_sums(), others = device_->device_sums();
    const Over whole(*device_, {0, loop_size}), front(*device_, {0, 700}),
        back(*device_, {700, loop_size}), none(*device_, {5, 5});
    const auto keep = [&](DeviceSums& into, const auto& work) {
        const Keeping keeping(*device_, into);
        work();
    };
    const auto read_back = [&](DeviceSums& at) {
        DeviceSums* const one[] = {&at};
        return device_->read_back(one)[0];
    };
    const double xy = whole.dot(ThisRank(), x, y),
                 in_two = front.dot(ThisRank(), x, x) + back.dot(ThisRank(), x, x);
    keep(*sums, [&] { EXPECT_EQ(whole.dot(ThisRank(), x, y), 0); });
    EXPECT_EQ(read_back(*sums)[0], xy);
    keep(*sums, [&] {
        front.dot(ThisRank(), x, x);
        back.dot(ThisRank(), x, x);
    });
    EXPECT_EQ(read_back(*sums)[0], in_two);
    keep(*others, [&] { none.dot(ThisRank(), x, y); });
    EXPECT_EQ(read_back(*others)[0], 0);
    others->set({1, 2, 3, 4});
    DeviceSums* const both[] = {others.get(), sums.get()};
    const auto shown = device_->read_back(both);
    EXPECT_EQ(shown[0], (std::array<double, 4>{1, 2, 3, 4}));
    EXPECT_EQ(shown[1][0], in_two);
    EXPECT_EQ(whole.dot(ThisRank(), x, y), xy);  // to the host again
}

// A uniform that the device computes is the number that the host would have given.
TEST_F(CudaDevice, UniformsAreRatiosOfDeviceSums) {
    const auto sums = device_->device_sums(), before = device_->device_sums();
    const auto step = [&](const Uniform<double>& alpha) {
        const Buffer<double> p = held(*device_, values<double>(1)),
                             q = held(*device_, values<double>(2));
        Buffer<double> x = held(*device_, values<double>(3)), r = held(*device_, values<double>(4));
        kernels::CgStep<double>{.p = p, .q = q, .x = x, .r = r, .alpha = alpha}.run(
            ThisRank(), *device_, {0, loop_size});
        return x.download();
    };
    const Buffer<double> z = held(*device_, values<double>(5));
    const Over part(*device_, {0, 100}), whole(*device_, {0, loop_size});
    for (const Over& over : {part, whole}) {
        const Keeping keeping(*device_, *before);
        over.dot(ThisRank(), z, z);
    }
    const double first = part.dot(ThisRank(), z, z), second = whole.dot(ThisRank(), z, z);
    expect_bits(step(RatioOfSums{{before.get(), 0}, {before.get(), 0, true}}),
                step(second / first));
    sums->set({0.1, 0.7, -2, std::numeric_limits<double>::quiet_NaN()});
    expect_bits(step(RatioOfSums{{sums.get(), 0}, {sums.get(), 1}}), step(0.1 / 0.7));
    expect_bits(step(RatioOfSums{{sums.get(), 1}, {}}), step(0.7));
    for (int none : {2, 3})
        expect_bits(step(RatioOfSums{{sums.get(), 0}, {sums.get(), none}}), step(0.0));
}

TEST_F(CudaDevice, ReportsWhatTheDriverSays) {
    if (!can_fail()) GTEST_SKIP() << "errors are the stand-in's";
    Buffer<double> x = device_->buffer<double>(100);
    fail("cuLaunchKernel", 719);
    expect_error(
        [&] {
            Over(*device_, {0, 100})[x] = 1;
        },
        {"cuLaunchKernel", "unspecified launch failure (719)"});
    fail("cuMemAlloc", 2);
    expect_error([&] { device_->buffer<double>(1000); },
                 {"no memory left", "cuMemAlloc: out of memory (2)", "processor as a GPU"});
    fail("cuModuleLoadDataEx", 218);
    expect_error(
        [&] {
            Over(*device_, {0, 100})[x] = 2 * x * x * x;
        },
        {"cuModuleLoadDataEx of expression", "a PTX JIT compilation failed (218)"});
    Over(*device_, {0, 100})[x] = 3;
    EXPECT_EQ(x.download(), std::vector<double>(100, 3.0));
}

// A kernel that fails leaves no result: the host must not wait for ever.
TEST_F(CudaDevice, AReductionThatFailsIsAnError) {
    if (!can_fail()) GTEST_SKIP() << "errors are the stand-in's";
    const Buffer<double> x = device_->buffer<double>(100);
    fail("cuStreamQuery", 719);
    expect_error([&] { Over(*device_, {0, 100}).sum(ThisRank(), x); }, {"cuStreamQuery", "(719)"});
}

TEST_F(CudaDevice, MemoryIsGivenBack) {
    auto* const bytes = of_stand_in<std::size_t()>("stand_in_bytes");
    if (!bytes) GTEST_SKIP() << "counted by the stand-in";
    device_.reset();
    EXPECT_EQ(bytes(), 0u);
    {
        const auto device = make_device("cuda");
        Buffer<double> x = device->buffer<double>(1000);
        EXPECT_EQ(bytes(), device->allocated_bytes());
        EXPECT_GT(bytes(), 8000u);
    }
    EXPECT_EQ(bytes(), 0u);
}

// The calls, their capture and the graph's launches do the same.
TEST_F(CudaDevice, CallsAreRecordedAndRepeated) {
    Buffer<double> x = held(*device_, std::vector<double>(1000, 1.0)),
                   y = device_->buffer<double>(1000);
    const Over over(*device_, {0, 1000});
    std::unique_ptr<Recording> recording;
    int made = 0;
    for (int n = 0; n < 5; ++n)
        device_->repeat(recording, [&] {
            ++made;
            over[y] = 2 * x;
            over[x] = y + 1;
        });
    EXPECT_EQ(made, 2);
    EXPECT_EQ(x.download(), std::vector<double>(1000, 63.0));
    if (auto* const launches = of_stand_in<int()>("stand_in_graph_launches")) {
        EXPECT_EQ(launches(), 4);
    }
}

TEST_F(CudaDevice, AMistakeWhileCallsAreRecordedIsAnError) {
    if (!can_fail()) GTEST_SKIP() << "errors are the stand-in's";
    Buffer<double> x = device_->buffer<double>(1000);
    const Over over(*device_, {0, 1000});
    const auto calls = [&] { over[x] += 1; };
    std::unique_ptr<Recording> recording;
    device_->repeat(recording, calls);
    fail("cuLaunchKernel", 719);
    expect_error([&] { device_->repeat(recording, calls); }, {"cuLaunchKernel"});
    device_->repeat(recording, calls);
    EXPECT_EQ(x.download(), std::vector<double>(1000, 2.0));
}

TEST_F(CudaDevice, TakesGpusInTurn) {
    const DeviceChoice first = select_device("cuda", 0, true),
                       third = select_device("cuda", 2, true);
    EXPECT_EQ(first.device->info().kind, "cuda");
    EXPECT_NE(first.reason.find("cuda: asked for, on "), std::string::npos) << first.reason;
    if (of_stand_in<std::size_t()>("stand_in_bytes")) {
        EXPECT_EQ(first.device->info().id, third.device->info().id);  // of two
        EXPECT_NE(first.device->info().id, select_device("cuda", 1, true).device->info().id);
    }
}

TEST_F(CudaDevice, IsTakenWhereItIsThere) {
    const DeviceChoice choice = select_device("auto", 0, true);
    EXPECT_EQ(choice.device->info().kind, "cuda");
    EXPECT_EQ(choice.reason.find("cuda: found "), 0u) << choice.reason;
    EXPECT_NE(choice.reason.find(choice.device->info().name), std::string::npos) << choice.reason;
}

}  // namespace
}  // namespace solenoid::test::device_cuda_test
