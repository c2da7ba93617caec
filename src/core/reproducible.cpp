#include "core/reproducible.hpp"

#include <utility>

namespace solenoid {
namespace {

bool is_on = false;
AddOverRanks over_ranks;

}  // namespace

bool is_reproducible() { return is_on; }

void set_reproducible(AddOverRanks add) {
    over_ranks = std::move(add);
    is_on = static_cast<bool>(over_ranks);
}

void add_over_ranks(std::span<BinnedSum> sums) { over_ranks(sums); }

}  // namespace solenoid
