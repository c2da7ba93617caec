#include "ptx_memory.hpp"

#include <algorithm>
#include <cstring>

namespace solenoid::test::ptx {

Memory::Memory(std::size_t bytes, int ranks)
    : room_(new std::byte[bytes + 256]), bytes_(bytes), of_gpus_(ranks) {
    base_ = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(room_.get()) + 255) /
                                         256 * 256);
}

std::byte* Memory::take(std::size_t bytes) {
    std::byte* const begin = base_ + taken_;
    taken_ += (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256;
    if (taken_ > bytes_) throw std::runtime_error("PTX: the machine's memory is full");
    std::memset(begin, 0, static_cast<std::size_t>(base_ + taken_ - begin));
    return begin;
}

void Memory::start(std::uint64_t seed, const Weather& weather, bool barriers_order) {
    chance_ = Chance(seed);
    weather_ = weather;
    barriers_order_ = barriers_order;
    words_.assign(taken_ / 8, Word{});
    blocks_.clear();
    for (auto& held : of_gpus_) held.clear();
}

void Memory::watch(const void* address, Bits value, std::function<void()> seen) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    watches_.push_back({word_of(at, 1), at, value, std::move(seen)});
}

std::size_t Memory::word_of(std::uint64_t address, unsigned bytes) const {
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(base_);
    if (offset >= taken_) throw AddressFault("an address outside of the machine's memory");
    if (address % bytes != 0)
        throw AddressFault("an address that is no multiple of its " + std::to_string(bytes) +
                           " bytes");
    return offset / 8;
}

// ---- blocks and barriers

unsigned Memory::begin_block(int rank) {
    blocks_[++next_block_].rank = rank;
    return next_block_;
}

void Memory::join(const std::vector<Actor*>& actors) {
    std::uint64_t views[3]{}, observed[3]{};
    for (const Actor* actor : actors)
        for (int n = 0; n < 3; ++n) {
            views[n] = std::max(views[n], actor->views[n]);
            observed[n] = std::max({observed[n], actor->observed[n], actor->observed_by_block[n]});
        }
    for (Actor* actor : actors) {
        std::copy(views, views + 3, actor->views);
        std::copy(observed, observed + 3, actor->observed_by_block);
    }
}

void Memory::pass_barrier(unsigned block, const std::vector<Actor*>& actors) {
    ++blocks_.at(block).epoch;
    if (barriers_order_) join(actors);
}

void Memory::pass_barrier(const std::vector<Actor*>& of_warp) {
    join(of_warp);
    for (Actor* actor : of_warp) {
        actor->views[static_cast<int>(Scope::block)] = now_;
        for (Held& held : blocks_.at(actor->block).held)
            if (held.thread == actor->number && held.since[0] == 0) held.since[0] = now_;
    }
}

void Memory::end_grid(int rank) {
    for (auto block = blocks_.begin(); block != blocks_.end();) {
        if (block->second.rank != rank) {
            ++block;
            continue;
        }
        while (!block->second.held.empty()) let_through(block->second.held, 0);
        block = blocks_.erase(block);
    }
    while (!of_gpus_[rank].empty()) let_through(of_gpus_[rank], 0);
}

bool Memory::holds_stores() const {
    return std::ranges::any_of(blocks_,
                               [](const auto& block) { return !block.second.held.empty(); }) ||
           std::ranges::any_of(of_gpus_, [](const auto& held) { return !held.empty(); });
}

void Memory::let_something_through() {
    if (!chance_.one_in(weather_.lets_through)) return;
    std::vector<Held>* chosen = nullptr;
    std::uint32_t kinds = 0;
    const auto offer = [&](std::vector<Held>& held) {
        if (!held.empty() && chance_.one_in(++kinds)) chosen = &held;
    };
    for (auto& [number, block] : blocks_) offer(block.held);
    for (auto& held : of_gpus_) offer(held);
    // more where many wait, so that all ends
    for (std::size_t n = chosen ? 1 + chosen->size() / 64 : 0; n > 0 && !chosen->empty(); --n)
        let_through(*chosen, chance_.below(static_cast<std::uint32_t>(chosen->size())));
}

// ---- stores on their way

bool Memory::reads(const Actor& actor, const Held& held) const {
    if (held.thread == actor.number) return true;
    return held.block == actor.block &&
           (held.since[0] > 0 || held.epoch < blocks_.at(actor.block).epoch);
}

void Memory::write(const Held& held) {
    const std::size_t n = word_of(held.address, held.bytes);
    Word& word = words_[n];
    std::memcpy(&word.before, base_ + 8 * n, 8);
    std::memcpy(reinterpret_cast<void*>(held.address), &held.value, held.bytes);
    ++now_;
    for (int scope = 0; scope < 3; ++scope)
        word.changed[scope] = scope < 2 && held.since[scope] > 0 ? held.since[scope] : now_;
    std::copy(word.released, word.released + 3, word.released_before);
    std::copy(held.released, held.released + 3, word.released);
    word.thread = held.thread;
    word.block = held.block;
    word.epoch = held.epoch;
    word.rank = held.rank;
    for (const Watch& w : watches_)
        if (w.word == n && w.address == held.address && w.value == held.value) w.seen();
}

// Before it, those to the same word that its thread has issued or seen before.
void Memory::let_through(std::vector<Held>& from, std::size_t n) {
    const std::size_t word = word_of(from[n].address, from[n].bytes);
    if (words_[word].held > 1) {
        std::vector<Held>& of_gpu = of_gpus_[from[n].rank];
        for (std::size_t k = 0; k < of_gpu.size() && &of_gpu != &from;)
            if (word_of(of_gpu[k].address, of_gpu[k].bytes) == word)
                let_through(of_gpu, k), k = 0;
            else
                ++k;
        for (std::size_t k = 0; k < n; ++k)
            if (word_of(from[k].address, from[k].bytes) == word &&
                (from[k].thread == from[n].thread || from[k].epoch < from[n].epoch))
                n = k;
    }
    const Held held = from[n];
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(n));
    --words_[word].held;
    write(held);
}

void Memory::settle(const Actor& actor, std::size_t word) {
    const auto settle_of = [&](std::vector<Held>& from, auto is_seen) {
        for (std::size_t n = 0; n < from.size() && words_[word].held > 0;) {
            if (word_of(from[n].address, from[n].bytes) == word && is_seen(from[n]))
                let_through(from, n), n = 0;
            else
                ++n;
        }
    };
    settle_of(of_gpus_[actor.rank], [](const Held&) { return true; });
    settle_of(blocks_.at(actor.block).held, [&](const Held& held) { return reads(actor, held); });
}

void Memory::release(Actor& actor, Scope scope) {
    Block& block = blocks_.at(actor.block);
    const auto covers = [&](const Held& held) {
        return held.thread == actor.number || (barriers_order_ && reads(actor, held));
    };
    ++now_;
    for (Held& held : block.held)
        for (int n = 0; n < 2 && n <= static_cast<int>(scope); ++n)
            if (held.since[n] == 0 && covers(held)) held.since[n] = now_;
    if (scope != Scope::block) {
        std::vector<Held>& of_gpu = of_gpus_[actor.rank];
        const auto rest = std::ranges::stable_partition(
            block.held, [&](const Held& held) { return held.since[1] == 0; });
        of_gpu.insert(of_gpu.end(), rest.begin(), rest.end());
        block.held.erase(rest.begin(), rest.end());
        if (scope == Scope::system)
            while (!of_gpu.empty()) let_through(of_gpu, 0);
    }
    for (int n = 0; n <= static_cast<int>(scope); ++n) actor.released[n] = now_;
}

// A wider scope holds for the narrower ones, too.
void Memory::acquire(Actor& actor, Scope scope, bool of_block) {
    for (int n = 0; n <= static_cast<int>(scope); ++n) {
        actor.views[n] = std::max(actor.views[n], actor.observed[n]);
        if (of_block) actor.views[n] = std::max(actor.views[n], actor.observed_by_block[n]);
    }
}

void Memory::fence(Actor& actor, const Instruction& i) {
    release(actor, i.scope);
    acquire(actor, i.scope, i.is_sequential);
}

// ---- accesses

bool Memory::must_see(const Actor& actor, std::size_t n) const {
    const Word& word = words_[n];
    const auto has_acquired = [&](Scope scope) {
        return word.changed[static_cast<int>(scope)] <= actor.views[static_cast<int>(scope)];
    };
    if (word.thread == actor.number || has_acquired(Scope::system)) return true;
    if (word.rank == actor.rank && has_acquired(Scope::gpu)) return true;
    if (word.block == actor.block &&
        (has_acquired(Scope::block) || word.epoch < blocks_.at(actor.block).epoch))
        return true;
    return std::ranges::any_of(
        actor.seen, [&](const auto& s) { return s.first == n && s.second >= word.changed[2]; });
}

void Memory::observe(Actor& actor, const Word& word, const std::uint64_t* released) const {
    for (int n = word.block == actor.block ? 0 : word.rank == actor.rank ? 1 : 2; n < 3; ++n)
        actor.observed[n] = std::max(actor.observed[n], released[n]);
}

Bits Memory::load(Actor& actor, std::uint64_t address, const Instruction& i) {
    const std::size_t n = word_of(address, i.bytes);
    const Word& word = words_[n];
    if (word.held > 0) settle(actor, n);
    Bits value = 0;
    if (word.changed[2] > actor.views[2] && !must_see(actor, n)) {
        if (chance_.one_in(weather_.stale)) {
            if (i.is_strong) observe(actor, word, word.released_before);
            if (i.acquires) acquire(actor, i.scope, false);
            std::memcpy(&value, reinterpret_cast<const std::byte*>(&word.before) + address % 8,
                        i.bytes);
            return value;
        }
        actor.seen.emplace_back(n, word.changed[2]);
    }
    std::memcpy(&value, reinterpret_cast<const void*>(address), i.bytes);
    if (i.is_strong) observe(actor, word, word.released);
    if (i.acquires) acquire(actor, i.scope, false);
    return value;
}

void Memory::store(Actor& actor, std::uint64_t address, Bits value, const Instruction& i) {
    const std::size_t n = word_of(address, i.bytes);
    if (i.releases) release(actor, i.scope);
    Block& block = blocks_.at(actor.block);
    block.held.push_back(
        {address, value, i.bytes, actor.number, actor.block, block.epoch, actor.rank, {}, {}});
    if (i.is_strong) std::copy(actor.released, actor.released + 3, block.held.back().released);
    ++words_[n].held;
}

Bits Memory::add(Actor& actor, std::uint64_t address, Bits value, const Instruction& i) {
    const std::size_t n = word_of(address, i.bytes);
    if (i.releases) release(actor, i.scope);
    if (words_[n].held > 0) settle(actor, n);
    Bits old = 0;
    std::memcpy(&old, reinterpret_cast<const void*>(address), i.bytes);
    const Bits sum = i.bytes == 4 ? static_cast<std::uint32_t>(old + value) : old + value;
    Held done{address,    sum, i.bytes, actor.number, actor.block, blocks_.at(actor.block).epoch,
              actor.rank, {},  {}};
    // additions hand on what was released
    for (int k = 0; k < 3; ++k)
        done.released[k] = std::max(actor.released[k], words_[n].released[k]);
    observe(actor, words_[n], words_[n].released);
    write(done);
    if (i.acquires) acquire(actor, i.scope, false);
    return old;
}

}  // namespace solenoid::test::ptx
