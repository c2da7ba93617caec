// Computes a basis of harmonic fluxes: from a trial flux its divergence, its curls and all fluxes
// found before are subtracted, until the counted number is found or nothing remains. Trial fluxes
// are uniform velocities along the periods, then random fluxes. In double precision, solves by
// multigrid.
#pragma once

#include <functional>

#include "flow/topology/cohomology.hpp"
#include "flow/topology/flux_balance.hpp"
#include "operators/operators.hpp"

namespace solenoid {

// A solver for the stream function's matrix, on a device with doubles.
struct Codim2Solve {
    Device* device;
    // x = 0 on fixed codim-2 entities; x contains the first guess. Collective.
    std::function<SolveReport(const Buffer<double>& b, Buffer<double>& x,
                              const CgSettings& settings)>
        solve;
};

class HarmonicBasis {
  public:
    // prescribed: one flag for each face held. fixed: the owned codim-2 entities of prescribed
    // faces. All references must outlive this. Collective.
    HarmonicBasis(const Domain& domain, const Cohomology& topology,
                  const std::vector<bool>& prescribed, const std::vector<Index>& fixed,
                  const Codim2Solve& codim2_entities);

    // Fluxes on all faces held: zero on prescribed ones, divergence-free to round-off, orthonormal
    // in H, orthogonal to `known` and to the curls of all s that vanish on the fixed codim-2
    // entities. number: their count; absent: unknown. Throws ComputationError where a solve fails.
    // Collective.
    std::vector<std::vector<double>> find(std::optional<std::int64_t> number,
                                          std::vector<std::vector<double>> known);

  private:
    struct Flux {
        std::vector<double> values, circulation;  // U and H U
    };
    std::vector<double> random_flux(std::uint64_t seed) const;
    std::vector<double> stream(const Vec3& along) const;
    std::vector<double> circulation(const std::vector<double>& flux);
    double product(const std::vector<double>& a, const std::vector<double>& b) const;
    double norm(const std::vector<double>& flux);
    double position_rounding();
    bool part_off_curls(std::vector<double>& flux, double tolerance);
    void clean(std::vector<double>& flux);
    void part_off(const std::vector<Flux>& others, std::vector<double>& flux) const;
    bool find_next(std::vector<double> flux, std::vector<Flux>& found);
    void keep(std::vector<double> flux, std::vector<Flux>& found);

    const std::vector<bool>& prescribed_;
    const std::vector<Index>& fixed_;
    FluxBalance balance_;
    const Codim2Solve& codim2_entities_;
    const Domain domain_;  // on the device of the solver
    Operators<double>& operators_;
    Field<double> flux_, circulation_, velocity_, rhs_, change_;
    double reach_;  // the largest distance of a corner from the origin [m]
};

}  // namespace solenoid
