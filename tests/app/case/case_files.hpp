// Heat cases, whole and minimal, and what refuses a change of them.
#pragma once

#include "app/case/case_folder.hpp"
#include "heat/case/heat_physics.hpp"

namespace solenoid::test {

// Heat cases.
class CaseFiles : public CaseFolder {
  protected:
    // The same for text appended to a valid case of `minimal_lines` lines: `line` counts from
    // there.
    void expect_refusal_after(const std::string& text, int line,
                              const std::vector<std::string>& words) const {
        expect_refusal(minimal + text, minimal_lines + line, words);
    }
    void expect_override_refusal(const std::string& text, const std::string& key,
                                 const std::vector<std::string>& words) const {
        const std::string message = refusal(full, {text});
        EXPECT_TRUE(message.starts_with("--set" + (key.empty() ? "" : " " + key) + ": "))
            << message;
        expect_words(message, words);
    }

    inline static const std::string minimal =
        "[mesh]\nfile = \"part.msh\"\n[material.default]\nconductivity = 2\n";
    static constexpr int minimal_lines = 4;
    inline static const std::string full = R"(title = "A case"
physics = "heat"

[mesh]
file = "part.msh"
scale = 0.001
ordering = "reverse-cuthill-mckee"
cut = "hilbert"
[material.steel]
conductivity = "45 + x"
density = 7800
specific_heat = 500.0
source = 1e3

[boundary.front]
type = "temperature"
value = "300 + 10*t"

[boundary."outer wall"]
type = "convection"
h = 20
T_inf = "290 + x"

[boundary.rear]
type = "flux"
value = -5.5

[boundary.sides]
type = "insulated"

[time]
end = 10
# step = 0.5
tolerance = 1e-4
steps = 7

[initial]
temperature = "300 + y"

[solver.temperature]
tolerance = 1e-8
max_iterations = 500
preconditioner = "none"

[output]
interval = 2.5
vtk = false

[[monitor]]
type = "line"
name = "axis"
from = [0, 0, 0]
to = [1.5, 0, 0]
points = 11

[[monitor]]
type = "point"
name = "tip"
at = [1, 2, 3]

[[picture]]
name = "above"
field = "temperature"
width = 640
height = 480
mesh = true
range = [290, 310.5]
direction = [0, 0, -1]
)";
};

}  // namespace solenoid::test
