// Mesh files, read whole: what `mesh info`, `init` and a run on one rank do with one. A mesh that
// is accepted can be written and read again, and `init` writes cases for it that are accepted.
#include "mesh/mesh.hpp"

#include <algorithm>

#include "app/init_command.hpp"
#include "app/mesh_commands.hpp"
#include "case/named.hpp"
#include "case/physics.hpp"
#include "fuzz/cases.hpp"
#include "fuzz/target.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/geometry.hpp"

namespace solenoid::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<Index>> sorted_cells(const SimplexMesh& mesh) {
    std::vector<std::vector<Index>> cells;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        cells.emplace_back(mesh.cell(c), mesh.cell(c) + mesh.dimension + 1);
    std::sort(cells.begin(), cells.end());
    return cells;
}

void check_writer(const SimplexMesh& mesh, bool binary) {
    const fs::path copy = scratch_folder() / "copy.msh";
    write_gmsh(mesh, copy, binary);
    const SimplexMesh again = read_mesh(copy);
    if (again.points != mesh.points || sorted_cells(again) != sorted_cells(mesh) ||
        again.side_count() != mesh.side_count() || again.regions.size() != mesh.regions.size())
        finding("the mesh that was written is another one");
}

// A case of each physics on meshes.
void check_starters(const fs::path& file) {
    for (const Physics* physics : all_physics()) {
        if (!contains(physics->mesh_tables(), "mesh")) continue;
        const fs::path starter = scratch_folder() / "starter.toml";
        fs::remove(starter);
        init_case(file, starter, physics->name(), "m");
        read_case(starter, all_physics());
    }
}

}  // namespace

void read_input(std::string_view bytes) {
    const fs::path file = scratch_file("mesh.msh", bytes);
    SimplexMesh mesh;
    if (!accepts(file.string(), [&] { mesh = read_mesh(file); })) return;
    // a refusal from here on does not begin so, and is a finding
    accepts("an accepted mesh: ", [&] { mesh_info(file, true, "m"); });
    if (mesh.cell_count() > 1000) return;
    accepts("an accepted mesh: ", [&] {
        check_writer(mesh, bytes.size() % 2 == 0);
        check_starters(file);
        geometry(build_mesh(whole(std::move(mesh))));
    });
}

}  // namespace solenoid::fuzz
