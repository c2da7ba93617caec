// A device whose transfers happen as late as they may: host memory, but a gather runs in
// Staging::wait().
#pragma once

#include <cstring>
#include <functional>

#include "device/device.hpp"

namespace solenoid {

class DelayedDevice final : public Device {
  public:
    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return 1; }
    std::size_t allocated_bytes() const override { return 0; }
    void launch(const Launch&, Range, std::span<double>) override {
        throw std::logic_error("no kernels here");
    }
    void scatter(const Storage&, const Storage&, Storage&) override {
        throw std::logic_error("no scatter here");
    }
    void copy(const Storage&, Storage&) override { throw std::logic_error("no copies here"); }
    void finish() override {}

    std::unique_ptr<Staging> staging(std::size_t bytes) override {
        return std::make_unique<Host>(bytes);
    }
    void gather(const Storage& field, const Storage& where, Staging& to) override {
        static_cast<Host&>(to).work = [&field, &where, &to] {
            each(field, where, [&](std::byte* value, std::size_t k, std::size_t bytes) {
                std::memcpy(to.data() + k * bytes, value, bytes);
            });
        };
    }
    void scatter(Staging& from, const Storage& where, Storage& field) override {
        each(field, where, [&](std::byte* value, std::size_t k, std::size_t bytes) {
            std::memcpy(value, from.data() + k * bytes, bytes);
        });
    }

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return std::make_unique<Memory>(type, size, columns);
    }

  private:
    struct Memory final : Storage {
        Memory(ElementType type, Index size, int columns)
            : Storage(type, size, columns), bytes(std::size_t(size) * columns * bytes_of(type)) {}
        std::size_t column_bytes() const { return size * bytes_of(type); }
        void write(const void* values, int j) override {
            std::memcpy(bytes.data() + j * column_bytes(), values, column_bytes());
        }
        void read(void* values, int j) override {
            std::memcpy(values, bytes.data() + j * column_bytes(), column_bytes());
        }
        std::vector<std::byte> bytes;
    };
    struct Host final : Staging {
        explicit Host(std::size_t bytes) : Staging(bytes), memory(bytes) {}
        std::byte* data() override { return memory.data(); }
        void wait() override {
            if (work) work();
            work = nullptr;
        }
        std::vector<std::byte> memory;
        std::function<void()> work;
    };

    // visit(address of field(where[k], j), j * entities + k, bytes of a value)
    template <class Visit>
    static void each(const Storage& field, const Storage& where, Visit visit) {
        const auto& values = static_cast<const Memory&>(field);
        const auto* entities =
            reinterpret_cast<const Index*>(static_cast<const Memory&>(where).bytes.data());
        const std::size_t bytes = bytes_of(field.type);
        for (std::size_t j = 0, k = 0; j < std::size_t(field.columns); ++j)
            for (Index i = 0; i < where.size; ++i, ++k)
                visit(const_cast<std::byte*>(values.bytes.data()) +
                          (j * field.size + entities[i]) * bytes,
                      k, bytes);
    }

    DeviceInfo info_{"delayed", "host memory", "", true, true};
};

}  // namespace solenoid
