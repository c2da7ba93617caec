// The divergence-free fluxes that pass no prescribed face and are no curl of an s that vanishes
// there: circulation round a body, the share of an outlet among several, what goes through a handle
// or round a period. docs/numerics.md, "Harmonic fluxes".
#pragma once

#include "flow/topology/cohomology.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "flow/topology/harmonic_basis.hpp"
#include "operators/operators.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

template <class Real>
class HarmonicFluxes {
  public:
    // prescribed: one flag a face held; fixed: the marked codim-2 entities of prescribed faces. The
    // domain must outlive this. matrix: the stream function's, in rows; make_solve is asked for
    // solves with it where there is something to be found. Throws ComputationError where a solve
    // fails. Collective.
    HarmonicFluxes(const Domain& domain, const Cohomology& topology,
                   const std::vector<bool>& prescribed, const std::vector<Index>& fixed,
                   const HostMatrix& matrix, const std::function<Codim2Solve()>& make_solve);

    std::size_t count() const { return potentials_.size() + fluxes_.size(); }

    // What a flux U holds of each, by least squares in H, from its circulation H U and C^T H U.
    std::vector<double> shares(const Buffer<Real>& circulation, const Buffer<Real>& tested) const;
    // Which sections of a periodic mesh some of them pass. Collective.
    std::vector<bool> passes(const CutSurfaces<Real>& cut_surfaces);
    // Alters `change` by as little as gives the sections their `missing` fluxes, those with an
    // entry; for passes() first. Returns by what multiplier of each section's flux, 0 where there
    // is none.
    std::vector<double> constrain(std::vector<double>& change,
                                  const std::vector<std::optional<double>>& missing) const;
    // Adds `change` of each to what is held: s += ..., where it is the curl of a stream function
    // with constants.
    void add(const std::vector<double>& change, Field<Real>& s);
    // flux += the rest.
    void add_fluxes(Field<Real>& flux) const;
    // The constant of s on a prescribed part.
    double constant(Index part) const { return constant_[part]; }
    void keep_in(Snapshot<Real>& snapshot) {
        for (auto* values : {&constant_, &amount_}) snapshot.add_value(*values);
    }

  private:
    void solve_products(std::vector<double>& b) const;  // (W^T H W)^-1 b
    // Returns their curls.
    std::vector<std::vector<double>> find_potentials(const Cohomology& topology,
                                                     const std::vector<Index>& fixed,
                                                     const HostMatrix& matrix,
                                                     const Codim2Solve& codim2_entities);

    const Domain& domain_;
    // 2D: 1 on one part, 0 on the others, discretely harmonic between
    std::vector<Field<Real>> potentials_;
    std::vector<Index> part_;  // of each potential
    // Cholesky factor of the potentials' products in H, lower, row by row
    std::vector<double> factor_;
    std::vector<double> constant_;      // of every part
    std::vector<Buffer<Real>> fluxes_;  // orthonormal in H and orthogonal to all curls
    std::vector<double> amount_;        // of each of fluxes_
    // of each section: the fluxes that pass it, (W^T H W)^-1 of them
    std::vector<std::vector<double>> through_, response_;
};

}  // namespace solenoid
