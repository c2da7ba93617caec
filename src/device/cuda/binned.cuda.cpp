// Reductions of what each entity of a launch gave: sums in no order (core/binned_sum.hpp), extrema
// as they are. For PTX, as a kernel's text.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {
namespace {

constexpr int bin_bits = 22, infinite = 93;  // the bin of what is infinite, or is no number
constexpr int bins = binned_numbers - 1;

SOLENOID_INLINED int exponent_of(double value) {
    return int(__builtin_bit_cast(Size, value) >> 52 & 0x7FF);
}

// x + anchor - anchor is x rounded to a multiple of the bin's unit.
SOLENOID_INLINED double anchor_of(int bin) {
    int exponent = bin_bits * bin + 1;
    exponent = exponent < 1 ? 1 : exponent > 2045 ? 2045 : exponent;
    return __builtin_bit_cast(double, Size(exponent) << 52 | Size(1) << 51);
}

// The highest bin in use, and what it and the three below hold; of an extreme the first alone. No
// array: its elements would leave the registers.
struct Binned {
    int top;
    double first, second, third, fourth;
};

SOLENOID_INLINED Binned nothing_of(uint operation) { return {2, identity_of(operation), 0, 0, 0}; }

SOLENOID_INLINED Binned raised(const Binned sum, int top) {
    double first = sum.first, second = sum.second, third = sum.third, fourth = sum.fourth;
    const int up = top - sum.top;
    for (int k = 0; k < up && k < bins; ++k) {
        fourth = third;
        third = second;
        second = first;
        first = 0;
    }
    return {up > 0 ? top : sum.top, first, second, third, fourth};
}

// The part of a value that a bin takes.
SOLENOID_INLINED double part_of(double value, int bin) {
    const double anchor = anchor_of(bin), shifted = value + anchor;
    return shifted - anchor;
}

SOLENOID_INLINED Binned with(const Binned sum, double value) {
    const int exponent = exponent_of(value), bin = (exponent + 31 + bin_bits - 1) / bin_bits;
    const Binned high = raised(sum, bin < infinite ? bin : infinite);
    const bool is_infinite = exponent > 1993;
    const double first = part_of(value, high.top), rest = value - first,
                 second = part_of(rest, high.top - 1), less = rest - second,
                 third = part_of(less, high.top - 2), least = less - third,
                 fourth = part_of(least, high.top - 3),
                 all = value * __builtin_bit_cast(double, Size(0x7FE0000000000000));
    return {high.top, high.first + (is_infinite ? all : first),
            high.second + (is_infinite ? 0.0 : second), high.third + (is_infinite ? 0.0 : third),
            high.fourth + (is_infinite ? 0.0 : fourth)};
}

SOLENOID_INLINED Binned together(uint operation, const Binned a, const Binned b) {
    if (operation != reduce_sum) return {2, combine(operation, a.first, b.first), 0, 0, 0};
    const Binned x = raised(a, b.top), y = raised(b, a.top);
    return {x.top, x.first + y.first, x.second + y.second, x.third + y.third, x.fourth + y.fourth};
}

SOLENOID_INLINED Binned with(uint operation, const Binned total, double value) {
    if (operation != reduce_sum) return {2, combine(operation, total.first, value), 0, 0, 0};
    return with(total, value);
}

// A block's totals, a thread a number; volatile as all that threads share (prologue.cuda.hpp).
struct Totals {
    volatile int top[group_size];
    volatile double parts[bins][group_size];
};

SOLENOID_INLINED Binned of(const Totals& totals, uint thread) {
    return {totals.top[thread], totals.parts[0][thread], totals.parts[1][thread],
            totals.parts[2][thread], totals.parts[3][thread]};
}

SOLENOID_INLINED void set(Totals& totals, uint thread, const Binned& sum) {
    totals.top[thread] = sum.top;
    totals.parts[0][thread] = sum.first;
    totals.parts[1][thread] = sum.second;
    totals.parts[2][thread] = sum.third;
    totals.parts[3][thread] = sum.fourth;
}

// The block's total is the first thread's; behind it threads may set others.
SOLENOID_INLINED void fold(uint operation, Totals& totals) {
    for (uint reach = group_size / 2; reach > 0; reach /= 2) {
        barrier();
        EACH_THREAD(thread) {
            if (thread < reach)
                set(totals, thread,
                    together(operation, of(totals, thread), of(totals, thread + reach)));
        }
    }
    barrier();
}

SOLENOID_INLINED void write(volatile double* to, const Binned& sum) {
    to[0] = sum.top;
    to[1] = sum.first;
    to[2] = sum.second;
    to[3] = sum.third;
    to[4] = sum.fourth;
}

SOLENOID_INLINED Binned read(const volatile double* from) {
    return {int(from[0]), from[1], from[2], from[3], from[4]};
}

SOLENOID_INLINED void reduce_binned(const BinnedArguments& a) {
    SOLENOID_SHARED Totals totals;
    SOLENOID_SHARED volatile uint is_last;
    for (uint n = 0; n < a.reductions; ++n) {
        const uint operation = operation_of(a.operations, n);
        EACH_THREAD(thread) {
            const double* const each = a.each + Size(n) * a.count;
            Binned total = nothing_of(operation);
            for (uint i = block_index() * group_size + thread; i < a.count;
                 i += block_count() * group_size)
                total = with(operation, total, each[i]);
            set(totals, thread, total);
        }
        fold(operation, totals);
        EACH_THREAD(thread) {
            if (thread == 0)
                write(a.partials + (block_index() * a.reductions + n) * binned_numbers,
                      of(totals, 0));
        }
    }
    EACH_THREAD(thread) {
        if (thread == 0) {
            fence_of_device();
            const bool last = add_atomically(a.finished, 1) == block_count() - 1;
            if (last) fence_of_device();  // the other blocks' numbers are there for all threads
            is_last = last;
        }
    }
    barrier();
    if (!is_last) return;
    for (uint n = 0; n < a.reductions; ++n) {
        const uint operation = operation_of(a.operations, n);
        EACH_THREAD(thread) {
            Binned total = nothing_of(operation);
            for (uint block = thread; block < block_count(); block += group_size)
                total = together(operation, total,
                                 read(a.partials + (block * a.reductions + n) * binned_numbers));
            set(totals, thread, total);
        }
        fold(operation, totals);
        EACH_THREAD(thread) {
            if (thread == 0) write(a.results->values + n * binned_numbers, of(totals, 0));
        }
    }
    EACH_THREAD(thread) {
        if (thread == 0) {
            *a.finished = 0;
            fence_of_system();
            volatile Results* const results = a.results;
            results->sequence = a.sequence;
        }
    }
}

}  // namespace
}  // namespace solenoid::cuda

using solenoid::cuda::BinnedArguments;
SOLENOID_ENTRY(reduce_binned, BinnedArguments) { solenoid::cuda::reduce_binned(arguments); }
