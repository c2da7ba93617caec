// Runs the PTX that the CUDA device emits for expressions on the host, instruction by instruction:
// what the emitter is held to. It knows the instructions that the emitter uses and no others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/cuda/arguments.hpp"

namespace solenoid::test {

class PtxProgram {
  public:
    // text: a module; the lines of its entry are read. Throws std::runtime_error at an instruction
    // that is not known.
    PtxProgram(const std::string& text, const std::string& entry);

    // One block of threads, then, where the entry calls finish_totals, what that does.
    void run_block(std::uint32_t block, std::uint32_t blocks,
                   const cuda::Arguments& arguments) const;

  private:
    using Bits = std::uint64_t;
    struct Operand {
        int place = -1;  // of a register; -1: the bits themselves
        Bits bits = 0;
    };
    struct Thread {
        std::vector<Bits> registers;
        std::uint32_t number, block, blocks;
        const cuda::Arguments* arguments;
        std::map<std::string, Bits> passed;  // to a call, and from it
        bool has_totals = false;
    };
    struct Instruction {
        // the common kind: a result of up to three operands
        Bits (*compute)(const Bits* operands) = nullptr;
        void (PtxProgram::*act)(const Instruction&, Thread&) const = nullptr;
        int result = -1, condition = -1;
        std::vector<Operand> operands;
        std::size_t offset = 0;  // of a parameter; of a jump
        std::string name;        // of a label, of what is called
        std::vector<std::string> names;
    };

    void read(std::string line);
    void read_instruction(const std::string& operation, const std::string& rest,
                          Instruction& instruction);
    bool read_memory(const std::string& operation, const std::string& rest,
                     Instruction& instruction);
    bool read_call(const std::string& operation, const std::string& rest, Instruction& instruction);
    Operand operand(const std::string& text);
    int place_of(const std::string& name);
    void run(Thread& thread) const;

    void load_parameter(const Instruction& i, Thread& thread) const;
    template <class T>
    void load(const Instruction& i, Thread& thread) const;
    template <class T>
    void store(const Instruction& i, Thread& thread) const;
    void pass(const Instruction& i, Thread& thread) const;
    void receive(const Instruction& i, Thread& thread) const;
    void call(const Instruction& i, Thread& thread) const;
    void read_special(const Instruction& i, Thread& thread) const;

    std::vector<Instruction> instructions_;
    std::map<std::string, int> slots_;
    std::map<std::string, std::size_t> labels_;
};

}  // namespace solenoid::test
