// Host values as device buffers: rounded to the device's reals, tables and vectors column by
// column.
#pragma once

#include "core/threads.hpp"
#include "core/types.hpp"
#include "core/uninitialized_vector.hpp"
#include "device/device.hpp"

namespace solenoid {

template <class Real>
Buffer<Real> uploaded(Device& device, const std::vector<double>& values, int columns = 1) {
    if constexpr (std::is_same_v<Real, double>) {
        return device.buffer<double>(std::span<const double>(values), columns);
    } else {
        UninitializedVector<Real> rounded(values.size());
        in_parts(
            0, values.size(),
            [&](std::size_t begin, std::size_t end) {
                std::copy(values.begin() + begin, values.begin() + end, rounded.begin() + begin);
            },
            16384);
        return device.buffer<Real>(std::span<const Real>(rounded), columns);
    }
}

inline Buffer<std::uint32_t> uploaded(Device& device, const std::vector<Index>& values) {
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values));
}

// The first `rows` rows.
inline Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table, std::size_t rows) {
    UninitializedVector<std::uint32_t> values(rows * table.width);
    for_each(0, rows, [&](std::size_t i) {
        for (int j = 0; j < table.width; ++j) values[j * rows + i] = table(i, j);
    });
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), table.width);
}
inline Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table) {
    return uploaded_table(device, table, table.rows());
}

// vector(i, j) of `count` x `slots`; the component runs fastest among the columns.
template <class Real, class Vector>
Buffer<Real> uploaded_vectors(Device& device, std::size_t count, int slots, int dimension,
                              const Vector& vector) {
    UninitializedVector<Real> values(count * slots * dimension);
    for_each(0, count, [&](std::size_t i) {
        for (int j = 0; j < slots; ++j) {
            const Vec3 v = vector(i, j);
            for (int k = 0; k < dimension; ++k)
                values[(std::size_t(j) * dimension + k) * count + i] = static_cast<Real>(v[k]);
        }
    });
    return device.buffer<Real>(std::span<const Real>(values), slots * dimension);
}

// Given entity by entity.
template <class Real>
Buffer<Real> uploaded_vectors(Device& device, const std::vector<Vec3>& vectors, std::size_t count,
                              int slots, int dimension) {
    return uploaded_vectors<Real>(device, count, slots, dimension,
                                  [&](std::size_t i, int j) { return vectors[i * slots + j]; });
}

// Row k is the k-th unit vector: kernels choose components by it, since an index that is no
// constant does not link on every driver.
template <class Real>
Buffer<Real> unit_vectors(Device& device, int d) {
    std::vector<double> identity(std::size_t(d) * d, 0.0);
    for (int k = 0; k < d; ++k) identity[k * d + k] = 1;
    return uploaded<Real>(device, identity, d);
}

}  // namespace solenoid
