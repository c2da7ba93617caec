#include "io/mesh/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/plain_text.hpp"

namespace solenoid {
namespace {

constexpr const char* by_meshio = "convert it with: meshio convert {} new.msh --output-format gmsh";

struct Format {
    std::string_view name;
    std::string_view beginning;  // of the file, or of one of its first lines
    std::string_view extension;
    const char* remedy;
};

constexpr Format formats[] = {
    {"a Netgen mesh", "mesh3d", ".vol", by_meshio},
    {"a Netgen mesh", "mesh2d", ".vol", by_meshio},
    {"an SU2 mesh", "NDIME", ".su2", by_meshio},
    {"a VTK file", "# vtk DataFile", ".vtk", by_meshio},
    {"a VTK file", "<VTKFile", ".vtu", by_meshio},
    {"an XDMF file", "<Xdmf", ".xdmf", by_meshio},
    {"an MFEM mesh", "MFEM mesh", ".mesh", "save it as VTK and convert that with meshio"},
    {"a Medit mesh", "MeshVersionFormatted", ".mesh", by_meshio},
    {"an OpenFOAM file", "FoamFile", ".foam",
     "export it with foamMeshToFluent or foamToVTK and convert that with meshio"},
    {"an Abaqus mesh", "*HEADING", ".inp", by_meshio},
    {"an Abaqus mesh", "*NODE", ".inp", by_meshio},
    {"a Nastran mesh", "BEGIN BULK", ".bdf", by_meshio},
    {"an STL surface", "solid ", ".stl",
     "make a volume of it and mesh that: gmsh -3 with Merge and Surface Loop"},
    {"an HDF5 file (MED, CGNS, XDMF data)", "\x89HDF", ".med", by_meshio},
    {"a netCDF file (Exodus)", "CDF", ".e", by_meshio},
    {"a STEP geometry", "ISO-10303-21", ".step", "mesh it: gmsh -3 {} -o new.msh"},
    {"a Gmsh geometry", "SetFactory", ".geo", "mesh it: gmsh -3 {} -o new.msh"},
    {"a Gmsh mesh of format 1", "$NOD", "",
     "save it again: gmsh {} -save -format msh41 -o new.msh"},
    {"compressed by gzip", "\x1f\x8b", ".gz", "unpack it: gunzip {}"},
    {"compressed by zip", "PK\x03\x04", ".zip", "unpack it"},
};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool same_letters(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [](char x, char y) { return upper(x) == upper(y); });
}

// Whether one of the first lines begins with `beginning`.
bool begins(std::string_view bytes, std::string_view beginning) {
    bytes = bytes.substr(0, 2000);
    for (std::size_t at = 0; at < bytes.size();) {
        if (same_letters(bytes.substr(at, beginning.size()), beginning)) return true;
        at = bytes.find('\n', at);
        if (at == std::string_view::npos) return false;
        at = std::min(bytes.find_first_not_of(" \t\r\n", at), bytes.size());
    }
    return false;
}

std::string sentence(const Format& format, const std::string& file) {
    return fmt::format("this is {}; solenoid reads Gmsh meshes (.msh); {}", format.name,
                       fmt::format(fmt::runtime(format.remedy), for_shell(file)));
}

}  // namespace

std::string describe_foreign_mesh(const std::filesystem::path& file, std::string_view bytes) {
    for (const Format& format : formats)
        if (begins(bytes, format.beginning)) return sentence(format, file.string());
    for (const Format& format : formats)
        if (!format.extension.empty() && same_letters(file.extension().string(), format.extension))
            return sentence(format, file.string());
    return "this is not a Gmsh mesh: expected $MeshFormat at its beginning";
}

}  // namespace solenoid
