// Host values as device buffers: rounded to the device's reals, tables and vectors column by
// column.
#pragma once

#include "core/threads.hpp"
#include "core/types.hpp"
#include "core/uninitialized_vector.hpp"
#include "device/device.hpp"

namespace solenoid {

template <class Real>
Buffer<Real> uploaded(Device& device, const std::vector<double>& values, int columns = 1);
extern template Buffer<float> uploaded(Device&, const std::vector<double>&, int);
extern template Buffer<double> uploaded(Device&, const std::vector<double>&, int);

Buffer<std::uint32_t> uploaded(Device& device, const std::vector<Index>& values);

// The first `rows` rows.
Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table, std::size_t rows);
Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table);

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
                              int slots, int dimension);
extern template Buffer<float> uploaded_vectors(Device&, const std::vector<Vec3>&, std::size_t, int,
                                               int);
extern template Buffer<double> uploaded_vectors(Device&, const std::vector<Vec3>&, std::size_t, int,
                                                int);

// Row k is the k-th unit vector: kernels choose components by it, since an index that is no
// constant does not link on every driver.
template <class Real>
Buffer<Real> unit_vectors(Device& device, int d) {
    std::vector<double> identity(std::size_t(d) * d, 0.0);
    for (int k = 0; k < d; ++k) identity[k * d + k] = 1;
    return uploaded<Real>(device, identity, d);
}

}  // namespace solenoid
