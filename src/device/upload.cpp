#include "device/upload.hpp"

#include <algorithm>

namespace solenoid {

template <class Real>
Buffer<Real> uploaded(Device& device, const std::vector<double>& values, int columns) {
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
template Buffer<float> uploaded(Device&, const std::vector<double>&, int);
template Buffer<double> uploaded(Device&, const std::vector<double>&, int);

Buffer<std::uint32_t> uploaded(Device& device, const std::vector<Index>& values) {
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values));
}

Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table, std::size_t rows) {
    UninitializedVector<std::uint32_t> values(rows * table.width);
    for_each(0, rows, [&](std::size_t i) {
        for (int j = 0; j < table.width; ++j) values[j * rows + i] = table(i, j);
    });
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), table.width);
}
Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table) {
    return uploaded_table(device, table, table.rows());
}

template <class Real>
Buffer<Real> uploaded_vectors(Device& device, const std::vector<Vec3>& vectors, std::size_t count,
                              int slots, int dimension) {
    return uploaded_vectors<Real>(device, count, slots, dimension,
                                  [&](std::size_t i, int j) { return vectors[i * slots + j]; });
}
template Buffer<float> uploaded_vectors(Device&, const std::vector<Vec3>&, std::size_t, int, int);
template Buffer<double> uploaded_vectors(Device&, const std::vector<Vec3>&, std::size_t, int, int);

}  // namespace solenoid
