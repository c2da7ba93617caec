#include "app/init_command.hpp"

#include "case/settings.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/mesh_file.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {
namespace {

// The groups that have a face on the boundary of the domain: those wholly inside need no condition.
std::vector<std::string> outer_groups(const Mesh& mesh) {
    std::vector<bool> is_outer(mesh.boundaries.size(), false);
    for (const Side& side : mesh.sides)
        if (mesh.face_cells(side.face, 0) == none || mesh.face_cells(side.face, 1) == none)
            is_outer[side.boundary] = true;
    std::vector<std::string> names;
    for (std::size_t g = 0; g < is_outer.size(); ++g)
        if (is_outer[g]) names.push_back(mesh.boundaries[g]);
    return names;
}

}  // namespace

int init_case(const std::filesystem::path& mesh_file, const std::filesystem::path& case_file) {
    namespace fs = std::filesystem;
    if (fs::exists(case_file))
        throw InputError(case_file.string(), "exists already: choose another name with -o");
    const Mesh mesh = build_mesh(whole(read_mesh(mesh_file)));
    const fs::path folder = fs::absolute(case_file).parent_path();
    if (!fs::is_directory(folder))
        throw InputError(case_file.string(), "there is no folder " + folder.string());
    const fs::path path = fs::relative(fs::absolute(mesh_file), folder);
    write_atomically(case_file, starter_case(path, mesh.dimension, outer_groups(mesh), mesh.regions));
    log::info("{} is written: look through it, then\n    solenoid run {}", case_file.string(),
              case_file.string());
    return 0;
}

}  // namespace solenoid
