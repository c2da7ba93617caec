// Case files, of any physics, and their checks against a mesh that has the names of the case.
#include "fuzz/cases.hpp"
#include "fuzz/target.hpp"

namespace solenoid::fuzz {

void read_input(std::string_view bytes) {
    const std::filesystem::path file = scratch_file("cases/c/case.toml", bytes);
    make_meshes();
    accepts(file.string(), [&] { check_settings(read_case(file, all_physics())); });
}

}  // namespace solenoid::fuzz
