// Case files of waves: what is read, what is refused, and whether they fit the mesh.
#include "wave/wave_case.hpp"

#include "app/case/case_folder.hpp"

namespace solenoid::wave_case_test {
namespace {

class WaveCases : public test::CaseFolder {
  protected:
    WaveCase wave_of(const std::string& text) const { return settings_of<WaveCase>(read(text)); }
    void expect_refusal_after(const std::string& text, int line,
                              const std::vector<std::string>& words) const {
        expect_refusal(minimal + text, minimal_lines + line, words);
    }

    inline static const std::string minimal =
        "physics = \"wave\"\nmesh = {file = \"part.msh\"}\nwave = {speed = 2}\n[time]\nend = 3\n";
    static constexpr int minimal_lines = 5;
};

TEST_F(WaveCases, defaults) {
    const CaseSettings s = read(minimal);
    const WaveCase& wave = settings_of<WaveCase>(s);
    EXPECT_EQ(s.physics->name(), "wave");
    EXPECT_EQ(wave.wave.speed({}), 2);
    EXPECT_EQ(wave.wave.source({1, 2, 3}, 4), 0);
    EXPECT_EQ(wave.wave.time_scheme, "leapfrog");
    EXPECT_EQ(wave.initial_displacement({1, 2, 3}), 0);
    EXPECT_EQ(wave.initial_velocity({1, 2, 3}), 0);
    EXPECT_TRUE(wave.boundaries.empty());
    EXPECT_EQ(s.time.end, 3);
    EXPECT_FALSE(s.time.steady || s.time.step || s.time.steps);
    EXPECT_EQ(read(minimal + "[[picture]]\nname = \"a\"\n").pictures.at(0).field, "displacement");
}

TEST_F(WaveCases, heights_in_pictures) {
    const std::string picture = "[[picture]]\nname = \"a\"\nfield = \"velocity\"\n";
    const PictureSettings flat = read(minimal + picture).pictures.at(0);
    EXPECT_TRUE(flat.height_of.empty() && !flat.height_scale);
    const PictureSettings raised =
        read(minimal + picture + "height_of = \"displacement\"\nheight_scale = 2.5\n")
            .pictures.at(0);
    EXPECT_EQ(raised.field, "velocity");
    EXPECT_EQ(raised.height_of, "displacement");
    EXPECT_EQ(raised.height_scale, 2.5);
    EXPECT_EQ(read(minimal + "[[film]]\nname = \"a\"\nevery = 1\nheight_of = \"velocity\"\n")
                  .pictures.at(0)
                  .height_of,
              "velocity");
    expect_refusal_after(
        picture + "height_of = \"displacment\"\n", 4,
        {"height_of must be \"displacement\" or \"velocity\"", "did you mean \"displacement\"?"});
}

TEST_F(WaveCases, every_key) {
    const CaseSettings s = read(R"(physics = "wave"
mesh = {file = "part.msh"}
wave = {speed = "1 + x", source = "x*t", time_scheme = "trapezoidal"}
time = {end = 3, step = 0.1, steps = 7}
initial = {displacement = "y", velocity = "2*z"}
[boundary.clamped]
type = "fixed"
[boundary.moved]
type = "fixed"
value = "x + t"
[boundary.loose]
type = "free"
[solver.displacement]
tolerance = 1e-6
)");
    const WaveCase& wave = settings_of<WaveCase>(s);
    EXPECT_EQ(wave.wave.speed({3, 0, 0}), 4);
    EXPECT_EQ(wave.wave.source({3, 0, 0}, 2), 6);
    EXPECT_EQ(wave.wave.time_scheme, "trapezoidal");
    EXPECT_EQ(s.time.step, 0.1);
    EXPECT_EQ(s.time.steps, 7);
    EXPECT_EQ(wave.initial_displacement({0, 5, 0}), 5);
    EXPECT_EQ(wave.initial_velocity({0, 0, 5}), 10);
    ASSERT_EQ(wave.boundaries.size(), 3u);
    EXPECT_EQ((*wave.boundaries[0].condition->displacement())({1, 1, 1}, 1), 0);
    EXPECT_EQ((*wave.boundaries[1].condition->displacement())({1, 1, 1}, 1), 2);
    EXPECT_EQ(wave.boundaries[2].condition->displacement(), nullptr);
    EXPECT_EQ(wave.solver.tolerance, 1e-6);
}

TEST_F(WaveCases, missing) {
    const std::string mesh = "physics = \"wave\"\nmesh = {file = \"part.msh\"}\n";
    expect_refusal(mesh, 0, {"needs the key \"wave\""});
    expect_refusal(mesh + "[wave]\n", 3, {"[wave] needs the key \"speed\""});
    expect_refusal(mesh + "[wave]\nspeed = 1\n", 0,
                   {"a wave case needs a table [time]", "no steady state"});
    expect_refusal(mesh + "[wave]\nspeed = 1\n[time]\n", 5, {"[time] needs the key \"end\""});
    expect_refusal(mesh + "[wave]\nspeed = 1\ntime_scheme = \"trapezoidal\"\n[time]\nend = 1\n", 6,
                   {"needs the key \"step\"", "trapezoidal"});
    expect_refusal_after("[boundary.a]\nvalue = 1\n", 1, {"[boundary.a] needs the key \"type\""});
}

TEST_F(WaveCases, bad_values) {
    const auto expect_override = [&](const std::string& text,
                                     const std::vector<std::string>& words) {
        const std::string message = refusal(minimal, {text});
        EXPECT_TRUE(message.starts_with("--set " + text.substr(0, text.find('=')) + ": "))
            << message;
        expect_words(message, words);
    };
    expect_override("wave.speed=0", {"speed must be positive, found 0"});
    expect_override("wave.speed=1 + t", {"may depend on x, y and z, not on t"});
    expect_override("wave.speed=1 + q", {"unknown name \"q\""});
    expect_override("wave.time_scheme=euler",
                    {"must be \"leapfrog\" or \"trapezoidal\", found \"euler\""});
    expect_override("wave.sped=1", {"did you mean \"speed\"?"});
    expect_override("time.step=0", {"step must be positive"});
    expect_override("boundary.a.type=wall", {"\"wall\" belongs to a flow case; here it must be "
                                             "\"fixed\", \"free\", \"absorbing\" or \"periodic\""});
    expect_override(
        "boundary.a.type=clamped",
        {"must be \"fixed\", \"free\", \"absorbing\" or \"periodic\", found \"clamped\""});
    expect_override("time.tolerance=1e-3",
                    {"[time] tolerance belongs to a case with physics = \"heat\" or \"flow\""});
    expect_override("fluid.viscosity=1", {"fluid belongs to a flow case"});
    expect_override("initial.temperature=1", {"belongs to a heat case"});
    expect_override("solver.displacement.tolerance=1e-3",
                    {"belongs to wave.time_scheme = \"trapezoidal\""});
    expect_refusal_after("[boundary.a]\ntype = \"free\"\nvalue = 1\n", 3,
                         {"value belongs to the type \"fixed\", not to \"free\""});
    expect_refusal_after("[[picture]]\nname = \"a\"\nfield = \"speed\"\n", 3,
                         {"field must be \"displacement\" or \"velocity\""});
    expect_refusal_after("[[monitor]]\ntype = \"point\"\nname = \"wave\"\nat = [0, 0]\n", 3,
                         {"\"wave\" is the file of every step's energies"});
    expect_refusal("wave = {speed = 1}\nmesh = {file = \"part.msh\"}\n", 1,
                   {"wave belongs to a wave case, one with physics = \"wave\""});
}

TEST_F(WaveCases, fitting_the_mesh) {
    const CaseSettings s =
        read(minimal + "[boundary.rim]\ntype = \"free\"\n[boundary.stop]\ntype = \"fixed\"\n");
    EXPECT_EQ(refusal_of([&] { check_names(s, {2, {"rim"}, {"stop"}, {"skin"}}); }), "accepted");
    expect_words(refusal_of([&] {
                     check_names(s, {2, {"stop"}, {"rim"}, {}});
                 }),
                 {"case.toml:6", "\"rim\" lies inside the domain", "type \"fixed\""});
    EXPECT_EQ(s.physics->baffles(s), (std::vector<std::string>{"rim"}));
    expect_words(refusal_of([&] {
                     check_names(s, {2, {"rim", "edge"}, {"stop"}, {}});
                 }),
                 {"no condition for the boundary \"edge\""});
}

}  // namespace
}  // namespace solenoid::wave_case_test
