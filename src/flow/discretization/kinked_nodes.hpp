// Node values on surfaces where a coefficient of diffusion jumps, and what is diffused has a kink.
// docs/numerics.md, "Coefficients that jump".
#pragma once

#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/sampled_coefficient.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

template <class Real>
class KinkedNodes {
  public:
    // The stencil must outlive this.
    explicit KinkedNodes(const CellStencil<Real>& stencil) : stencil_(stencil) {}

    // From now on: the surfaces of this coefficient. Collective.
    void update_coefficient(const SampledCoefficient& coefficient);
    std::uint64_t version() const { return version_; }  // grows where see() tells something new

    // Of every cell held the least number of the cells that hang together with it without crossing
    // a surface; empty: there is none.
    const std::vector<GlobalIndex>& parts() const { return parts_; }

    // Node values of a field of cells, whose ghosts are filled, on these surfaces. Of a velocity
    // the component across the surface, which has no kink, stays as it is.
    void interpolate(const Field<Real>& cells, Field<Real>& at_nodes) const;

    void keep_in(Snapshot<Real>& snapshot) {
        snapshot.add_value(surfaces_);
        snapshot.add_value(parts_);
        snapshot.on_restore([this] { ++version_; });
    }

  private:
    struct Surfaces {
        Buffer<std::uint32_t> node;
        SellRows cells;              // round each
        Buffer<Real> weight, slope;  // of the rows; vectors
        Buffer<Real> normal;         // vectors of the nodes
        Buffer<Real> value, vector;  // at the nodes, what put() finds
    };
    void find_parts(const std::vector<Index>& jump_on);

    const CellStencil<Real>& stencil_;
    std::uint64_t version_ = 0;
    Rows round_;                          // cells round all nodes, once a jump was seen
    std::shared_ptr<Surfaces> surfaces_;  // null: none
    std::vector<GlobalIndex> parts_;
};

}  // namespace solenoid
