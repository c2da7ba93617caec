// The boundary conditions of one scalar on one rank: given values, a given flux of diffusion, or a
// value given where fluid enters alone.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"

namespace solenoid {

class ScalarBoundaries {
  public:
    // Throws InputError where an inflow has no value. Fluid enters as given at t = 0. All
    // references must outlive this. Collective.
    ScalarBoundaries(const Domain& domain, const FlowBoundaries& flow, const std::string& scalar);

    // positions among FlowBoundaries::faces(), value given
    const std::vector<Index>& given() const { return given_; }
    // the others: walls without a value, outflow, symmetry, and where fluid leaves through
    // inflow_faces()
    const std::vector<Index>& open() const { return open_; }
    // with a given value, among [0, shared)
    const std::vector<Index>& nodes() const { return nodes_; }
    // Places among FlowBoundaries::faces() whose value is that of fluid that enters.
    std::vector<Index> inflow_positions() const;
    // The same among the faces held, ghosts too.
    const EntitySubset& inflow_faces() const { return inflow_faces_; }
    bool has_inflow_values() const { return has_inflow_values_; }  // alike on all ranks
    // Of inflow_faces(): 1 where fluid enters, else 0. After a change sort() renews the lists.
    std::vector<double>& enters() { return enters_; }
    void sort();

    bool has_flux() const { return has_flux_; }  // a group with a given flux
    bool depends_on_time() const { return depends_on_time_; }

    std::vector<double> face_values(double t) const;  // at given()
    // the mean of the groups that meet there
    std::vector<double> node_values(double t) const;
    std::vector<double> diffused_in(double t) const;  // through open() [scalar m^3/s]

  private:
    const ScalarCondition& condition(Index face) const;
    bool is_given(Index face) const;
    bool enters_as_given(Index face) const;

    const Mesh& mesh_;
    const Domain& domain_;
    const FlowBoundaries& flow_;
    std::string scalar_;
    std::vector<Index> given_, open_, nodes_;
    Rows node_faces_;  // of each of nodes_: one given face a group
    EntitySubset inflow_faces_;
    std::vector<double> enters_;
    bool depends_on_time_ = false, has_flux_ = false, has_inflow_values_ = false;
};

}  // namespace solenoid
