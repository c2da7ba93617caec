// The parts of a body that float in a steady problem: no temperature is fixed or exchanged there.
// Such a part has a solution only where its loads cancel, unique up to a constant, which the mean
// of the initial temperature fixes.
#pragma once

#include <vector>

#include "heat/contacts.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// Fields are of owned nodes, on the host.
class FloatingParts {
  public:
    // The parts that cells and contacts connect. Collective, as all below.
    FloatingParts(const Domain& domain, const std::vector<ContactPair>& contacts);

    // What a part is asked for.
    struct Fields {
        const std::vector<Index>& fixed_nodes;
        const std::vector<double>&exchange, &mass, &temperature;  // [W/K], [J/K], [K]
    };
    // Finds the floating ones, keeps their mean temperatures, and makes their loads [W] cancel to
    // round-off. Throws InputError where they do not cancel to 1e-6.
    void find(const Fields& fields, std::vector<double>& load);
    bool exist() const;  // whether any floats, of all ranks; after find()
    // What to add to a temperature so that each floating part has its mean again [K].
    std::vector<double> corrections(const std::vector<double>& mass,
                                    const std::vector<double>& temperature) const;

  private:
    const Domain& domain_;
    std::size_t count_;
    std::vector<Index> part_;    // of each node held
    std::vector<bool> is_held_;  // of each part: not floating
    std::vector<double> mean_;   // of each floating part [K]
};

}  // namespace solenoid
