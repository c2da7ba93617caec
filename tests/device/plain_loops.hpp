// Buffers of made-up values, and the plain loops' results that kernels and expressions are held to,
// bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/devices.hpp"

namespace solenoid::test {

constexpr Index loop_size = 9001;

// Of any length, from and to anywhere.
inline const Range loop_ranges[] = {{0, loop_size}, {3, 8998}, {4090, 4105}, {17, 21}, {16, 24},
                                    {13, 24},       {13, 25},  {16, 25},     {9, 9}};

using Precisions = testing::Types<float, double>;

template <class T>
std::vector<T> values(int seed, int columns = 1) {
    std::vector<T> result(std::size_t(loop_size) * columns);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = static_cast<T>(std::sin(1.0 + seed + 0.37 * double(i)));
    return result;
}

template <class T>
Buffer<T> held(Device& device, const std::vector<T>& values, int columns = 1) {
    return device.buffer<T>(std::span<const T>(values), columns);
}

template <class T>
void expect_bits(const std::vector<T>& computed, const std::vector<T>& expected) {
    ASSERT_EQ(computed.size(), expected.size());
    for (std::size_t i = 0; i < computed.size(); ++i) {
        ASSERT_EQ(computed[i], expected[i]) << i;
        ASSERT_EQ(std::signbit(computed[i]), std::signbit(expected[i])) << i;
    }
}

// A sum in eight lanes, by blocks of 4096 entities, whichever way the entities come: the CPU's.
class Total {
  public:
    void add(Index i, double term) {
        lane_[i % 8] += term;
        if (i % 4096 == 4095) flush();
    }
    double result() {
        flush();
        return total_;
    }

  private:
    void flush() {
        for (double& lane : lane_) total_ += std::exchange(lane, 0);
    }
    double lane_[8]{}, total_ = 0;
};

template <class Test>
void on_every_device(Test test) {
    for (const std::string& name : device_names()) {
        SCOPED_TRACE(name);
        const auto device = make_device(name);
        test(*device);
    }
}

}  // namespace solenoid::test
