// The mean pressure gradient where fluxes between periodic sides are imposed. docs/numerics.md,
// "Forces under an imposed flux".
#pragma once

#include <optional>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// p = p' + m . (x - x0) with p' periodic, m uniform in each part of the domain (cells joined by
// nodes), and x0 the centroid of the part. For the flow it is a body force -m; on walls it acts as
// part of p.
class MeanGradient {
  public:
    // All references must outlive this. Collective.
    MeanGradient(const Domain& domain, const FlowBoundaries& boundaries);

    // rise: for each pair of Mesh::periodic_map p over density [m^2/s^2] at `to` less that at
    // `from`; absent: 0.
    void update_pressure_rise(const std::vector<std::optional<double>>& rise);

    // body -= m [m/s^2]. body: vectors of all cells held.
    template <class Real>
    void take_from(Field<Real>& body) const;

    // Adds the force of m . (x - x0) on each of Mesh::boundaries that is not open to both its
    // measured forces, by the surface and by the weak form. Collective.
    void add_to(std::vector<BoundaryForce>& forces) const;

  private:
    void find_parts();
    void unfold();

    // A boundary face, placed so that its body is connected.
    struct Face {
        Index face, part;
        std::uint16_t boundary;
        Vec3 area;               // outward [m^2], in 2D [m]
        std::array<Vec3, 3> at;  // its corners [m]
        // shift to its connected body: a sum of offsets [m]
        Vec3 shift{0};
    };

    const Domain& domain_;
    const int d_;
    std::vector<std::vector<std::size_t>> pairs_;  // for each part the pairs whose sides it has
    std::vector<Vec3> centroid_, gradient_;        // for each part x0 and m
    // owned faces, once for each group
    std::vector<Face> faces_;
};

}  // namespace solenoid
