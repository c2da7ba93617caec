// The GPUs' devices beside the CPU device, in every precision that they have.
#pragma once

#include <GL/glew.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "device/gl/gl_device.hpp"
#include "support/devices.hpp"

namespace solenoid::test {

// As a user's environment may have it, before any display is open.
inline const int threads_wished_for = setenv("LP_NUM_THREADS", "3", 1);

inline std::shared_ptr<gl::Context> context(std::string& why) {
    static std::shared_ptr<gl::Context> shared;
    try {
        if (!shared) shared = gl::Context::create();
    } catch (const InputError& error) {
        why = error.what();
    }
    return shared;
}

inline std::unique_ptr<Device> make_gl_device(const std::string& kind,
                                              std::shared_ptr<gl::Context> context) {
    return kind == "compute" ? make_compute_device(std::move(context))
                             : make_fragment_device(std::move(context));
}

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed, double low = -1, double high = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> values(low, high);
    std::vector<T> result(count);
    for (T& value : result) value = static_cast<T>(values(generator));
    return result;
}

inline std::vector<Index> random_indices(std::size_t count, Index limit, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<Index> result(count);
    for (Index& value : result) value = generator() % limit;
    return result;
}

// `count` distinct entities below `limit`, in no order.
inline std::vector<Index> random_subset(Index count, Index limit, unsigned seed) {
    std::vector<Index> all(limit);
    std::iota(all.begin(), all.end(), 0u);
    std::shuffle(all.begin(), all.end(), std::mt19937(seed));
    all.resize(count);
    return all;
}

template <class T>
void expect_near(const std::vector<T>& computed, const std::vector<T>& expected) {
    ASSERT_EQ(computed.size(), expected.size());
    const double tolerance = 16 * std::numeric_limits<T>::epsilon();
    for (std::size_t i = 0; i < computed.size(); ++i)
        ASSERT_NEAR(computed[i], expected[i],
                    tolerance * std::max(1.0, std::abs(double(expected[i]))))
            << "entry " << i;
}

class GpuDevice : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        cpu_ = make_cpu_device();
        make();
    }
    void make() {
        if (!is_opengl()) {
            if (std::ranges::find(device_names(), GetParam()) == device_names().end())
                GTEST_SKIP() << "no device " << GetParam();
            device_ = make_device(GetParam());
            return;
        }
        std::string why;
        const auto shared = context(why);
        if (!shared) GTEST_SKIP() << why;
        const gl::DeviceDescription& d = shared->description();
        if (!(GetParam() == std::string("compute") ? d.has_compute : d.has_fragment))
            GTEST_SKIP() << d.name << " is too old";
        device_ = make_gl_device(GetParam(), shared);
    }
    void TearDown() override {
        if (!device_) return;
        device_->finish();
        if (is_opengl()) {
            EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
        }
    }
    bool is_opengl() const { return GetParam() != std::string("cuda"); }
    // Runs test(float) and, where there are doubles, test(double).
    template <class Test>
    void in_both_precisions(Test test) {
        test(float());
        if (device_->info().has_fp64) test(double());
    }
    std::unique_ptr<Device> device_, cpu_;
};

inline std::string name_of_device(const testing::TestParamInfo<const char*>& info) {
    return info.param;
}

}  // namespace solenoid::test
