// `solenoid diff`: what is alike, what differs, how much and where.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <limits>

#include "app/diff_command.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/checkpoint/write_checkpoint.hpp"
#include "io/vtk/vtk_output.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/sample_meshes.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::diff_test {
namespace {

namespace fs = std::filesystem;
using Of = StateArray::Of;

class Diff : public testing::Test {
  protected:
    const Communicator comm = Communicator::self();
    ScratchFolder folder{comm};
    const fs::path a = folder / "a", b = folder / "b";

    void SetUp() override {
        fs::create_directories(a / "monitors");
        fs::create_directories(b / "monitors");
    }
    static void write(const fs::path& file, const std::string& text) {
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    // The exit code, and what is printed.
    static std::pair<int, std::string> compared(const fs::path& a, const fs::path& b,
                                                double tolerance = 0) {
        log::configure(false, false);
        testing::internal::CaptureStdout();
        const int code = diff({a, b, tolerance});
        return {code, testing::internal::GetCapturedStdout()};
    }

    CheckpointHeader header;
    std::vector<StateArray> arrays;
    void make_arrays() {
        header.count = {3, 4, 5, 6};
        header.step = 7;
        arrays = {{"flow/velocity", Of::cells, 2, {0, 1, 2, 3, 4, 5}, std::vector<double>(12, 1.0)},
                  {"lag", Of::faces, 1, {1, 4}, std::vector<float>{0.5f, 1.5f}},
                  {"partition", Of::cells, 1, {0, 1, 2, 3, 4, 5}, std::vector<std::int64_t>(6, 0)},
                  {"rows", Of::numbers, 1, {}, std::vector<double>{1, 2, 5}},
                  {"text", Of::numbers, 1, {}, std::string("one\ntwo")}};
        std::get<0>(arrays[0].values)[8] = 3.0;  // of cell 2, column 1
    }
    std::pair<int, std::string> compared_with(const std::function<void()>& change,
                                              double tolerance = 0) {
        make_arrays();
        write_checkpoint(comm, a / "s.checkpoint", header, arrays);
        change();
        write_checkpoint(comm, b / "s.checkpoint", header, arrays);
        return compared(a / "s.checkpoint", b / "s.checkpoint", tolerance);
    }
};

TEST_F(Diff, CheckpointsOfTheSameStateAreAlike) {
    EXPECT_EQ(compared_with([&] {
                  header.ranks = 4;
                  header.version = "9";
                  header.case_text = "other";
              }),
              std::pair(0, std::string("4 alike, 0 different\n")));
}

TEST_F(Diff, CheckpointsSayHowMuchAndWhere) {
    const auto reals = [&](double value) {
        return [&, value] { std::get<0>(arrays[0].values)[10] = value; };  // cell 4, column 1
    };
    EXPECT_EQ(compared_with(reals(1.5)),
              std::pair(1, std::string("s.checkpoint: flow/velocity[1]: 1 of 6 differ; largest "
                                       "difference 0.5 at cell 4 (0.25 of the range 2), root mean "
                                       "square 0.2041\n4 alike, 1 different\n")));
    EXPECT_EQ(compared_with(reals(1.5), 0.25).first, 0);
    EXPECT_EQ(compared_with(reals(1.5), 0.24).first, 1);
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(compared_with(reals(not_a_number), 1),
              std::pair(1, std::string("s.checkpoint: flow/velocity[1]: one of two is not finite "
                                       "at 1 places, first at cell 4\n4 alike, 1 different\n")));
    EXPECT_EQ(compared_with([&] { std::get<0>(arrays[3].values)[0] = -0.0; }).first, 1);
    EXPECT_EQ(compared_with([&] { std::get<1>(arrays[1].values)[1] = 1.25f; }).second,
              "s.checkpoint: lag: 1 of 2 differ; largest difference 0.25 at face 4 (0.25 of the "
              "range 1), root mean square 0.1768\n4 alike, 1 different\n");
    EXPECT_EQ(compared_with([&] { std::get<2>(arrays[2].values)[3] = 2; }).second,
              "s.checkpoint: partition: 0 in A, 2 in B at cell 3\n4 alike, 1 different\n");
    EXPECT_EQ(compared_with([&] { std::get<3>(arrays[4].values)[4] = 'T'; }).second,
              "s.checkpoint: text: texts differ from byte 4 on\n4 alike, 1 different\n");
}

TEST_F(Diff, CheckpointsMayHaveOtherArrays) {
    EXPECT_EQ(compared_with([&] {
                  arrays[1].entity = {1, 3};
              }).second,
              "s.checkpoint: lag: of other entities\n4 alike, 1 different\n");
    EXPECT_EQ(compared_with([&] { arrays[1].name = "gal"; }).second,
              "s.checkpoint: lag: only in A\ns.checkpoint: gal: only in B\n4 alike, 2 different\n");
    EXPECT_EQ(compared_with([&] { std::get<0>(arrays[3].values).push_back(1); }).second,
              "s.checkpoint: rows: 3 numbers in 1 columns of float64 in A, 4 numbers in 1 columns "
              "of float64 in B\n4 alike, 1 different\n");
    EXPECT_EQ(compared_with([&] { header.step = 8; }).second,
              "s.checkpoint: step: 7 in A, 8 in B\n5 alike, 1 different\n");
    EXPECT_EQ(compared_with([&] { header.mesh_hash = 1; }).first, 1);
    EXPECT_EQ(compared_with([&] {  // the same values in another precision
                  arrays[0].values = std::vector<float>(std::get<0>(arrays[0].values).begin(),
                                                        std::get<0>(arrays[0].values).end());
              })
                  .first,
              0);
}

// By global numbers: the cells of the one stand in another order than those of the other.
TEST_F(Diff, StatesSayTheEntity) {
    const auto written = [&](const fs::path& run, CellOrdering ordering, GlobalIndex changed,
                             bool has_more) {
        const auto mesh = distribute(comm, sample::box(2, 60), ordering);
        std::vector<double> of_nodes, of_cells;
        for (const Vec3& x : mesh.mesh.points) of_nodes.push_back(x.x);
        for (const GlobalIndex number : mesh.mesh.node_number) of_nodes.push_back(double(number));
        for (const GlobalIndex number : mesh.mesh.cell_number)
            of_cells.push_back(number == changed ? -5 : double(number % 11));
        std::vector<CellField> fields{{"speed", std::span<const double>(of_cells)}};
        if (has_more) fields.push_back({"more", std::span<const double>(of_cells)});
        EXPECT_EQ(VtkOutput(comm, SimplexTopology(mesh), run, "box")
                      .write(0.5, 3, {{"velocity", std::span<const double>(of_nodes), 2}}, fields),
                  "");
    };
    written(a, CellOrdering::file, -1, false);
    written(b, CellOrdering::hilbert, -1, false);
    EXPECT_EQ(compared(a, b), std::pair(0, std::string("4 alike, 0 different\n")));
    written(b, CellOrdering::hilbert, 25, true);
    const auto [code, text] = compared(a, b);
    EXPECT_EQ(code, 1);
    EXPECT_NE(text.find("box_000003.pvtu: speed: 1 of "), text.npos) << text;
    EXPECT_NE(text.find(" differ; largest difference 8 at cell 25 (0.8 of the range 10)"),
              text.npos)
        << text;
    EXPECT_NE(text.find("box_000003.pvtu: more: only in B\n3 alike, 2 different\n"), text.npos)
        << text;
    EXPECT_EQ(compared(b, a).first, 1);
}

TEST_F(Diff, TablesSayTheLine) {
    const std::string names = "time,\"a,b\",name\n";
    const auto with = [&](const std::string& left, const std::string& right, double tolerance = 0) {
        write(a / "t.csv", left);
        write(b / "t.csv", right);
        return compared(a / "t.csv", b / "t.csv", tolerance);
    };
    const std::string rows = names + "0,1,x\n1,3,y\n2,,z\n";
    EXPECT_EQ(with(rows, rows), std::pair(0, std::string("1 alike, 0 different\n")));
    EXPECT_EQ(with(rows, names + "0,1,x\n1,3.5,y\n2,,z\n"),
              std::pair(1, std::string("t.csv: a,b: 1 of 2 differ; largest difference 0.5 at line "
                                       "3 (0.25 of the range 2), root mean square 0.3536\n"
                                       "0 alike, 1 different\n")));
    EXPECT_EQ(with(rows, names + "0,1,x\n1,3.5,y\n2,,z\n", 0.3).first, 0);
    EXPECT_EQ(with(names + "4,1,x\n", names + "4.1,1,x\n", 0.026).first, 0);  // a constant
    EXPECT_EQ(with(names + "4,1,x\n", names + "4.1,1,x\n", 0.024).first, 1);
    EXPECT_EQ(with(rows, names + "0,1,x\n1,3,Y\n2,1,z\n").second,
              "t.csv: a,b: \"\" in A, \"1\" in B at line 4\n"
              "t.csv: name: \"y\" in A, \"Y\" in B at line 3\n0 alike, 2 different\n");
    EXPECT_EQ(with(rows, names + "0,1,x\n").second,
              "t.csv: 4 lines in A, 2 in B\n0 alike, 1 different\n");
    EXPECT_EQ(with(rows, "time\n0\n").first, 1);
    try {
        with(rows, names + "0,1,x\n1,3\n");
        ADD_FAILURE();
    } catch (const InputError& error) {
        testing::internal::GetCapturedStdout();
        EXPECT_EQ(std::string(error.what()), (b / "t.csv").string() + ":3: 2 values in 3 columns");
    }
}

TEST_F(Diff, FoldersCompareTheirResults) {
    for (const fs::path& run : {a, b}) {
        write(run / "monitors" / "p.csv", "t,p\n0,1\n");
        write(run / "pictures" / "u.png", "picture");
        write(run / "summary.json", run.string());  // times
        make_arrays();
        write_checkpoint(comm, run / "x.checkpoint", header, arrays);
    }
    EXPECT_EQ(compared(a, b), std::pair(0, std::string("7 alike, 0 different\n")));
    write(b / "pictures" / "u.png", "pictuRe");
    write(b / "monitors" / "q.csv", "t\n");
    fs::remove(b / "monitors" / "p.csv");
    EXPECT_EQ(compared(a, b),
              std::pair(1, std::string("monitors/p.csv: only in A\nmonitors/q.csv: only in B\n"
                                       "pictures/u.png: bytes differ from byte 5 on\n"
                                       "5 alike, 3 different\n")));
}

TEST_F(Diff, InputErrors) {
    const auto message = [&](const fs::path& left, const fs::path& right) {
        try {
            diff({left, right, 0});
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(message(a, folder / "no"),
              (folder / "no").string() + ": there is no such file or folder");
    fs::create_symlink("loop", folder / "loop");  // to itself
    EXPECT_TRUE(message(a, folder / "loop").starts_with((folder / "loop").string() + ": cannot"));
    fs::create_symlink("loop", a / "monitors" / "loop");  // within a folder: no result
    write(folder / "t.csv", "t\n");
    EXPECT_EQ(message(a, folder / "t.csv"),
              (folder / "t.csv").string() + ": not of the same kind as " + a.string());
    EXPECT_EQ(message(a, b), a.string() +
                                 ": neither folder has a checkpoint, a state (.pvtu), a table "
                                 "(.csv) or a picture (.png)");
    write(a / "s.pvtu", "<VTKFile/>");
    EXPECT_EQ(message(a / "s.pvtu", a / "s.pvtu"),
              (a / "s.pvtu").string() + ": no state for ParaView (.pvtu, .pvti, .pvtr or .pvts)");
    write(a / "x.checkpoint", "torn");
    EXPECT_EQ(message(a / "x.checkpoint", a / "x.checkpoint"),
              (a / "x.checkpoint").string() + ": no checkpoint: its first bytes are others");
}

// A pipe may have no writer, and a device no end: neither is waited for.
TEST_F(Diff, PipesAndDevicesAreRefused) {
    const auto refusal = [](const fs::path& a, const fs::path& b) -> std::string {
        try {
            compared(a, b);
        } catch (const InputError& error) {
            testing::internal::GetCapturedStdout();
            return error.what();
        }
        return "";
    };
    for (const char* name : {"x.csv", "x.pvtu", "x.png", "x.json", "x.checkpoint"}) {
        const fs::path pipe = a / name, plain = b / name, device = a / ("d" + std::string(name));
        ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
        fs::create_symlink("/dev/zero", device);
        write(plain, "x\n1\n");
        for (const fs::path& no_file : {pipe, device}) {
            EXPECT_NE(refusal(no_file, plain).find(no_file.string() + ": a pipe or a device"),
                      std::string::npos)
                << name;
            EXPECT_NE(refusal(plain, no_file).find(no_file.string() + ": a pipe or a device"),
                      std::string::npos)
                << name;
        }
    }
    // a piece of a state
    const std::string list =
        "<VTKFile type=\"PUnstructuredGrid\"><PUnstructuredGrid><Piece Source=\"x.json\"/>"
        "</PUnstructuredGrid></VTKFile>";
    write(a / "s.pvtu", list);
    write(b / "s.pvtu", list);
    EXPECT_NE(refusal(a / "s.pvtu", b / "s.pvtu").find("x.json: a pipe or a device"),
              std::string::npos);
    fs::remove(a / "s.pvtu");
    fs::remove(b / "s.pvtu");
    // of a folder they are no results
    write(a / "r.csv", "x\n1\n");
    write(b / "r.csv", "x\n1\n");
    EXPECT_EQ(compared(a, b).second.find("dx.csv"), std::string::npos);
}

}  // namespace
}  // namespace solenoid::diff_test
