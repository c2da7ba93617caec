// Boundary conditions of heat conduction: Dirichlet (temperature), Neumann (flux), Robin (exchange)
// or a contact resistance. A kind is one file of this folder and one line of heat_conditions.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"

namespace solenoid {

// Formulas are of x, y, z, t; null where a condition has none.
class HeatCondition {
  public:
    virtual ~HeatCondition() = default;

    struct Exchange {
        Formula coefficient, ambient;  // h [W/(m^2 K)], T_inf [K]: flux h (T_inf - T) into the body
    };
    virtual const Formula* temperature() const { return nullptr; }  // fixed [K]
    virtual const Formula* flux() const { return nullptr; }         // into the body [W/m^2]
    virtual const Exchange* exchange() const { return nullptr; }
    // R [m^2 K/W], of x, y, z: the flux (T_1 - T_2) / R from one side of a slit to the other.
    virtual const Formula* resistance() const { return nullptr; }

    bool lets_heat_pass() const { return temperature() || flux() || exchange(); }  // into the body
    bool fits_inside() const { return temperature(); }  // also on a group inside the domain
};

struct NoContext {};
using HeatConditionKind = ConditionKind<HeatCondition, NoContext>;
const std::vector<HeatConditionKind>& heat_condition_kinds();  // in the order of the docs

struct HeatBoundary {  // [boundary.NAME] of a heat case
    std::string name, place;
    std::shared_ptr<const HeatCondition> condition;
};

}  // namespace solenoid
