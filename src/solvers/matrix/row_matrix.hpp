// A symmetric matrix in rows, with fixed rows left out.
#pragma once

#include <memory>

#include "device/sell_layout.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/halo.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

template <class Real>
class RowMatrix final : public LinearOperator<Real> {
  public:
    // plan: of all ghosts; those that the rows read are exchanged. Collective.
    RowMatrix(const Communicator& comm, Device& device, const EntityRanges& ranges,
              const HaloPlan& plan, const HostMatrix& matrix);
    ~RowMatrix() override;

    // fixed: marked entities that are no unknowns; at first none. Sets the Jacobi preconditioner
    // too.
    void fix(const std::vector<Index>& fixed);
    const Buffer<Real>& inverse_diagonal() const { return inverse_; }  // 0 on fixed rows
    const Buffer<Real>& free() const { return free_; }

    Device& device() const override { return device_; }
    Range range() const override { return ranges_.owned_range(); }
    Index size() const override { return ranges_.all; }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override { apply_dot(comm_, x, y); }
    ColumnSums apply_dot(const SummingRanks& ranks, Buffer<Real>& x, Buffer<Real>& y) override;
    ColumnSums residual(const SummingRanks& ranks, const Buffer<Real>& b, Buffer<Real>& x,
                        Buffer<Real>& r) override;
    const HaloPlan& read() const { return read_; }  // what a product exchanges
    // As differences: rounded so, diffusion keeps the constants in its null space.
    LinearOperator<float>& rounded() override;

  private:
    const Communicator& comm_;
    Device& device_;
    EntityRanges ranges_;
    HaloPlan read_;
    Halo<Real> halo_;
    std::shared_ptr<const SellRows> rows_;
    Buffer<Real> entry_, free_, inverse_;
    std::vector<double> diagonal_, spmv_;
    std::unique_ptr<GraphLaplacian<float>> rounded_;
};

}  // namespace solenoid
