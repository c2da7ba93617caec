// A symmetric matrix kept as differences, (A x)_i = d_i x_i + sum_j w_ij (x_i - x_j): diffusion
// plus a diagonal, with fixed rows left out. A constant maps to d exactly, so single precision
// keeps the constants in the null space of the diffusion part.
#pragma once

#include <memory>

#include "device/sell_layout.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/halo.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

// Of a GraphLaplacian, on the device.
template <class Real>
struct DifferenceRows {
    std::shared_ptr<const SellRows> rows;
    Buffer<Real> weight, shift, free;
};

template <class Real>
class GraphLaplacian final : public LinearOperator<Real> {
  public:
    // neighbours: a row for each marked entity (columns of any entity held), weights: w_ij, one an
    // entry. columns: of the vectors that it multiplies, 1, 2 or 3. plan: of all ghosts; those that
    // the rows read are exchanged. Collective.
    GraphLaplacian(const Communicator& comm, Device& device, const EntityRanges& ranges,
                   const HaloPlan& plan, const Rows& neighbours, std::span<const double> weights,
                   int columns = 1);
    // read: what the rows read of other ranks.
    GraphLaplacian(const Communicator& comm, Device& device, const EntityRanges& ranges,
                   const HaloPlan& read, DifferenceRows<Real> given, int columns = 1);
    ~GraphLaplacian() override;

    // From now on w_ij = factor * value(from), one of both an entry as the weights; set_values()
    // gives the values.
    void follow(const Rows& neighbours, std::span<const Index> from,
                std::span<const double> factor);
    void set_values(const Gathered<Real>& values);

    // d_i, at first 0: of all columns, or to be replaced by one of each
    Buffer<Real>& shift() { return shift_; }
    Buffer<Real>& free() { return free_; }  // 1: an unknown, 0: a fixed value; at first 1

    Device& device() const override { return device_; }
    Range range() const override { return ranges_.owned_range(); }
    Index size() const override { return ranges_.all; }
    int columns() const override { return columns_; }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override { apply_dot(comm_, x, y); }
    ColumnSums apply_dot(const SummingRanks& ranks, Buffer<Real>& x, Buffer<Real>& y) override;
    ColumnSums residual(const SummingRanks& ranks, const Buffer<Real>& b, Buffer<Real>& x,
                        Buffer<Real>& r) override;
    // r = b - A x with the shift given instead, on the fixed rows too.
    void residual_everywhere(const Buffer<Real>& shift, const Buffer<Real>& b, Buffer<Real>& x,
                             Buffer<Real>& r);

    const Buffer<Real>& diagonal() const { return diagonal_; }  // sum_j w_ij
    const HaloPlan& read() const { return read_; }              // what a product exchanges
    LinearOperator<float>& rounded() override;

  private:
    template <class Kernel>
    ColumnSums sums_of(const SummingRanks& ranks, const Kernel& kernel);
    ColumnSums residual(const SummingRanks& ranks, const Buffer<Real>& shift,
                        const Buffer<Real>& free, const Buffer<Real>& b, Buffer<Real>& x,
                        Buffer<Real>& r);

    template <class>
    friend class GraphLaplacian;

    const Communicator& comm_;
    Device& device_;
    EntityRanges ranges_;
    HaloPlan read_;
    int columns_;
    Halo<Real> halo_;
    std::shared_ptr<const SellRows> rows_;
    Buffer<Real> weight_, shift_, free_;
    Buffer<std::uint32_t> from_;  // of follow(): of entries
    Buffer<Real> factor_;
    Buffer<Real> ones_, diagonal_;  // where it was made of weights on the host
    std::unique_ptr<GraphLaplacian<float>> rounded_;
};

}  // namespace solenoid
