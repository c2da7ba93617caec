#include "app/init_command.hpp"

#include "app/physics.hpp"
#include "case/named.hpp"
#include "case/starter_tables.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/plain_text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/length_units.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {

int init_case(const std::filesystem::path& mesh_file, const std::filesystem::path& case_file,
              const std::string& physics, const std::string& unit) {
    namespace fs = std::filesystem;
    if (fs::exists(case_file))
        throw InputError(case_file.string(), "exists already: choose another name with -o");
    const fs::path folder = fs::absolute(case_file).parent_path();
    if (!fs::is_directory(folder))
        throw InputError(case_file.string(), "there is no folder " + folder.string());
    const Physics& chosen = physics_named(all_physics(), physics);
    const std::vector<std::string> tables = chosen.mesh_tables();
    const auto takes = [&](const char* table) { return contains(tables, table); };
    if (mesh_file.empty() && !takes("grid"))
        throw InputError("MESH is missing: physics = \"" + physics +
                         "\" computes on an unstructured mesh: solenoid init MESH");
    if (!mesh_file.empty() && !takes("mesh"))
        throw InputError(mesh_file.string(), "physics = \"" + physics +
                                                 "\" computes on a grid that the case describes: "
                                                 "leave MESH out");
    if (mesh_file.empty()) {
        write_atomically(case_file, chosen.grid_starter());
    } else {
        SimplexMesh simplices = read_mesh(mesh_file);
        for (Vec3& x : simplices.points) x *= length_of_unit(unit);
        const Mesh mesh = build_mesh(whole(std::move(simplices)));
        const fs::path path = fs::relative(fs::absolute(mesh_file), folder);
        write_atomically(case_file, with_unit(chosen.starter(path, mesh), unit));
    }
    log::info(
        "{} is written: check it, then run\n"
        "    solenoid run {}",
        case_file.string(), for_shell(case_file.string()));
    return 0;
}

}  // namespace solenoid
