// The kinds of matrices on a device.
#pragma once

#include "algebra/space.hpp"
#include "parallel/halo.hpp"

namespace solenoid::algebra {

// Vectors as the rows of a rank read them: this rank's part and, of other ranks, the columns that
// its rows name.
template <class Real>
class FetchedColumns {
  public:
    // others: columns of other ranks, ascending, each once. Own columns lie from `own_at` on,
    // others[g] at place[g], of `held` numbers. Collective.
    struct Layout {
        std::vector<GlobalIndex> others;
        std::vector<Index> place;
        Index own_at, held;
    };
    FetchedColumns(Space& space, GlobalIndex columns, const Layout& layout);
    // Collective. Until the next call.
    const Buffer<Real>& of(const Block& x);

  private:
    Space& space_;
    const bool is_alone_;
    const Range own_;
    Buffer<Real> numbers_;
    std::unique_ptr<Halo<Real>> halo_;
};

template <class Real>
ProductPointer make_dense(Space& space, GlobalIndex rows, GlobalIndex columns,
                          std::span<const double> entries);
template <class Real>
ProductPointer make_banded(Space& space, GlobalIndex rows, GlobalIndex columns,
                           BandedRows diagonals, bool shares_vectors);
template <class Real>
ProductPointer make_sparse(Space& space, GlobalIndex rows, GlobalIndex columns,
                           const SparseRows& mine, SparseForm form);

}  // namespace solenoid::algebra
