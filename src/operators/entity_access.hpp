// Transfer of values at chosen entities between host and device.
#pragma once

#include "operators/domain.hpp"

namespace solenoid {

// Reads a field's values at chosen entities, column by column, through a small staging buffer.
template <class Real>
class Probe {
  public:
    Probe(Device& device, const std::vector<Index>& where, int columns = 1)
        : device_(device),
          where_(device.buffer<std::uint32_t>(std::span<const std::uint32_t>(where))),
          columns_(columns),
          staging_(
              device.staging(std::max<std::size_t>(where.size(), 1) * columns * sizeof(Real))) {}

    std::vector<double> read(const Buffer<Real>& field) {
        if (!where_.size()) return {};
        device_.gather(field.storage(), where_.storage(), *staging_);
        staging_->wait();
        const Real* values = reinterpret_cast<const Real*>(staging_->data());
        return {values, values + std::size_t(where_.size()) * columns_};
    }

  private:
    Device& device_;
    Buffer<std::uint32_t> where_;
    int columns_;
    std::unique_ptr<Staging> staging_;
};

// Writes values at chosen entities of a buffer or field, column by column.
template <class Real>
class BoundaryWrite {
  public:
    BoundaryWrite(Device& device, const std::vector<Index>& where)
        : device_(device),
          where_(device.buffer<std::uint32_t>(std::span<const std::uint32_t>(where))),
          value_(device.buffer<Real>(where_.size())) {}

    template <class Target>
    void write(const std::vector<double>& values, Target& field) {
        if (where_.size()) value_.upload(std::vector<Real>(values.begin(), values.end()));
        device_.scatter(value_, where_, field);
    }

  private:
    Device& device_;
    Buffer<std::uint32_t> where_;
    Buffer<Real> value_;
};

}  // namespace solenoid
