// Case files: what is read, overrides, names, starter cases.
#include "app/case/case_files.hpp"

namespace solenoid::case_test {
namespace {

namespace fs = std::filesystem;
using CaseFiles = test::CaseFiles;

TEST_F(CaseFiles, defaults) {
    const CaseSettings s = read(minimal);
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.name, "shaft");
    EXPECT_EQ(s.physics->name(), "heat");
    EXPECT_EQ(s.mesh.file, folder_ / "shaft/part.msh");
    EXPECT_FALSE(s.mesh.box);
    EXPECT_EQ(s.mesh.scale, 1);
    EXPECT_EQ(s.mesh.ordering, "hilbert");
    EXPECT_EQ(s.mesh.cut, "metis");
    EXPECT_EQ(heat.materials.at("default").conductivity({}), 2);
    EXPECT_EQ(heat.materials.at("default").heat_capacity({}), 1);
    EXPECT_EQ(heat.materials.at("default").source({}), 0);
    EXPECT_TRUE(heat.boundaries.empty());
    EXPECT_TRUE(s.time.steady);
    EXPECT_FALSE(s.time.step);
    EXPECT_EQ(s.time.tolerance, 1e-3);
    EXPECT_FALSE(heat.solver.tolerance);
    EXPECT_EQ(heat.solver.max_iterations, 100000);
    EXPECT_EQ(heat.solver.preconditioner, "automatic");
    EXPECT_FALSE(s.output.interval || s.output.every);
    EXPECT_TRUE(s.output.vtk);
    EXPECT_TRUE(s.monitors.empty() && s.pictures.empty());
}

TEST_F(CaseFiles, every_key) {
    const CaseSettings s = read(full);
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.title, "A case");
    EXPECT_EQ(s.mesh.scale, 0.001);
    EXPECT_EQ(s.mesh.ordering, "reverse-cuthill-mckee");
    EXPECT_EQ(s.mesh.cut, "hilbert");
    const MaterialSettings& steel = heat.materials.at("steel");
    EXPECT_EQ(steel.conductivity({1, 0, 0}), 46);
    EXPECT_EQ(steel.heat_capacity({}), 7800 * 500);
    EXPECT_EQ(steel.source({}), 1000);
    ASSERT_EQ(heat.boundaries.size(), 4u);
    EXPECT_EQ(heat.boundaries[0].name, "front");
    EXPECT_EQ((*heat.boundaries[0].condition->temperature())({}, 2), 320);
    EXPECT_EQ(heat.boundaries[1].name, "outer wall");
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->coefficient({}), 20);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->ambient({3, 0, 0}), 293);
    EXPECT_EQ(heat.boundaries[1].place, (folder_ / "shaft/case.toml:19").string());
    EXPECT_EQ((*heat.boundaries[2].condition->flux())({}), -5.5);
    EXPECT_FALSE(heat.boundaries[3].condition->lets_heat_pass());
    EXPECT_FALSE(s.time.steady);
    EXPECT_EQ(s.time.end, 10);
    EXPECT_FALSE(s.time.step);
    EXPECT_EQ(s.time.tolerance, 1e-4);
    EXPECT_EQ(s.time.steps, 7);
    EXPECT_EQ(heat.initial({0, 1, 0}), 301);
    EXPECT_EQ(heat.solver.tolerance, 1e-8);
    EXPECT_EQ(heat.solver.max_iterations, 500);
    EXPECT_EQ(heat.solver.preconditioner, "none");
    EXPECT_EQ(s.output.interval, 2.5);
    EXPECT_FALSE(s.output.vtk);
    ASSERT_EQ(s.monitors.size(), 2u);
    EXPECT_EQ(s.monitors[0].type, "line");
    EXPECT_EQ(s.monitors[0].to, Vec3(1.5, 0, 0));
    EXPECT_EQ(s.monitors[0].points, 11);
    EXPECT_EQ(s.monitors[1].from, Vec3(1, 2, 3));
    ASSERT_EQ(s.pictures.size(), 1u);
    EXPECT_EQ(s.pictures[0].width, 640);
    EXPECT_EQ(s.pictures[0].height, 480);
    EXPECT_TRUE(s.pictures[0].mesh);
    EXPECT_EQ(s.pictures[0].range, (std::array<double, 2>{290, 310.5}));
    EXPECT_EQ(s.pictures[0].direction, Vec3(0, 0, -1));
}

TEST_F(CaseFiles, BoxMeshes) {
    const std::string end = "[material.box]\nconductivity = 1\n";
    const CaseSettings cube = read("[mesh.box]\ncells = 500\n" + end);
    EXPECT_TRUE(cube.mesh.file.empty());
    EXPECT_EQ(cube.mesh.box->cells, 500u);
    EXPECT_EQ(cube.mesh.box->dimension, 3);
    EXPECT_EQ(cube.mesh.box->high, Vec3(1, 1, 1));
    const CaseSettings flat = read(
        "[mesh.box]\ncells = 5\ndimension = 2\nlow = [-1, 0]\nhigh = [2, 3]\njitter = 0\n" + end);
    EXPECT_EQ(flat.mesh.box->low, Vec3(-1, 0, 0));
    EXPECT_EQ(flat.mesh.box->high, Vec3(2, 3, 0));
    EXPECT_EQ(flat.mesh.box->jitter, 0);
    expect_refusal("[mesh.box]\ncells = 0\n", 2, {"[mesh.box] cells must be from 1 to"});
    expect_refusal("[mesh.box]\n", 1, {"[mesh.box] needs the key \"cells\""});
    expect_refusal("[mesh.box]\ncells = 9\ndimension = 4\n", 3,
                   {"dimension must be from 2 to 3, found 4"});
    expect_refusal("[mesh.box]\ncells = 9\nhigh = [1, 0, 1]\n", 3,
                   {"empty in y", "low 0 is not below high 0"});
    expect_refusal("[mesh.box]\ncells = 9\ndimension = 2\nlow = [0, 0, 1]\n", 4,
                   {"third coordinate"});
    expect_refusal("[mesh.box]\ncells = 9\njitter = 1.5\n", 3, {"jitter must be from 0 to"});
}

TEST_F(CaseFiles, names) {
    EXPECT_EQ(case_name("cases/crankshaft/case.toml"), "crankshaft");
    EXPECT_EQ(case_name("cases/crankshaft/quench.toml"), "quench");
    EXPECT_EQ(case_name("/case.toml"), "case");
    EXPECT_EQ(read("name = \"first run\"\n" + minimal).name, "first run");
    expect_refusal("name = \"a/b\"\n" + minimal, 1, {"name names a file", "\"a/b\""});
}

TEST_F(CaseFiles, overrides) {
    const CaseSettings s =
        read(full,
             {"time.end=20", "material.steel.conductivity=1 + y", "picture.0.mesh=false",
              "boundary.\"outer wall\".h = 30", "boundary.outer wall.T_inf=280", "monitor.0.to.1=2",
              "output={every=3}", "title=plain words", "boundary.'new.one'.type=insulated",
              "time.end=30", "mesh.ordering='file'", "name=a=b"});
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.time.end, 30);
    EXPECT_EQ(heat.materials.at("steel").conductivity({0, 2, 0}), 3);
    EXPECT_EQ(heat.materials.at("steel").conductivity.place(), "--set material.steel.conductivity");
    EXPECT_FALSE(s.pictures[0].mesh);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->coefficient({}), 30);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->ambient({}), 280);
    EXPECT_EQ(s.monitors[0].to, Vec3(1.5, 2, 0));
    EXPECT_EQ(s.output.every, 3);
    EXPECT_FALSE(s.output.interval);
    EXPECT_EQ(s.title, "plain words");
    ASSERT_EQ(heat.boundaries.size(), 5u);
    EXPECT_EQ(heat.boundaries[4].name, "new.one");
    EXPECT_EQ(heat.boundaries[4].place, "--set boundary.'new.one'.type");
    EXPECT_EQ(s.mesh.ordering, "file");
    EXPECT_EQ(s.name, "a=b");
}

TEST_F(CaseFiles, say_how_often_a_step_is_repeated) {
    const std::string time = "[initial]\ntemperature = 1\n[time]\nend = 1\n",
                      transient = "material.default.heat_capacity=1";
    EXPECT_EQ(read(minimal + time, {transient}).time.retries, 8);
    EXPECT_EQ(read(minimal + time + "retries = 0\n", {transient}).time.retries, 0);
    EXPECT_EQ(read(minimal + time, {transient, "time.retries=30"}).time.retries, 30);
    expect_refusal_after(time + "retries = 31\n", 5, {"[time] retries must be from 0 to 30"});
    expect_refusal_after(time + "retries = 1.5\n", 5, {"[time] retries must be"});
}

TEST_F(CaseFiles, of_keys_that_exclude_one_another_one_is_given) {
    const std::string step = "step = 0.5\n", tolerance = "tolerance = 1e-4\n";
    const std::string time = "[initial]\ntemperature = 1\n[time]\nend = 1\n",
                      transient = "material.default.heat_capacity=1";
    expect_refusal_after(time + step + tolerance, 5,
                         {"[time] step and \"tolerance\": give one of them"});
    for (const char* key : {"first_step", "largest_step"})
        expect_refusal_after(time + step + key + " = 0.1\n", 5,
                             {"[time] step and \"" + std::string(key) + "\": give one of them"});
    EXPECT_EQ(read(minimal + time + tolerance, {transient, "time.step=0.5"}).time.step, 0.5);
    EXPECT_FALSE(read(minimal + time + "largest_step = 0.1\n", {transient, "time.step=0.5"})
                     .time.largest_step);
    EXPECT_FALSE(read(minimal + time + step, {transient, "time.tolerance=1e-4"}).time.step);
    EXPECT_EQ(read(full, {"output.every=3"}).output.every, 3);
    EXPECT_FALSE(read(full, {"output.every=3"}).output.interval);
    EXPECT_TRUE(read(minimal, {"mesh.box.cells=9"}).mesh.box);
    EXPECT_TRUE(read(minimal, {"mesh.box.cells=9"}).mesh.file.empty());
    EXPECT_FALSE(read(minimal, {"mesh.box.cells=9", "mesh.file=part.msh"}).mesh.box);
}

TEST_F(CaseFiles, starter_case) {
    for (const int dimension : {2, 3}) {
        const std::vector<std::string> boundaries{"front", "outer \"wall\"", "a.b", "rear"};
        const std::vector<std::string> regions{"steel", "two words"};
        const CaseSettings s =
            read(HeatPhysics().starter("part.msh", dimension, boundaries, regions));
        const HeatSettings& heat = settings_of<HeatSettings>(s);
        EXPECT_EQ(refusal_of([&] {
                      check_names(s, {dimension, boundaries, {}, regions});
                  }),
                  "accepted");
        EXPECT_EQ((*heat.boundaries[0].condition->temperature())({}), 1);
        EXPECT_FALSE(heat.boundaries[1].condition->lets_heat_pass());
        EXPECT_EQ((*heat.boundaries[3].condition->temperature())({}), 0);
        EXPECT_EQ(s.pictures.size(), 1u);
    }
    EXPECT_EQ(read(HeatPhysics().starter("../shaft/part.msh", 3, {"only"}, {"r"})).mesh.file,
              folder_ / "shaft/part.msh");
}

// The hash signs of "# key = value" lines taken away, the starter case is still a valid one.
TEST_F(CaseFiles, starter_case_uncommented) {
    std::string text = HeatPhysics().starter("part.msh", 3, {"front", "rear"}, {"steel"});
    const auto from = text.find("# [time]");
    for (auto i = from; i != std::string::npos; i = text.find("\n# ", i))
        if (const auto hash = text.find("# ", i);
            text.find_first_of("=[", hash) < text.find_first_of(".,\n", hash))
            text.erase(hash, 2);
        else
            i = hash;
    const CaseSettings s = read(text);
    EXPECT_EQ(s.time.end, 60);
    EXPECT_EQ(s.monitors.size(), 1u);
    EXPECT_TRUE(s.pictures.at(0).range);
}

TEST(Cases, of_the_repository) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(SOLENOID_SOURCE_DIR "/cases")) {
        if (entry.path().extension() != ".toml") continue;
        if (entry.path().filename() == "validate.toml") continue;  // of tools/validate, not a case
        const CaseSettings s = read_case(entry.path(), all_physics());
        EXPECT_FALSE(s.title.empty()) << entry.path();
        EXPECT_FALSE(s.pictures.empty()) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace solenoid::case_test
