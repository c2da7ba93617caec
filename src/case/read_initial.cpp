// Reading of [initial] file: the state of another run.
#include "case/read_tables.hpp"

namespace solenoid {

const char* const help_of_initial_file =
    "start from the state of another run, on this mesh or another one: an output folder (its last "
    "state) or the file of one (`.pvtu`, `.pvti`, `.pvtr`, `.pvts`); or, on this mesh, a "
    "checkpoint; a path counted from the folder of "
    "the case file";
const char* const help_of_outside =
    "at places outside the mesh of `file`: `\"refuse\"`: an error; `\"extend\"`: the value of the "
    "nearest node";

std::optional<InitialFile> read_initial_file(const TableReader& table,
                                             const CaseSettings& settings) {
    if (!table.has("file")) {
        table.refuse("outside", "belongs to [initial] file: name that, too, or leave it out");
        return {};
    }
    InitialFile initial;
    const std::string name = table.text("file");
    if (name.empty() || name.find('\0') != std::string::npos)
        table.fail("file", "must be the path of an output folder, a state or a checkpoint");
    initial.path = (settings.file.parent_path() / name).lexically_normal();
    initial.place = table.place("file");
    if (table.has("outside"))
        initial.extends = table.choice("outside", {"refuse", "extend"}) == "extend";
    return initial;
}

}  // namespace solenoid
