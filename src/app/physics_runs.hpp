// How the program runs each physics, and what it writes to start with one. A physics is one line of physics_runs.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/run.hpp"

namespace solenoid {

struct PhysicsRun {
    std::string name;  // of case/physics.hpp
    void (*single_precision)(Run& run);
    void (*double_precision)(Run& run);
    std::string (*starter)(const std::filesystem::path& mesh_file, const Mesh& mesh);  // a commented case that runs as it is
};

const std::vector<PhysicsRun>& physics_runs();
const PhysicsRun& physics_run(const std::string& name);

}  // namespace solenoid
