#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "io/mesh/foreign_formats.hpp"
#include "io/mesh/gmsh_file.hpp"
#include "io/mesh/mesh_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// A whole file in memory.
struct Content {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
    std::string_view view() const { return {bytes.get(), size}; }
};

Content read_whole(const fs::path& path) {
    const std::string place = path.string();
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(place, "there is no such file");
    if (fs::is_directory(status)) {
        const bool is_foam =
            fs::exists(path / "constant" / "polyMesh", error) || path.filename() == "polyMesh";
        throw InputError(place, is_foam
                                    ? "this is an OpenFOAM case; solenoid reads Gmsh meshes (.msh)"
                                    : "this is a directory; a mesh file was expected");
    }
    if (!fs::is_regular_file(status)) throw InputError(place, "this is not a regular file");

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file) throw InputError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
    Content content;
    content.size = fs::file_size(path, error);
    if (error) throw InputError(place, fmt::format("cannot be read: {}", error.message()));
    content.bytes.reset(new char[content.size]);
    content.size = std::fread(content.bytes.get(), 1, content.size, file.get());
    if (std::ferror(file.get()))
        throw InputError(place, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (content.size == 0) throw InputError(place, "the file is empty");
    return content;
}

}  // namespace

SimplexMesh read_mesh(const fs::path& path) {
    const std::string place = path.string();
    SimplexMesh mesh;
    {
        const Content content = read_whole(path);
        if (!gmsh::is_gmsh(content.view()))
            throw InputError(place, describe_foreign_mesh(path, content.view()));
        Cursor cursor(place, content.view());
        mesh = gmsh::to_simplex_mesh(gmsh::read_file(cursor), place);
    }
    check_and_repair(mesh, place);
    return mesh;
}

}  // namespace solenoid
