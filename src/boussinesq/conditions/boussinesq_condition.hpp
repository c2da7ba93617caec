// Conditions on the sides of a grid of the Boussinesq model, and on the shores of land: walls,
// borders that absorb waves, and waves that come in. A kind is one file of this folder and one line
// of boussinesq_conditions.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "boussinesq/wave_components.hpp"
#include "case/condition_kinds.hpp"

namespace solenoid {

struct BoussinesqCondition {
    double width = 0;     // of an absorbing border [m]; 0: a wall
    double period = 0;    // of the waves that it absorbs [s]
    double strength = 1;  // AbsorbingBorder
    // What comes in; directions are counted from the inward normal.
    std::vector<WaveComponent> waves;
    double rise = 0;  // time in which they grow [s]
};

struct NoBoussinesqContext {};
using BoussinesqConditionKind = ConditionKind<BoussinesqCondition, NoBoussinesqContext>;
const std::vector<BoussinesqConditionKind>& boussinesq_condition_kinds();  // in the docs' order

struct BoussinesqBoundary {  // [boundary.NAME]
    std::string name, place;
    std::shared_ptr<const BoussinesqCondition> condition;
};

// Errors of what waves are made of get the place of the table.
std::vector<WaveComponent> waves_at(const TableReader& table,
                                    const std::function<std::vector<WaveComponent>()>& make);
constexpr double radians_a_degree = 0.017453292519943295;

}  // namespace solenoid
