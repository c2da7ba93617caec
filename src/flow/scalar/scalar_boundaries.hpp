// The boundary conditions of one scalar on one rank: given values, or a given flux of diffusion.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

class ScalarBoundaries {
  public:
    // Throws InputError where an inflow has no value. All references must outlive this. Collective.
    ScalarBoundaries(const Domain& domain, const FlowBoundaries& flow, const std::string& scalar);

    // places among FlowBoundaries::faces(), value given
    const std::vector<Index>& given() const { return given_; }
    // the others: walls without a value, outflow, symmetry
    const std::vector<Index>& open() const { return open_; }
    // with a given value, among [0, shared)
    const std::vector<Index>& nodes() const { return nodes_; }
    bool has_flux() const { return has_flux_; }  // a group with a given flux
    bool depends_on_time() const { return depends_on_time_; }

    std::vector<double> face_values(double t) const;  // at given()
    // the mean of the groups that meet there
    std::vector<double> node_values(double t) const;
    std::vector<double> diffused_in(double t) const;  // through open() [scalar m^3/s]

  private:
    const ScalarCondition& condition(Index face) const;

    const Mesh& mesh_;
    const Domain& domain_;
    const FlowBoundaries& flow_;
    std::string scalar_;
    std::vector<Index> given_, open_, nodes_;
    Rows node_faces_;  // of each of nodes_: one given face a group
    bool depends_on_time_ = false, has_flux_ = false;
};

}  // namespace solenoid
