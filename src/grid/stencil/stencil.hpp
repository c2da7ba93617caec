// Symmetric operators on a structured grid: (A u)_k = sum of a_kl u_l over a node and its four or
// eight neighbours.
#pragma once

#include <memory>

#include "grid/stencil/line_solver.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

enum class StencilKind {
    constant,  // five points, the same numbers at every node: none is stored
    five,
    nine
};

// Vectors are fields of the grid. A node that is no unknown has the marker 0, d = 0 and no
// couplings; it is zero in each product and, as long as nobody sets it otherwise, in each vector.
template <class Real>
class Stencil final : public LinearOperator<Real> {
  public:
    // d at each unknown, e and n the couplings with (i + 1, j) and (i, j + 1).
    struct Constants {
        double d, e, n;
    };
    Stencil(const Grid<Real>& grid, Buffer<Real> marker, const Constants& constants);
    // straight: columns d, e, n; diagonal: ne and nw, the couplings with (i + 1, j + 1) and
    // (i - 1, j + 1), or none. A coupling is stored where it starts. Fills their ghosts.
    // Collective.
    Stencil(const Grid<Real>& grid, Buffer<Real> marker, Buffer<Real> straight,
            Buffer<Real> diagonal = {});

    const Grid<Real>& grid() const { return *grid_; }
    StencilKind kind() const { return kind_; }
    const Buffer<Real>& marker() const { return marker_; }
    const Buffer<Real>& straight() const { return straight_; }
    const Buffer<Real>& diagonal() const { return diagonal_; }
    const Constants& constants() const { return constants_; }

    Device& device() const override { return grid_->device(); }
    // Ghosts are among these entries; products are zero there.
    Range range() const override { return grid_->layout().nodes(); }
    Index size() const override { return grid_->layout().size(); }
    void apply(Buffer<Real>& u, Buffer<Real>& y) override;
    // r = b - A u; fills the ghosts of u. Collective.
    void subtract_from(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& r);

    // The nodes of the colours take the values with which their rows of A u = b hold: red-black
    // where there are five points, four colours where there are nine; backwards: the colours in the
    // reverse order. Fills the ghosts of u before each colour. scratch: any values. Collective.
    void relax(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& scratch, bool backwards);
    // The same by Jacobi: each node goes `damping` of the way to the value with which its row
    // holds. Collective.
    void relax_jacobi(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& scratch,
                      double damping);
    // The same of whole lines along a direction, every other line first: where cells are stretched
    // along it. Collective.
    enum class Lines { along_x, along_y };
    void relax_lines(Lines lines, const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& scratch,
                     bool backwards);

    // Columns d, e and n; of a constant operator they are made, in `made`. Collective.
    const Buffer<Real>& stored_straight(Buffer<Real>& made) const;
    // Of each row, the sum of the magnitudes: by Gershgorin no eigenvalue of S^-1 A, S a positive
    // diagonal, is beyond the greatest of sum over S. Collective.
    Buffer<Real> row_sums() const;

  private:
    void residual_of(double of_b, const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& r);
    void relax_quarter(int quarter, const Buffer<Real>& b, const Buffer<Real>& u, Buffer<Real>& to);
    const Grid<Real>* grid_;
    StencilKind kind_;
    Buffer<Real> marker_, straight_, diagonal_;
    Constants constants_{};
    std::unique_ptr<LineSolver<Real>> lines_[2];  // by direction
};

}  // namespace solenoid
