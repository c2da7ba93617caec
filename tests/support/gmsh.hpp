// Meshes that Gmsh makes for the tests, kept in the build folder.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace solenoid::test {

inline bool has_gmsh() { return std::system("command -v gmsh >/dev/null 2>&1") == 0; }

// tests/data/NAME.geo meshed with this size. Throws where Gmsh fails.
inline std::filesystem::path gmsh_mesh(const std::string& name, int dimension, double size) {
    const std::filesystem::path folder = std::filesystem::path(SOLENOID_BINARY_DIR) / "meshes";
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / (name + "_" + std::to_string(size) + ".msh");
    if (std::filesystem::exists(file)) return file;
    const std::string part = file.string() + "." + std::to_string(getpid()) + ".msh";
    const std::string command = "gmsh -" + std::to_string(dimension) +
                                " -v 1 -nt 1 -setnumber size " + std::to_string(size) + " '" +
                                std::string(SOLENOID_SOURCE_DIR) + "/tests/data/" + name +
                                ".geo' -format msh41 -bin -o '" + part + "' >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("gmsh failed: " + command);
    std::filesystem::rename(part, file);
    return file;
}

}  // namespace solenoid::test
