// The lifting of net fluxes through closed parts of the prescribed boundary, such as a source
// inside the domain, which no curl carries. A divergence-free flux leads them to the outlets or, in
// a region without outlets, to another part.
#pragma once

#include <map>

#include "flow/topology/cohomology.hpp"
#include "flow/topology/flux_balance.hpp"
#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"

namespace solenoid {

class NetFluxLifting {
  public:
    // All references must outlive this.
    NetFluxLifting(const Domain& domain, const Cohomology& topology,
                   const std::vector<bool>& prescribed);

    // Subtracts the net fluxes of closed parts from `flux`, so that a curl can give the rest, and
    // sets carried(). flux: through the prescribed `faces`, along their normals. Collective.
    void take(const std::vector<Index>& faces, std::vector<double>& flux);
    // The subtracted flux on all faces held; empty: none.
    const std::vector<double>& carried() const { return carried_; }

  private:
    Index part_of(Index face) const;
    Index sink(Index part) const;
    std::vector<double> net(const std::vector<Index>& faces, const std::vector<double>& flux) const;
    const std::vector<double>& unit(Index part, const std::vector<Index>& faces);

    const Domain& domain_;
    const Cohomology& topology_;
    const std::vector<bool>& prescribed_;
    std::unique_ptr<FluxBalance> balance_;
    std::map<Index, std::vector<double>> units_;  // by part, with a net outflow of 1 through it
    std::vector<double> carried_;
};

}  // namespace solenoid
