// What the scheme takes of the kinetic energy beside friction, from samples of its budget in a run:
// told at the end, and warned of where it is much. docs/numerics.md, "What the scheme takes".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/settings/flow_case.hpp"
#include "flow/solver/flow_solver.hpp"
#include "io/files/summary.hpp"

namespace solenoid {

class EnergyLosses {
  public:
    explicit EnergyLosses(double density) : density_(density) {}

    void add(double time, const EnergyTerms& terms);
    // The mean of the samples in the last half of the time until `time` [s]; none: there is no
    // sample.
    std::optional<EnergyLoss> until(double time) const;

  private:
    struct Sample {
        double time;
        EnergyTerms terms;
    };
    double density_;
    std::vector<Sample> samples_;
};

// The line for the console, and the warning where the scheme takes, or gives, more than a tenth of
// friction; empty: it does not.
std::string losses_line(const EnergyLoss& loss, int dimension);
std::string losses_warning(const EnergyLoss& loss, const FlowCase& flow, const std::string& mesh);

}  // namespace solenoid
