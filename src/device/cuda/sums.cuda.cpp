// Sums that stay on the GPU: set by the host, shown to it, added up over the GPUs of a host. For
// PTX, as a kernel's text.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {
namespace {

// The sum of the ranks' numbers: where ranks are no power of two, the first ones in pairs; then
// neighbours, their neighbours, and so on: the order of MPI's recursive doubling, on every rank.
SOLENOID_INLINED double folded(volatile double* part, uint ranks) {
    uint power = 1;
    while (2 * power <= ranks) power *= 2;
    const uint extra = ranks - power;
    for (uint i = 0; i < power; ++i)
        part[i] = i < extra ? part[2 * i] + part[2 * i + 1] : part[i + extra];
    for (uint step = 1; step < power; step *= 2)
        for (uint i = 0; i < power; i += 2 * step) part[i] = part[i] + part[i + step];
    return part[0];
}

// One block: a thread posts a word to a rank, and waits for one from a rank.
SOLENOID_INLINED void add_ranks(const RankSumArguments& a) {
    SOLENOID_SHARED volatile uint halves[kept_count][2 * group_size];  // of a number, all ranks'
    volatile Kept* const kept = a.kept;
    volatile Size* const round = a.round;
    const Size number = *round + 1;
    const uint words = sum_words * a.ranks, place = uint(number % 2) * sum_words;
    EACH_THREAD(thread) {
        for (uint k = thread; k < words; k += group_size) {
            const uint rank = k / sum_words, word = k % sum_words;
            const Size bits = __builtin_bit_cast(Size, double(kept->values[word / 2]));
            store_relaxed(a.send_slots[rank] + place + word,
                          (word % 2 ? bits >> 32 : bits) << 32 | uint(number));
        }
    }
    EACH_THREAD(thread) {
        for (uint k = thread; k < words; k += group_size) {
            const uint rank = k / sum_words, word = k % sum_words;
            Size arrived = load_relaxed(a.receive_slots[rank] + place + word);
            while (uint(arrived) != uint(number)) {
                wait_a_little();
                arrived = load_relaxed(a.receive_slots[rank] + place + word);
            }
            halves[word / 2][2 * rank + word % 2] = uint(arrived >> 32);
        }
    }
    barrier();
    Tree& tree = group_tree();
    EACH_THREAD(thread) {
        if (thread < a.ranks)
            for (uint n = 0; n < kept_count; ++n)
                tree[n][thread] = __builtin_bit_cast(
                    double, Size(halves[n][2 * thread + 1]) << 32 | halves[n][2 * thread]);
    }
    barrier();
    EACH_THREAD(thread) {
        if (thread < kept_count) kept->values[thread] = folded(tree[thread], a.ranks);
        if (thread == 0) *round = number;
    }
}

SOLENOID_INLINED void set_sums(const DeviceSumArguments& a) {
    EACH_THREAD(thread) {
        if (thread < kept_count) a.kept->values[thread] = a.values[thread];
    }
}

SOLENOID_INLINED void clear_sums(const DeviceSumArguments& a) {
    EACH_THREAD(thread) {
        if (thread < kept_count) {
            a.kept->before[thread] = a.kept->values[thread];
            a.kept->values[thread] = 0;
        }
    }
}

SOLENOID_INLINED void show(const ShowArguments& a) {
    volatile Shown* const shown = a.shown;
    EACH_THREAD(thread) {
        const uint one = thread / kept_count, n = thread % kept_count;
        if (one < a.count) shown->values[one][n] = a.kept[one]->values[n];
        fence_of_system();
    }
    barrier();
    EACH_THREAD(thread) {
        if (thread == 0) shown->sequence = a.sequence;
    }
}

}  // namespace
}  // namespace solenoid::cuda

using solenoid::cuda::DeviceSumArguments, solenoid::cuda::RankSumArguments,
    solenoid::cuda::ShowArguments;
SOLENOID_ENTRY(set_sums, DeviceSumArguments) { solenoid::cuda::set_sums(arguments); }
SOLENOID_ENTRY(clear_sums, DeviceSumArguments) { solenoid::cuda::clear_sums(arguments); }
SOLENOID_ENTRY(show, ShowArguments) { solenoid::cuda::show(arguments); }
SOLENOID_ENTRY(add_ranks, RankSumArguments) { solenoid::cuda::add_ranks(arguments); }
