// A case at work: its state, its steps, and what it tells of itself. Each physics makes one
// (Physics::simulation_in_double); run/driver.hpp drives it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/state_registry.hpp"
#include "run/monitor.hpp"
#include "run/quantities.hpp"
#include "run/time_data.hpp"
#include "view/marker.hpp"

namespace solenoid {

// All functions are collective.
class Simulation {
  public:
    virtual ~Simulation() = default;

    // What a step leaves to the next, for checkpoints.
    virtual StateRegistry& state() = 0;

    // ---- in time
    virtual double time() const = 0;  // of the present state [s]
    // One step, which ends at `target` [s] at the latest.
    virtual void advance(double target) = 0;
    // The data of the case that depend on time: steps end where one jumps.
    virtual const TimeData* data() const { return nullptr; }
    virtual void set_clock(double) {}  // sets time() of the present state [s]
    // After a jump of the data: evaluates them; the next step uses no earlier state.
    virtual void restart() {}
    // After a step, before it is recorded: checks and samples.
    virtual void end_step() {}
    virtual std::string figures() { return ""; }  // of the last step, for the line of progress
    // The rate of change of each quantity, where time.steady_tolerance is given; empty: unknown.
    struct Change {
        std::string of, size_of;  // such as "T", "its range"
        double relative;          // relative to that size [1/s]
    };
    virtual std::vector<Change> changes() const { return {}; }

    // Throws InputError where the run cannot go on with these values of steerable keys; place:
    // names them. On this rank.
    virtual void check_change(const CaseSettings&, const std::string&) const {}

    // ---- steady
    virtual void solve_steady() {}

    // ---- mouse and keys of the window, between two steps
    // Adds a smooth bump of this height (negative: a hollow), in the unit of the quantity that the
    // window draws as heights, to a field round `at` [m], up to `radius` [m] from it. Returns
    // false where this physics has nothing to push.
    virtual bool push(const Vec3&, double /*radius*/, double /*height*/) { return false; }
    // Steers what moves under its own power: turn from -1, to the right, to 1, to the left; faster
    // from -1, slower, to 1. Called before each step during which a key is held. Returns false
    // where there is nothing to steer.
    virtual bool steer(double /*turn*/, double /*faster*/) { return false; }

    // ---- what it tells
    // Bodies to draw on a plane mesh, alike on all ranks.
    virtual std::vector<Marker> markers() { return {}; }
    Quantities& quantities() { return quantities_; }
    // The tables that every run of the case writes (Physics::monitor_files).
    virtual std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts&) { return {}; }
    // Before the last state is written: what the summary has of the run.
    virtual void conclude(Summary&) {}
    virtual std::vector<SolveSummary> solves() const = 0;
    virtual void report(const Summary& summary) = 0;  // prints the results of the finished run

  protected:
    Quantities quantities_;
};

}  // namespace solenoid
