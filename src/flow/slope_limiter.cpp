#include "flow/slope_limiter.hpp"

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
SlopeLimiter<Real>::SlopeLimiter(Device& device, const DistributedMesh& mesh, const FlowBoundaries& boundaries, const CellStencil<Real>& stencil,
                                 Operators<Real>& operators, int columns)
    : device_(device),
      stencil_(stencil),
      operators_(operators),
      d_(mesh.mesh.dimension),
      columns_(columns),
      cells_(mesh.range(Kind::cell)),
      nodes_(mesh.range(Kind::node)),
      largest_(operators.field(Kind::node, columns)),
      least_negated_(operators.field(Kind::node, columns)),
      limit_(device.buffer<Real>(cells_.all + static_cast<Index>(boundaries.faces().faces.size()), columns)) {
    std::vector<double> on_boundary(mesh.mesh.nodes(), 0.0);
    for (Index f = 0; f < mesh.mesh.faces(); ++f)
        for (int j = 0; j < d_ && boundaries.boundary(f); ++j) on_boundary[mesh.mesh.nodes_of(Kind::face, f)[j]] = 1;
    on_boundary_ = uploaded<Real>(device, on_boundary);
}

template <class Real>
void SlopeLimiter<Real>::extreme(const Buffer<Real>& u, const Buffer<Real>& at_nodes, int sign, Buffer<Real>& out) {
    const Range nodes{0, nodes_.shared};
    const SlicedRows& cells = stencil_.node_cells;
    if (columns_ == 1) kernels::ScalarNodeExtreme<Real>{cells.rows, cells.index, on_boundary_, u, at_nodes, out, Real(sign)}.run(device_, nodes);
    else kernels::NodeExtreme<Real>{d_, cells.rows, cells.index, on_boundary_, u, at_nodes, out, Real(sign)}.run(device_, nodes);
}

template <class Real>
const Buffer<Real>& SlopeLimiter<Real>::limits(const Buffer<Real>& u, const Buffer<Real>& at_nodes) {
    extreme(u, at_nodes, 1, largest_);
    extreme(u, at_nodes, -1, least_negated_);
    const Real tiny(1e-30);
    if (columns_ == 1) kernels::ScalarSlopeLimit<Real>{d_, stencil_.cell_nodes, u, at_nodes, largest_, least_negated_, limit_, tiny}.run(device_, cells_.marked());
    else kernels::SlopeLimit<Real>{d_, stencil_.cell_nodes, u, at_nodes, largest_, least_negated_, limit_, tiny}.run(device_, cells_.marked());
    operators_.halo(Kind::cell, columns_).exchange(limit_);
    return limit_;
}

template class SlopeLimiter<float>;
template class SlopeLimiter<double>;

}  // namespace solenoid
