// Sides that absorb waves, on one rank. There c^2 dy/dn = -c dy/dt + c (d/dt + c d/dn) g, with g
// the incident wave: on nodes a diagonal B times dy/dt, and a load l. docs/numerics.md, "Wave
// equation".
#pragma once

#include <memory>
#include <vector>

#include "operators/domain.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

class AbsorbingSides {
  public:
    // speed: c [m/s]. Throws InputError where the mesh lacks a boundary, or c is not positive at
    // the centroid of a face. Collective.
    AbsorbingSides(const Domain& domain, const std::vector<WaveBoundary>& boundaries,
                   const Formula& speed);

    // B_i = sum of c A / d over the faces of owned node i, d the nodes of a face [m^2/s, in 3D
    // m^3/s].
    const std::vector<double>& damping() const { return damping_; }
    bool depends_on_time() const { return depends_on_time_; }  // an incident wave; on all ranks
    // Adds l_i = sum of c A / d (d/dt + c d/dn) g at t [s] to the loads of owned nodes. Throws
    // InputError where g is not finite.
    void add_load(double t, std::vector<double>& load) const;

  private:
    struct Corner {  // an owned node of a face
        Index node;
        Vec3 point, direction;  // where the face sees it [m]; c n [m/s], n outwards
        double weight, span;    // c A / d; a thousandth of the time that a wave crosses it in [s]
        std::shared_ptr<const WaveCondition> condition;
    };
    std::vector<Corner> corners_;  // of faces through which a wave comes in
    std::vector<double> damping_;
    bool depends_on_time_ = false;
};

}  // namespace solenoid
