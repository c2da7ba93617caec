// Kernels whose threads, blocks and GPUs wait for one another, run on a machine that does whatever
// PTX leaves open (ptx_machine.hpp): they must be right in every order, and the machine must find
// what is wrong where the text is made wrong.
#include <gtest/gtest.h>

#include <functional>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_kernels.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/expression_ptx.hpp"
#include "device/cuda/kernel_listener.hpp"
#include "device/cuda/ptx_edits.hpp"
#include "device/cuda/ptx_race_fixture.hpp"
#include "device/kernels.hpp"

namespace solenoid::ptx_race_test {
namespace {

using test::ptx::count_of, test::ptx::replaced, test::ptx::with_data_behind, test::ptx::with_target,
    test::ptx::without;
using test::ptx::Module, test::ptx::Outcome, test::ptx::outcome_of, test::ptx::fails_within;

const KernelInfo& kernel_of(const std::string& name) {
    for (const KernelInfo* kernel : kernels::all())
        if (kernel->name == name) return *kernel;
    throw std::logic_error("no kernel " + name);
}

std::string text_of_kernel(const std::string& name) {
    return cuda::entry_text(kernel_of(name).ptx, name + "_double_3");
}

std::string text_of_dot() {
    test::KernelListener device;
    auto x = device.buffer<double>(10), y = device.buffer<double>(10);
    Over(device, {0, 10}).reduce(ThisRank(), sum(product(x, y)), least(x));
    return cuda::expression_ptx(*device.heard.front().kernel, ElementType::float64, 3);
}

using Seed = std::uint64_t;

// A function of a text with what runs it, over few blocks and small messages.
struct Subject {
    std::string name, function, text;
    std::function<std::string(const Module&, Seed)> run;
    // Of the text's fences and barriers, by their order in it, those that it cannot do without:
    // others order nothing that these runs could show (folds within what is zero, say, or what one
    // thread has written and reads again).
    std::vector<std::size_t> fences, barriers;
    int seeds = 100;  // within which a fault is found
};

std::vector<Subject> subjects() {
    const auto exchange = [](bool at_once) {
        return [at_once](const Module& peers, Seed seed) {
            return test::ptx::exchange(peers, at_once, 2 + seed % 2, 1 + seed % 3, 8, 700, seed);
        };
    };
    const auto sums = [](const Module& sums, Seed seed) {
        return test::ptx::add_over_ranks(sums, 2 + seed % 2, 12, seed);
    };
    const auto step = [](const Module& step, Seed seed) {
        return test::ptx::step(step, seed % 2, 1500, seed);
    };
    const auto dot = [](const Module& dot, Seed seed) {
        return test::ptx::dot(dot, seed % 2, 1500, seed);
    };
    const auto binned = [](const Module& binned, Seed seed) {
        return test::ptx::binned(binned, 700, seed);
    };
    const auto rows = [](const Module& rows, Seed seed) {
        return test::ptx::spmv_dot(rows, 1 + seed % 5, 200, seed);
    };
    return {
        {"sums over ranks", "add_ranks", cuda::sums_ptx, sums, {}, {0, 1}},
        {"sums shown", "show", cuda::sums_ptx, test::ptx::show_sums, {0}, {0}, 400},
        {"messages sent", "send_8", cuda::peers_ptx, exchange(false), {}, {0}},
        {"messages received", "receive_8", cuda::peers_ptx, exchange(false), {}, {0}},
        {"messages exchanged", "exchange_8", cuda::peers_ptx, exchange(true), {}, {0, 1}},
        {"a kernel's reduction",
         "cg_step_double_3",
         text_of_kernel("cg_step"),
         step,
         {0, 1, 2},
         {0, 1, 2, 3, 4, 5, 6, 7, 9, 10}},
        {"an expression's reductions",
         "finish_totals",
         text_of_dot(),
         dot,
         {0, 1, 2},
         {0, 2, 3, 4, 5, 6, 7, 8, 9, 12}},
        {"sums in no order", "reduce_binned", cuda::binned_ptx, binned, {0, 1, 2}, {0, 1, 2, 3, 4}},
        {"rows shared by lanes",
         "spmv_dot_double_3",
         text_of_kernel("spmv_dot"),
         rows,
         {0, 1, 2},
         {0, 1, 2, 3, 9, 10}},
    };
}

class PtxRace : public testing::Test {
  protected:
    void SetUp() override {
        if (!cuda::has_kernels()) GTEST_SKIP() << "built without clang";
    }
};

void expect_right(const Outcome& outcome, const std::string& what) {
    EXPECT_EQ(outcome.failures, 0) << what << ", " << outcome.first;
}

TEST_F(PtxRace, SumsAreRightInEveryOrder) {
    const Module sums(with_target(cuda::sums_ptx, 70));
    for (const int ranks : {2, 3})
        expect_right(
            outcome_of(60,
                       [&](Seed seed) { return test::ptx::add_over_ranks(sums, ranks, 12, seed); }),
            std::to_string(ranks) + " ranks");
    expect_right(outcome_of(200, [&](Seed seed) { return test::ptx::show_sums(sums, seed); }),
                 "shown");
}

TEST_F(PtxRace, GhostsAreRightInEveryOrder) {
    const Module peers(with_target(cuda::peers_ptx, 70));
    expect_right(outcome_of(100,
                            [&](Seed seed) {
                                return test::ptx::exchange(peers, seed % 3 != 0, 2 + seed % 2,
                                                           1 + seed % 3, seed % 5 == 0 ? 4 : 8,
                                                           seed % 8 == 0 ? 3000 : 500, seed);
                            }),
                 "exchanges");
}

TEST_F(PtxRace, ReductionsAreRightInEveryOrder) {
    const Module step(with_target(text_of_kernel("cg_step"), 70)),
        dot(with_target(text_of_dot(), 70)), rows(with_target(text_of_kernel("spmv_dot"), 70));
    expect_right(
        outcome_of(40, [&](Seed seed) { return test::ptx::step(step, seed % 2, 1500, seed); }),
        "a kernel's reduction");
    expect_right(
        outcome_of(4, [&](Seed seed) { return test::ptx::step(step, seed % 2, 12000, seed); }),
        "a kernel's reduction of many blocks");
    expect_right(
        outcome_of(40, [&](Seed seed) { return test::ptx::dot(dot, seed % 2, 1500, seed); }),
        "an expression's reductions");
    const Module binned(with_target(cuda::binned_ptx, 70));
    expect_right(outcome_of(20, [&](Seed seed) { return test::ptx::binned(binned, 1500, seed); }),
                 "sums in no order");
    expect_right(
        outcome_of(40,
                   [&](Seed seed) { return test::ptx::spmv_dot(rows, 1 + seed % 5, 200, seed); }),
        "rows shared by lanes");
}

// One thread of a warp at a barrier counts for all there, a fence is not the block's, and shfl.sync
// does not bring threads together.
TEST_F(PtxRace, TheSameTextsForSm60AreWrong) {
    for (const Subject& s : subjects()) {
        if (s.function == "show") continue;  // its one warp is never parted before the barrier
        const Module module(with_target(s.text, 60));
        EXPECT_TRUE(fails_within(s.seeds, [&](Seed seed) { return s.run(module, seed); }))
            << s.name;
    }
}

TEST_F(PtxRace, FindsWhatIsLeftOut) {
    const std::vector<std::string> fences{"membar", "fence"}, barriers{"bar.sync"};
    for (const Subject& s : subjects()) {
        const std::string text = with_target(s.text, 70);
        const auto expect_found = [&](const std::vector<std::string>& words, std::size_t n) {
            const Module module(without(text, s.function, words, n));
            EXPECT_TRUE(fails_within(s.seeds, [&](Seed seed) { return s.run(module, seed); }))
                << s.name << " without " << words[0] << " " << n;
        };
        EXPECT_EQ(count_of(text, s.function, fences), s.fences.size())
            << s.name << ": a fence that no run needs, or a list that is not the text's";
        for (const std::size_t n : s.fences) expect_found(fences, n);
        for (const std::size_t n : s.barriers) expect_found(barriers, n);
    }
}

TEST_F(PtxRace, FindsSignalsThatComeTooEarly) {
    const std::string peers = with_target(cuda::peers_ptx, 70),
                      sums = with_target(cuda::sums_ptx, 70),
                      step = with_target(text_of_kernel("cg_step"), 70);
    const auto expect_found = [&](const std::string& text, const std::string& subject,
                                  const std::string& fault) {
        const Module module(text);
        for (const Subject& s : subjects())
            if (s.name == subject) {
                EXPECT_TRUE(fails_within(s.seeds, [&](Seed seed) { return s.run(module, seed); }))
                    << subject << ": " << fault;
            }
    };
    expect_found(replaced(peers, "st.release.sys", "st.relaxed.sys"), "messages exchanged",
                 "a signal that releases nothing");
    expect_found(replaced(peers, "st.release.sys", "st.release.gpu"), "messages exchanged",
                 "a signal for its own GPU alone");
    expect_found(replaced(peers, "ld.acquire.sys", "ld.relaxed.sys"), "messages exchanged",
                 "who waits acquires nothing");
    expect_found(replaced(peers, "ld.acquire.sys", "ld.acquire.gpu"), "messages exchanged",
                 "who waits acquires its own GPU's");
    expect_found(with_data_behind(step, "cg_step_double_3", {"st.volatile.global.f64"},
                                  {"st.volatile.global.u32"}, 0),
                 "a kernel's reduction", "the signal before a result");
    expect_found(
        with_data_behind(step, "cg_step_double_3", {"st.volatile.global.f64"}, {"atom"}, 0),
        "a kernel's reduction", "counted before it is there");
    expect_found(replaced(step, "membar.sys", "membar.gl"), "a kernel's reduction",
                 "a fence that does not reach the host");
}

// What the machine knows is what clang makes.
TEST_F(PtxRace, EveryKernelIsRead) {
    for (const KernelInfo* kernel : kernels::all())
        EXPECT_NO_THROW(Module(std::string(kernel->ptx))) << kernel->name;
    EXPECT_NO_THROW(Module(std::string(cuda::moves_ptx)));
    EXPECT_NO_THROW(Module(std::string(cuda::expression_functions_ptx)));
}

}  // namespace
}  // namespace solenoid::ptx_race_test
