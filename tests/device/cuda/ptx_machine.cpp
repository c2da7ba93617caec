#include "ptx_machine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace solenoid::test::ptx {

struct Machine::Block {
    const Launched* launched = nullptr;
    const Module* module = nullptr;
    int rank = 0;
    unsigned index = 0, number = 0;
    unsigned first_thread = 0;                         // of all threads that ever were
    bool counts_threads = true;                        // at barriers, not warps
    std::vector<Bits> registers;                       // of each function's, 256 threads' each
    std::vector<int> first_register, first_parameter;  // of each function
    int parameter_bytes = 0;
    std::vector<std::byte> parameters;  // each thread's
    std::vector<std::byte> shared;
    std::array<Actor, threads> actors;
    std::array<std::uint32_t, warps> alive{}, arrived{};  // lanes
    std::vector<Part> at_barrier;
    std::vector<Part> at_exchange;  // of warps

    void prepare(const Module& of);
    Bits* row(int function, int place) {
        return registers.data() + std::size_t(first_register[function] + place) * threads;
    }
    std::byte* parameters_of(unsigned thread, int function) {
        return parameters.data() + std::size_t(thread) * parameter_bytes +
               first_parameter[function];
    }
};

namespace {

// Of each lane, the number of its thread in the block.
template <class Act>
void each_lane(std::uint32_t lanes, unsigned warp, Act act) {
    for (; lanes != 0; lanes &= lanes - 1)
        act(warp * Machine::warp + static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

Machine::Machine(Memory& memory, int ranks) : memory_(memory), streams_(ranks) {}

Machine::~Machine() = default;

void Machine::fail(const std::string& what, const Part& part, const Instruction& i) const {
    throw std::runtime_error("PTX: " + what + ": '" + i.text + "' in " +
                             part.block->module->functions()[part.function].name + ", rank " +
                             std::to_string(part.block->rank) + ", block " +
                             std::to_string(part.block->index) + ", warp " +
                             std::to_string(part.warp));
}

// ---- kernels and blocks

void Machine::launch(int rank, const Module& module, int entry, unsigned blocks,
                     std::vector<std::byte> parameter) {
    const Function& function = module.functions().at(entry);
    if (function.sizes.size() != 1 ||
        static_cast<std::size_t>(function.sizes[0]) != parameter.size())
        throw std::runtime_error("PTX: " + function.name +
                                 " takes another parameter than a struct of " +
                                 std::to_string(parameter.size()) + " bytes");
    streams_.at(rank).launched.push_back({&module, entry, blocks, std::move(parameter)});
}

// Room for all that the module's functions have.
void Machine::Block::prepare(const Module& of) {
    // an entry's lie behind all functions', in the same place as another's
    int count = 0, most_registers = 0, most_bytes = 0;
    first_register.clear();
    first_parameter.clear();
    parameter_bytes = 0;
    for (const bool is_entry : {false, true})
        for (const Function& function : of.functions()) {
            if (!is_entry) {
                first_register.push_back(count);
                first_parameter.push_back(parameter_bytes);
                count += function.is_entry ? 0 : function.registers;
                parameter_bytes += function.is_entry ? 0 : function.parameter_bytes;
            } else if (function.is_entry) {
                const auto n = static_cast<std::size_t>(&function - of.functions().data());
                first_register[n] = count;
                first_parameter[n] = parameter_bytes;
                most_registers = std::max(most_registers, function.registers);
                most_bytes = std::max(most_bytes, function.parameter_bytes);
            }
        }
    count += most_registers;
    parameter_bytes += most_bytes;
    registers.assign(std::size_t(count) * threads, 0);
    parameters.assign(std::size_t(parameter_bytes) * threads, std::byte{});
    shared.assign(of.shared_bytes(), std::byte{});
    module = &of;
}

void Machine::begin_block(int rank) {
    Stream& stream = streams_[rank];
    const Launched& launched = stream.launched[stream.current];
    if (idle_.empty()) idle_.push_back(std::make_unique<Block>());
    stream.blocks.push_back(std::move(idle_.back()));
    idle_.pop_back();
    Block& block = *stream.blocks.back();
    if (block.module != launched.module) block.prepare(*launched.module);
    block.launched = &launched;
    block.rank = rank;
    block.index = stream.begun++;
    block.number = memory_.begin_block(rank);
    block.first_thread = next_thread_ + 1;
    next_thread_ += threads;
    block.counts_threads = launched.module->target() >= 70;
    block.at_barrier.clear();
    block.at_exchange.clear();
    for (unsigned thread = 0; thread < threads; ++thread) {
        std::memcpy(block.parameters_of(thread, launched.entry), launched.parameter.data(),
                    launched.parameter.size());
        Actor& actor = block.actors[thread];
        actor.rank = rank;
        actor.block = block.number;
        actor.number = block.first_thread + thread;
        std::ranges::fill(actor.views, stream.began);
        std::ranges::fill(actor.released, stream.began);
        std::ranges::fill(actor.observed, 0);
        std::ranges::fill(actor.observed_by_block, 0);
        actor.seen.clear();
    }
    for (unsigned w = 0; w < warps; ++w) {
        block.alive[w] = ~0u;
        block.arrived[w] = 0;
        wake({&block, w, ~0u, launched.entry, 0});
    }
}

void Machine::end_block(Block* block) {
    const int rank = block->rank;
    Stream& stream = streams_[rank];
    const auto found =
        std::ranges::find_if(stream.blocks, [&](const auto& b) { return b.get() == block; });
    idle_.push_back(std::move(*found));
    stream.blocks.erase(found);
    if (++stream.ended == stream.launched[stream.current].blocks) {
        memory_.end_grid(rank);
        ++stream.current;
        stream.begun = stream.ended = 0;
    }
    feed(rank);
}

// Blocks begin while there is room.
void Machine::feed(int rank) {
    Stream& stream = streams_[rank];
    if (stream.current == stream.launched.size()) return;
    if (stream.begun == 0) stream.began = memory_.now();
    while (stream.begun < stream.launched[stream.current].blocks &&
           stream.blocks.size() < residents_)
        begin_block(rank);
}

void Machine::wake(Part part) {
    part.is_slow = chance_.one_in(8);
    ready_.push_back(part);
}

void Machine::run(std::uint64_t seed) {
    chance_ = Chance(seed + 77);
    const unsigned merges[] = {64, 16, 2}, splits[] = {0, 32, 4}, lengths[] = {4, 64, 1000};
    merges_ = merges[chance_.below(3)];
    splits_ = splits[chance_.below(3)];
    longest_ = lengths[chance_.below(3)];
    for (std::size_t rank = 0; rank < streams_.size(); ++rank) feed(static_cast<int>(rank));
    constexpr std::uint64_t most = 3'000'000;
    std::uint64_t rounds = 0;
    while (!ready_.empty()) {
        if (++rounds > most) throw std::runtime_error("PTX: does not end");
        const std::uint32_t n = chance_.below(static_cast<std::uint32_t>(ready_.size()));
        memory_.let_something_through();
        if (ready_[n].is_slow && !chance_.one_in(16)) continue;
        const Part part = ready_[n];
        ready_[n] = ready_.back();
        ready_.pop_back();
        proceed(part, 1 + chance_.below(longest_));
    }
    for (const Stream& stream : streams_)
        if (stream.current != stream.launched.size())
            throw std::runtime_error("PTX: threads wait for one another for ever");
}

// ---- a part of a warp

void Machine::proceed(Part part, unsigned most) {
    if (chance_.one_in(merges_)) merge(part);
    if (part.block->counts_threads && splits_ > 0 && chance_.one_in(splits_) &&
        std::popcount(part.lanes) > 1) {
        const std::uint32_t lanes =
            part.lanes & (chance_.below(0xFFFFFFFFu) | (part.lanes & -part.lanes));
        if (lanes != part.lanes) split_off(part, part.lanes & ~lanes, part.at);
        part.lanes = lanes;
    }
    for (unsigned n = 0; n < most; ++n)
        if (!step(part)) return;
    ready_.push_back(part);
}

void Machine::merge(Part& part) {
    for (std::size_t n = 0; n < ready_.size();) {
        const Part& other = ready_[n];
        if (other.block == part.block && other.warp == part.warp &&
            other.function == part.function && other.at == part.at && other.depth == part.depth &&
            std::memcmp(other.callers, part.callers, sizeof part.callers) == 0) {
            part.lanes |= other.lanes;
            ready_[n] = ready_.back();
            ready_.pop_back();
        } else {
            ++n;
        }
    }
}

void Machine::split_off(const Part& part, std::uint32_t lanes, int at) {
    Part other = part;
    other.lanes = lanes;
    other.at = at;
    wake(other);
}

bool Machine::step(Part& part) {
    ++steps_;
    Block& block = *part.block;
    const Instruction& i = block.module->functions()[part.function].code[part.at];
    std::uint32_t lanes = part.lanes;
    if (i.guard >= 0) {
        const Bits* const truth = block.row(part.function, i.guard);
        each_lane(part.lanes, part.warp, [&](unsigned thread) {
            if ((truth[thread] != 0) == i.is_guard_inverted) lanes &= ~(1u << thread % warp);
        });
        const bool goes_elsewhere = i.kind == Kind::branch || i.kind == Kind::leave ||
                                    i.kind == Kind::call || i.kind == Kind::block_barrier ||
                                    i.kind == Kind::warp_barrier || i.kind == Kind::shuffle;
        if (lanes == 0) return ++part.at, true;
        if (goes_elsewhere && lanes != part.lanes) {
            split_off(part, part.lanes & ~lanes, part.at + 1);
            part.lanes = lanes;
            if (chance_.one_in(2)) return wake(part), false;  // who is first
        }
    }
    switch (i.kind) {
        case Kind::branch:
            part.at = i.target;
            return true;
        case Kind::leave:
            return return_or_leave(part);
        case Kind::call:
            call(part, lanes, i);
            return true;
        case Kind::block_barrier:
            return arrive_at_barrier(part);
        case Kind::warp_barrier:
        case Kind::shuffle:
            return exchange(part, i);
        default:
            break;
    }
    try {
        move(part, lanes, i);
    } catch (const AddressFault& fault) {
        fail(fault.what(), part, i);
    }
    ++part.at;
    const bool orders = i.kind == Kind::fence || i.kind == Kind::add ||
                        ((i.kind == Kind::load || i.kind == Kind::store) && i.is_strong &&
                         i.space != Space::shared);
    if (!orders || !chance_.one_in(3)) return true;
    part.is_slow = chance_.one_in(2);  // others come between
    ready_.push_back(part);
    return false;
}

// Instructions that a thread makes for itself.
void Machine::move(Part& part, std::uint32_t lanes, const Instruction& i) {
    Block& block = *part.block;
    const auto value_of = [&](const Operand& o, unsigned thread) {
        return o.place < 0 ? o.bits : block.row(part.function, o.place)[thread];
    };
    const auto address_of = [&](unsigned thread) {
        return i.address.bits +
               (i.address.place < 0 ? 0 : block.row(part.function, i.address.place)[thread]);
    };
    const auto result = [&](int n, unsigned thread) -> Bits& {
        return block.row(part.function, i.results[n])[thread];
    };
    // Shared memory has the lowest addresses, of the generic ones too.
    const auto nearby = [&](unsigned thread, std::uint64_t address, int n) -> std::byte* {
        const std::uint64_t at = address + static_cast<unsigned>(n) * i.bytes;
        if (i.space == Space::param) {
            if (at + i.bytes > static_cast<std::uint64_t>(block.parameter_bytes -
                                                          block.first_parameter[part.function]))
                fail("no such parameter", part, i);
            return block.parameters_of(thread, part.function) + at;
        }
        if (i.space == Space::global || (i.space == Space::generic && at >= block.shared.size()))
            return nullptr;
        if (at + i.bytes > block.shared.size() || at % i.bytes != 0)
            fail("an address outside of shared memory", part, i);
        return block.shared.data() + at;
    };
    if (i.kind == Kind::compute) {
        Bits* const results = block.row(part.function, i.results[0]);
        each_lane(lanes, part.warp, [&](unsigned thread) {
            Bits operands[3];
            for (int n = 0; n < i.count; ++n) operands[n] = value_of(i.operands[n], thread);
            results[thread] = i.compute(operands);
        });
        return;
    }
    each_lane(lanes, part.warp, [&](unsigned thread) {
        Actor& actor = block.actors[thread];
        switch (i.kind) {
            case Kind::special:
                result(0, thread) = i.special == Special::thread    ? thread
                                    : i.special == Special::block   ? block.index
                                    : i.special == Special::blocks  ? block.launched->blocks
                                    : i.special == Special::threads ? threads
                                                                    : thread % warp;
                return;
            case Kind::active_mask:
                result(0, thread) = part.lanes;
                return;
            case Kind::fence:
                memory_.fence(actor, i);
                return;
            case Kind::load: {
                const std::uint64_t address = address_of(thread);
                for (int n = 0; n < i.count; ++n) {
                    Bits value = 0;
                    if (const std::byte* const near = nearby(thread, address, n))
                        std::memcpy(&value, near, i.bytes);
                    else
                        value =
                            memory_.load(actor, address + static_cast<unsigned>(n) * i.bytes, i);
                    result(n, thread) = value;
                }
                return;
            }
            case Kind::store: {
                const std::uint64_t address = address_of(thread);
                for (int n = 0; n < i.count; ++n) {
                    const Bits value = value_of(i.operands[n], thread);
                    if (std::byte* const near = nearby(thread, address, n))
                        std::memcpy(near, &value, i.bytes);
                    else
                        memory_.store(actor, address + static_cast<unsigned>(n) * i.bytes, value,
                                      i);
                }
                return;
            }
            case Kind::add: {
                const std::uint64_t address = address_of(thread);
                if (nearby(thread, address, 0))
                    fail("additions in shared memory are not known", part, i);
                const Bits old = memory_.add(actor, address, value_of(i.operands[0], thread), i);
                if (i.results[0] >= 0) result(0, thread) = old;
                return;
            }
            default:
                fail("not known to the machine", part, i);
        }
    });
}

// ---- functions

void Machine::call(Part& part, std::uint32_t lanes, const Instruction& i) {
    Block& block = *part.block;
    const Function& called = block.module->functions()[i.function];
    if (part.depth == 4) fail("calls within calls within calls", part, i);
    each_lane(lanes, part.warp, [&](unsigned thread) {
        for (std::size_t n = 0; n < i.passed.size(); ++n)
            std::memcpy(block.parameters_of(thread, i.function) + called.parameters[n],
                        block.parameters_of(thread, part.function) + i.passed[n], called.sizes[n]);
    });
    part.callers[part.depth][0] = part.function;
    part.callers[part.depth++][1] = part.at;
    part.function = i.function;
    part.at = 0;
}

bool Machine::return_or_leave(Part& part) {
    if (part.depth == 0) return leave(part), false;
    Block& block = *part.block;
    const int from = part.function;
    part.function = part.callers[--part.depth][0];
    part.at = part.callers[part.depth][1];
    part.callers[part.depth][0] = part.callers[part.depth][1] = 0;
    const Instruction& i = block.module->functions()[part.function].code[part.at];
    each_lane(part.lanes, part.warp, [&](unsigned thread) {
        for (std::size_t n = 0; n < i.returned.size(); ++n)
            std::memcpy(
                block.parameters_of(thread, part.function) + i.returned[n],
                block.parameters_of(thread, from) + block.module->functions()[from].results[n], 8);
    });
    ++part.at;
    return true;
}

void Machine::leave(Part& part) {
    Block& block = *part.block;
    block.alive[part.warp] &= ~part.lanes;
    if (std::ranges::all_of(block.alive, [](std::uint32_t lanes) { return lanes == 0; }))
        return end_block(&block);
    if (!block.at_barrier.empty() && is_barrier_complete(block)) open_barrier(block);
}

// ---- barriers

bool Machine::is_barrier_complete(const Block& block) const {
    for (unsigned w = 0; w < warps; ++w)
        if (block.counts_threads ? (block.alive[w] & ~block.arrived[w]) != 0
                                 : block.alive[w] != 0 && block.arrived[w] == 0)
            return false;
    return true;
}

bool Machine::arrive_at_barrier(Part& part) {
    Block& block = *part.block;
    ++part.at;
    block.arrived[part.warp] |= part.lanes;
    block.at_barrier.push_back(part);
    if (is_barrier_complete(block)) open_barrier(block);
    return false;
}

void Machine::open_barrier(Block& block) {
    std::vector<Actor*> actors;
    for (Actor& actor : block.actors) actors.push_back(&actor);
    memory_.pass_barrier(block.number, actors);
    block.arrived.fill(0);
    std::vector<Part> parts;
    std::swap(parts, block.at_barrier);
    for (std::size_t n = 0; n < parts.size(); ++n) {
        Part part = parts[n];
        if (part.lanes == 0) continue;
        if (!block.counts_threads || !chance_.one_in(8))
            for (std::size_t k = n + 1; k < parts.size(); ++k)
                if (parts[k].warp == part.warp && parts[k].at == part.at &&
                    parts[k].function == part.function && parts[k].depth == part.depth)
                    part.lanes |= std::exchange(parts[k].lanes, 0u);
        wake(part);
    }
}

// shfl.sync and bar.warp.sync: a thread waits for all of its mask.
bool Machine::exchange(Part& part, const Instruction& i) {
    Block& block = *part.block;
    std::vector<Part>& waiting = block.at_exchange;
    Part all = part;
    if (block.counts_threads) {
        for (std::size_t n = 0; n < waiting.size();) {
            if (waiting[n].warp == part.warp && waiting[n].at == part.at &&
                waiting[n].function == part.function && waiting[n].depth == part.depth) {
                all.lanes |= waiting[n].lanes;
                waiting[n] = waiting.back();
                waiting.pop_back();
            } else {
                ++n;
            }
        }
    }
    const Operand& mask = i.operands[i.kind == Kind::shuffle ? 3 : 0];
    std::uint32_t complete = 0;
    each_lane(all.lanes, all.warp, [&](unsigned thread) {
        const auto wanted = static_cast<std::uint32_t>(
            mask.place < 0 ? mask.bits : block.row(all.function, mask.place)[thread]);
        if (!(wanted & 1u << thread % warp)) fail("a thread outside of its own mask", part, i);
        if (wanted & ~block.alive[all.warp]) fail("waits for a thread that has ended", part, i);
        if ((wanted & ~all.lanes) == 0) complete |= 1u << thread % warp;
    });
    if (!block.counts_threads && complete != all.lanes)
        fail("threads of the mask are not together here", part, i);
    if (complete != all.lanes) {
        Part rest = all;
        rest.lanes = all.lanes & ~complete;
        waiting.push_back(rest);
    }
    if (complete == 0) return false;
    part.lanes = complete;
    if (i.kind == Kind::warp_barrier) {
        std::vector<Actor*> actors;
        each_lane(complete, part.warp,
                  [&](unsigned thread) { actors.push_back(&block.actors[thread]); });
        memory_.pass_barrier(actors);
    } else {
        std::array<Bits, threads> values{};
        const auto operand = [&](int n, unsigned thread) {
            return i.operands[n].place < 0 ? i.operands[n].bits
                                           : block.row(part.function, i.operands[n].place)[thread];
        };
        each_lane(complete, part.warp,
                  [&](unsigned thread) { values[thread] = operand(0, thread); });
        each_lane(complete, part.warp, [&](unsigned thread) {
            const auto apart = static_cast<unsigned>(operand(1, thread)) & 31u;
            const unsigned other = thread ^ apart;
            if (operand(2, thread) != 31) fail("only whole warps are known", part, i);
            if (!(complete & 1u << other % warp))
                fail("the value of a thread that takes no part", part, i);
            block.row(part.function, i.results[0])[thread] = values[other];
        });
    }
    ++part.at;
    return true;
}

}  // namespace solenoid::test::ptx
