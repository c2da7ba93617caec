// The choice of a device: what there is, what was asked for, and the software renderer.
#include "device/choice/select_device.hpp"

#include <filesystem>
#include <fstream>

#include "device/cuda/cuda_device.hpp"
#include "device/expression.hpp"
#include "device/gpu_devices.hpp"

namespace solenoid::test::select_device_test {
namespace {

TEST(SelectDevice, TheCpuIsThere) {
    const DeviceChoice choice = select_device("cpu", 0, true);
    EXPECT_EQ(choice.device->info().kind, "cpu");
    EXPECT_EQ(choice.reason, "cpu: asked for");
}

// Mesa names the threads of its software renderer llvmpipe-0, llvmpipe-1, ...
TEST(SoftwareRenderer, DrawsInTheCallingThread) {
    std::shared_ptr<gl::Context> software;
    try {
        software = gl::Context::create(0, /* software */ true);
    } catch (const InputError& error) {
        GTEST_SKIP() << error.what();
    }
    const auto device = make_fragment_device(software);
    auto field = device->buffer<float>(1000);
    const Over all(*device, {0, 1000});
    all[field] = 3;
    EXPECT_EQ(all.sum(ThisRank(), field), 3000.0);
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(thread.path() / "comm"), name);
        EXPECT_FALSE(name.starts_with("llvmpipe")) << name;
    }
}

TEST(SelectDevice, AnUnknownNameIsAnInputError) {
    try {
        select_device("computer", 0, false);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean compute?"), std::string::npos)
            << error.what();
    }
}

TEST(SelectDevice, AutoLeavesSoftwareRenderersAlone) {
    setenv("SOLENOID_GL_SOFTWARE", "1", 1);
    const DeviceChoice choice = select_device("auto", 0, false);
    unsetenv("SOLENOID_GL_SOFTWARE");
    EXPECT_FALSE(choice.device->info().is_software);
    EXPECT_EQ(choice.device->info().kind, cuda::is_there() ? "cuda" : "cpu") << choice.reason;
}

TEST(SelectDevice, DoublesThatAreNotThereAreAnInputError) {
    std::string why;
    if (!context(why)) GTEST_SKIP() << why;
    setenv("SOLENOID_GL_NO_FP64", "1", 1);
    EXPECT_THROW(select_device("compute", 0, true), InputError);
    unsetenv("SOLENOID_GL_NO_FP64");
}

TEST(SelectDevice, DevicesAreListed) {
    std::string why;
    if (!context(why)) GTEST_SKIP() << why;
    const auto devices = gl::list_devices();
    ASSERT_FALSE(devices.empty());
    for (const auto& d : devices) EXPECT_FALSE(d.name.empty());
}

}  // namespace
}  // namespace solenoid::test::select_device_test
