// Whole runs of waves, as a user starts them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "results.hpp"

namespace solenoid::test::end_to_end_wave_test {
namespace {

const std::string drum = source("cases/membrane/case.toml");

void expect_done(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(Drum, LeavesEnergiesMonitorsStatesAndPictures) {
    const Folder folder;
    expect_done(run_program({"run", drum, "-o", folder / "out", "--set", "time.end=0.5"}));
    const Table energies = table_in(folder / "out/monitors/wave.csv"),
                point = table_in(folder / "out/monitors/between.csv");
    EXPECT_EQ(energies.columns, (std::vector<std::string>{"time", "step_length", "kinetic_energy",
                                                          "potential_energy", "energy"}));
    const auto energy = energies.column("energy"), time = energies.column("time");
    // of A exp(-r^2 / s): half A^2 pi
    EXPECT_NEAR(*energy.front(), 0.5 * 0.01 * M_PI, 0.03 * 0.5 * 0.01 * M_PI);
    EXPECT_NEAR(*energy.back() / *energy.front(), 1, 0.02);
    EXPECT_NEAR(*time.back(), 0.5, 1e-12);
    EXPECT_EQ(point.rows.size(), 3u);  // at 0, 0.25 and 0.5 s
    EXPECT_EQ(point.columns,
              (std::vector<std::string>{"time", "x", "y", "z", "displacement", "velocity"}));
    for (const char* file : {"displacement.png", "velocity.png"})
        EXPECT_GT(fs::file_size(folder / "out/pictures" / file), 10000u);
    const auto summary = nlohmann::json::parse(contents(folder / "out/summary.json"));
    EXPECT_EQ(summary["status"], "done");
    EXPECT_GE(summary["steps"].get<int>(), 20);
}

// A film of five frames, by a program in ffmpeg's place that keeps its arguments and what it is
// asked to make.
struct Filmed {
    explicit Filmed(const std::string& ffmpeg, const std::string& keys = "every = 5\n",
                    const std::string& ends = "0.02") {
        const fs::path bin = folder.path / "bin";
        folder.write("bin/ffmpeg", "#!/bin/bash\n" + ffmpeg);
        fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
        file = folder.write("drum/case.toml", contents(drum) +
                                                  "\n[[film]]\nname = \"film 100%\"\nwidth = "
                                                  "101\nheight = 80\nrange = [-1, 1]\n" +
                                                  keys);
        again(ends, std::string(bin) + ":" + std::getenv("PATH"));
    }
    void again(const std::string& ends, const std::string& path, bool is_continued = false) {
        std::vector<std::string> words{"run",   file,
                                       "-o",    folder / "out",
                                       "--set", "mesh.file=" + source("meshes/disc.msh").string(),
                                       "--set", "time.step=0.001",
                                       "--set", "time.end=" + ends};
        if (is_continued) words.emplace_back("--continue");
        outcome = run_program(words, {.environment = {{"PATH", path}}});
    }
    std::vector<std::string> pictures() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder / "out/pictures")) {
            const std::string name = entry.path().filename();
            if (name.starts_with("film")) names.push_back(name);
        }
        std::ranges::sort(names);
        return names;
    }

    Folder folder;
    fs::path file;
    Outcome outcome;
};
const std::vector<std::string> five_frames{"film 100%_0000.png", "film 100%_0001.png",
                                           "film 100%_0002.png", "film 100%_0003.png",
                                           "film 100%_0004.png"};

TEST(Film, IsMadeOfNumberedPictures) {
    const Filmed film("printf '%s\\n' \"$@\" > ../arguments; echo video > \"${!#}\"\n");
    expect_done(film.outcome);
    std::vector<std::string> all{"film 100%.mp4"};
    all.insert(all.end(), five_frames.begin(), five_frames.end());
    EXPECT_EQ(film.pictures(), all);
    EXPECT_EQ(contents(film.folder / "out/pictures/film 100%.mp4"), "video\n");
    const std::string arguments = contents(film.folder / "out/arguments");
    for (const char* part : {"-framerate\n25\n", "-i\n./film 100%%_%04d.png\n", "-frames:v\n5\n"})
        EXPECT_NE(arguments.find(part), std::string::npos) << arguments;
}

TEST(Film, TellsWhyThereIsNoVideo) {
    Filmed film("echo nothing works >&2; exit 3\n");
    expect_done(film.outcome);
    EXPECT_EQ(film.pictures(), five_frames);
    EXPECT_NE(film.outcome.err.find("ffmpeg ended with code 3"), std::string::npos)
        << film.outcome.err;
    fs::remove_all(film.folder / "out");
    film.again("0.02", "/nowhere");
    expect_done(film.outcome);
    EXPECT_EQ(film.pictures(), five_frames);
    for (const char* words :
         {"ffmpeg is not installed",
          "ffmpeg -framerate 25 -i 'film 100%%_%04d.png' -pix_fmt yuv420p 'film 100%.mp4'"})
        EXPECT_NE((film.outcome.out + film.outcome.err).find(words), std::string::npos)
            << film.outcome.out;
}

// A film of a run that is stopped between two frames and continued.
TEST(Film, GoesOnWithARun) {
    Filmed film("echo $(ls film*_*.png | wc -l) > \"${!#}\"\n", "every = 5\n", "0.012");
    expect_done(film.outcome);
    EXPECT_EQ(contents(film.folder / "out/pictures/film 100%.mp4"), "3\n");
    film.again("0.02", std::string(film.folder / "bin") + ":" + std::getenv("PATH"), true);
    expect_done(film.outcome);
    std::vector<std::string> all{"film 100%.mp4"};
    all.insert(all.end(), five_frames.begin(), five_frames.end());
    EXPECT_EQ(film.pictures(), all);
}

// A later run into the same folder, without the film, leaves nothing of it.
TEST(Film, GoesWithTheRunThatMadeIt) {
    const Filmed film("echo video > \"${!#}\"\n");
    expect_done(film.outcome);
    ASSERT_EQ(film.pictures().size(), 6u);
    expect_done(
        run_program({"run", film.file, "-o", film.folder / "out", "--set",
                     "mesh.file=" + source("meshes/disc.msh").string(), "--set", "time.step=0.001",
                     "--set", "time.end=0.02", "--set", "film=[]", "--overwrite"}));
    EXPECT_TRUE(film.pictures().empty());
}

TEST(Film, NeedsAFrequency) {
    const Filmed film("", "");
    EXPECT_EQ(film.outcome.code, 2);
    EXPECT_NE(film.outcome.err.find("[[film]] needs the time between two frames"),
              std::string::npos)
        << film.outcome.err;
    const Filmed slow("", "every = 5\nframes_per_second = 0\n");
    EXPECT_EQ(slow.outcome.code, 2);
    EXPECT_NE(slow.outcome.err.find("frames_per_second must be from 0.1 to 1000, found 0"),
              std::string::npos)
        << slow.outcome.err;
}

TEST(Drum, IsTheSameOnAnyNumberOfRanks) {
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        std::vector<Table> tables;
        for (const int ranks : {1, 4}) {
            const Folder folder;
            expect_done(run_program({"run", drum, "-o", folder / "out", "--set", "time.end=0.2",
                                     "--set", "time.step=0.02", "--set", "picture=[]", "--set",
                                     std::string("wave.time_scheme=") + scheme},
                                    {.ranks = ranks}));
            tables.push_back(table_in(folder / "out/monitors/between.csv"));
            tables.push_back(table_in(folder / "out/monitors/wave.csv"));
        }
        for (const int k : {0, 1})
            for (const std::string& name : tables[k].columns) {
                const auto one = tables[k].column(name), four = tables[k + 2].column(name);
                ASSERT_EQ(one.size(), four.size());
                for (std::size_t i = 0; i < one.size(); ++i)
                    ASSERT_NEAR(*one[i], *four[i], 1e-11)
                        << scheme << ", " << name << ", row " << i;
            }
    }
}

// The message with a remedy comes before that of the table that the value would go into.
TEST(Drum, ThatOverflowsHasOneMessage) {
    const Folder folder;
    for (const int ranks : {1, 2}) {
        const Outcome outcome =
            run_program({"run", drum, "-o", folder / "out", "--set", "time.steps=3", "--set",
                         "initial.displacement=1e200*x", "--overwrite", "--quiet"},
                        {.ranks = ranks});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        EXPECT_NE(outcome.err.find("take smaller displacements"), std::string::npos) << outcome.err;
    }
}

TEST(Drum, RefusesAStepBeyondTheLimitOnEveryRank) {
    for (const int ranks : {1, 2}) {
        const Folder folder;
        const Outcome outcome = run_program(
            {"run", drum, "-o", folder / "out", "--set", "time.step=0.03"}, {.ranks = ranks});
        EXPECT_EQ(outcome.code, 2);
        for (const char* words :
             {"case.toml: a time step of 0.03 s is beyond the limit of \"leapfrog\"",
              "take time.step = 0.025", "trapezoidal"})
            EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "out"));
        // What the message proposes runs, whatever the number of ranks.
        const std::size_t proposed = outcome.err.find("time.step = ");
        ASSERT_NE(proposed, std::string::npos);
        const std::string step =
            outcome.err.substr(proposed + 12, outcome.err.find(' ', proposed + 12) - proposed - 12);
        for (const std::string& remedy :
             {"time.step=" + step, std::string("wave.time_scheme=trapezoidal")})
            EXPECT_EQ(run_program({"run", drum, "-o", folder / "out", "--overwrite", "--set",
                                   "time.step=0.03", "--set", remedy, "--set", "time.steps=40",
                                   "--set", "picture=[]"},
                                  {.ranks = 3 - ranks})
                          .code,
                      0)
                << remedy;
    }
}

TEST(StarterCase, OfAWaveRunsAsItIs) {
    const Folder folder;
    fs::copy(source("meshes/plate.msh"), folder / "plate.msh");
    expect_done(run_program(
        {"init", folder / "plate.msh", "-o", folder / "case.toml", "--physics", "wave"}));
    expect_done(run_program({"run", folder / "case.toml", "-o", folder / "out"}));
    EXPECT_TRUE(fs::exists(folder / "out/pictures/displacement.png"));
    const auto energy = table_in(folder / "out/monitors/wave.csv").column("energy");
    EXPECT_GT(*energy.back(), 0.9 * *energy.front());
}

}  // namespace
}  // namespace solenoid::test::end_to_end_wave_test
