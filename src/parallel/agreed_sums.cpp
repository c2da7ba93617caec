#include "parallel/agreed_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/hash.hpp"
#include "core/stop_signal.hpp"

namespace solenoid {
namespace {

constexpr int whole_bits = 53;  // bits of the whole numbers that a double holds exactly

// Bits of a hash for which sum(h^2) over the ranks is exact in doubles and n sum(h^2) is below
// 2^63.
int bits_of_hash(int ranks) {
    const int n = std::bit_width(static_cast<unsigned>(ranks));
    return std::min({24, (whole_bits - n) / 2, (63 - 2 * n) / 2});
}

bool is_whole(double value) { return value >= 0 && value < std::ldexp(1.0, whole_bits); }

}  // namespace

SumsDiffer::SumsDiffer()
    : AgreedError(
          "the ranks' sums differ: a sum over the ranks gave them different results; run with "
          "--transport host, or report the hardware and its driver",
          1) {}

AgreedStop::AgreedStop() : AgreedError(Stopped().what(), stopped_exit_code) {}

void AgreedSums::note(std::span<const double> values) {
    if (comm_.size() == 1) return;
    // All NaNs count as one: the bits of a sum of two depend on their order.
    constexpr std::uint64_t not_a_number = 1;
    for (const double value : values)
        hash_ =
            mixed(hash_ ^ (std::isnan(value) ? not_a_number : std::bit_cast<std::uint64_t>(value)));
}

void AgreedSums::sum(std::span<double> values) {
    const int ranks = comm_.size();
    const bool stops = stop_is_overdue();
    if (ranks == 1 && stops) throw AgreedStop();
    if (ranks == 1) return;
    message_.assign(values.begin(), values.end());
    const double h = static_cast<double>(hash_ >> (64 - bits_of_hash(ranks)));
    message_.push_back(h);
    message_.push_back(h * h);
    message_.push_back(stops ? 1 : 0);
    comm_.sum(message_);
    const double sum_h = message_[values.size()], sum_h2 = message_[values.size() + 1];
    const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
    if (!is_whole(sum_h) || !is_whole(sum_h2) ||
        ranks * whole(sum_h2) != whole(sum_h) * whole(sum_h)) {
        hash_ = 0;
        throw SumsDiffer();
    }
    if (message_.back() > 0) throw AgreedStop();
    std::copy_n(message_.begin(), values.size(), values.begin());
    note(values);
}

void AgreedSums::compare() { sum(std::span<double>()); }

}  // namespace solenoid
