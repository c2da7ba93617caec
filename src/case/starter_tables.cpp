#include "case/starter_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace solenoid {

std::string toml_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            result += c;
    }
    return result + '"';
}

std::string toml_key(const std::string& name) {
    const bool bare = !name.empty() && name.find_first_not_of(
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                           "0123456789_-") == std::string::npos;
    return bare ? name : toml_string(name);
}

// The line that starter_heading() writes.
const std::string_view unit_line =
    "# unit = \"mm\"            # of the file's coordinates; metres if absent";

std::string with_unit(std::string starter, const std::string& unit) {
    if (const auto at = starter.find(unit_line); at != std::string::npos && unit != "m")
        starter.replace(at, unit_line.size(), fmt::format("unit = \"{}\"", unit));
    return starter;
}

std::string starter_heading(const Physics& physics, const std::filesystem::path& mesh_file) {
    return fmt::format(
        "# A case for solenoid: {0} on {1}\n"
        "# Run it with: solenoid run THIS-FILE. Every key is explained in docs/case-file.md. Units "
        "are SI.\n\n"
        "physics = \"{2}\"\n\n"
        "[mesh]\n"
        "file = {3}    # relative to this file\n"
        "{4}\n\n",
        physics.summary(), toml_string(mesh_file.filename().string()), physics.name(),
        toml_string(mesh_file.generic_string()), unit_line);
}

std::string grid_starter_heading(const Physics& physics, const std::string& nodes) {
    return fmt::format(
        "# A case for solenoid: {0}\n"
        "# Run it with: solenoid run THIS-FILE. Every key is explained in docs/case-file.md. Units "
        "are SI.\n\n"
        "physics = \"{1}\"\n\n"
        "[grid]\n"
        "nodes = {2:<16} # along x and y\n"
        "low = [0.0, 0.0]         # corners of the rectangle [m]\n"
        "high = [1.0, 1.0]\n"
        "# periodic = [\"x\"]       # what leaves in the east comes back in the west\n"
        "# map = [\"(1 + y)*cos(x)\", \"-(1 + y)*sin(x)\"]   # where the node at x, y lies\n"
        "# land = \"(x - 0.5)^2 + (y - 0.5)^2 < 0.04\"    # nodes that are no part of the grid\n\n",
        physics.summary(), physics.name(), nodes);
}

std::string starter_monitor(int dimension, const char* values) {
    const char* const z = dimension == 3 ? ", 0.0" : "";
    return fmt::format(
        "# {1} along a line, or at a point, go to monitors/NAME.csv.\n"
        "# [[monitor]]\n"
        "# type = \"line\"\n"
        "# name = \"axis\"\n"
        "# from = [0.0, 0.0{0}]\n"
        "# to = [1.0, 0.0{0}]\n"
        "# points = 101\n\n",
        z, values);
}

// Groups with a face on the domain's boundary, and "default" where faces are in no group. Groups
// entirely inside need no condition.
std::vector<std::string> outer_groups(const Mesh& mesh) {
    std::vector<bool> is_outer(mesh.boundaries.size(), false), in_group(mesh.faces(), false);
    const auto is_outside = [&](Index face) {
        return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
    };
    for (const Side& side : mesh.sides) {
        in_group[side.face] = true;
        if (is_outside(side.face)) is_outer[side.boundary] = true;
    }
    std::vector<std::string> names;
    for (std::size_t g = 0; g < is_outer.size(); ++g)
        if (is_outer[g]) names.push_back(mesh.boundaries[g]);
    for (Index f = 0; f < mesh.faces(); ++f)
        if (!in_group[f] && is_outside(f)) {
            names.push_back("default");
            break;
        }
    return names;
}

std::string with_inner_groups(std::string starter, const Mesh& mesh, std::string_view marker,
                              std::string_view passes, std::string_view table) {
    const std::vector<std::string> outer = outer_groups(mesh);
    std::string tables;
    for (const std::string& name : mesh.boundaries)
        if (std::ranges::find(outer, name) == outer.end())
            tables += fmt::format("# [boundary.{}]\n{}", toml_key(name), table);
    if (tables.empty()) return starter;
    return starter.insert(starter.find(marker),
                          fmt::format("# Inside the domain {}. With a table the mesh is slit "
                                      "there, and both sides are boundary:\n{}\n",
                                      passes, tables));
}

}  // namespace solenoid
