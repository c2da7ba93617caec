// Harmonic fluxes found by trial: a flux less its divergence, less its curls and less those found
// before, until as many are found as counted, or nothing is left. Streams along the periods are
// tried first, then random fluxes. In double, the solves by multigrid.
#pragma once

#include <functional>

#include "flow/topology/cohomology.hpp"
#include "flow/topology/flux_balance.hpp"
#include "operators/operators.hpp"

namespace solenoid {

// Solves with the stream function's matrix, on a device that computes in double.
struct Codim2Solve {
    Device* device;
    // x = 0 on fixed codim-2 entities; x holds the first guess. Collective.
    std::function<SolveReport(const Buffer<double>& b, Buffer<double>& x,
                              const CgSettings& settings)>
        solve;
};

class HarmonicBasis {
  public:
    // prescribed: one flag a face held; fixed: the marked codim-2 entities of prescribed faces. All
    // must outlive this. Collective.
    HarmonicBasis(const Domain& domain, const Cohomology& topology,
                  const std::vector<bool>& prescribed, const std::vector<Index>& fixed,
                  const Codim2Solve& codim2_entities);

    // On all faces held: zero on prescribed ones, free of divergence to round-off, orthonormal in H
    // and orthogonal to `known` and to the curls of all s that vanish on the fixed codim-2
    // entities. number: how many there are; absent: tried out. Throws ComputationError where a
    // solve fails. Collective.
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
    const Domain domain_;  // on the device of the solves
    Operators<double>& operators_;
    Field<double> flux_, circulation_, velocity_, rhs_, change_;
    double reach_;  // the largest distance of a corner from the origin [m]
};

}  // namespace solenoid
