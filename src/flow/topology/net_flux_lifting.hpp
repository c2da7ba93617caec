// The net flux through closed parts of the prescribed boundary, a source inside the domain say: no
// curl carries it. A divergence-free flux takes it from there to the outlets or, where a region has
// none, to another part.
#pragma once

#include <map>

#include "flow/topology/cohomology.hpp"
#include "flow/topology/flux_balance.hpp"
#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"

namespace solenoid {

class NetFluxLifting {
  public:
    // All must outlive this.
    NetFluxLifting(const Domain& domain, const Cohomology& topology,
                   const std::vector<bool>& prescribed);

    // flux: through the prescribed `faces`, along their normals. Takes the net fluxes of closed
    // parts out of it, so that a curl can give what is left, and makes carried(). Collective.
    void take(const std::vector<Index>& faces, std::vector<double>& flux);
    // on all faces held; empty: none
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
    std::map<Index, std::vector<double>> units_;  // by part: 1 out of the domain through it
    std::vector<double> carried_;
};

}  // namespace solenoid
