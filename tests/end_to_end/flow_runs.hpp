// A small flow case, and a run of the program over one with what it left.
#pragma once

#include "results.hpp"

namespace solenoid::test {

using Words = std::vector<std::string>;

inline const std::string cavity = R"toml(physics = "flow"
title = "A small cavity"

[mesh.box]
cells = 300
dimension = 2

[fluid]
viscosity = 0.01

[boundary.ymax]
type = "wall"
velocity = ["1 + 0.1*sin(t)", 0]

[boundary.xmin]
type = "wall"
[boundary.xmax]
type = "wall"
[boundary.ymin]
type = "wall"

[time]
end = 1.0
step = 0.02
steps = 20

[[monitor]]
type = "line"
name = "vertical"
from = [0.5, 0]
to = [0.5, 1]
points = 11

[[monitor]]
type = "point"
name = "middle"
at = [0.5, 0.5]
)toml";

struct Flow {
    Folder folder;
    Outcome outcome;

    Flow(const std::string& text, const std::vector<std::string>& arguments, int ranks = 1)
        : outcome(run_program(
              joined({"run", folder.write("case.toml", text), "-o", folder / "out"}, arguments),
              {.ranks = ranks, .environment = {{"SOLENOID_GL_SOFTWARE", "1"}}})) {}
    fs::path out() const { return folder / "out"; }
    nlohmann::json summary() const { return summary_in(out()); }
    Table figures() const { return table_in(out() / "monitors/flow.csv"); }
    std::vector<WrittenState> states() const {
        for (const auto& entry : fs::directory_iterator(out()))
            if (entry.path().extension() == ".pvd") return states_in(entry.path());
        return {};
    }
};

inline vtkSmartPointer<vtkUnstructuredGrid> grid_in(const fs::path& pvtu) {
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    reader->SetFileName(pvtu.c_str());
    reader->Update();
    return reader->GetOutput();
}

}  // namespace solenoid::test
