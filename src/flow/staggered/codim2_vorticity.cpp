#include "flow/staggered/codim2_vorticity.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/edge_elements.hpp"
#include "flow/solver/finite.hpp"
#include "flow/staggered/boundary_circulation.hpp"

namespace solenoid {
namespace {

// A third of the area of the triangles round each owned node.
HostMatrix lumped_mass(const DistributedMesh& mesh) {
    const Rows cells = cells_of(mesh.mesh, Kind::node);
    HostMatrix matrix;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
        double mass = 0;
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c)
            mass += volume(mesh.mesh, *c) / 3;
        matrix.rows.index.push_back(i);
        matrix.entries.push_back(mass);
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

}  // namespace

HostMatrix codim2_mass(const DistributedMesh& mesh) {
    return mesh.mesh.dimension == 2 ? lumped_mass(mesh) : edge_mass(mesh);
}

template <class Real>
Vorticity<Real>::Vorticity(const Domain& domain, const FlowBoundaries& boundaries,
                           const CgSettings& settings)
    : domain_(domain),
      boundaries_(boundaries),
      operators_(domain.operators<Real>()),
      settings_(settings),
      d_(domain.dimension),
      matrix_(domain.comm, domain.device, domain_.codim2_entities,
              domain.mesh.halo(domain.codim2_kind), codim2_mass(domain.mesh)),
      cg_(domain.comm, matrix_),
      cell_codim2_(uploaded_table(
          domain.device, d_ == 2 ? domain.mesh.mesh.cell_nodes : domain.mesh.mesh.cell_edges,
          domain_.cells.owned)),
      circulation_(domain_.field<Real>(Kind::face)),
      rhs_(field()),
      free_rhs_(field()),
      boundary_(field()) {
    upload_elements();
    fix_symmetry();
}

// omega = 0 on the codim-2 entities of symmetry planes.
template <class Real>
void Vorticity<Real>::fix_symmetry() {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<bool> lies_in(domain_.codim2_entities.all, false);
    for (Index f = 0; f < m.faces(); ++f) {
        const FlowBoundary* boundary = boundaries_.boundary(f);
        if (!boundary || !boundary->condition->slips()) continue;
        const auto codim2_entities = m.face_codim2(f);
        for (int j = 0; j < d_; ++j) lies_in[entity_of(codim2_entities[j])] = true;
    }
    std::vector<Index> fixed;
    for (Index r = 0; r < domain_.codim2_entities.owned; ++r)
        if (lies_in[r]) fixed.push_back(r);
    matrix_.fix(fixed);
}

template <class Real>
void Vorticity<Real>::upload_elements() {
    const int slots = d_ == 2 ? 3 : 6;
    std::vector<Vec3> values(std::size_t(domain_.cells.owned) * slots, Vec3(1.0 / 3, 0, 0));
    for (Index c = 0; c < domain_.cells.owned && d_ == 3; ++c) {
        const auto of_cell = edge_element_values(domain_.mesh.mesh, c);
        std::copy(of_cell.begin(), of_cell.end(), values.begin() + std::size_t(c) * slots);
    }
    element_ = uploaded_vectors<Real>(domain_.device, values, domain_.cells.owned, slots, d_);
}

template <class Real>
void Vorticity<Real>::update_boundary(double time) {
    if (is_updated_ && !boundaries_.depends_on_time()) return;
    is_updated_ = true;
    std::vector<double> b;
    domain_.comm.agree(
        [&] { b = boundary_circulation(domain_.mesh, domain_.geometry, boundaries_, time); });
    std::vector<Real> values(b.begin(), b.end());
    values.resize(domain_.codim2_entities.all, Real(0));
    boundary_.upload(values);
}

template <class Real>
void Vorticity<Real>::solve(const Field<Real>& u, Field<Real>& omega, double when) {
    // C^T X^T u + b
    operators_.integration(u, circulation_);
    operators_.rotation(circulation_, rhs_);
    const Over codim2_entities = domain_.own(domain_.codim2_kind);
    codim2_entities[rhs_] += boundary_;
    // omega = M^-1 (C^T X^T u + b)
    if (d_ == 2) {
        codim2_entities[omega] = matrix_.inverse_diagonal() * rhs_;
        return;
    }
    codim2_entities[free_rhs_] = matrix_.free() * rhs_;
    const SolveReport report =
        cg_.solve(matrix_.inverse_diagonal(), free_rhs_, omega.write(), settings_);
    solves_.add(report);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("momentum (vorticity) at t = {:.6g} s: {}{}", when,
                                               report.explanation("momentum"),
                                               or_shorter_step(when)));
    });
}

template <class Real>
void Vorticity<Real>::at_cells(const Field<Real>& omega, Field<Real>& cells) {
    kernels::CellVorticity<Real>{.dimension = d_,
                                 .codim2 = cell_codim2_,
                                 .element = element_,
                                 .vorticity = omega,
                                 .value = cells}
        .run();
}

template <class Real>
void Vorticity<Real>::curl(const Field<Real>& omega, Field<Real>& cells) {
    operators_.curl(omega, circulation_);
    operators_.interpolation(circulation_, cells);
}

template class Vorticity<float>;
template class Vorticity<double>;

}  // namespace solenoid
