// Global memory of several GPUs as PTX's memory model lets threads see it, as weak as a machine
// with store buffers and caches: a store is held back until a fence of its thread (or of the block,
// behind a barrier) or chance lets it through, in any order of addresses; a load may return what
// the word held before its last change, unless the thread has acquired that change: by a fence (or
// an acquiring load) behind a strong load of its own that observed what was stored behind a
// release; behind a barrier membar and fence.sc do so for strong loads of other threads of the
// block, too. What has been let through all see (memory is multi-copy atomic), and loads are made
// in the order of the program: what only reordered loads and later stores, or stores that reach one
// GPU before another, could show is not seen here.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "device/cuda/ptx_module.hpp"

namespace solenoid::test::ptx {

// xorshift64*: the same on every system.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567u) {}
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((std::uint64_t(bits()) * n) >> 32);
    }
    bool one_in(std::uint32_t n) { return n > 0 && below(n) == 0; }

  private:
    std::uint32_t bits() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1Du) >> 32);
    }
    std::uint64_t state_;
};

// An access to what is no memory.
struct AddressFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A thread, as memory knows it.
struct Actor {
    int rank = 0;
    unsigned block = 0, number = 0;  // of all blocks and threads that ever were
    // Times up to which changes by its block, its GPU, all: it has acquired; its strong loads have
    // observed to be released, and those of its block before a barrier; it has released itself.
    std::uint64_t views[3]{}, observed[3]{}, observed_by_block[3]{}, released[3]{};
    // words whose new value it has read without having acquired it
    std::vector<std::pair<std::size_t, std::uint64_t>> seen;
};

class Memory {
  public:
    Memory(std::size_t bytes, int ranks);

    // Zeros, aligned to 256 bytes; of one address space that all ranks share.
    template <class T>
    T* allocate(std::size_t count) {
        return reinterpret_cast<T*>(take(count * sizeof(T)));
    }

    struct Weather {
        unsigned lets_through = 8;  // one step in that many lets a held store through
        unsigned stale = 4;         // one load of several that may be stale is, 0: none
    };
    // barriers_order: from sm_70 on
    void start(std::uint64_t seed, const Weather& weather, bool barriers_order);
    // Called when the address is given the value, at once: what the host sees that waits for it.
    void watch(const void* address, Bits value, std::function<void()> seen);

    unsigned begin_block(int rank);
    void end_grid(int rank);  // all that its blocks have stored is let through
    // what the block's threads have stored, they all see
    void pass_barrier(unsigned block, const std::vector<Actor*>& actors);
    void pass_barrier(const std::vector<Actor*>& of_warp);  // the same of these threads of a block
    void let_something_through();
    bool holds_stores() const;
    std::uint64_t now() const { return now_; }

    Bits load(Actor& actor, std::uint64_t address, const Instruction& i);
    void store(Actor& actor, std::uint64_t address, Bits value, const Instruction& i);
    Bits add(Actor& actor, std::uint64_t address, Bits value, const Instruction& i);
    void fence(Actor& actor, const Instruction& i);

  private:
    // A store under way. Of a block, or, fenced for its GPU, of a rank.
    struct Held {
        std::uint64_t address;
        Bits value;
        unsigned bytes, thread, block, epoch;
        int rank;
        std::uint64_t released[3]{};  // by its thread before it, where it is strong
        std::uint64_t since[2]{};     // when fences made it its block's and its GPU's; 0: none
    };
    struct Block {
        int rank = 0;
        unsigned epoch = 0;  // barriers passed
        std::vector<Held> held;
    };
    struct Word {
        Bits before = 0;  // its last change
        std::uint64_t released[3]{}, released_before[3]{};
        std::uint64_t changed[3]{};  // when, for the writer's block, its GPU, all; 0: never
        unsigned thread = 0, block = 0, epoch = 0;
        int rank = 0;
        unsigned held = 0;  // stores to it under way
    };
    struct Watch {
        std::size_t word;
        std::uint64_t address;
        Bits value;
        std::function<void()> seen;
    };

    std::byte* take(std::size_t bytes);
    std::size_t word_of(std::uint64_t address, unsigned bytes) const;
    bool reads(const Actor& actor, const Held& held) const;
    bool must_see(const Actor& actor, std::size_t word) const;
    void release(Actor& actor, Scope scope);
    static void acquire(Actor& actor, Scope scope, bool of_block);
    static void join(const std::vector<Actor*>& actors);
    void observe(Actor& actor, const Word& word, const std::uint64_t* released) const;
    void let_through(std::vector<Held>& from, std::size_t n);
    void write(const Held& held);
    // lets through what the thread sees of stores to a word
    void settle(const Actor& actor, std::size_t word);

    std::unique_ptr<std::byte[]> room_;
    std::byte* base_;
    std::size_t bytes_, taken_ = 0;
    std::vector<Word> words_;
    std::map<unsigned, Block> blocks_;
    std::vector<std::vector<Held>> of_gpus_;
    std::vector<Watch> watches_;
    Chance chance_{0};
    Weather weather_;
    bool barriers_order_ = true;
    std::uint64_t now_ = 1;
    unsigned next_block_ = 0;
};

}  // namespace solenoid::test::ptx
