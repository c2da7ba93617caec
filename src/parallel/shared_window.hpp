// Shared memory of the ranks of a host: messages and sums without MPI calls. Used in src/parallel
// only.
#pragma once

#include <span>

#include "parallel/shared_allocations.hpp"

namespace solenoid {

class SharedWindow {
  public:
    static constexpr std::size_t most_values = 8;  // of a sum
    // Bytes of a cache line. Each number that ranks wait for has one of its own.
    static constexpr std::int64_t line = 64;

    // local: the ranks of this host; the caller keeps it. Collective over them, as take().
    explicit SharedWindow(MPI_Comm local);
    ~SharedWindow();
    SharedWindow(const SharedWindow&) = delete;
    SharedWindow& operator=(const SharedWindow&) = delete;

    bool works() const { return !places_of_sums_.empty(); }
    std::byte* at(int rank, const SharedSlot& place) const;
    // Waits until a number that another rank stores is at least `least`: spins for a short time,
    // then yields, since there may be more ranks than cores.
    void wait_for(std::byte* number, std::uint64_t least) const;

    // Combines values over the ranks elementwise, in place. All ranks get the same bits, those of
    // MPI's recursive doubling. At most most_values.
    template <class T, class Combine>
    void reduce(std::span<T> values, Combine combine) {
        post(std::as_bytes(values));
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = folded<T>(k, combine);
    }

  private:
    struct Segment {
        std::byte* memory;
        std::int64_t part;  // bytes for each rank
    };
    friend class SharedAllocation<SharedWindow>;
    SharedSlot take(std::size_t bytes);
    void give_back(const SharedSlot& place) { allocations_.give_back(place); }
    bool grow(std::int64_t part);
    void post(std::span<const std::byte> values);
    std::byte* posted(int rank) const;

    // Recursive doubling: where the number of ranks is no power of two, the first ones are combined
    // in pairs; then pairs at distances 1, 2, 4, ...
    template <class T, class Combine>
    T folded(std::size_t k, Combine combine) const {
        const auto value = [&](int rank) {
            return reinterpret_cast<const T*>(posted(rank) + line)[k];
        };
        int power = 1;
        while (2 * power <= size_) power *= 2;
        const int extra = size_ - power;
        T part[most_ranks];
        for (int i = 0; i < power; ++i)
            part[i] = i < extra ? combine(value(2 * i), value(2 * i + 1)) : value(i + extra);
        for (int step = 1; step < power; step *= 2)
            for (int i = 0; i < power; i += 2 * step) part[i] = combine(part[i], part[i + step]);
        return part[0];
    }

    static constexpr int most_ranks = 1024;  // on a host

    MPI_Comm local_;
    int rank_ = 0, size_ = 1, spins_ = 0;
    SharedAllocations allocations_;
    std::vector<Segment> segments_;
    std::vector<SharedSlot> places_of_sums_;  // one for each rank
    std::uint64_t sums_ = 0;
};

}  // namespace solenoid
