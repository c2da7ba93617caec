// What all ranks read together is what one reads alone, or is refused with the same words.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <random>

#include "io/mesh/mesh_slices.hpp"
#include "mesh/box.hpp"
#include "parallel/bytes.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/gmsh.hpp"
#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_slices_test {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937;

// A file that the root writes, and all ranks see.
class SharedFile {
  public:
    SharedFile(const Communicator& comm, const std::string& bytes) : comm_(comm) {
        if (comm.is_root()) file_.emplace(bytes);
        std::string name = comm.is_root() ? file_->path.string() : "";
        comm.broadcast(name);
        path = name;
    }
    ~SharedFile() { comm_.barrier(); }
    fs::path path;

  private:
    const Communicator& comm_;
    std::optional<TemporaryFile> file_;
};

struct Outcome {
    std::string refusal, warnings;
};
template <class Read>
Outcome outcome_of(const Read& read) {
    Outcome outcome;
    testing::internal::CaptureStderr();
    try {
        read();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        outcome.refusal = error.what();
    }
    outcome.warnings = testing::internal::GetCapturedStderr();
    return outcome;
}

void expect_whole(const Communicator& comm, const MeshSlice& slice, const SimplexMesh& mesh) {
    EXPECT_EQ(slice.dimension, mesh.dimension);
    EXPECT_EQ(gathered(comm, slice.points), mesh.points);
    EXPECT_EQ(gathered(comm, slice.cells),
              std::vector<GlobalIndex>(mesh.cells.begin(), mesh.cells.end()));
    EXPECT_EQ(gathered(comm, slice.cell_region), mesh.cell_region);
    EXPECT_EQ(slice.regions, mesh.regions);
    EXPECT_EQ(gathered(comm, slice.sides),
              std::vector<GlobalIndex>(mesh.sides.begin(), mesh.sides.end()));
    EXPECT_EQ(gathered(comm, slice.side_group), mesh.side_group);
    EXPECT_EQ(slice.boundaries, mesh.boundaries);
    const auto cells = static_cast<double>(mesh.cell_count()) / comm.size();
    EXPECT_NEAR(static_cast<double>(slice.cell_count()), cells, 1) << "a share, no more";
}

enum class Read { in_slices, whole, refused };

Read expect_alike(const Communicator& comm, const fs::path& file) {
    SimplexMesh mesh;
    const Outcome alone = outcome_of([&] { mesh = read_mesh(file); });
    std::optional<SlicedMesh> found;
    const Outcome together = outcome_of([&] { found = read_mesh_slices(comm, file); });
    if (together.refusal.empty() && !found) return Read::whole;
    EXPECT_EQ(together.refusal, alone.refusal);
    EXPECT_EQ(together.warnings, alone.warnings);
    if (!found || !alone.refusal.empty()) return Read::refused;
    expect_whole(comm, found->slice, mesh);
    return Read::in_slices;
}
Read expect_alike_in(const Communicator& comm, const std::string& bytes) {
    return expect_alike(comm, SharedFile(comm, bytes).path);
}

TEST(GmshSlices, SamplesOfBothByteOrders) {
    const Communicator comm = Communicator::world();
    for (const Coding coding : {Coding::native, Coding::swapped}) {
        EXPECT_EQ(expect_alike_in(comm, sample_4(coding)), Read::in_slices) << "numbers with gaps";
        EXPECT_EQ(expect_alike_in(comm, sample_2(coding)), Read::whole);
    }
    EXPECT_EQ(expect_alike_in(comm, sample_4()), Read::whole);
    EXPECT_EQ(expect_alike_in(comm, "solid"), Read::whole);
    EXPECT_EQ(expect_alike(comm, "/nowhere/part.msh"), Read::whole);
    EXPECT_EQ(expect_alike(comm, "/tmp"), Read::whole);
    for (const char* name : {"22_binary", "22_text", "41_text"})
        EXPECT_EQ(expect_alike(comm, data(fmt::format("two_boxes_{}.msh", name))), Read::whole)
            << name;
    for (const char* name : {"41_binary", "41_parametric", "41_partitioned"}) {
        const bool is_text =
            bytes_of(data(fmt::format("two_boxes_{}.msh", name))).substr(0, 40).find("4.1 1 8") ==
            std::string::npos;
        EXPECT_EQ(expect_alike(comm, data(fmt::format("two_boxes_{}.msh", name))),
                  is_text ? Read::whole : Read::in_slices)
            << name;
    }
}

TEST(GmshSlices, WrittenBoxes) {
    const Communicator comm = Communicator::world();
    for (const int dimension : {2, 3}) {
        BoxSettings box;
        box.dimension = dimension;
        box.cells = 3000;
        const SharedFile file(comm, "");
        comm.agree([&] {
            if (comm.is_root()) write_gmsh(box_mesh(box), file.path);
        });
        EXPECT_EQ(expect_alike(comm, file.path), dimension == 3 ? Read::in_slices : Read::whole);
    }
}

// Gmsh's own files: nodes in blocks of their entities, tets in an order of their own.
TEST(GmshSlices, MeshesOfGmsh) {
    if (!has_gmsh()) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const char* name : {"two_blocks", "through_hole"}) {
        comm.agree([&] {
            if (comm.is_root()) gmsh_mesh(name, 3, 0.2);
        });
        EXPECT_EQ(expect_alike(comm, gmsh_mesh(name, 3, 0.2)), Read::in_slices) << name;
    }
}

// All elements, those in no physical group too: with the sides of volumes that lie inside, and
// points and curves.
TEST(GmshSlices, EntitiesInNoGroup) {
    if (!has_gmsh()) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const SharedFile file(comm,
                          "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Box(2) = {1, "
                          "0, 0, 1, 1, 1}; Rectangle(99) = {5, 5, 5, 1, 1};\n"
                          "BooleanFragments{ Volume{1, 2}; Delete; }{ } MeshSize{:} = 0.4; s() = "
                          "Surface In BoundingBox{-0.1, -0.1, -0.1, 0.1, 1.1, 1.1};\n"
                          "Physical Surface(\"left\") = s();");
    const fs::path mesh = file.path.string() + ".all.msh";
    comm.agree([&] {
        const std::string command = "cp " + file.path.string() + " " + mesh.string() +
                                    ".geo && gmsh -3 -v 1 -save_all -bin -format msh41 -o " +
                                    mesh.string() + " " + mesh.string() + ".geo >/dev/null 2>&1";
        if (comm.is_root() && std::system(command.c_str()) != 0)
            throw std::runtime_error("gmsh failed");
    });
    EXPECT_EQ(expect_alike(comm, mesh), Read::in_slices);
    const SimplexMesh whole = read_mesh(mesh);
    EXPECT_EQ(whole.boundaries.size(), 11u)
        << "left, ten more sides of which one lies inside, and not the sheet beside the bodies";
    EXPECT_EQ(whole.boundaries.at(0), "left");
    EXPECT_TRUE(whole.boundaries.at(1).starts_with("surface_")) << whole.boundaries.at(1);
    EXPECT_EQ(whole.regions, (std::vector<std::string>{"volume_1", "volume_2"}));
    comm.barrier();
    if (comm.is_root()) fs::remove(mesh);
}

// ---- files that are damaged

// The record that holds these words of 8 bytes one after the other gets another one in its place.
std::string with_record(std::string bytes, const std::vector<std::int64_t>& record, std::size_t at,
                        std::int64_t value) {
    const std::string raw(reinterpret_cast<const char*>(record.data()), 8 * record.size());
    const auto found = bytes.rfind(raw);
    if (found == std::string::npos) throw std::logic_error("no such record");
    std::memcpy(bytes.data() + found + 8 * at, &value, 8);
    return bytes;
}

TEST(GmshSlices, SingleFaultsAreToldInTheSameWords) {
    const Communicator comm = Communicator::world();
    const std::string good = sample_4(Coding::native);
    const auto refusal = [&](const std::string& bytes) {
        EXPECT_EQ(expect_alike_in(comm, bytes), Read::refused);
        return outcome_of([&] { read_mesh_slices(comm, SharedFile(comm, bytes).path); }).refusal;
    };
    const auto expect_has = [](const std::string& text, const char* words) {
        EXPECT_NE(text.find(words), std::string::npos) << text;
    };
    expect_has(refusal(with_record(good, {10, 3, 21, 1}, 1, 10)), "node 10 is given twice");
    expect_has(refusal(with_record(good, {6, 21, 10, 3, 1}, 3, 77)),
               "element 6 has node 77, which $Nodes does not contain");
    expect_has(refusal(with_record(good, {5, 4, 10, 3, 21}, 2, 4)), "has node 1 twice");
    expect_has(refusal(with_record(good, {5, 4, 10, 3, 21}, 2, -4)), "no count can be");
    expect_has(refusal(with_record(good, {1, 1, 4}, 2, 5)),
               "element 1 has node 5, which $Nodes does not contain");
    expect_has(refusal(with_record(good, {2, 5, 1, 21}, 1, 6)),
               "6 nodes are announced, but the blocks hold 5");
    for (const std::int64_t hostile :
         {std::int64_t(1) << 33, std::int64_t(1) << 60, std::numeric_limits<std::int64_t>::max()}) {
        expect_has(refusal(with_record(good, {2, 5, 1, 21}, 1, hostile)),
                   "nodes are announced, more than the rest of the file");
        expect_has(refusal(with_record(good, {6, 6, 1, 6}, 1, hostile)),
                   "elements are announced, more than the rest of the file");
        expect_has(refusal(with_record(good, {6, 6, 1, 6}, 0, hostile)), "the file ends where");
    }
    std::string nan = good;
    const double from = 1.5, to = std::numeric_limits<double>::quiet_NaN();
    nan.replace(nan.rfind(std::string(reinterpret_cast<const char*>(&from), 8)), 8,
                std::string(reinterpret_cast<const char*>(&to), 8));
    expect_has(refusal(nan), "a node's x is not finite");
}

// A file that is being replaced: ranks that read one and the other would mix two meshes.
TEST(GmshSlices, AFileThatDiffersBetweenRanksIsRefused) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) return;
    const std::string good = sample_4(Coding::native);
    std::string other = good;
    other[good.find("$EndNodes") - 3] ^= 1;  // a coordinate
    const SharedFile first(comm, good), second(comm, other);
    const auto refusal =
        outcome_of([&] {
            read_mesh_slices(comm, comm.rank() + 1 == comm.size() ? second.path : first.path);
        }).refusal;
    EXPECT_NE(refusal.find("differs between ranks: rank 0 reads"), std::string::npos) << refusal;
}

TEST(GmshSlices, EveryTruncationIsRefused) {
    const Communicator comm = Communicator::world();
    const std::string good = sample_4(Coding::swapped);
    for (std::size_t size = 1; size + 2 < good.size(); size += 7) {
        SCOPED_TRACE(size);
        const SharedFile file(comm, good.substr(0, size));
        EXPECT_THROW(read_mesh(file.path), InputError);
        std::string refusal;
        bool is_read = false;
        try {
            is_read = read_mesh_slices(comm, file.path).has_value();
        } catch (const Error& error) {
            refusal = error.what();
        }
        EXPECT_FALSE(is_read);
        EXPECT_TRUE(refusal.empty() || refusal.starts_with(file.path.string())) << refusal;
    }
}

// A file with holes, whose nodes are more than 32 bits can number.
TEST(GmshSlices, MoreNodesThanARankCanNumber) {
    const Communicator comm = Communicator::world();
    const std::string good = sample_4(Coding::native);
    const std::size_t elements = good.find("\n$EndNodes");
    const std::int64_t count = (std::int64_t(1) << 32) * comm.size();
    std::string head = good.substr(0, good.find("$Nodes") + 7);
    const auto append = [&](auto value) {
        head.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const std::int64_t total : {std::int64_t(1), count, std::int64_t(1), count}) append(total);
    for (const std::int32_t entity : {3, 1, 0}) append(entity);
    append(count);
    const SharedFile file(comm, head);
    const std::string name = file.path.string();
    std::error_code error;
    if (comm.is_root()) {
        fs::resize_file(file.path, head.size() + 32 * static_cast<std::uintmax_t>(count), error);
        if (!error)
            std::ofstream(file.path, std::ios::binary | std::ios::app) << good.substr(elements);
    }
    if (comm.any(bool(error))) GTEST_SKIP() << "no such large files here";
    try {
        read_mesh_slices(comm, file.path);
        ADD_FAILURE() << "accepted";
    } catch (const Error& refused) {
        EXPECT_EQ(refused.exit_code(), 2);
        EXPECT_EQ(std::string(refused.what()), name +
                                                   ": 4294967296 nodes on a rank: at most "
                                                   "1000000000 can be numbered; start more ranks");
    }
}

// Bytes turned at random: both read the same, or both refuse.
TEST(GmshSlices, DamagedFiles) {
    const Communicator comm = Communicator::world();
    Random random(5);  // the same on every rank
    const std::vector<std::string> samples{sample_4(Coding::native), sample_4(Coding::swapped)};
    int refused = 0, read = 0;
    for (int round = 0; round < 200; ++round) {
        std::string bytes = samples[round % 2];
        bytes[random() % bytes.size()] ^= 1 << random() % 8;
        SCOPED_TRACE(round);
        const Read outcome = expect_alike_in(comm, bytes);
        refused += outcome == Read::refused;
        read += outcome == Read::in_slices;
    }
    EXPECT_GT(refused, 30);
    EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace solenoid::test::gmsh_slices_test
