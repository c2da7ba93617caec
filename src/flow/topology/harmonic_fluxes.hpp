// The harmonic fluxes of a domain: divergence-free fluxes that pass no prescribed face and are not
// the curl of an s that vanishes there. They are the circulation round a body, the share of one of
// several outlets, the flux through a handle or round a period. docs/numerics.md, "Harmonic
// fluxes".
#pragma once

#include "core/state_values.hpp"
#include "flow/topology/cohomology.hpp"
#include "flow/topology/cut_surfaces.hpp"
#include "flow/topology/harmonic_basis.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class HarmonicFluxes {
  public:
    // prescribed: one flag for each face held. fixed: the owned codim-2 entities of prescribed
    // faces. matrix: the stream function's. make_solve: gives a solver for it, called only if
    // needed. The domain must outlive this. Throws ComputationError where a solve fails.
    // Collective.
    HarmonicFluxes(const Domain& domain, const Cohomology& topology,
                   const std::vector<bool>& prescribed, const std::vector<Index>& fixed,
                   const HostMatrix& matrix, const std::function<Codim2Solve()>& make_solve);

    std::size_t count() const { return potentials_.size() + fluxes_.size(); }

    // The coefficients of a flux U in this basis, by least squares in H, from its circulation H U
    // and C^T H U.
    std::vector<double> shares(const Buffer<Real>& circulation, const Buffer<Real>& tested) const;
    // Flags of the cut surfaces of a periodic mesh that some of these fluxes pass. Collective.
    std::vector<bool> passes(const CutSurfaces<Real>& cut_surfaces);
    // Changes `change` as little as possible so that cut surfaces get their `missing` fluxes, where
    // they have one; only for those of passes(). Returns the multiplier of each cut surface's flux,
    // 0 where it has none.
    std::vector<double> constrain(std::vector<double>& change,
                                  const std::vector<std::optional<double>>& missing) const;
    // Adds `change` to the coefficients. Fluxes that are curls of a stream function with constants
    // are added to s.
    void add(const std::vector<double>& change, Field<Real>& s);
    // flux += the fluxes that are not curls, times their coefficients.
    void add_fluxes(Field<Real>& flux) const;
    // The constant of s on a prescribed part.
    double constant(Index part) const { return constant_[part]; }
    void register_state(const StateValues& state) {
        if (!potentials_.empty()) state.add("constants", constant_);
        if (!fluxes_.empty()) state.add("amounts", amount_);
    }

  private:
    void solve_products(std::vector<double>& b) const;  // (W^T H W)^-1 b
    // Returns their curls.
    std::vector<std::vector<double>> find_potentials(const Cohomology& topology,
                                                     const std::vector<Index>& fixed,
                                                     const HostMatrix& matrix,
                                                     const Codim2Solve& codim2_entities);

    const Domain& domain_;
    // 2D: 1 on one part, 0 on the others, discretely harmonic in between
    std::vector<Field<Real>> potentials_;
    std::vector<Index> part_;  // of each potential
    // Cholesky factor of the potentials' products in H: the lower triangle, row by row
    std::vector<double> factor_;
    std::vector<double> constant_;      // for each part
    std::vector<Buffer<Real>> fluxes_;  // orthonormal in H and orthogonal to all curls
    std::vector<double> amount_;        // coefficients of fluxes_
    // for each cut surface the fluxes of this basis through it, and (W^T H W)^-1 times them
    std::vector<std::vector<double>> through_, response_;
};

}  // namespace solenoid
