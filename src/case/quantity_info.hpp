// What a physics can tell of a state, as lists and docs name it: the arrays of files, columns of
// monitors, fields of pictures. run/quantities.hpp computes the values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace solenoid {

struct QuantityInfo {
    // Values on entities of this rank, of each of Mesh::boundaries, or a number. Names are unique
    // among those on one kind of entity.
    enum class Of : std::uint8_t { nodes, cells, boundaries, number };

    std::string name;
    Of of = Of::nodes;
    int columns = 1;
    std::string unit, help;  // in Markdown, for docs/output.md

    bool in_files = false;  // an array of the files for ParaView, with a range in the summary
    bool is_drawn = false;  // a field of pictures and the window
    std::string note = {};  // on pictures of it, for docs/case-file.md
    // Names of its columns in tables: of lines and points where it is on nodes. Empty: in none.
    std::vector<std::string> table_columns = {};
    int place = 0;  // of these columns among those of others; equal places: in order of the list
};

using QuantityList = std::vector<QuantityInfo>;

}  // namespace solenoid
