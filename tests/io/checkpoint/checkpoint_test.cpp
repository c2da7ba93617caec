// Checkpoints: written and read on any number of ranks, refused where damaged.
#include <gtest/gtest.h>

#include <random>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/checkpoint/checksum.hpp"
#include "io/checkpoint/partition_array.hpp"
#include "parallel/bytes.hpp"
#include "parallel/simplex_topology.hpp"
#include "samples.hpp"

namespace solenoid::checkpoint_test {
namespace {

using Of = StateArray::Of;
using checkpoints::arrays;
using checkpoints::emptied;
using checkpoints::header;
using checkpoints::same_values;
using checkpoints::write_text;

// The message of the error with this exit code that the action ends with on all ranks.
std::string refusal(int exit_code, const std::function<void()>& action) {
    try {
        action();
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), exit_code) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// CRC-32 bit by bit, as ISO 3309 defines it.
std::uint32_t bit_by_bit(std::span<const std::byte> bytes) {
    std::uint32_t rest = ~0u;
    for (const std::byte byte : bytes) {
        rest ^= static_cast<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320u : 0);
    }
    return ~rest;
}

TEST(Checksum, IsCrc32OfAnyLengthAndPlace) {
    std::mt19937 random(1);
    std::vector<std::byte> all(2100);
    for (std::byte& byte : all) byte = static_cast<std::byte>(random());
    for (std::size_t length = 0; length + 13 <= all.size(); length += length < 700 ? 1 : 97)
        for (const std::size_t first : {0, 1, 13}) {
            const auto some = std::span(all).subspan(first, length);
            ASSERT_EQ(checksum(some), bit_by_bit(some)) << first << ", " << length;
        }
    const std::string known = "123456789";
    EXPECT_EQ(checksum(std::as_bytes(std::span(known))), 0xcbf43926u);
}

class Checkpoint : public testing::Test {
  protected:
    Communicator comm = Communicator::world();
    const Communicator alone = Communicator::self();
    ScratchFolder folder{comm};
    const std::filesystem::path file = folder / "step.checkpoint";

    void expect_all_arrays(const Communicator& readers, const std::filesystem::path& from) {
        const CheckpointFile read(readers, from);
        const auto expected = arrays(readers);
        ASSERT_EQ(read.arrays().size(), expected.size());
        for (const StateArray& array : expected) {
            StateArray found = emptied(array);
            read.fill(found);
            EXPECT_TRUE(same_values(found, array)) << array.name;
        }
        const CheckpointHeader &a = read.header(), b = header();
        EXPECT_EQ(std::tie(a.version, a.case_text, a.physics, a.precision, a.ranks, a.step, a.time,
                           a.dimension, a.count, a.mesh_hash, a.more),
                  std::tie(b.version, b.case_text, b.physics, b.precision, b.ranks, b.step, b.time,
                           b.dimension, b.count, b.mesh_hash, b.more));
    }
};

TEST_F(Checkpoint, IsTheSameFromAndForAnyRanks) {
    comm.set_chunk_bytes(100);
    for (const std::uint32_t block : {64u, 1000u, 1u << 20}) {
        write_checkpoint(comm, file, header(), arrays(comm), block);
        EXPECT_FALSE(std::filesystem::exists(folder / "step.checkpoint.part"));
        const auto mine = folder / ("of_rank_" + std::to_string(comm.rank()));
        write_checkpoint(alone, mine, header(), arrays(alone), block);
        EXPECT_TRUE(text_of(file) == text_of(mine)) << "other bytes than of one rank";
        expect_all_arrays(comm, file);
        expect_all_arrays(alone, file);
    }
}

TEST_F(Checkpoint, HasTheDocumentedBytes) {
    const auto all = arrays(alone);
    write_checkpoint(alone, folder / ("a" + std::to_string(comm.rank())), header(), all, 128);
    const std::string bytes = text_of(folder / ("a" + std::to_string(comm.rank())));
    std::int64_t at = 0, length = 0;
    std::memcpy(&at, bytes.data() + 32, 8);
    std::memcpy(&length, bytes.data() + 40, 8);
    EXPECT_TRUE(bytes ==
                checkpoints::sealed(bytes.substr(64, at - 64), bytes.substr(at, length), 128));
}

// Such as the place of a case in a folder whose name is in Latin-1.
TEST_F(Checkpoint, TakesTextsThatAreNotUtf8) {
    CheckpointHeader with_paths = header();
    with_paths.more = {{"case_file", "/h\xf6hle/50% \n.toml"}, {"plain", "/höhle/%41.toml"}};
    write_checkpoint(comm, file, with_paths, arrays(comm));
    EXPECT_EQ(CheckpointFile(comm, file).header().more, with_paths.more);
    EXPECT_TRUE(contains(text_of(file), "\"/h%f6hle/50%25%20%0a.toml\""));
}

TEST_F(Checkpoint, ReadsBlocksOfArrays) {
    write_checkpoint(comm, file, header(), arrays(comm));
    const CheckpointFile read(comm, file);
    const CheckpointArray& some = *read.find("outflow");
    EXPECT_EQ(some.count, 133);
    EXPECT_EQ(read.numbers(some, 10, 3), (std::vector<GlobalIndex>{30, 33, 36}));
    const auto values = read.values<double>(some, 1, 10, 3);
    for (int i = 0; i < 3; ++i) {
        const double expected = checkpoints::value<double>("outflow", 1, 30 + 3 * i);
        EXPECT_EQ(std::memcmp(&values[i], &expected, 8), 0);
    }
    EXPECT_EQ(read.numbers(*read.find("flux"), 5, 2), (std::vector<GlobalIndex>{5, 6}));
    EXPECT_THROW(read.values<double>(some, 2, 0, 1), std::logic_error);
    EXPECT_THROW(read.values<double>(some, 0, 130, 4), std::logic_error);
    EXPECT_THROW(read.values<std::int64_t>(some, 0, 0, 1), std::logic_error);
}

TEST_F(Checkpoint, ConvertsPrecisions) {
    const auto numbers = checkpoints::own_numbers(comm, 101);
    std::vector<double> tenths;
    for (const GlobalIndex n : numbers) tenths.push_back(0.1 * double(n));
    const std::vector<float> rounded(tenths.begin(), tenths.end());
    write_checkpoint(comm, file, header(),
                     std::vector<StateArray>{{"wide", Of::nodes, 1, numbers, tenths},
                                             {"narrow", Of::nodes, 1, numbers, rounded}});
    const CheckpointFile read(comm, file);
    StateArray wide{"narrow", Of::nodes, 1, numbers, std::vector<double>{}};
    read.fill(wide);
    EXPECT_EQ(std::get<0>(wide.values), std::vector<double>(rounded.begin(), rounded.end()));
    StateArray narrow{"wide", Of::nodes, 1, numbers, std::vector<float>{}};
    read.fill(narrow);
    EXPECT_EQ(std::get<1>(narrow.values), rounded);
}

TEST_F(Checkpoint, RefusesArraysThatDoNotMatch) {
    write_checkpoint(comm, file, header(), arrays(comm));
    const CheckpointFile read(comm, file);
    const auto all = arrays(comm);
    const auto message = [&](const std::function<void(StateArray&)>& change, std::size_t which) {
        StateArray array = emptied(all[which]);
        change(array);
        const std::string text = refusal(2, [&] { read.fill(array); });
        EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
        array = emptied(all[which]);  // a refusal leaves nothing behind
        read.fill(array);
        EXPECT_TRUE(same_values(array, all[which]));
        return text.substr(std::min(text.size(), file.string().size() + 2));
    };
    EXPECT_EQ(message([](StateArray& a) { a.name = "flow/velocty"; }, 0),
              "the checkpoint has no array \"flow/velocty\", but \"flow/velocity\"");
    EXPECT_EQ(message([](StateArray& a) { a.name = "zzzzzzzzzz"; }, 0),
              "the checkpoint has no array \"zzzzzzzzzz\"");
    EXPECT_EQ(message([](StateArray& a) { a.columns = 2; }, 0),
              "array \"flow/velocity\" is of 3 columns; one of 2 is needed");
    EXPECT_EQ(message([](StateArray& a) { a.of = Of::nodes; }, 0),
              "array \"flow/velocity\" is of cells; one of nodes is needed");
    EXPECT_EQ(message([](StateArray& a) { a.values = std::vector<std::int64_t>{}; }, 0),
              "array \"flow/velocity\" is of float64; int64 is needed");
    EXPECT_EQ(message([](StateArray& a) { a.values = std::string{}; }, 9),
              "array \"clock\" is of float64; text is needed");
    const bool is_last = comm.rank() == comm.size() - 1;
    EXPECT_EQ(
        message(
            [&](StateArray& a) {
                if (is_last) a.entity.push_back(167);
            },
            0),
        "array \"flow/velocity\" is of a mesh of 167 cells; a value for number 167 is needed");
    EXPECT_EQ(message(
                  [&](StateArray& a) {
                      if (is_last) a.entity.pop_back();
                  },
                  0),
              "array \"flow/velocity\" has values for 167 of the 167 cells; values for others are "
              "needed");
    EXPECT_EQ(
        message(
            [&](StateArray& a) {
                if (is_last) a.entity.pop_back();
            },
            4),
        "array \"outflow\" has values for 133 of the 397 faces; values for others are needed");
    EXPECT_EQ(
        message(
            [&](StateArray& a) {
                if (is_last) a.entity.back() += 1;
            },
            4),
        "array \"outflow\" has values for 133 of the 397 faces; values for others are needed");
}

TEST_F(Checkpoint, RefusesToWriteWhatItCouldNotRead) {
    const auto all = arrays(comm);
    const auto message = [&](const std::function<void(std::vector<StateArray>&)>& change) {
        auto changed = all;
        change(changed);
        const auto text = refusal(1, [&] { write_checkpoint(comm, file, header(), changed); });
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
        comm.barrier();
        return text;
    };
    const bool is_last = comm.rank() == comm.size() - 1;
    EXPECT_EQ(message([](auto& a) { a[1].name = a[0].name; }),
              "two arrays of a checkpoint are named \"flow/velocity\"");
    EXPECT_EQ(message([](auto& a) { a[1].name.clear(); }), "an array of a checkpoint has no name");
    EXPECT_TRUE(contains(message([](auto& a) { a[0].columns = 2; }), "values in 2 columns for"));
    EXPECT_EQ(message([&](auto& a) {
                  if (is_last) a[0].entity[1] = a[0].entity[0];
              }),
              "array \"flow/velocity\" has two entries for one of the cells");
    EXPECT_EQ(message([&](auto& a) {
                  if (is_last) a[0].entity[0] = 167;
              }),
              "an entry's number is outside of the whole mesh");
    if (comm.size() > 1) {
        EXPECT_EQ(message([&](auto& a) {
                      if (is_last) a[2].name = "other";
                  }),
                  "ranks write different arrays into a checkpoint");
    }
}

TEST_F(Checkpoint, RefusesAFileThatRanksSeeDifferently) {
    if (comm.size() == 1) return;
    const auto mine = folder / ("of_rank_" + std::to_string(comm.rank()));
    CheckpointHeader other = header();
    other.step = comm.rank();
    write_checkpoint(alone, mine, other, arrays(alone));
    EXPECT_TRUE(contains(refusal(2, [&] { CheckpointFile(comm, mine); }),
                         "rank 1 sees another file than rank 0"));
}

TEST_F(Checkpoint, RefusesOtherFiles) {
    const auto message = [&](const std::string& bytes) {
        if (comm.is_root()) write_text(file, bytes);
        comm.barrier();
        const auto text = refusal(2, [&] { CheckpointFile(comm, file); });
        EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
        comm.barrier();
        return text.substr(std::min(text.size(), file.string().size() + 2));
    };
    EXPECT_EQ(message("[mesh]\nfile = \"box.msh\"\n" + std::string(100, '#')),
              "no checkpoint: its first bytes are others");
    EXPECT_EQ(message(""), "a checkpoint cut short: it has 0 bytes");
    std::string later = checkpoints::sealed("", "{}");
    later[16] = 2;
    EXPECT_EQ(message(later), "a checkpoint of format 2; this program reads format 1");
    EXPECT_TRUE(contains(refusal(2, [&] { CheckpointFile(comm, folder / "none"); }),
                         "none: cannot be read: No such file or directory"));
    EXPECT_TRUE(
        contains(refusal(2, [&] { CheckpointFile(comm, folder.path()); }), ": no regular file"));
}

TEST_F(Checkpoint, RefusesDamageOnAllRanksTogether) {
    write_checkpoint(comm, file, header(), arrays(comm), 256);
    const std::string whole = text_of(file);
    comm.barrier();
    for (std::size_t at = 3; at < whole.size(); at += whole.size() / 17) {
        for (const bool is_cut : {false, true}) {
            std::string bytes = whole;
            bytes[at] ^= 8;
            if (comm.is_root()) write_text(file, is_cut ? whole.substr(0, at) : bytes);
            comm.barrier();
            const auto message = refusal(2, [&] { CheckpointFile(comm, file); });
            EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
            comm.barrier();
        }
    }
}

// A bit anywhere, and the end anywhere. Nobody reads the header of a damaged file: no message is
// about what it says.
TEST_F(Checkpoint, RefusesDamageAnywhere) {
    if (!comm.is_root()) return;
    write_checkpoint(alone, file, header(), arrays(alone), 256);
    const std::string whole = text_of(file);
    std::mt19937 random(1);
    const auto expect_refused = [&](std::size_t at) {
        const auto message = refusal(2, [&] { CheckpointFile(alone, file); });
        EXPECT_FALSE(contains(message, "JSON") || contains(message, "header:")) << message;
        EXPECT_TRUE(contains(message, "a damaged checkpoint: ") ||
                    contains(message, "a checkpoint cut short: ") || at < 20)
            << at << ": " << message;
    };
    // each byte of the preamble, and one in fifty of the others
    for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 1 + random() % 100) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        write_text(file, bytes);
        expect_refused(at);
    }
    for (std::size_t at = 0; at < whole.size(); at += 1 + random() % 200) {
        write_text(file, whole.substr(0, at));
        expect_refused(at);
    }
    write_text(file, whole + std::string(4, '\0'));
    EXPECT_TRUE(contains(refusal(2, [&] { CheckpointFile(alone, file); }), "behind its end"));
}

// Headers that say what cannot be, behind right checksums.
TEST_F(Checkpoint, RefusesHeadersThatCannotBe) {
    if (!comm.is_root()) return;
    write_checkpoint(alone, file, header(), arrays(alone));
    const std::string whole = text_of(file);
    std::int64_t at = 0, length = 0;
    std::memcpy(&at, whole.data() + 32, 8);
    std::memcpy(&length, whole.data() + 40, 8);
    const std::string values = whole.substr(64, at - 64), text = whole.substr(at, length);
    const auto message = [&](const std::string& from, const std::string& to) {
        std::string changed = text;
        const auto found = changed.find(from);
        EXPECT_NE(found, std::string::npos) << from;
        write_text(file, checkpoints::sealed(values, changed.replace(found, from.size(), to)));
        const auto why = refusal(2, [&] { CheckpointFile(alone, file); });
        EXPECT_TRUE(why.starts_with(file.string() + ": a checkpoint's header")) << why;
        return why.substr(why.find("header"));
    };
    EXPECT_EQ(message("\"physics\"", "\"phsics\""), "header: it has no \"physics\"");
    EXPECT_EQ(message("\"flow\"", "1"), "header: \"physics\" is no text");
    EXPECT_EQ(message("\"step\": 12", "\"step\": -1"),
              "header: \"step\" is no whole number from 0 to 9223372036854775807");
    EXPECT_EQ(message("\"step\": 12", "\"step\": 18446744073709551615"),
              "header: \"step\" is no whole number from 0 to 9223372036854775807");
    EXPECT_EQ(message("\"time\": 0.1", "\"time\": []"), "header: \"time\" is no number");
    EXPECT_TRUE(message("\"time\": 0.1", "\"time\": 1e999").starts_with("header is no JSON"));
    EXPECT_EQ(message("\"hash\": \"f", "\"hash\": \"g"),
              "header: \"hash\" is not 16 hexadecimal digits");
    EXPECT_EQ(message("\"dimension\": 3", "\"dimension\": 4"),
              "header: \"dimension\" is no whole number from 2 to 3");
    EXPECT_EQ(message("\"more\": {", "\"more\": [], \"less\": {"), "header: \"more\" is no table");
    EXPECT_EQ(message("\"arrays\": [", "\"arrays\": 7, \"rest\": ["),
              "header: \"arrays\" is no list");
    EXPECT_EQ(message("\"partition\"", "\"flow/velocity\""),
              "header: array \"flow/velocity\" stands there twice");
    EXPECT_EQ(message("\"partition\"", "\"\""), "header: an array has no name");
    EXPECT_EQ(message("\"of\": \"cells\"", "\"of\": \"atoms\""),
              "header: array \"flow/velocity\": \"of\" is not known: \"atoms\"");
    EXPECT_EQ(message("\"count\": 167", "\"count\": 166"),
              "header: array \"flow/velocity\": it has 166 values in a column, the mesh 167 cells");
    for (const char* beyond : {"0", "63", "9223372036854775807", "4611686018427387904"})
        EXPECT_EQ(message("\"offset\": 64", std::string("\"offset\": ") + beyond),
                  "header: array \"flow/velocity\": its values lie outside of the file");
    EXPECT_EQ(message("\"count\": 5,", "\"count\": 2305843009213693952,"),
              "header: array \"clock\": its values lie outside of the file");
    EXPECT_EQ(message("\"columns\": 7", "\"columns\": 0"),
              "header: array \"no rows\": \"columns\" is no whole number from 1 to 1048576");
    EXPECT_EQ(message("\"type\": \"int64\"", "\"type\": \"text\""),
              "header: array \"partition\": a text has one column and is of no entities");
    EXPECT_TRUE(message("\"flow\"", "\"fl\xffw\"").starts_with("header is no JSON"));
    EXPECT_EQ(message("\"case\": ", "\"case\": " + std::string(100000, '[')),
              "header: it is nested too deeply");
    std::string zeros;
    for (int i = 0; i < 100000; ++i) zeros += "0, ";
    EXPECT_EQ(message("\"case\": ", "\"case\": [" + zeros + "0], \"other\": "),
              "header: it has too many values");
    EXPECT_EQ(message(text, "[]"), "header: it has no \"version\"");
}

// The numbers of an array's entities may be wrong behind right checksums, too.
TEST_F(Checkpoint, RefusesNumbersThatDoNotAscend) {
    write_checkpoint(comm, file, header(), arrays(comm));
    const std::string whole = text_of(file);
    comm.barrier();
    std::int64_t at = 0, length = 0, numbers = CheckpointFile(comm, file).find("outflow")->numbers;
    std::memcpy(&at, whole.data() + 32, 8);
    std::memcpy(&length, whole.data() + 40, 8);
    const auto bad_values = {std::int64_t{-1}, std::int64_t{1} << 62, std::int64_t{30}};
    for (const std::int64_t bad : bad_values) {
        std::string values = whole.substr(64, at - 64);
        std::memcpy(values.data() + numbers - 64 + 8 * 40, &bad, 8);
        if (comm.is_root()) write_text(file, checkpoints::sealed(values, whole.substr(at, length)));
        comm.barrier();
        const CheckpointFile read(comm, file);
        StateArray wanted = emptied(arrays(comm)[4]);
        EXPECT_TRUE(contains(refusal(2, [&] { read.fill(wanted); }), "do not ascend"));
        comm.barrier();
    }
}

TEST_F(Checkpoint, IsReadByTheStatedProgram) {
    if (!comm.is_root()) return;
    write_checkpoint(alone, file, header(), arrays(alone), 512);
    const auto output = [&](const std::string& name) {
        const std::string command = SOLENOID_SOURCE_DIR "/tools/read-checkpoint '" + file.string() +
                                    "' '" + name + "' 2>&1";
        std::string text;
        FILE* pipe = popen(command.c_str(), "r");
        for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
        return std::pair(pclose(pipe), text);
    };
    const auto value = [](const char* name, int k, int n) {
        return std::to_string(checkpoints::value<std::int64_t>(name, k, n));
    };
    EXPECT_EQ(output("counts").second,
              "(0, " + value("counts", 0, 0) + ")\n(1, " + value("counts", 0, 1) + ")\n(2, " +
                  value("counts", 0, 2) + ")\n(3, " + value("counts", 0, 3) + ")\n(4, " +
                  value("counts", 0, 4) + ")\n");
    EXPECT_EQ(output("one").second, "(0, " + value("one", 0, 0) + ")\n");
    EXPECT_EQ(output("text").second, "(0, b'a,b\\n1,\\x00\\xff')\n");
    const std::string outflow = output("outflow").second;
    EXPECT_EQ(std::count(outflow.begin(), outflow.end(), '\n'), 133);
    const auto third = outflow.substr(outflow.find("(6, "));
    double a = 0, b = 0;
    ASSERT_EQ(std::sscanf(third.c_str(), "(6, %lf, %lf)", &a, &b), 2);
    EXPECT_EQ(a, checkpoints::value<double>("outflow", 0, 6));
    EXPECT_EQ(b, checkpoints::value<double>("outflow", 1, 6));
    std::string bytes = text_of(file);
    bytes[200] ^= 1;
    write_text(file, bytes);
    const auto [status, text] = output("counts");
    EXPECT_NE(status, 0);
    EXPECT_TRUE(contains(text, "a damaged checkpoint"));
}

// The ranks of a run's cells go into a checkpoint, and come back for a mesh in slices.
TEST_F(Checkpoint, KeepsThePartition) {
    DistributedMesh mesh;
    mesh.mesh.cell_number = checkpoints::own_numbers(comm, 167);
    const auto owned = static_cast<Index>(mesh.mesh.cell_number.size());
    mesh.ranges[static_cast<int>(Kind::cell)] = {owned, owned, owned, owned + 1};
    mesh.mesh.cell_number.push_back(owned ? 166 - mesh.mesh.cell_number[0] : 0);  // a ghost
    mesh.cell_owner.assign(owned + 1, comm.rank());
    mesh.cell_owner.back() = -1;
    write_checkpoint(comm, file, header(), std::vector{partition_array(SimplexTopology(mesh))});
    std::vector<GlobalIndex> slice;
    for (GlobalIndex c = 0; c < 167; ++c)
        if (c * comm.size() / 167 == comm.rank()) slice.push_back(c);
    const auto ranks = stored_partition(CheckpointFile(comm, file), slice);
    ASSERT_EQ(ranks.size(), slice.size());
    for (std::size_t i = 0; i < slice.size(); ++i)
        EXPECT_EQ(std::uint64_t(ranks[i]), mixed(77 + slice[i]) % comm.size());
}

// ---- Folders

TEST_F(Checkpoint, FolderKeepsTheLastAndFallsBack) {
    const CheckpointFolder checkpoints(comm, folder / "checkpoints", 2);
    EXPECT_EQ(checkpoints.newest(), nullptr);
    const auto names = [&] {
        comm.barrier();
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
            found.insert(entry.path().filename().string());
        comm.barrier();
        return found;
    };
    const auto warning_of = [&](std::int64_t step) {
        testing::internal::CaptureStderr();
        const auto newest = checkpoints.newest();
        EXPECT_TRUE(newest && newest->header().step == step);
        return testing::internal::GetCapturedStderr();
    };
    for (const std::int64_t step : {5, 10, 1000}) checkpoints.write(header(step), arrays(comm));
    EXPECT_EQ(names(),
              (std::set<std::string>{"step-0000000010.checkpoint", "step-0000001000.checkpoint"}));
    EXPECT_EQ(warning_of(1000), "");

    if (comm.is_root()) {  // the last is torn, and what is no checkpoint stays
        std::filesystem::resize_file(checkpoints.file(1000), 700);
        write_text(folder / "checkpoints" / "step-0000000011.checkpoint.part", "torn");
        write_text(folder / "checkpoints" / "step-x.checkpoint", "mine");
        write_text(folder / "checkpoints" / "notes.part", "mine");
    }
    comm.barrier();
    const std::string warning = warning_of(10);
    if (comm.is_root()) {
        EXPECT_TRUE(contains(warning, "warning: " + checkpoints.file(1000).string() +
                                          ": a checkpoint cut short: it has 700 bytes of "))
            << warning;
        EXPECT_TRUE(contains(warning, "going on from step 10 (" + checkpoints.file(10).string()));
    }
    checkpoints.write(header(20), arrays(comm));
    EXPECT_EQ(names(),
              (std::set<std::string>{"step-0000000010.checkpoint", "step-0000000020.checkpoint",
                                     "step-x.checkpoint", "notes.part"}));

    if (comm.is_root())
        for (const std::int64_t step : {10, 20})
            std::filesystem::resize_file(checkpoints.file(step), 70);
    comm.barrier();
    const auto message = refusal(2, [&] { checkpoints.newest(); });
    EXPECT_TRUE(contains(message, checkpoints.file(20).string() + ": a checkpoint cut short"));
    EXPECT_TRUE(contains(message, checkpoints.file(10).string() + ": a checkpoint cut short"));
    EXPECT_TRUE(contains(message, "; no checkpoint is whole"));
}

}  // namespace
}  // namespace solenoid::checkpoint_test
