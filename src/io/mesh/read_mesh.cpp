#include "core/error.hpp"
#include "io/mesh/file_content.hpp"
#include "io/mesh/foreign_formats.hpp"
#include "io/mesh/gmsh_file.hpp"
#include "io/mesh/mesh_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

void refuse_openfoam(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return;
    if (fs::exists(path / "constant" / "polyMesh", error) || path.filename() == "polyMesh")
        throw InputError(path.string(),
                         "this is an OpenFOAM case; solenoid reads Gmsh meshes (.msh)");
}

}  // namespace

SimplexMesh read_mesh(const fs::path& path) {
    const std::string place = path.string();
    SimplexMesh mesh;
    {
        refuse_openfoam(path);
        FileContent content = read_whole(path, "a mesh file");
        constexpr std::size_t head = 1000;  // shows whether the rest is worth its memory
        if (is_gzip(content.view()) && gmsh::is_gmsh(unpacked(content.view(), place, head).view()))
            content = unpacked(content.view(), place);
        if (!gmsh::is_gmsh(content.view()))
            throw InputError(place, describe_foreign_mesh(path, content.view()));
        Cursor cursor(place, content.view());
        mesh = gmsh::to_simplex_mesh(gmsh::read_file(cursor), place);
    }
    check_and_repair(mesh, place);
    return mesh;
}

}  // namespace solenoid
