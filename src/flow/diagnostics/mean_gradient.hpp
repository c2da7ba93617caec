// The mean gradient of the pressure where fluxes are imposed between periodic sides.
// docs/numerics.md, "Forces under an imposed flux".
#pragma once

#include <optional>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// p = p' + m . (x - x0), p' periodic, m uniform in each part of the domain (cells joined by nodes)
// and x0 the centroid of that part. To the flow it is a body force -m; walls bear it as they bear
// p.
class MeanGradient {
  public:
    // References must outlive this. Collective.
    MeanGradient(const Domain& domain, const FlowBoundaries& boundaries);

    // Of every pair of Mesh::folding, by how much p, over the density [m^2/s^2], is higher at `to`
    // than at `from`; none: as high.
    void update_pressure_rise(const std::vector<std::optional<double>>& rise);

    // body -= m, an acceleration [m/s^2]: vectors of all cells held.
    template <class Real>
    void take_from(Field<Real>& body) const;

    // Adds what m . (x - x0) does on each of Mesh::boundaries that is not open, to both ways of
    // measuring. Collective.
    void add_to(std::vector<BoundaryForce>& forces) const;

  private:
    void find_parts();
    void unfold();

    // A face of the boundary, in the domain as it was drawn.
    struct Face {
        Index face, part;
        std::uint16_t boundary;
        Vec3 area;               // outward [m^2], in 2D [m]
        std::array<Vec3, 3> at;  // its corners, in 2D two [m]
        // to where the whole of its body hangs together: a sum of offsets [m]
        Vec3 shift{0};
    };

    const Domain& domain_;
    const int d_;
    std::vector<std::vector<std::size_t>> pairs_;  // of each part: those that it has sides of
    std::vector<Vec3> centroid_, gradient_;        // of each part; x0, m
    // owned ones, one for every group that they are in
    std::vector<Face> faces_;
};

}  // namespace solenoid
