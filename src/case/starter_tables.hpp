// What the starter cases of heat and flow share.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace solenoid {

// A TOML basic string or key, quoted where it must be.
inline std::string toml_string(const std::string& text) {
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

inline std::string key(const std::string& name) {
    const bool bare = !name.empty() && name.find_first_not_of(
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                           "0123456789_-") == std::string::npos;
    return bare ? name : toml_string(name);
}

inline std::string starter_heading(const char* physics, const char* what, const std::filesystem::path& mesh_file) {
    return fmt::format(
        "# A case for solenoid: {0} on {1}\n"
        "# Run it with: solenoid run THIS-FILE. Every key is explained in docs/case-file.md. Units are SI.\n\n"
        "physics = \"{2}\"\n\n"
        "[mesh]\n"
        "file = {3}    # relative to this file\n"
        "# scale = 0.001          # for a mesh in millimetres\n\n",
        what, toml_string(mesh_file.filename().string()), physics, toml_string(mesh_file.generic_string()));
}

inline std::string starter_monitor(int dimension, const char* values) {
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

}  // namespace solenoid
