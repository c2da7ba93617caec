#include <fmt/format.h>

#include <algorithm>

#include "app/diff_command.hpp"
#include "io/vtk/read_state.hpp"

namespace solenoid {

void diff_states(const std::filesystem::path& a, const std::filesystem::path& b,
                 const std::string& name, DiffReport& report) {
    const ReadState left = read_state(a), right = read_state(b);
    if (left.points != right.points || left.cells != right.cells)
        return report.differs(
            name, fmt::format("of other meshes: {} points and {} cells in A, {} and {} in B",
                              left.points.size(), left.cells.size(), right.points.size(),
                              right.cells.size()));
    const auto find = [](const ReadState& state, const ReadField& field) {
        const auto found =
            std::find_if(state.fields.begin(), state.fields.end(), [&](const ReadField& other) {
                return other.name == field.name && other.is_of_cells == field.is_of_cells;
            });
        return found == state.fields.end() ? nullptr : &*found;
    };
    const auto place = [&](const ReadField& field) { return name + ": " + field.name; };
    for (const ReadField& field : left.fields) {
        const ReadField* other = find(right, field);
        if (!other || other->columns != field.columns) {
            report.differs(place(field), other ? fmt::format("{} columns in A, {} in B",
                                                             field.columns, other->columns)
                                               : "only in A");
            continue;
        }
        const auto& numbers = field.is_of_cells ? left.cells : left.points;
        int different = 0;
        for (int k = 0; k < field.columns; ++k) {
            ColumnDiff column;
            const std::size_t first = static_cast<std::size_t>(k) * numbers.size();
            column.add(field.values.data() + first, other->values.data() + first, numbers.size());
            if (column.is_alike(report.tolerance())) continue;
            ++different;
            report.differs(
                field.columns == 1 ? place(field) : fmt::format("{}[{}]", place(field), k),
                column.words(fmt::format("{} {}", field.is_of_cells ? "cell" : "point",
                                         numbers[static_cast<std::size_t>(column.place())])));
        }
        if (!different) report.alike();
    }
    for (const ReadField& field : right.fields)
        if (!find(left, field)) report.differs(place(field), "only in B");
}

}  // namespace solenoid
