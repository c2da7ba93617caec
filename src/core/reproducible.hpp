// Runs whose results have the same bits on any number of ranks of one kind of device
// (`solenoid run --reproducible`). Chosen once, before a mesh is distributed. docs/numerics.md,
// "The same bits".
#pragma once

#include <string_view>

#include "core/binned_sum.hpp"

namespace solenoid {

bool is_reproducible();
void set_reproducible(bool is);

// Those who make a launch with sums together, each rank over its own entities, be there none: a
// communicator, as rooms that know of no ranks see it.
class SummingRanks {
  public:
    // At the beginning of such a launch. In runs that check themselves a rank that does not make it
    // is found there. Collective.
    virtual void begin_sums(std::string_view launch) const = 0;
    // Adds up the parts of all ranks: the first rank gets the total, the others nothing.
    // Collective.
    virtual void add_to_first(std::span<BinnedSum> parts) const = 0;

  protected:
    ~SummingRanks() = default;
};

// A rank that sums alone.
class ThisRank final : public SummingRanks {
  public:
    void begin_sums(std::string_view) const override {}
    void add_to_first(std::span<BinnedSum>) const override {}
};

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
