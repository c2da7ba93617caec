// Overrides --set KEY=VALUE: the first byte chooses a case, each further line is an override. The
// same lines are read as the keys of a case without a file, too.
#include <array>
#include <vector>

#include "fuzz/cases.hpp"
#include "fuzz/target.hpp"

namespace solenoid::fuzz {
namespace {

constexpr std::size_t most_overrides = 6;

const std::array<std::string, 3> cases{
    "[mesh.box]\ncells = 100\n[material.default]\nconductivity = 1\n"
    "[boundary.default]\ntype = \"insulated\"\n[[picture]]\nname = \"view\"\n",
    "physics = \"flow\"\n[mesh.box]\ncells = 100\n[fluid]\nviscosity = 0.01\n[time]\nend = 1\n"
    "[scalar.dye]\ndiffusivity = 0.1\n[boundary.default]\ntype = \"wall\"\n"
    "[[monitor]]\ntype = \"point\"\nname = \"tip\"\nat = [0, 0]\n",
    "physics = \"wave\"\n[mesh.box]\ncells = 100\n[wave]\nspeed = 1\n[time]\nend = 1\nstep = 0.1\n"
    "[boundary.default]\ntype = \"fixed\"\n"};

std::vector<std::string> lines_of(std::string_view bytes) {
    std::vector<std::string> lines;
    while (!bytes.empty() && lines.size() < most_overrides) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        lines.emplace_back(bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return lines;
}

}  // namespace

void read_input(std::string_view bytes) {
    if (bytes.empty()) return;
    static const std::array<std::filesystem::path, 3> files{
        scratch_file("cases/a/case.toml", cases[0]), scratch_file("cases/b/case.toml", cases[1]),
        scratch_file("cases/c/case.toml", cases[2])};
    const auto& file = files[static_cast<unsigned char>(bytes.front()) % files.size()];
    const std::vector<std::string> lines = lines_of(bytes.substr(1));
    accepts("", [&] { check_settings(read_case(file, all_physics(), lines)); });
    accepts("", [&] { check_settings(case_of_keys("program", lines, all_physics())); });
}

}  // namespace solenoid::fuzz
