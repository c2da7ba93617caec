// What the race test runs on the machine: kernels of the CUDA device with arguments of their own,
// and what must come out. How arguments are filled stands in ptx_race_fixture.cpp and nowhere else
// of the test.
#pragma once

#include <string>

#include "device/cuda/ptx_machine.hpp"

namespace solenoid::test::ptx {

// One run on a machine of its own: "" where every number is right, else what is wrong. What the
// machine refuses it throws. add_ranks, one behind the other
std::string add_over_ranks(const Module& sums, int ranks, int rounds, std::uint64_t seed);
// the host looks as soon as it may
std::string show_sums(const Module& sums, std::uint64_t seed);
// By exchange_4 and _8, or by send_ and receive_; most: entities of a message.
std::string exchange(const Module& peers, bool at_once, int ranks, int columns, unsigned bytes,
                     unsigned most, std::uint64_t seed);
// a kernel's reduction, again and again
std::string step(const Module& cg_step, bool keeps, unsigned entities, std::uint64_t seed);
// an expression's: sum(x * y) and least(x)
std::string dot(const Module& expression, bool keeps, unsigned entities, std::uint64_t seed);
// sums in no order of what entities gave, and their least
std::string binned(const Module& binned, unsigned entities, std::uint64_t seed);
// lanes share rows
std::string spmv_dot(const Module& spmv_dot, unsigned lane_bits, unsigned rows, std::uint64_t seed);

// Of the seeds 1 to `seeds`, those that go wrong, and what the first of them says.
struct Outcome {
    int failures = 0;
    std::string first;
};
template <class Run>
Outcome outcome_of(int seeds, Run run) {
    Outcome outcome;
    for (int seed = 1; seed <= seeds; ++seed) {
        std::string fault;
        try {
            fault = run(static_cast<std::uint64_t>(seed));
        } catch (const std::runtime_error& error) {
            fault = error.what();
        }
        if (!fault.empty() && outcome.failures++ == 0)
            outcome.first = "seed " + std::to_string(seed) + ": " + fault;
    }
    return outcome;
}
// The same, no further than to the first that goes wrong.
template <class Run>
bool fails_within(int seeds, Run run) {
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto one =
            outcome_of(1, [&](std::uint64_t) { return run(static_cast<std::uint64_t>(seed)); });
        if (one.failures > 0) return true;
    }
    return false;
}

}  // namespace solenoid::test::ptx
