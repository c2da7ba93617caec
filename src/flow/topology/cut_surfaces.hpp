// The cut surfaces of a periodic mesh, one for each pair of Mesh::periodic_map: the faces between
// its sides, and the flux through them.
#pragma once

#include <optional>
#include <string>

#include "device/device.hpp"
#include "operators/domain.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// The flow through a cut surface, from the pair's `from` to its `to` inside the domain.
struct SectionFlow {
    std::string from, to;  // the pair's boundaries
    double flux = 0;       // [m^3/s], in 2D [m^2/s]
    // over density [m^2/s^2], from `from` to `to`: that of an imposed flux
    std::optional<double> pressure_rise;
};

template <class Real>
class CutSurfaces {
  public:
    explicit CutSurfaces(const Domain& domain);

    std::size_t count() const { return sign_.size(); }
    const SectionFlow& pair(std::size_t i) const { return pairs_[i]; }  // names of the pair only
    std::vector<double> flux(const Buffer<Real>& flux) const;           // through each. Collective.
    std::vector<double> gross(const Buffer<Real>& flux) const;  // sum of magnitudes. Collective.

  private:
    const Domain& domain_;
    std::vector<SectionFlow> pairs_;
    std::vector<Buffer<Real>> sign_;  // +1 or -1 on the faces of a cut surface, else 0
};

}  // namespace solenoid
