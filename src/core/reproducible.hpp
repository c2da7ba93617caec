// Runs whose results have the same bits on any number of ranks of one kind of device
// (`solenoid run --reproducible`). Chosen once, before a mesh is distributed. docs/numerics.md,
// "The same bits".
#pragma once

#include <functional>

#include "core/binned_sum.hpp"

namespace solenoid {

// Adds up sums over all ranks: the first rank gets the total, the others nothing. Collective.
using AddOverRanks = std::function<void(std::span<BinnedSum>)>;

bool is_reproducible();
void set_reproducible(AddOverRanks add);  // empty: no longer
void add_over_ranks(std::span<BinnedSum> sums);

// This rank's part of a sum over the ranks, which Communicator::sum turns into the whole: of a
// reproducible run in no order, else added up as its parts come.
class RankSum {
  public:
    RankSum() = default;
    RankSum(double value) : plain_(value) { binned_.add(value); }
    RankSum& operator+=(double value) {
        if (is_reproducible())
            binned_.add(value);
        else
            plain_ += value;
        return *this;
    }
    RankSum& operator-=(double value) { return *this += -value; }
    RankSum& operator+=(const RankSum& other) {
        binned_.add(other.binned_);
        plain_ += other.plain_;
        return *this;
    }
    double value() const { return is_reproducible() ? binned_.value() : plain_; }
    operator double() const { return value(); }
    BinnedSum& binned() { return binned_; }

  private:
    double plain_ = 0;
    BinnedSum binned_;
};

}  // namespace solenoid
