#include "ptx_interpreter.hpp"

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "../ptx_computations.hpp"
#include "device/cuda/functions.hpp"

namespace solenoid::test {

using ptx::as, ptx::Bits, ptx::computations, ptx::of;

namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t;");
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t;") - first + 1);
}
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(trimmed(part));
    return parts;
}
std::string between(const std::string& text, char open, char close) {
    const auto first = text.find(open), last = text.find(close, first);
    if (first == std::string::npos || last == std::string::npos)
        throw std::runtime_error("PTX: no brackets in '" + text + "'");
    return trimmed(text.substr(first + 1, last - first - 1));
}

}  // namespace

// ---- reading

PtxProgram::PtxProgram(const std::string& text, const std::string& entry) {
    const std::size_t at = text.find(".visible .entry " + entry + "(");
    if (at == std::string::npos) throw std::runtime_error("PTX: no entry " + entry);
    const std::size_t begin = text.find("{\n", at);
    std::istringstream lines(text.substr(begin + 2));
    for (std::string line; std::getline(lines, line);) read(trimmed(line));
    for (Instruction& i : instructions_) {
        if (i.name.empty() || i.act) continue;
        if (!labels_.contains(i.name)) throw std::runtime_error("PTX: no label " + i.name);
        i.offset = labels_[i.name];
    }
}

void PtxProgram::read(std::string line) {
    if (line.empty() || line == "{" || line == "}" || line.starts_with(".reg") ||
        line.starts_with(".param"))
        return;
    if (line.ends_with(':')) {
        labels_[line.substr(0, line.size() - 1)] = instructions_.size();
        return;
    }
    Instruction instruction;
    if (line[0] == '@') {
        const auto space = line.find(' ');
        instruction.condition = place_of(line.substr(1, space - 1));
        line = trimmed(line.substr(space));
    }
    const auto space = line.find(' ');
    read_instruction(line.substr(0, space),
                     space == std::string::npos ? "" : trimmed(line.substr(space)), instruction);
    instructions_.push_back(instruction);
}

void PtxProgram::read_instruction(const std::string& operation, const std::string& rest,
                                  Instruction& instruction) {
    if (operation == "bra") {
        instruction.name = rest;
        return;
    }
    if (operation == "ret") {
        instruction.name = "END";
        labels_["END"] = std::size_t(-2);
        return;
    }
    if (read_memory(operation, rest, instruction) || read_call(operation, rest, instruction))
        return;
    const auto parts = split(rest);
    instruction.result = place_of(parts.at(0));
    if (operation == "mov.u32" &&
        (parts.at(1) == "%tid.x" || parts.at(1) == "%ctaid.x" || parts.at(1) == "%nctaid.x")) {
        instruction.act = &PtxProgram::read_special;
        instruction.name = parts[1];
        return;
    }
    const auto found = computations().find(operation);
    if (found == computations().end())
        throw std::runtime_error("PTX: unknown instruction " + operation);
    instruction.compute = found->second;
    for (std::size_t n = 1; n < parts.size(); ++n)
        instruction.operands.push_back(operand(parts[n]));
}

bool PtxProgram::read_memory(const std::string& operation, const std::string& rest,
                             Instruction& instruction) {
    if (operation.starts_with("ld.param") && rest.find("arguments+") != std::string::npos) {
        instruction.act = &PtxProgram::load_parameter;
        instruction.result = place_of(split(rest)[0]);
        instruction.offset = std::stoul(rest.substr(rest.find('+') + 1));
        instruction.operands.push_back({-1, operation.ends_with("u32") ? 4u : 8u});
        return true;
    }
    const bool is_double = operation.ends_with("f64");
    if (operation == "ld.global.f64" || operation == "ld.global.f32") {
        instruction.act =
            is_double ? &PtxProgram::load<std::uint64_t> : &PtxProgram::load<std::uint32_t>;
        instruction.result = place_of(split(rest)[0]);
        instruction.operands.push_back(operand(between(rest, '[', ']')));
        return true;
    }
    if (operation == "st.global.f64" || operation == "st.global.f32") {
        instruction.act =
            is_double ? &PtxProgram::store<std::uint64_t> : &PtxProgram::store<std::uint32_t>;
        instruction.operands.push_back(operand(between(rest, '[', ']')));
        instruction.operands.push_back(operand(split(rest).at(1)));
        return true;
    }
    return false;
}

bool PtxProgram::read_call(const std::string& operation, const std::string& rest,
                           Instruction& instruction) {
    if (operation.starts_with("st.param")) {
        instruction.act = &PtxProgram::pass;
        instruction.name = between(rest, '[', ']');
        instruction.operands.push_back(operand(split(rest).at(1)));
        return true;
    }
    if (operation.starts_with("ld.param")) {
        instruction.act = &PtxProgram::receive;
        instruction.result = place_of(split(rest)[0]);
        instruction.name = between(rest, '[', ']');
        return true;
    }
    if (operation != "call.uni") return false;
    instruction.act = &PtxProgram::call;
    for (const std::string& part : split(rest))
        if (part.find_first_of("()") == std::string::npos) instruction.name = part;
    const auto names = rest.substr(rest.rfind('('));
    instruction.names = split(between(names, '(', ')'));
    if (instruction.name.empty() || instruction.name.starts_with("argument"))
        instruction.name = trimmed(rest.substr(0, rest.find(',')));
    return true;
}

PtxProgram::Operand PtxProgram::operand(const std::string& text) {
    if (text.starts_with('%')) return {place_of(text), 0};
    if (text.starts_with("0d") || text.starts_with("0f"))
        return {-1, std::stoull(text.substr(2), nullptr, 16)};
    return {-1, std::stoull(text)};
}

int PtxProgram::place_of(const std::string& name) {
    if (!name.starts_with('%')) throw std::runtime_error("PTX: no register: '" + name + "'");
    return slots_.emplace(name, static_cast<int>(slots_.size())).first->second;
}

// ---- running

void PtxProgram::run(Thread& thread) const {
    Bits operands[3];
    for (std::size_t at = 0; at < instructions_.size(); ++at) {
        const Instruction& i = instructions_[at];
        if (i.condition >= 0 && !thread.registers[i.condition]) continue;
        if (i.compute) {
            for (std::size_t n = 0; n < i.operands.size(); ++n)
                operands[n] = i.operands[n].place < 0 ? i.operands[n].bits
                                                      : thread.registers[i.operands[n].place];
            thread.registers[i.result] = i.compute(operands);
        } else if (i.act) {
            (this->*i.act)(i, thread);
        } else {
            at = i.offset - 1;
            if (i.name == "END") return;
        }
    }
}

void PtxProgram::run_block(std::uint32_t block, std::uint32_t blocks,
                           const cuda::Arguments& arguments) const {
    cuda::host_block = {block, blocks};
    cuda::Tree& tree = cuda::group_tree();
    std::uint32_t arrived = 0, count = 0, operations = 0;
    Thread thread{{}, 0, block, blocks, &arguments, {}, false};
    for (thread.number = 0; thread.number < cuda::group_size; ++thread.number) {
        thread.registers.assign(slots_.size(), 0);
        thread.has_totals = false;
        run(thread);
        if (!thread.has_totals) continue;
        ++arrived;
        for (int n = 0; n < 4; ++n)
            tree[n][thread.number] = as<double>(thread.passed.at("argument_" + std::to_string(n)));
        count = static_cast<std::uint32_t>(thread.passed.at("argument_4"));
        operations = static_cast<std::uint32_t>(thread.passed.at("argument_5"));
    }
    if (arrived == 0) return;
    if (arrived != cuda::group_size)
        throw std::runtime_error("PTX: not every thread of a block came to its end");
    const auto& p = thread.passed;
    cuda::finish_reductions(count, operations,
                            {reinterpret_cast<double*>(p.at("argument_6")),
                             reinterpret_cast<unsigned*>(p.at("argument_7")),
                             reinterpret_cast<cuda::Results*>(p.at("argument_8")),
                             static_cast<unsigned>(p.at("argument_9")),
                             reinterpret_cast<cuda::Kept*>(p.at("argument_10")),
                             static_cast<unsigned>(p.at("argument_11")), nullptr});
}

void PtxProgram::load_parameter(const Instruction& i, Thread& thread) const {
    Bits value = 0;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(thread.arguments) + i.offset,
                i.operands[0].bits);
    thread.registers[i.result] = value;
}

template <class T>
void PtxProgram::load(const Instruction& i, Thread& thread) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(thread.registers[i.operands[0].place]),
                sizeof(T));
    thread.registers[i.result] = value;
}

template <class T>
void PtxProgram::store(const Instruction& i, Thread& thread) const {
    const T value = static_cast<T>(thread.registers[i.operands[1].place]);
    std::memcpy(reinterpret_cast<void*>(thread.registers[i.operands[0].place]), &value, sizeof(T));
}

void PtxProgram::pass(const Instruction& i, Thread& thread) const {
    const Operand& o = i.operands[0];
    thread.passed[i.name] = o.place < 0 ? o.bits : thread.registers[o.place];
}

void PtxProgram::receive(const Instruction& i, Thread& thread) const {
    thread.registers[i.result] = thread.passed.at(i.name);
}

void PtxProgram::read_special(const Instruction& i, Thread& thread) const {
    thread.registers[i.result] = i.name == "%tid.x"     ? thread.number
                                 : i.name == "%ctaid.x" ? thread.block
                                                        : thread.blocks;
}

template <class T>
Bits function_value(const std::string& name, Bits x, Bits y) {
    cuda::Functions<T> functions;
    if (name.starts_with("exp")) return of(functions.exp(as<T>(x)));
    if (name.starts_with("log")) return of(functions.log(as<T>(x)));
    return of(functions.pow(as<T>(x), as<T>(y)));
}

void PtxProgram::call(const Instruction& i, Thread& thread) const {
    if (i.name == "finish_totals") {
        thread.has_totals = true;
        return;
    }
    const Bits x = thread.passed.at(i.names.at(0)),
               y = i.names.size() > 1 ? thread.passed.at(i.names[1]) : 0;
    thread.passed["value"] = i.name.ends_with("_double") ? function_value<double>(i.name, x, y)
                                                         : function_value<float>(i.name, x, y);
}

}  // namespace solenoid::test
