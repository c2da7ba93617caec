#include "device/kernel.hpp"

#include <stdexcept>
#include <string>

namespace solenoid {

int column_count(const KernelArgument& argument, int dimension) {
    const int components = argument.type == ValueType::vec ? dimension : 1;
    if (argument.is_row_table) return 2;
    if (argument.columns.empty()) return components;
    if (argument.columns == "FACES_PER_CELL" || argument.columns == "NODES_PER_CELL")
        return components * (dimension + 1);
    if (argument.columns == "TANGENTS_PER_FACE") return components * (dimension - 1);
    if (argument.columns == "DIMENSION" || argument.columns == "NODES_PER_FACE" ||
        argument.columns == "CODIM2_PER_FACE")
        return components * dimension;
    if (argument.columns == "EDGES_PER_CELL" || argument.columns == "CODIM2_PER_CELL")
        return components * (dimension == 2 ? 3 : 6);
    return components * std::stoi(std::string(argument.columns));
}

void check(const Launch& launch, Range range) {
    const auto fail = [&](std::string_view argument, const std::string& what) {
        throw std::logic_error("kernel " + std::string(launch.kernel->name) + ", argument " +
                               std::string(argument) + ": " + what);
    };
    const auto arguments = launch.kernel->arguments;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
        const KernelArgument& argument = arguments[n];
        const Storage& storage = *launch.buffers[n];
        const int columns = column_count(argument, launch.dimension);
        const int given = launch.columns[n] ? launch.columns[n] : storage.columns;
        if (!launch.kernel->is_expression && given != columns && !(argument.or_one && given == 1))
            fail(argument.name, std::to_string(columns) + " columns expected, " +
                                    std::to_string(given) + " given");
        if (argument.access == Access::in) continue;
        if (storage.size < range.end) fail(argument.name, "smaller than the range");
        for (std::size_t m = 0; m < arguments.size(); ++m) {
            if (m == n || launch.buffers[m] != &storage || arguments[m].is_output_again) continue;
            const int first = launch.first_column[n], other = launch.first_column[m];
            const bool is_apart = other + column_count(arguments[m], launch.dimension) <= first ||
                                  first + columns <= other;
            if (!is_apart) fail(argument.name, "is an input as well");
        }
    }
}

}  // namespace solenoid
