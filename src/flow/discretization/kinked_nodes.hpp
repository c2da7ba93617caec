// Node values on surfaces where a diffusion coefficient jumps, so that the diffused field has a
// kink. docs/numerics.md, "Coefficients that jump".
#pragma once

#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/sampled_coefficient.hpp"

namespace solenoid {

template <class Real>
class KinkedNodes {
  public:
    // The stencil must outlive this.
    explicit KinkedNodes(const CellStencil<Real>& stencil) : stencil_(stencil) {}

    // Sets the surfaces from a coefficient. Collective.
    void update_coefficient(const SampledCoefficient& coefficient);
    std::uint64_t version() const { return version_; }  // grows when the surfaces change

    // For each cell held the lowest number of the cells connected to it without crossing a surface;
    // empty without surfaces.
    const std::vector<GlobalIndex>& parts() const { return parts_; }

    // Sets node values on the surfaces from a cell field with ghosts. The component of a velocity
    // across the surface has no kink and is left as it is.
    void interpolate(const Field<Real>& cells, Field<Real>& at_nodes) const;

  private:
    struct Surfaces {
        Buffer<std::uint32_t> node;
        SellRows cells;              // cells at each node
        Buffer<Real> weight, slope;  // of the rows; vectors
        Buffer<Real> normal;         // vectors of the nodes
        Buffer<Real> value, vector;  // results of interpolate() at the nodes
    };
    void find_parts(const std::vector<Index>& jump_on);

    const CellStencil<Real>& stencil_;
    std::uint64_t version_ = 0;
    Rows round_;                          // cells at all nodes, once a jump was found
    std::shared_ptr<Surfaces> surfaces_;  // null: none
    std::vector<GlobalIndex> parts_;
};

}  // namespace solenoid
