// PTX read for a machine that runs it: entries and functions with their instructions decoded.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/cuda/ptx_computations.hpp"

namespace solenoid::test::ptx {

enum class Kind {
    compute,
    special,
    load,
    store,
    add,
    fence,
    block_barrier,
    warp_barrier,
    shuffle,
    active_mask,
    branch,
    call,
    leave
};
enum class Space { param, global, shared, generic };
enum class Scope { block, gpu, system };
enum class Special { thread, block, blocks, threads, lane };

// A register, or bits, or the address of a variable.
struct Operand {
    int place = -1;  // of the register; -1: the bits
    Bits bits = 0;
};

struct Instruction {
    Kind kind = Kind::compute;
    int guard = -1;  // the register of its predicate; -1: none
    bool is_guard_inverted = false;
    Compute compute = nullptr;
    int results[4] = {-1, -1, -1, -1};
    Operand operands[4];
    int count = 0;       // of operands; of a load or a store, of the elements of its vector
    Operand address;     // of a load, store or addition; its bits are added to the register
    unsigned bytes = 0;  // of an element
    Space space = Space::global;
    Scope scope = Scope::gpu;
    // volatile, relaxed, acquire or release: one with its number among those of the memory model
    bool is_strong = false;
    bool acquires = false, releases = false;
    bool is_sequential = false;  // of a fence: membar and fence.sc
    Special special = Special::thread;
    int target = -1;                    // of a branch
    int function = -1;                  // of a call
    std::vector<int> passed, returned;  // of a call: places of parameters in the caller
    std::string text;                   // for messages
};

// Parameters lie in 8-byte multiples of the function's own room; an entry's one at the room's
// start.
struct Function {
    std::string name;
    bool is_entry = false;
    std::vector<Instruction> code;
    std::vector<int> parameters, results;  // their places
    std::vector<int> sizes;                // of the parameters, in bytes
    int registers = 0, parameter_bytes = 0;
};

class Module {
  public:
    // Throws std::runtime_error with the line where it does not know what is written.
    explicit Module(const std::string& text);

    int target() const { return target_; }                   // 70 of sm_70
    unsigned shared_bytes() const { return shared_bytes_; }  // of all its variables
    const std::vector<Function>& functions() const { return functions_; }
    int entry(const std::string& name) const;  // its number

  private:
    friend class ModuleReader;
    int target_ = 0;
    unsigned shared_bytes_ = 0;
    std::vector<Function> functions_;
};

}  // namespace solenoid::test::ptx
