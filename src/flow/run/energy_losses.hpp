// The energy that the scheme removes beside friction, from samples of the energy budget: reported
// at the end of a run, with a warning where it is much. docs/numerics.md, "What the scheme takes".
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

    // dissipation: that of GradientIntegrals. The budget's own term of friction is the work of the
    // Laplacian, which beside walls that turn is another one.
    // seen: the integral of nu |grad u|^2 between the nodes, which is the same work where the flow
    // is smooth from cell to cell.
    void add(double time, const EnergyTerms& terms, double dissipation, double seen);
    // The mean of the samples in the second half of the time until `time` [s]; none without
    // samples.
    std::optional<EnergyLoss> until(double time) const;
    // By what part flow rates at a given pressure are too small, or losses at a given flow rate too
    // large, from the same samples: e = R / (2 + R), R what friction and the mesh's part of the
    // scheme take beyond `seen`, over that. 0 without samples, and where friction hardly brakes the
    // flow.
    double error_of_flow_until(double time) const;
    // The samples as numbers, equally many each, for a run that is continued.
    std::vector<double> packed() const;
    void unpack(const std::vector<double>& numbers);
    // Throws InputError where numbers are no samples.
    static void check(const std::vector<double>& numbers);

  private:
    struct Sample {
        double time = 0;
        EnergyTerms terms = {};
        double dissipation = 0, seen = 0;
    };
    bool is_counted(const Sample& sample, double time) const;
    double density_;
    std::vector<Sample> samples_;
};

// losses_line(): the line for the console. losses_meaning(): what it says of the results; empty
// without friction. losses_warning(): the warning where the scheme removes or adds more than a
// tenth of the dissipation; else empty.
std::string losses_line(const EnergyLoss& loss, int dimension);
std::string losses_meaning(const EnergyLoss& loss);
std::string losses_warning(const EnergyLoss& loss, const FlowCase& flow, const std::string& mesh);

}  // namespace solenoid
