#include "parallel/checks/sum_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/expression.hpp"
#include "parallel/checks/agreed_words.hpp"

namespace solenoid {
namespace {

constexpr Index most_ones = 600;

enum class SumOf { draws, delays, parts, factors, lengths };

}  // namespace

SumCheck::SumCheck(const Communicator& comm, Device& device, std::uint64_t seed)
    : comm_(comm),
      device_(device),
      seed_(seed),
      draws_(hash_of(seed, SumOf::draws)),
      delays_(device, hash_of(seed, SumOf::delays, comm.rank())),
      sums_(DeviceAllreduce::make(comm, device)) {
    if (!sums_) return;
    for (int k = 0; k < at_once; ++k) kept_.push_back(device.device_sums());
    ones_ = device.buffer<float>(std::span<const float>(std::vector<float>(most_ones, 1)));
}

double SumCheck::part(int rank, std::int64_t round, int n) const {
    return double(std::int64_t(hash_of(seed_, SumOf::parts, rank, round, n)) >> 24) * 0x1p-10;
}

std::string SumCheck::words(const char* kind, std::int64_t round, std::size_t n, double expected,
                            double found) const {
    return fmt::format("sum {} {} on rank {}, number {}: expected {:.17g}, found {:.17g}; seed {}",
                       round, kind, comm_.rank(), n + 1, expected, found, seed_);
}

// Sets one sum: by the host in half of the cases, else by a kernel that sums as many ones as the
// rank's length, times a factor. Returns the expected result.
SumCheck::Four SumCheck::set_one(DeviceSums& kept, std::int64_t round) {
    Four expected{}, mine;
    if (draws_.is_one_in(2)) {
        for (int n = 0; n < DeviceSums::most; ++n) {
            for (int rank = 0; rank < comm_.size(); ++rank) expected[n] += part(rank, round, n);
            mine[n] = part(comm_.rank(), round, n);
        }
        kept.set(mine);
        return expected;
    }
    const auto length = [&](int rank) {
        return log_uniform(hash_of(seed_, SumOf::lengths, rank, round), 1, most_ones);
    };
    for (int n = 0; n < DeviceSums::most; ++n)
        mine[n] = double(hash_of(seed_, SumOf::factors, round, n) % 1024);
    {
        const Keeping keeping(device_, kept);
        Over(device_, {0, length(comm_.rank())})
            .reduce(comm_, sum(ones_ * mine[0]), sum(ones_ * mine[1]), sum(ones_ * mine[2]),
                    sum(ones_ * mine[3]));
    }
    double ones = 0;
    for (int rank = 0; rank < comm_.size(); ++rank) ones += length(rank);
    for (int n = 0; n < DeviceSums::most; ++n) expected[n] = ones * mine[n];
    return expected;
}

std::string SumCheck::some_on_device(int count) {
    std::array<Four, at_once> expected;
    std::array<DeviceSums*, at_once> kept;
    for (int k = 0; k < count; ++k) {
        kept[k] = kept_[k].get();
        expected[k] = set_one(*kept[k], on_device_ + k + 1);
        delays_.maybe(200);
        sums_->add(*kept[k]);
    }
    const std::vector<Four> found = device_.read_back(std::span(kept).first(count));
    std::string first;
    for (int k = 0; k < count; ++k) {
        ++on_device_;
        for (std::size_t n = 0; n < found[k].size() && first.empty(); ++n)
            if (found[k][n] != expected[k][n])
                first = words("of the devices", on_device_, n, expected[k][n], found[k][n]);
    }
    return first;
}

std::string SumCheck::run_on_device(std::int64_t count) {
    return agreed_words(comm_, [&] {
        std::string first;  // goes on after an error: the other ranks wait for this rank's sums
        for (std::int64_t left = count; left > 0; left -= at_once) {
            const std::string wrong =
                some_on_device(static_cast<int>(std::min<std::int64_t>(left, at_once)));
            if (first.empty()) first = wrong;
        }
        return first;
    });
}

std::string SumCheck::one_by_communicator() {
    const std::int64_t round = ++by_communicator_;
    const int numbers = 1 + static_cast<int>(mixed(round) % 8);
    std::array<double, 8> expected{}, found;
    for (int n = 0; n < numbers; ++n) {
        for (int rank = 0; rank < comm_.size(); ++rank) expected[n] += part(rank, round, n);
        found[n] = part(comm_.rank(), round, n);
    }
    delays_.maybe(2000);
    if (round % 4 == 0) {
        std::array<std::int64_t, 8> integers;
        std::ranges::transform(found, integers.begin(),
                               [](double value) { return std::int64_t(value * 0x1p10); });
        comm_.sum(std::span(integers).first(numbers));
        std::ranges::transform(integers, found.begin(),
                               [](std::int64_t value) { return double(value) * 0x1p-10; });
    } else {
        comm_.sum(std::span(found).first(numbers));
    }
    for (int n = 0; n < numbers; ++n)
        if (found[n] != expected[n])
            return words("of the communicator", round, n, expected[n], found[n]);
    return "";
}

std::string SumCheck::run_by_communicator(std::int64_t count) {
    return agreed_words(comm_, [&] {
        std::string first;
        for (std::int64_t k = 0; k < count; ++k) {
            const std::string wrong = one_by_communicator();
            if (first.empty()) first = wrong;
        }
        return first;
    });
}

}  // namespace solenoid
