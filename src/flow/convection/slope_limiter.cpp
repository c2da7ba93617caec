#include "flow/convection/slope_limiter.hpp"

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
SlopeLimiter<Real>::SlopeLimiter(const Domain& domain, const FlowBoundaries& boundaries,
                                 const CellStencil<Real>& stencil, int columns)
    : domain_(domain),
      stencil_(stencil),
      d_(domain.dimension),
      columns_(columns),
      largest_(domain_.field<Real>(Kind::node, columns)),
      least_negated_(domain_.field<Real>(Kind::node, columns)),
      limit_(domain, Kind::cell, columns, static_cast<Index>(boundaries.faces().faces.size())) {
    std::vector<double> on_boundary(domain.mesh.mesh.nodes(), 0.0);
    for (Index f = 0; f < domain.mesh.mesh.faces(); ++f)
        for (int j = 0; j < d_ && boundaries.boundary(f); ++j)
            on_boundary[domain.mesh.mesh.nodes_of(Kind::face, f)[j]] = 1;
    on_boundary_ = uploaded<Real>(domain.device, on_boundary);
}

template <class Real>
void SlopeLimiter<Real>::extreme(const Field<Real>& u, const Field<Real>& at_nodes, int sign,
                                 Field<Real>& out) {
    const SellRows& cells = stencil_.node_cells;
    if (columns_ == 1)
        kernels::ScalarNodeExtreme<Real>{.cells = cells.rows,
                                         .cell = cells.index,
                                         .on_boundary = on_boundary_,
                                         .u = u,
                                         .t = at_nodes,
                                         .value = out,
                                         .sign = Real(sign)}
            .run();
    else
        kernels::NodeExtreme<Real>{.dimension = d_,
                                   .cells = cells.rows,
                                   .cell = cells.index,
                                   .on_boundary = on_boundary_,
                                   .u = u,
                                   .t = at_nodes,
                                   .value = out,
                                   .sign = Real(sign)}
            .run();
}

template <class Real>
const Field<Real>& SlopeLimiter<Real>::limits(const Field<Real>& u, const Field<Real>& at_nodes) {
    extreme(u, at_nodes, 1, largest_);
    extreme(u, at_nodes, -1, least_negated_);
    const Real tiny(1e-30);
    if (columns_ == 1)
        kernels::ScalarSlopeLimit<Real>{.dimension = d_,
                                        .node = stencil_.cell_nodes,
                                        .u = u,
                                        .t = at_nodes,
                                        .largest = largest_,
                                        .least_negated = least_negated_,
                                        .value = limit_,
                                        .tiny = tiny}
            .run();
    else
        kernels::SlopeLimit<Real>{.dimension = d_,
                                  .node = stencil_.cell_nodes,
                                  .u = u,
                                  .t = at_nodes,
                                  .largest = largest_,
                                  .least_negated = least_negated_,
                                  .value = limit_,
                                  .tiny = tiny}
            .run();
    return limit_;
}

template class SlopeLimiter<float>;
template class SlopeLimiter<double>;

}  // namespace solenoid
