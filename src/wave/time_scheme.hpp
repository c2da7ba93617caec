// Time schemes of waves: `wave.time_scheme` of a case. A scheme is one file of this folder and one
// line of time_schemes.cpp. Others ask a kind for its properties and do not compare names.
// docs/numerics.md, "Wave equation".
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/precision_dispatch.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "wave/wave_system.hpp"

namespace solenoid {

template <class Real>
class WaveTimeScheme {
  public:
    virtual ~WaveTimeScheme() = default;

    // Advances y, v, a and f from state.time by dt [s], to second order; not v where y is given,
    // nor the time. Throws ComputationError where a solve fails. Collective.
    virtual void step(WaveState<Real>& state, double dt) = 0;
    // The longest stable step [s].
    virtual double step_limit() const { return HUGE_VAL; }
    virtual SolveTotals solves() const { return {}; }
    virtual void register_state(const State<Real>&) {}  // what it keeps besides the state
};

struct WaveTimeSchemeKind {
    std::string name, help;  // of wave.time_scheme; help in Markdown
    bool is_explicit;        // a step solves no system, and is stable up to a limit
    // stiffness: K of the system, on the host. The system must outlive the scheme. Collective.
    template <class Real>
    using Make = std::function<std::unique_ptr<WaveTimeScheme<Real>>(
        WaveSystem<Real>&, NodeDifferences stiffness, const SolverSettings&)>;
    PrecisionDispatch<Make> make;
};
const std::vector<WaveTimeSchemeKind>& wave_time_scheme_kinds();        // in the order of the docs
std::vector<std::string> wave_time_schemes_that_are(bool is_explicit);  // names

// For a class that is made of what WaveTimeSchemeKind::Make takes.
template <template <class> class Scheme>
WaveTimeSchemeKind wave_time_scheme_kind(std::string name, std::string help, bool is_explicit) {
    const auto make = []<class Real>(
                          WaveSystem<Real>& system, NodeDifferences stiffness,
                          const SolverSettings& solver) -> std::unique_ptr<WaveTimeScheme<Real>> {
        return std::make_unique<Scheme<Real>>(system, std::move(stiffness), solver);
    };
    return {std::move(name), std::move(help), is_explicit, {make, make}};
}

}  // namespace solenoid
