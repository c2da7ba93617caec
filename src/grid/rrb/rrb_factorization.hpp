// The incomplete factorization M = L D L^T of a symmetric five-point matrix S by repeated red-black
// numbering (Brand, Numerische Mathematik 61 (1992) 433; de Jong, van der Ploeg, Ditzel & Vuik; see
// docs/rrb.md), with S_1, the first Schur complement, on which conjugate gradients work.
//
// An array of a level has the nodes of a rank's block row by row (ArrayShape). Vectors of red nodes
// have two columns, r1 and r2: entry k is node (2 I, 2 J) and node (2 I + 1, 2 J + 1), their shape
// is quarter(1). Entries that are no node of this rank are zero, but for ghosts.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "grid/rrb/rank_blocks.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

// The factors of a level as they lie on this rank, for tests: columns of quarter.size() entries.
// black: of b1 = (odd, even), then of b2 = (even, odd): 1 / d and the entries of L with the west,
// east, south and north node; r1: 1 / d and those with south-west, south-east, north-west,
// north-east.
template <class Real>
struct RrbFactors {
    ArrayShape quarter;
    int x, y;              // the level's node at entry (0, 0) of r1
    int shift_x, shift_y;  // by how much a line's first node is odd
    std::vector<Real> black, r1;
};

template <class Real>
class RrbFactorization {
  public:
    // last_nodes: a level below the finest with no more nodes is factorized completely and kept as
    // a dense inverse. Collective.
    RrbFactorization(const Communicator& comm, Device& device, const RankBlocks& blocks,
                     int last_nodes = 16);
    ~RrbFactorization();

    const ArrayShape& array() const;    // of the matrix and of full vectors
    const ArrayShape& quarter() const;  // of vectors of red nodes
    Buffer<Real> red_vector() const;
    int levels() const;  // the last included

    // matrix: an array of three columns: d; e, the coupling with (i + 1, j); n, that with
    // (i, j + 1); zero where that node is no node of the grid. Fills its ring. A node without
    // unknown has zeros. Throws ComputationError where a pivot is not positive and finite.
    // Collective.
    void factorize(Buffer<Real>& matrix);

    // red = b_r - S_rb D_b^-1 b_b, keeping D_b^-1 b_b. Fills the ring of b. Collective.
    void reduce(Buffer<Real>& b, Buffer<Real>& red);
    // red = x of the red nodes.
    void split(const Buffer<Real>& x, Buffer<Real>& red);
    // x = red, and D_b^-1 b_b - D_b^-1 S_br red, b of the last reduce(). Fills the ring of red.
    // Collective.
    void expand(Buffer<Real>& red, Buffer<Real>& x);
    // q = S_1 p; this rank's part of p . q. Fills the ring of p. Collective.
    double multiply(Buffer<Real>& p, Buffer<Real>& q);
    // M z = r on the red nodes; this rank's part of r . z. Collective.
    double precondition(const Buffer<Real>& r, Buffer<Real>& z);

    RrbFactors<Real> factors(int level) const;  // below levels()

  private:
    struct Level;
    // The exchanges of vectors of some numbers of columns by one plan; none where there is no plan.
    class Halos {
      public:
        void make(const Communicator& comm, Device& device, const HaloPlan& plan,
                  std::initializer_list<int> columns);
        void exchange(Buffer<Real>& values);

      private:
        std::map<int, Halo<Real>> halos_;
    };
    void make_levels(int last_nodes);
    void invert_last(const Buffer<Real>& a);
    void eliminate_black(Level& level, const Buffer<Real>& x, Buffer<Real>& red);
    void eliminate_r1(Level& level, const In<Real>& x1, const In<Real>& x2);
    void take_next(Level& level);
    void interleave(Level& level, Buffer<Real>& red, Buffer<Real>& x);
    Level& finest() { return *levels_.front(); }

    Communicator comm_;
    Device& device_;
    const RankBlocks blocks_;
    std::vector<std::unique_ptr<Level>> levels_;  // without the last
    Halos array_ring_;                            // of the finest level's array
    ArrayShape last_;
    Buffer<Real> last_inverse_;
    Buffer<Real> r1_copy_;  // with its ring filled; none on one rank
};

}  // namespace solenoid
