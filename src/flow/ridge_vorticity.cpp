#include "flow/ridge_vorticity.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/boundary_circulation.hpp"
#include "flow/edge_elements.hpp"
#include "flow/finite.hpp"

namespace solenoid {
namespace {

HostMatrix lumped_mass(const DistributedMesh& mesh) {
    const Rows cells = cells_of(mesh.mesh, Kind::node);
    HostMatrix matrix;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
        double mass = 0;
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c) mass += volume(mesh.mesh, *c) / 3;
        matrix.rows.index.push_back(i);
        matrix.entries.push_back(mass);
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

}  // namespace

HostMatrix ridge_mass(const DistributedMesh& mesh) { return mesh.mesh.dimension == 2 ? lumped_mass(mesh) : edge_mass(mesh); }

template <class Real>
RidgeVorticity<Real>::RidgeVorticity(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                                     const FlowBoundaries& boundaries, Operators<Real>& operators, const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry),
      boundaries_(boundaries),
      operators_(operators),
      settings_(settings),
      d_(mesh.mesh.dimension),
      ridges_(mesh.range(mesh.mesh.ridge_kind())),
      cells_(mesh.range(Kind::cell)),
      matrix_(comm, device, ridges_, mesh.halo(mesh.mesh.ridge_kind()), ridge_mass(mesh)),
      cg_(comm, device, matrix_),
      cell_ridges_(uploaded_table(device, d_ == 2 ? mesh.mesh.cell_nodes : mesh.mesh.cell_edges, cells_.owned)),
      circulation_(operators.field(Kind::face)),
      rhs_(field()),
      free_rhs_(field()),
      boundary_(field()) {
    upload_elements();
    fix_symmetry();
}

template <class Real>
void RidgeVorticity<Real>::fix_symmetry() {
    const Mesh& m = mesh_.mesh;
    std::vector<bool> lies_in(ridges_.all, false);
    for (Index f = 0; f < m.faces(); ++f) {
        const FlowBoundary* boundary = boundaries_.boundary(f);
        if (!boundary || !boundary->condition->slips()) continue;
        const auto ridges = m.face_ridges(f);
        for (int j = 0; j < d_; ++j) lies_in[entity_of(ridges[j])] = true;
    }
    std::vector<Index> fixed;
    for (Index r = 0; r < ridges_.owned; ++r)
        if (lies_in[r]) fixed.push_back(r);
    matrix_.fix(fixed);
}

template <class Real>
void RidgeVorticity<Real>::upload_elements() {
    const int slots = d_ == 2 ? 3 : 6;
    std::vector<Vec3> values(std::size_t(cells_.owned) * slots, Vec3(1.0 / 3, 0, 0));
    for (Index c = 0; c < cells_.owned && d_ == 3; ++c) {
        const auto of_cell = edge_element_values(mesh_.mesh, c);
        std::copy(of_cell.begin(), of_cell.end(), values.begin() + std::size_t(c) * slots);
    }
    element_ = uploaded_vectors<Real>(device_, values, cells_.owned, slots, d_);
}

template <class Real>
void RidgeVorticity<Real>::see(double time) {
    if (seen_ && !boundaries_.depends_on_time()) return;
    seen_ = true;
    std::vector<double> b;
    comm_.agree([&] { b = boundary_circulation(mesh_, geometry_, boundaries_, time); });
    std::vector<Real> values(b.begin(), b.end());
    values.resize(ridges_.all, Real(0));
    boundary_.upload(values);
}

template <class Real>
void RidgeVorticity<Real>::solve(Buffer<Real>& u, Buffer<Real>& omega, double when) {
    operators_.integration(u, circulation_);
    operators_.rotation(circulation_, rhs_);
    const Over ridges(device_, ridges_.marked());
    ridges[rhs_] += boundary_;
    if (d_ == 2) {
        ridges[omega] = matrix_.inverse_diagonal() * rhs_;
        return;
    }
    ridges[free_rhs_] = matrix_.free() * rhs_;
    const SolveReport report = cg_.solve(matrix_.inverse_diagonal(), free_rhs_, omega, settings_);
    solves_.add(report);
    comm_.agree([&] {
        if (!report.converged()) throw ComputationError(fmt::format("momentum (vorticity) at t = {:.6g} s: {}{}", when, report.explanation("momentum"), or_shorter_step(when)));
    });
}

template <class Real>
void RidgeVorticity<Real>::at_cells(Buffer<Real>& omega, Buffer<Real>& cells) {
    operators_.halo(mesh_.mesh.ridge_kind()).exchange(omega);
    kernels::CellVorticity<Real>{d_, cell_ridges_, element_, omega, cells}.run(device_, cells_.marked());
}

template <class Real>
void RidgeVorticity<Real>::curl(Buffer<Real>& omega, Buffer<Real>& cells) {
    operators_.curl(omega, circulation_);
    operators_.interpolation(circulation_, cells);
}

template class RidgeVorticity<float>;
template class RidgeVorticity<double>;

}  // namespace solenoid
