// The sections of a periodic mesh: for each pair of Mesh::folding the faces between its sides, and
// the flux through them.
#pragma once

#include <optional>
#include <string>

#include "device/device.hpp"
#include "operators/domain.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// What passes a section, from the pair's `from` to its `to` inside the domain.
struct SectionFlow {
    std::string from, to;  // the pair's boundaries
    double flux = 0;       // [m^3/s], in 2D [m^2/s]
    // over the density [m^2/s^2], from `from` to `to`, that an imposed flux takes
    std::optional<double> pressure_rise;
};

template <class Real>
class CutSurfaces {
  public:
    explicit CutSurfaces(const Domain& domain);

    std::size_t count() const { return sign_.size(); }
    const SectionFlow& pair(std::size_t i) const { return pairs_[i]; }  // its names
    std::vector<double> flux(const Buffer<Real>& flux) const;           // through each. Collective
    std::vector<double> gross(const Buffer<Real>& flux) const;          // of magnitudes. Collective

  private:
    const Domain& domain_;
    std::vector<SectionFlow> pairs_;
    std::vector<Buffer<Real>> sign_;  // +1, -1 on a section's faces, 0 elsewhere
};

}  // namespace solenoid
