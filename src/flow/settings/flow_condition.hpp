// The boundary condition of a flow. Each kind is one file of flow/conditions and one line of its
// flow_conditions.cpp.
// The velocity at the boundary is u_b = P u_in + g, where u_in is extrapolated from inside.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"

namespace solenoid {

class FlowCondition {
  public:
    virtual ~FlowCondition() = default;

    // The part of the velocity that is given: all (P = 0), its normal component, which is zero (P =
    // 1 - n n^T), or nothing (P = 1; the flux is free too).
    enum class Given { all, normal, nothing };
    virtual Given given() const = 0;
    bool is_open() const { return given() == Given::nothing; }
    bool slips() const { return given() == Given::normal; }
    bool holds() const { return given() == Given::all; }

    // Whether fluid may cross the boundary.
    virtual bool lets_through() const = 0;
    bool is_inflow() const { return holds() && lets_through(); }  // it crosses as given
    bool is_wall() const { return holds() && !lets_through(); }

    // g [m/s], of x, y, z, t, where all is given. Its normal component counts only where fluid may
    // cross the boundary.
    virtual const VectorFormula& velocity() const;
    // Open boundaries: the given pressure [Pa], of x, y, z, t. drives(): whether it drives the
    // flow, so that fluid enters along the normal as from a channel outside; otherwise fluid enters
    // from rest.
    virtual const Formula& pressure() const;
    virtual bool drives() const { return false; }
    // Whether the pressure is the total pressure p + density u^2 / 2 of entering fluid.
    virtual bool is_total() const { return false; }

    // Whether the condition gives the flux instead of a pressure, by next_flux() after each step.
    virtual bool follows() const { return false; }
    struct Beside {
        double flux;  // out of the face [m^3/s, in 2D m^2/s]
        // flux of the velocity at a distance inside: at the step's start, and extrapolated to its
        // end
        double inside, inside_next;
        double distance, speed;  // [m]; mean outflow velocity of the boundary [m/s], at least 0
        double step;             // [s]
    };
    virtual double next_flux(const Beside& beside) const { return beside.flux; }
};

// Properties of the case that a kind depends on.
struct FlowConditionContext {
    bool solves_for_pressure = true;  // whether the method has a pressure, so that one may be given
};
struct FlowConditionKind : ConditionKind<FlowCondition, FlowConditionContext> {
    FlowCondition::Given given;  // of every condition of the kind
};

struct ScalarCondition {    // at a boundary; without one the scalar's diffusive flux is zero
    bool is_value = false;  // else the diffusive flux into the domain [scalar m/s]
    Formula value{0.0};
    // Of a value: it holds where fluid enters alone. Where none does nothing diffuses through.
    bool of_inflow = false;
};

struct FlowBoundary {  // [boundary.NAME] of a flow case
    std::string name, place;
    std::shared_ptr<const FlowCondition> condition;
    std::map<std::string, ScalarCondition> scalars = {};
};

}  // namespace solenoid
