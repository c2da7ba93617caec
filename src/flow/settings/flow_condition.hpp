// A boundary condition of a flow, as the discretization asks for it. A kind is one file of
// flow/conditions and one line of its flow_conditions.cpp.
//
// The velocity at the boundary is u_b = P u_in + g, u_in what the flow inside gives there.
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

    // What is given of the velocity: all of it (P = 0), the part along the normal, zero (P is the
    // boundary's own plane), or nothing (P = 1: the flux is free, too).
    enum class Given { all, normal, nothing };
    virtual Given given() const = 0;
    bool is_open() const { return given() == Given::nothing; }
    bool slips() const { return given() == Given::normal; }
    bool holds() const { return given() == Given::all; }

    // whether fluid may cross the boundary
    virtual bool lets_through() const = 0;
    bool is_inflow() const { return holds() && lets_through(); }  // it crosses as given
    bool is_wall() const { return holds() && !lets_through(); }

    // g [m/s], of x, y, z, t, where all is given; what of it would cross a boundary that lets
    // nothing through is left out.
    virtual const VectorFormula& velocity() const;
    // Where nothing is: the pressure [Pa], of x, y, z, t; whether it drives the flow, so that what
    // enters comes along the normal as from a channel that goes on outside (else from rest).
    virtual const Formula& pressure() const;
    virtual bool drives() const { return false; }
    // Whether that pressure is the total one of what enters, p + density u^2 / 2.
    virtual bool is_total() const { return false; }

    // Whether it tells the flux instead of a pressure: after each step from what has flowed beside
    // it.
    virtual bool follows() const { return false; }
    struct Beside {
        double flux;  // out of the face [m^3/s, in 2D m^2/s]
        // that of the velocity a distance inside: at the start of the step, and extrapolated to its
        // end
        double inside, inside_next;
        double distance, speed;  // [m]; the mean out of the boundary [m/s], at least 0
        double step;             // [s]
    };
    virtual double next_flux(const Beside& beside) const { return beside.flux; }
};

// What of the case a kind depends on.
struct FlowConditionContext {
    bool solves_for_pressure = true;  // the method, so that one may be given
};
struct FlowConditionKind : ConditionKind<FlowCondition, FlowConditionContext> {
    FlowCondition::Given given;  // of every condition of the kind
};

struct ScalarCondition {    // at a boundary; absent: nothing diffuses through
    bool is_value = false;  // else the flux of diffusion into the domain, an area [scalar m/s]
    Formula value{0.0};
};

struct FlowBoundary {  // [boundary.NAME] of a flow case
    std::string name, place;
    std::shared_ptr<const FlowCondition> condition;
    std::map<std::string, ScalarCondition> scalars = {};
};

}  // namespace solenoid
