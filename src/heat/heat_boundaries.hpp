// The boundary conditions of heat conduction on one rank: fixed values, loads and exchange
// coefficients at its nodes.
#pragma once

#include "heat/contacts.hpp"
#include "parallel/group_locations.hpp"

namespace solenoid {

// One [boundary.NAME] on this rank: its owned nodes, and the area of each, the sum of A_f / d over
// the group's faces at it [m^2].
struct BoundaryPart {
    HeatBoundary boundary;
    const HeatCondition& condition() const { return *boundary.condition; }
    std::vector<Index> nodes;
    std::vector<double> area;
    std::vector<ContactPair> pairs;  // of a contact
};

class HeatBoundaries {
  public:
    // Warns and averages where two fixed temperatures meet. Groups inside the domain take a
    // temperature or a contact. coupled: the node pairs of contacts. Collective.
    HeatBoundaries(const Communicator& comm, const DistributedMesh& mesh,
                   const std::vector<HeatBoundary>& boundaries, const CoupledNodes& coupled = {});

    const std::vector<BoundaryPart>& parts() const { return parts_; }
    const std::vector<Index>& fixed_nodes() const { return fixed_.nodes; }
    bool depends_on_time() const;
    bool has_contacts() const;               // on any rank
    std::vector<ContactPair> pairs() const;  // of all contacts

    // Values at time t [K], in the order of fixed_nodes(): the mean of the parts that meet there.
    std::vector<double> fixed_values(double t) const;
    // Warns, once, where those that meet differ at time t; the constructor has done it for 0.
    // Collective.
    void remark_meetings(const Communicator& comm, double t);
    // Adds flux and h T_inf times area to `load` [W] and h times area to `exchange` [W/K], for each
    // owned node.
    void add_loads(double t, std::vector<double>& load, std::vector<double>& exchange) const;

    // Adds the load that can be integrated over a step, flux and, where h is constant in time,
    // h T_inf, times `weight`: to `load` [W] at owned nodes and to `flow` [W] of each part.
    void add_integrable(double t, double weight, std::vector<double>& load,
                        std::vector<RankSum>& flow) const;

    // Heat flow into the body [W] through each part: the given flux, the exchange, or the reaction
    // at fixed temperatures; of a contact, from one side to the other. temperature [K] and net_flow
    // [W], the heat into a node from the body and all loads: at watched_nodes(). This rank's share.
    std::vector<RankSum> flows(double t, const std::vector<double>& temperature,
                               const std::vector<double>& net_flow) const;
    // Adds to flows() the heat that the fixed nodes themselves store: reaction [W] at
    // fixed_nodes(), this rank's share.
    void add_reactions(const std::vector<double>& reaction, std::vector<RankSum>& flows) const;
    // Nodes whose values flows() needs: the fixed ones first, then the exchanging ones and those of
    // contacts, ghosts too.
    const std::vector<Index>& watched_nodes() const { return watched_; }

  private:
    struct Fixed {
        std::vector<Index> nodes;
        Rows parts;                 // of each node
        std::vector<double> share;  // of the node's reaction, one an entry of `parts`
    };
    void fix_nodes(const Communicator& comm);

    std::vector<BoundaryPart> parts_;
    std::vector<Vec3> points_;  // of the marked nodes
    Fixed fixed_;
    bool may_differ_ = true;  // values that meet may yet, on any rank
    std::vector<Index> watched_;
    std::vector<std::vector<Index>> watched_place_;  // of a part's nodes, or pairs, among watched_
};

}  // namespace solenoid
