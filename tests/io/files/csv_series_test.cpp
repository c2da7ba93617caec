// Tables of a run that is continued: the bytes of a run that was not, and what becomes of a table
// that is not what it was.
#include "io/files/csv_series.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/files/unwritten.hpp"
#include "support/saved_states.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::csv_series_test {
namespace {

namespace fs = std::filesystem;

class CsvSeriesTest : public testing::Test {
  protected:
    struct Table {
        CsvSeries series;
        StateRegistry registry;
        Table(const Communicator& comm, const fs::path& file, std::vector<std::string> columns)
            : series(comm, file, std::move(columns)) {
            series.register_state(StateValues(registry).part("tables"), "flow");
        }
        void append(int from, int to) {
            for (int i = from; i <= to; ++i) series.append({0.1 * i, 1.0 / i});
        }
        // Takes up what was saved. Returns the refusal, or nothing.
        std::string load(const test::SavedState& saved) {
            try {
                EXPECT_TRUE(registry.missing(saved.names()).empty());
                EXPECT_TRUE(
                    registry
                        .load(saved.names(), [&](const StateArray& one) { return saved.read(one); })
                        .empty());
                return "";
            } catch (const AgreedError& error) {
                EXPECT_EQ(error.exit_code(), 2);
                return error.what();
            }
        }
    };
    std::unique_ptr<Table> table(const std::string& name,
                                 std::vector<std::string> columns = {"time", "value"}) const {
        return std::make_unique<Table>(comm, file(name), std::move(columns));
    }
    fs::path file(const std::string& name) const { return scratch / (name + ".csv"); }
    std::string text(const std::string& name) const {
        comm.barrier();
        const std::string text = text_of(file(name));
        comm.barrier();
        return text;
    }
    void replace(const std::string& name, const std::string& text) const {
        comm.barrier();
        if (comm.is_root()) std::ofstream(file(name), std::ios::binary) << text;
        comm.barrier();
    }
    // The bytes of a table that was never taken up.
    std::string whole(int rows) const {
        const auto one = table("whole");
        one->append(1, rows);
        one->series.flush();
        return text("whole");
    }
    test::SavedState saved(const Table& table) const { return {comm, table.registry.save()}; }

    const Communicator comm = Communicator::world();
    const ScratchFolder scratch{comm};
};

TEST_F(CsvSeriesTest, IsContinuedByteForByte) {
    const auto first = table("flow");
    first->append(1, 3);
    const test::SavedState state = saved(*first);
    EXPECT_EQ(text("flow"), whole(3));  // nothing waits where it can be written
    first->append(4, 5);
    first->series.append({77.0, 78.0});
    first->series.flush();  // what a run that was broken off has written behind
    EXPECT_NE(text("flow"), whole(3));

    const auto second = table("flow");
    ASSERT_EQ(second->load(state), "");
    EXPECT_NE(text("flow"), whole(3));  // until something is written
    second->series.flush();
    EXPECT_EQ(text("flow"), whole(3));
    second->append(4, 6);
    const test::SavedState later = saved(*second);
    second->append(7, 7);
    second->series.flush();
    EXPECT_EQ(text("flow"), whole(7));

    const auto third = table("flow");  // and once more
    ASSERT_EQ(third->load(later), "");
    third->append(7, 9);
    third->series.flush();
    EXPECT_EQ(text("flow"), whole(9));
}

TEST_F(CsvSeriesTest, StateHasTheRowsThatCouldNotBeWritten) {
    const auto first = table("flow");
    first->append(1, 2);
    first->series.flush();
    const auto move = [&](const char* from, const char* to) {
        comm.barrier();
        if (comm.is_root()) fs::rename(file(from), file(to));
        comm.barrier();
    };
    move("flow", "gone");
    first->append(3, 4);
    const test::SavedState state = saved(*first);
    EXPECT_EQ(unwritten().size(), comm.is_root() ? 1u : 0u);
    move("gone", "flow");
    EXPECT_EQ(text("flow"), whole(2));

    const auto second = table("flow");
    ASSERT_EQ(second->load(state), "");
    second->append(5, 5);
    second->series.flush();
    EXPECT_EQ(text("flow"), whole(5));
    EXPECT_TRUE(unwritten().empty());
}

TEST_F(CsvSeriesTest, RefusesATableThatWasChanged) {
    const auto first = table("flow");
    first->append(1, 3);
    const test::SavedState state = saved(*first);
    const std::string before = text("flow");
    std::string changed = before;
    changed[before.size() - 2] ^= 1;
    for (const auto& [now, word] : {std::pair(changed, "was changed"),
                                    std::pair(before.substr(0, before.size() - 1), "lost rows"),
                                    std::pair(std::string(), "lost rows")}) {
        replace("flow", now);
        const std::string refusal = table("flow")->load(state);
        EXPECT_NE(refusal.find(word), std::string::npos) << refusal;
        EXPECT_NE(refusal.find("flow.csv"), std::string::npos) << refusal;
        EXPECT_EQ(text("flow"), now);
    }
    replace("flow", before);
    const std::string refusal = table("flow", {"time", "other"})->load(state);
    EXPECT_NE(refusal.find("its columns are time,value, and the case gives time,other now: give "
                           "the case its fields back, or the monitor another name"),
              std::string::npos)
        << refusal;
    EXPECT_EQ(table("flow")->load(state), "");
}

TEST_F(CsvSeriesTest, BeginsAnewWhereTheTableIsGoneOrHadNoRows) {
    const auto first = table("flow");
    const test::SavedState without = saved(*first);
    EXPECT_TRUE(without.names().empty());
    first->append(1, 3);
    const test::SavedState state = saved(*first);
    comm.barrier();
    if (comm.is_root()) fs::remove(file("flow"));
    comm.barrier();
    const auto second = table("flow");
    ASSERT_EQ(second->load(state), "");
    second->append(4, 5);
    second->series.flush();
    EXPECT_EQ(text("flow"), "time,value\n0.4,0.25\n0.5,0.2\n");

    const auto third = table("flow");
    third->append(1, 9);
    ASSERT_EQ(third->load(without), "");  // forgets what it had
    third->append(1, 1);
    third->series.flush();
    EXPECT_EQ(text("flow"), whole(1));
}

}  // namespace
}  // namespace solenoid::csv_series_test
