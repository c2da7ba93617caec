// Units of length that a mesh file may use.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace solenoid {

// Name and length [m].
inline const std::vector<std::pair<std::string, double>>& length_units() {
    static const std::vector<std::pair<std::string, double>> units{
        {"m", 1}, {"cm", 0.01}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}};
    return units;
}
inline std::vector<std::string> names_of_length_units() {
    std::vector<std::string> names;
    for (const auto& unit : length_units()) names.push_back(unit.first);
    return names;
}
inline double length_of_unit(const std::string& name) {  // 0 for an unknown name
    for (const auto& unit : length_units())
        if (unit.first == name) return unit.second;
    return 0;
}

}  // namespace solenoid
