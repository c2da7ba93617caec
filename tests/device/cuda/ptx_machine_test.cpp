// The machine itself: small programs of which the memory model of PTX says whether they may go
// wrong.
#include <gtest/gtest.h>

#include "device/cuda/ptx_edits.hpp"
#include "device/cuda/ptx_race_fixture.hpp"

namespace solenoid::test::ptx::ptx_machine_test {
namespace {

// Rank 0 writes a number and a signal, or hands the number on in its block; rank 1 waits for the
// signal and reads.
struct Post {
    std::uint64_t *number, *signal, *result;
};
constexpr const char* program = R"(.version 6.3
.target sm_70
.address_size 64
.visible .entry give(.param .align 8 .b8 arguments[24])
{
    ld.param.u64 %rd1, [arguments];
    ld.param.u64 %rd2, [arguments+8];
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, WRITER;
    @%p1 bra WRITTEN;
    st.global.u64 [%rd1], 7;
WRITTEN:
    JOIN
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra END;
    RELEASE
    STORE.u64 [%rd2], 1;
END:
    ret;
}
.visible .entry take(.param .align 8 .b8 arguments[24])
{
    ld.param.u64 %rd1, [arguments];
    ld.param.u64 %rd2, [arguments+8];
    ld.param.u64 %rd3, [arguments+16];
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra MEET;
WAIT:
    LOAD.u64 %rd4, [%rd2];
    setp.eq.s64 %p2, %rd4, 0;
    @%p2 bra WAIT;
    ACQUIRE
MEET:
    MEETING
    setp.ne.s32 %p1, %r1, READER;
    @%p1 bra END;
    LATE
    ld.global.u64 %rd5, [%rd1];
    st.global.u64 [%rd3], %rd5;
END:
    ret;
}
)";

struct Way {
    std::string release = "", store = "st.relaxed.sys", load = "ld.relaxed.sys", acquire = "";
    std::string writer = "0", join = "", reader = "0", meeting = "", late = "";
    int target = 70;
};

// Within 300 seeds.
bool text_may_fail(const std::string& text) {
    const Module module(text);
    return fails_within(300, [&](std::uint64_t seed) -> std::string {
        Memory memory(1 << 12, 2);
        Machine machine(memory, 2);
        machine.set_residents(2);
        const Post post{memory.allocate<std::uint64_t>(2), memory.allocate<std::uint64_t>(1),
                        memory.allocate<std::uint64_t>(1)};
        memory.start(seed, {unsigned(1 + seed % 3 * 20), 2}, module.target() >= 70);
        machine.launch(0, module, module.entry("give"), 1, post);
        machine.launch(1, module, module.entry("take"), 1, post);
        machine.run(seed);
        return *post.result == 7 ? "" : "an old number";
    });
}

bool may_fail(const Way& way) {
    std::string text = with_target(program, way.target);
    const std::pair<const char*, const std::string*> words[] = {
        {"WRITER", &way.writer},   {"JOIN", &way.join},     {"RELEASE", &way.release},
        {"STORE", &way.store},     {"LOAD", &way.load},     {"ACQUIRE", &way.acquire},
        {"MEETING", &way.meeting}, {"READER", &way.reader}, {"LATE", &way.late}};
    for (const auto& [word, by] : words) text = replaced(text, word, *by);
    return text_may_fail(text);
}

TEST(PtxMachine, ReleasesAndAcquiresByFences) {
    EXPECT_FALSE(may_fail({.release = "fence.acq_rel.sys;", .acquire = "fence.acq_rel.sys;"}));
    EXPECT_FALSE(may_fail({.release = "membar.sys;",
                           .store = "st.volatile",
                           .load = "ld.volatile",
                           .acquire = "membar.sys;"}));
    EXPECT_TRUE(may_fail({.acquire = "fence.acq_rel.sys;"}));
    EXPECT_TRUE(may_fail({.release = "fence.acq_rel.sys;"}));
    EXPECT_TRUE(may_fail({.release = "fence.acq_rel.gpu;", .acquire = "fence.acq_rel.sys;"}));
    EXPECT_TRUE(may_fail({.release = "fence.acq_rel.sys;", .acquire = "fence.acq_rel.gpu;"}));
    // a weak store is no signal
    EXPECT_TRUE(may_fail({.release = "fence.sc.sys;", .store = "st", .acquire = "fence.sc.sys;"}));
}

TEST(PtxMachine, ReleasesAndAcquiresByAccesses) {
    EXPECT_FALSE(may_fail({.store = "st.release.sys", .load = "ld.acquire.sys"}));
    EXPECT_FALSE(may_fail({.store = "st.release.sys.global", .acquire = "fence.acq_rel.sys;"}));
    EXPECT_TRUE(may_fail({.store = "st.release.sys"}));
    EXPECT_TRUE(may_fail({.load = "ld.acquire.sys"}));
    EXPECT_TRUE(may_fail({.store = "st.release.gpu", .load = "ld.acquire.sys"}));
    EXPECT_TRUE(may_fail({.store = "st.release.sys", .load = "ld.acquire.gpu"}));
}

// A barrier hands on what threads have stored and acquired, from sm_70 on.
TEST(PtxMachine, BarriersHandOn) {
    const Way way{.store = "st.release.sys",
                  .load = "ld.acquire.sys",
                  .writer = "200",
                  .join = "bar.sync 0;",
                  .reader = "100",
                  .meeting = "bar.sync 0;"};
    const auto with = [&](auto change) {
        Way other = way;
        change(other);
        return may_fail(other);
    };
    EXPECT_FALSE(may_fail(way));
    EXPECT_TRUE(with([](Way& w) { w.join = ""; }));
    EXPECT_TRUE(with([](Way& w) { w.target = 60; }));
    EXPECT_TRUE(with([](Way& w) { w.load = "ld.relaxed.sys"; }));
    // the load is another thread's
    EXPECT_TRUE(with([](Way& w) { w.load = "ld.relaxed.sys", w.late = "fence.acq_rel.sys;"; }));
    EXPECT_FALSE(with([](Way& w) { w.load = "ld.relaxed.sys", w.late = "fence.sc.sys;"; }));
    EXPECT_FALSE(with([](Way& w) { w.load = "ld.relaxed.sys", w.acquire = "fence.acq_rel.sys;"; }));
}

TEST(PtxMachine, WarpsMeetWhereTheyAreToldTo) {
    const Way way{.store = "st.release.sys",
                  .load = "ld.acquire.sys",
                  .writer = "3",
                  .join = "bar.warp.sync -1;",
                  .reader = "5",
                  .meeting = "bar.warp.sync -1;"};
    EXPECT_FALSE(may_fail(way));
    Way other = way;
    other.target = 60;
    EXPECT_TRUE(may_fail(other));
    other = way;
    other.meeting = "";
    EXPECT_TRUE(may_fail(other));
}

// A word that bears its own signal is whole; of two words in one access each may come first.
TEST(PtxMachine, WordsAreWholeAndVectorsAreNot) {
    const std::string text = R"(.version 6.3
.target sm_70
.visible .entry give(.param .align 8 .b8 arguments[24])
{
    ld.param.u64 %rd1, [arguments];
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @!%p1 STORE
    ret;
}
.visible .entry take(.param .align 8 .b8 arguments[24])
{
    ld.param.u64 %rd1, [arguments];
    ld.param.u64 %rd3, [arguments+16];
WAIT:
    LOAD
    setp.eq.s64 %p2, %rd4, 0;
    @%p2 bra WAIT;
    shr.u64 %rd5, %rd5, SHIFT;
    st.global.u64 [%rd3], %rd5;
    ret;
}
)";
    const auto with = [&](const std::string& store, const std::string& load,
                          const std::string& shift) {
        return replaced(replaced(replaced(text, "STORE", store), "LOAD", load), "SHIFT", shift);
    };
    EXPECT_FALSE(
        text_may_fail(with("st.relaxed.sys.u64 [%rd1], 0x700000001;",
                           "ld.relaxed.sys.u64 %rd4, [%rd1];\n mov.u64 %rd5, %rd4;", "32")));
    EXPECT_TRUE(text_may_fail(with("st.volatile.global.v2.u64 [%rd1], {7, 1};",
                                   "ld.volatile.global.v2.u64 {%rd5, %rd4}, [%rd1];", "0")));
}

TEST(PtxMachine, RefusesWhatItDoesNotKnow) {
    const auto error_of = [](const std::string& line) -> std::string {
        try {
            Module(".version 6.3\n.target sm_70\n.visible .entry one(.param .u64 number)\n{\n" +
                   line + "\nret;\n}\n");
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of("vote.sync.any.pred %p1, %p2, -1;"),
              "PTX: not known: 'vote.sync.any.pred %p1 , %p2 , - 1'");
    EXPECT_NE(error_of("bra NOWHERE;").find("no such label in one: 'NOWHERE'"), std::string::npos);
    EXPECT_EQ(error_of("ld.param.u64 %rd1, [number];"), "");
    EXPECT_NE(error_of("ld.param.u64 %rd1, [other];").find("no such variable"), std::string::npos);
}

}  // namespace
}  // namespace solenoid::test::ptx::ptx_machine_test
