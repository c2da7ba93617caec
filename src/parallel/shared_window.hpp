// Memory that the ranks of a host share: messages and sums through it take no call of MPI. For the
// sources of this room only.
#pragma once

#include <span>

#include "parallel/shared_allocations.hpp"

namespace solenoid {

class SharedWindow {
  public:
    static constexpr std::size_t most_values = 8;  // of a sum
    // of a cache, bytes: numbers that are waited for have one each
    static constexpr std::int64_t line = 64;

    // local: the ranks of this host, in any order that all know; stays the caller's. Collective
    // over them, as take().
    explicit SharedWindow(MPI_Comm local);
    ~SharedWindow();
    SharedWindow(const SharedWindow&) = delete;
    SharedWindow& operator=(const SharedWindow&) = delete;

    bool works() const { return !places_of_sums_.empty(); }
    std::byte* at(int rank, const SharedSlot& place) const;
    // Spins a little, then lets others run (ranks may be more than cores), until a number that
    // another rank stores is `least` or more.
    void wait_for(std::byte* number, std::uint64_t least) const;

    // Elementwise over the ranks, in place: all get the same bits, those of MPI's recursive
    // doubling. At most most_values.
    template <class T, class Combine>
    void reduce(std::span<T> values, Combine combine) {
        post(std::as_bytes(values));
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = folded<T>(k, combine);
    }

  private:
    struct Segment {
        std::byte* memory;
        std::int64_t part;  // bytes of each rank
    };
    friend class SharedAllocation<SharedWindow>;
    SharedSlot take(std::size_t bytes);
    void give_back(const SharedSlot& place) { allocations_.give_back(place); }
    bool grow(std::int64_t part);
    void post(std::span<const std::byte> values);
    std::byte* posted(int rank) const;

    // Where ranks are no power of two, the first ones in pairs; then neighbours, their neighbours,
    // and so on.
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

    static constexpr int most_ranks = 1024;  // of a host

    MPI_Comm local_;
    int rank_ = 0, size_ = 1, spins_ = 0;
    SharedAllocations allocations_;
    std::vector<Segment> segments_;
    std::vector<SharedSlot> places_of_sums_;  // one a rank
    std::uint64_t sums_ = 0;
};

}  // namespace solenoid
