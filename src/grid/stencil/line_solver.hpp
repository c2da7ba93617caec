// The tridiagonal systems of all lines along one direction of a grid, with a stencil's couplings
// along it: cyclic reduction in parallel of each rank's part, then of what its ends have to do with
// those of other ranks, or with one another where the direction is periodic. In a reproducible run
// each rank solves the whole of its lines.
#pragma once

#include <array>
#include <optional>

#include "grid/stencil/whole_lines.hpp"

namespace solenoid {

template <class Real>
class LineSolver {
  public:
    // straight: columns d, e and n. direction: 0 along x, 1 along y. Collective.
    LineSolver(const Grid<Real>& grid, const Buffer<Real>& straight, int direction);

    // The quarters of lines of one parity, of the first node and the second.
    std::array<int, 2> quarters(int parity) const;
    // u += the solution on lines of one parity; right: the right-hand side over d, 0 on what is no
    // unknown. Collective.
    void add_solution(int parity, const Buffer<Real>& right, Buffer<Real>& u);

  private:
    struct ConstColumn {
        const Buffer<Real>* buffer;
        int column;
    };
    // Lines of one parity: where their ends are, and what follows from the values there.
    struct Closing {
        Buffer<std::uint32_t> ends;    // entries of first and last nodes, at this rank's place
        Buffer<Real> values;           // there, of all ranks of a line: first, last; line fastest
        Buffer<Real> weights, beyond;  // of these for the nodes beyond both ends, and their values
    };
    Buffer<Real> couplings(const Buffer<Real>& straight, const Buffer<Real>& others) const;
    ConstColumn reduce(int parity, ConstColumn right);
    void add_here(int parity, const Buffer<Real>& right, Buffer<Real>& u);
    Buffer<Real> field(int columns) const;
    void make_plan();
    void make_closing(int parity);
    Index lines() const;
    std::vector<std::uint32_t> ends_of_lines(int parity) const;

    const Grid<Real>* grid_;
    std::optional<WholeLines<Real>> whole_;  // where lines are cut, of a reproducible run
    Buffer<Real> right_, u_;                 // on these
    GridLayout layout_;                      // of what is solved here
    int direction_, ranks_ = 1, place_ = 0;  // ranks that a line is on, and this one among them
    bool is_closed_;                         // lines go on beyond this rank's ends
    Buffer<Real> couplings_;                 // lower and upper, over d
    Buffer<Real> answers_;  // the solutions for the couplings of the ends: of the first, the last
    Buffer<Real> reduced_[2];  // systems under reduction: lower, upper, right-hand side
    std::optional<Halo<Real>> halo_;
    std::array<Closing, 2> closing_;
};

}  // namespace solenoid
