// Kernels whose threads, blocks and GPUs wait for one another, run on a machine that does whatever PTX leaves open (ptx_machine.hpp):
// they must be right in every order, and the machine must find what is wrong where the text is made wrong.
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

namespace solenoid {
namespace {

using test::ptx::Module, test::ptx::Outcome, test::ptx::outcome_of, test::ptx::with_target, test::ptx::count_of, test::ptx::without;

const KernelInfo& kernel_of(const std::string& name) {
    for (const KernelInfo* kernel : kernels::all())
        if (kernel->name == name) return *kernel;
    throw std::logic_error("no kernel " + name);
}

std::string text_of_kernel(const std::string& name) { return cuda::entry_text(kernel_of(name).ptx, name + "_double_3"); }

std::string text_of_dot() {
    test::KernelListener device;
    auto x = device.buffer<double>(10), y = device.buffer<double>(10);
    Over(device, {0, 10}).reduce(sum(product(x, y)), least(x));
    return cuda::expression_ptx(*device.heard.front().kernel, ElementType::float64, 3);
}

using Seed = std::uint64_t;

// A function of a text with what runs it, over few blocks and small messages.
struct Subject {
    std::string name, function, text;
    std::function<std::string(const Module&, Seed)> run;
};

std::vector<Subject> subjects() {
    const auto sends = [](const Module& peers, Seed seed) { return test::ptx::exchange(peers, 2 + seed % 2, 1 + seed % 3, 8, 700, seed); };
    return {
        {"sums over ranks", "add_ranks", cuda::sums_ptx, [](const Module& sums, Seed seed) { return test::ptx::add_over_ranks(sums, 2 + seed % 2, 12, seed); }},
        {"sums shown", "show", cuda::sums_ptx, [](const Module& sums, Seed seed) { return test::ptx::show_sums(sums, seed); }},
        {"messages sent", "send_8", cuda::peers_ptx, sends},
        {"messages received", "receive_8", cuda::peers_ptx, sends},
        {"a kernel's reduction", "cg_step_double_3", text_of_kernel("cg_step"), [](const Module& step, Seed seed) { return test::ptx::step(step, seed % 2, 1500, seed); }},
        {"an expression's reductions", "finish_totals", text_of_dot(), [](const Module& dot, Seed seed) { return test::ptx::dot(dot, seed % 2, 1500, seed); }},
        {"rows shared by lanes", "row_product_double_3", text_of_kernel("row_product"),
         [](const Module& rows, Seed seed) { return test::ptx::row_product(rows, 1 + seed % 5, 200, seed); }},
    };
}

class PtxRace : public testing::Test {
  protected:
    void SetUp() override {
        if (!cuda::has_kernels()) GTEST_SKIP() << "built without clang";
    }
};

TEST_F(PtxRace, SumsOverRanks) {
    const Module sums(with_target(cuda::sums_ptx, 70));
    for (const int ranks : {2, 3}) {
        const Outcome outcome = outcome_of(60, [&](Seed seed) { return test::ptx::add_over_ranks(sums, ranks, 12, seed); });
        EXPECT_EQ(outcome.failures, 0) << ranks << " ranks: " << outcome.first;
    }
    const Outcome shown = outcome_of(60, [&](Seed seed) { return test::ptx::show_sums(sums, seed); });
    EXPECT_EQ(shown.failures, 0) << shown.first;
}

TEST_F(PtxRace, Exchanges) {
    const Module peers(with_target(cuda::peers_ptx, 70));
    const Outcome outcome = outcome_of(60, [&](Seed seed) {
        return test::ptx::exchange(peers, 2 + seed % 2, 1 + seed % 3, seed % 5 == 0 ? 4 : 8, seed % 4 == 0 ? 1500 : 500, seed);
    });
    EXPECT_EQ(outcome.failures, 0) << outcome.first;
}

TEST_F(PtxRace, Reductions) {
    const Module step(with_target(text_of_kernel("cg_step"), 70)), dot(with_target(text_of_dot(), 70)), rows(with_target(text_of_kernel("row_product"), 70));
    const Outcome steps = outcome_of(40, [&](Seed seed) { return test::ptx::step(step, seed % 2, 1500, seed); });
    EXPECT_EQ(steps.failures, 0) << steps.first;
    const Outcome dots = outcome_of(40, [&](Seed seed) { return test::ptx::dot(dot, seed % 2, 1500, seed); });
    EXPECT_EQ(dots.failures, 0) << dots.first;
    const Outcome products = outcome_of(40, [&](Seed seed) { return test::ptx::row_product(rows, 1 + seed % 5, 200, seed); });
    EXPECT_EQ(products.failures, 0) << products.first;
}

TEST_F(PtxRace, PROBE) {
    for (const Subject& s : subjects()) {
        const std::string text = with_target(s.text, 70);
        const auto tell = [&](const std::string& what, const std::string& changed) {
            const auto t0 = std::chrono::steady_clock::now();
            Outcome o;
            try { const Module m(changed);
            o = outcome_of(s.name == "sums shown" ? 1000 : 100, [&](Seed seed) { return s.run(m, seed); }); } catch (std::exception& e) { o.first = e.what(); }
            std::cout << s.name << " | " << what << " | " << o.failures << " | " << std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() << " s | " << o.first << std::endl;
        };
        tell("as is", text);
        tell("sm_60", with_target(s.text, 60));
        for (std::size_t n = 0; n < count_of(text, s.function, {"membar", "fence"}); ++n) tell("fence " + std::to_string(n), without(text, s.function, {"membar", "fence"}, n));
        for (std::size_t n = 0; n < count_of(text, s.function, {"bar.sync"}); ++n) tell("barrier " + std::to_string(n), without(text, s.function, {"bar.sync"}, n));
    }
}

}  // namespace
}  // namespace solenoid
