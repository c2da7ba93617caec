// A field on a device: `columns` columns of `size` values, a structure of arrays.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/types.hpp"
#include "device/bfloat16.hpp"

namespace solenoid {

enum class ElementType { uint32, float32, float64, bfloat16 };

template <class T>
constexpr ElementType element_type() {
    if constexpr (std::is_same_v<T, std::uint32_t>)
        return ElementType::uint32;
    else if constexpr (std::is_same_v<T, float>)
        return ElementType::float32;
    // kernels read it, nothing else
    else if constexpr (std::is_same_v<T, Bfloat16>)
        return ElementType::bfloat16;
    else {
        static_assert(std::is_same_v<T, double>);
        return ElementType::float64;
    }
}
constexpr std::size_t bytes_of(ElementType type) {
    return type == ElementType::float64 ? 8 : type == ElementType::bfloat16 ? 2 : 4;
}

// A device's memory for one buffer. Values travel column by column: `size` values a column, no
// padding seen.
class Storage {
  public:
    Storage(ElementType type, Index size, int columns) : type(type), size(size), columns(columns) {}
    virtual ~Storage() = default;
    virtual void write(const void* values, int column) = 0;  // one column from the host
    // one column to the host; waits. Never in a hot loop
    virtual void read(void* values, int column) = 0;

    const ElementType type;
    const Index size;
    const int columns;
};

template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}

    Index size() const { return storage_ ? storage_->size : 0; }
    int columns() const { return storage_ ? storage_->columns : 0; }
    explicit operator bool() const { return storage_ != nullptr; }

    // values: size() x columns(), column by column.
    void upload(std::span<const T> values) {
        for (int j = 0; j < columns(); ++j)
            storage_->write(values.data() + std::size_t(j) * size(), j);
    }
    std::vector<T> download() const {
        std::vector<T> values(std::size_t(size()) * columns());
        for (int j = 0; j < columns(); ++j)
            storage_->read(values.data() + std::size_t(j) * size(), j);
        return values;
    }
    Storage& storage() const { return *storage_; }

  private:
    std::unique_ptr<Storage> storage_;
};

// What keeps a buffer and a state of it: values() to read, write() where it is written.
template <class A>
concept KeepsBuffer = requires(const A& a) {
    { a.values() } -> std::same_as<const Buffer<typename A::Real>&>;
};

}  // namespace solenoid
