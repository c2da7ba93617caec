// Sums over nodes of weight times velocity, from the few cells and nodes that they depend on.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_field.hpp"
#include "operators/entity_access.hpp"
#include "parallel/entity_shares.hpp"

namespace solenoid {

template <class Real>
class WatchedVelocity {
  public:
    // shares: of component k of the velocity at a node in sum s, as sum 3 s + k; on any rank that
    // holds the node. weights: of the recovery at nodes, for the quadratic correction of
    // VelocityRecovery::to_nodes_for_output(); null: there is none. Collective.
    WatchedVelocity(const Domain& domain, const FlowBoundaries& boundaries,
                    const NodeWeights* weights, const std::vector<EntityShare>& shares, int sums);

    // False where nodes in symmetry planes are among them, whose velocity is corrected along the
    // plane alone. Equal on all ranks.
    bool is_whole() const { return is_whole_; }
    // The sums, on all ranks; without kinks of the velocity. Collective.
    std::vector<double> sums(CellField<Real>& u);

  private:
    // Factors of the values at some owned entities.
    struct Factors {
        Factors(const Domain& domain, Kind kind, const std::vector<EntityShare>& shares);
        void add_to(std::vector<RankSum>& sums, const Buffer<Real>& field);
        struct Factor {
            std::uint32_t sum;
            std::size_t place;  // in what is read
            double value;
        };
        std::vector<Factor> factors;
        std::vector<Index> entities;
        std::unique_ptr<Probe<Real>> probe;
    };

    const Domain& domain_;
    const int sums_;
    bool is_whole_ = true;
    std::optional<Factors> cells_, nodes_;
};

}  // namespace solenoid
