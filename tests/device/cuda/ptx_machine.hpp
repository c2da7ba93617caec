// Runs entries of PTX on several GPUs, thread by thread in an order that a seed chooses: a machine
// on which whatever PTX leaves open happens. Each rank has a stream, whose kernels follow one
// another; of a kernel a few blocks at a time are under way. Threads of a warp go together until a
// branch parts them, then each part for itself; parts come together again by chance. For .target
// sm_70 and later each thread counts for itself at barriers, and shfl.sync and bar.warp.sync wait
// for the threads of their mask; before, one thread of a warp at bar.sync counts for all 32, and
// the mask's threads must be together.
#pragma once

#include <memory>
#include <vector>

#include "device/cuda/ptx_memory.hpp"

namespace solenoid::test::ptx {

class Machine {
  public:
    static constexpr unsigned threads = 256, warp = 32, warps = threads / warp;  // of a block

    Machine(Memory& memory, int ranks);
    ~Machine();

    // Behind what the rank's stream has. The module must outlive the run.
    template <class Parameter>
    void launch(int rank, const Module& module, int entry, unsigned blocks,
                const Parameter& parameter) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&parameter);
        launch(rank, module, entry, blocks,
               std::vector<std::byte>(bytes, bytes + sizeof parameter));
    }
    void launch(int rank, const Module& module, int entry, unsigned blocks,
                std::vector<std::byte> parameter);

    // of a rank, that are under way at once
    void set_residents(unsigned blocks) { residents_ = blocks; }
    // All that was launched, to its end. Throws std::runtime_error where a thread does what PTX
    // does not allow, or nothing ends.
    void run(std::uint64_t seed);

    std::uint64_t steps() const { return steps_; }  // instructions, of a part of a warp each

  private:
    struct Launched {
        const Module* module;
        int entry;
        unsigned blocks;
        std::vector<std::byte> parameter;
    };
    struct Block;
    // Threads of a warp that are at the same instruction.
    struct Part {
        Block* block;
        unsigned warp;
        std::uint32_t lanes;
        int function, at, depth = 0;
        int callers[4][2]{};  // function and instruction to return to
        bool is_slow = false;
    };
    struct Stream {
        std::vector<Launched> launched;
        std::size_t current = 0;  // of them
        unsigned begun = 0, ended = 0;
        std::uint64_t began = 0;
        std::vector<std::unique_ptr<Block>> blocks;
    };

    void feed(int rank);
    void begin_block(int rank);
    void end_block(Block* block);
    void proceed(Part part, unsigned most);
    void merge(Part& part);
    bool step(Part& part);  // false: the part does not go on from here as it was
    void split_off(const Part& part, std::uint32_t lanes, int at);
    void move(Part& part, std::uint32_t lanes, const Instruction& i);
    bool arrive_at_barrier(Part& part);
    void open_barrier(Block& block);
    bool is_barrier_complete(const Block& block) const;
    bool exchange(Part& part, const Instruction& i);
    void leave(Part& part);
    bool return_or_leave(Part& part);
    void call(Part& part, std::uint32_t lanes, const Instruction& i);
    void wake(Part part);
    [[noreturn]] void fail(const std::string& what, const Part& part, const Instruction& i) const;

    Memory& memory_;
    std::vector<Stream> streams_;
    std::vector<Part> ready_;
    std::vector<std::unique_ptr<Block>> idle_;
    Chance chance_{0};
    unsigned merges_ = 4, splits_ = 0, longest_ = 64, residents_ = 3;
    std::uint64_t steps_ = 0;
    unsigned next_thread_ = 0;
};

}  // namespace solenoid::test::ptx
