// Waves that enter a grid along a line near one of its sides: a source of water 2 (c_g cos(angle) +
// U) a / dx on a line of nodes, c_g the group velocity of the scheme's waves there and U the
// current's component inward (docs/boussinesq.md). Waves leave to the side of the grid, too, where
// a border absorbs them.
#pragma once

#include "boussinesq/absorbing_border.hpp"
#include "boussinesq/wave_components.hpp"

namespace solenoid {

struct IncidentWaveSettings {
    GridSide side = GridSide::west;
    double distance = 0;  // of the line from the side [m]: the width of the border there, or more
    std::vector<WaveComponent> components;
    double rise = 0;  // time in which they grow to their height [s]
};

template <class Real>
class IncidentWaves {
  public:
    // Of a model that has started. On the line, s along it from the first node of the grid,
    //   zeta = sum of amplitude cos(frequency t - k_s s + phase),
    // with k_s from the greatest depth of the line and the current there; c_g and the angle are
    // those of each node's depth and current. Throws InputError where the line has no water or lies
    // outside the grid, a component does not enter (at more than 80 degrees from the normal, or
    // because the current is against it), or its waves are too short for the grid. Collective.
    IncidentWaves(const Communicator& comm, Device& device, const BoussinesqModel<Real>& model,
                  const IncidentWaveSettings& settings);

    // Sets the source on the line at the model's time: before each step().
    void set_source(BoussinesqModel<Real>& model);

  private:
    Device& device_;
    const double rise_;
    std::vector<double> frequencies_;
    // by node and component: the source is the sum of cosine cos(frequency t) + sine sin(...)
    std::vector<double> cosines_, sines_;
    std::vector<Real> rates_;
    Buffer<Real> on_line_;
    Buffer<std::uint32_t> entries_;  // of the line's nodes on this rank
};

}  // namespace solenoid
