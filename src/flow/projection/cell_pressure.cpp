#include "flow/projection/cell_pressure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

// Conductances: A / (d . n) between two cells, A / d_n to a given pressure, 0 where the flux is
// given.
template <class Real>
struct CellPressure<Real>::Coefficients {
    Coefficients(const Domain& domain, const FlowBoundaries& boundaries) {
        BoundaryFaces held = boundaries.faces();
        for (std::size_t k = 0; k < held.faces.size(); ++k)
            held.conductance_factor[k] = boundaries.has_pressure(held.faces[k]) ? 2 : 0;
        faces = face_coefficients(domain.mesh, domain.geometry, held);
        for (const Index f : held.faces) faces.conduction[f] *= 0.5;
        cells = cell_diffusion(domain.mesh, faces, held, 1);
    }

    FaceCoefficients faces;
    CellDiffusion cells;
};

template <class Real>
CellPressure<Real>::CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                                 const OpenPressure& open_pressure, const SolveSettings& settings)
    : CellPressure(domain, boundaries, open_pressure, settings, Coefficients(domain, boundaries)) {}

template <class Real>
CellPressure<Real>::CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                                 const OpenPressure& open_pressure, const SolveSettings& settings,
                                 const Coefficients& c)
    : domain_(domain),
      boundaries_(boundaries),
      operators_(domain.operators<Real>()),
      settings_(settings),
      open_pressure_(open_pressure),
      matrix_(domain.comm, domain.device, domain.cells, domain.mesh.halo(Kind::cell),
              c.cells.neighbours, c.cells.weights),
      cg_(domain.comm, matrix_),
      face_cells_(uploaded_table(domain.device, c.faces.cells, domain.faces.shared)),
      cell_nodes_(domain.cell_nodes()),
      conduction_(uploaded<Real>(domain.device, c.faces.conduction)) {
    matrix_.shift().upload(
        std::vector<Real>(c.cells.to_boundary.begin(), c.cells.to_boundary.end()));
    const HostMatrix matrix =
        matrix_of_differences(c.cells.neighbours, c.cells.weights, c.cells.to_boundary);
    preconditioner_ = make_preconditioner<Real>(
        domain.device, settings.preconditioner.is_mixed, [&]<class Precision>() {
            return std::make_unique<Multigrid<Precision>>(
                domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell), matrix,
                std::vector<Index>{},
                MultigridSettings{.max_levels = settings.preconditioner.max_levels});
        });
    std::vector<Index> entries;
    for (const Index k : open_pressure_.positions())
        entries.push_back(boundaries.faces().first + k);
    open_entry_ = uploaded(domain.device, entries);
    open_value_ = domain.device.buffer<Real>(open_entry_.size());
    set_rows();
    q_ = domain.vector_field<Real>(Kind::cell);
    flux_ = domain.field<Real>(Kind::face);
    for (auto* field : {&p_, &change_})
        *field = domain.field<Real>(Kind::cell, 1, boundaries.faces().faces.size());
    for (auto* field : {&net_, &defect_}) *field = domain.field<Real>(Kind::cell);
    missing_ = domain.field<Real>(Kind::node);
}

// Of each cell held, whether it has no face with a given velocity. In the others dp/dn is not known
// there and p is of first order; such cells count only at nodes without other cells.
template <class Real>
std::vector<char> CellPressure<Real>::whole_cells() const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<char> whole(m.cells(), 1);
    for (Index c = 0; c < m.cells(); ++c)
        for (int j = 0; j <= m.dimension; ++j)
            if (const FlowBoundary* boundary = boundaries_.boundary(entity_of(m.cell_faces(c, j)));
                boundary && boundary->condition->holds())
                whole[c] = 0;
    return whole;
}

// Sets the cells whose mean a node takes.
template <class Real>
void CellPressure<Real>::set_rows() {
    const Rows all = cells_of(domain_.mesh.mesh, Kind::node);
    const std::vector<char> is_whole = whole_cells();
    Rows rows;
    std::vector<double> weights;
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        const auto begin = rows.index.size();
        for (const Index* c = all.begin(i); c != all.end(i); ++c)
            if (is_whole[*c]) rows.index.push_back(*c);
        if (rows.index.size() == begin)
            rows.index.insert(rows.index.end(), all.begin(i), all.end(i));
        rows.start.push_back(static_cast<Index>(rows.index.size()));
        weights.insert(weights.end(), rows.index.size() - begin,
                       1.0 / static_cast<double>(rows.index.size() - begin));
    }
    round_ = SellRows(domain_.device, rows);
    weight_ = RowLayout(rows, domain_.device.row_stride())
                  .template upload<Real>(domain_.device, std::span<const double>(weights));
}

template <class Real>
void CellPressure<Real>::constrain(double time) {
    std::vector<double> given;
    domain_.comm.agree([&] { given = open_pressure_.at_faces(time); });
    if (given.empty()) return;
    open_value_.upload(std::vector<Real>(given.begin(), given.end()));
    domain_.device.scatter(open_value_, open_entry_, p_.write_further());
}

// Solves for the change of p. The right-hand side is the net outflow of the fluxes conduction (H G
// - (p_b - p_a)).
template <class Real>
const Field<Real>& CellPressure<Real>::solve(const Field<Real>& gradient, double time,
                                             const Buffer<Real>* force, SolveTotals& totals) {
    constrain(time);
    operators_.interpolation(gradient, q_);
    if (force) domain_.own(Kind::cell)[q_] += *force;
    operators_.integration(q_, flux_);
    const Over faces = domain_.shared(Kind::face);
    faces[flux_] = -1 * conduction_ * flux_;
    CgSettings settings = settings_.stop;
    settings.rounding =
        8 * std::numeric_limits<Real>::epsilon() *
        std::sqrt(domain_.comm.sum(domain_.own(Kind::face).dot(domain_.comm, flux_, flux_)));
    kernels::OrthogonalFlux<Real>{
        .cell = face_cells_, .conduction = conduction_, .x = p_, .flux = flux_}
        .run();
    operators_.divergence(flux_, net_);
    domain_.held(Kind::cell)[change_] = 0;
    const SolveReport report = cg_.solve(*preconditioner_, net_, change_.write(), settings);
    totals.add(report);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("recovered pressure at t = {:.6g} s, in cells: {}",
                                               time, report.explanation("pressure")));
    });
    domain_.own(Kind::cell)[p_] += change_;
    return p_;
}

template <class Real>
std::vector<double> CellPressure<Real>::transpose(std::vector<double>& weight) {
    const Mesh& m = domain_.mesh.mesh;
    if (!cells_of_nodes_) cells_of_nodes_ = cells_of(m, Kind::node);
    const Rows& all = *cells_of_nodes_;
    const std::vector<char> is_whole = whole_cells();
    auto at_nodes = domain_.field<Real>(Kind::node), in_cells = domain_.field<Real>(Kind::cell);
    std::vector<Real> values(weight.begin(), weight.end());
    values.resize(at_nodes.size());
    at_nodes.upload(values);
    values = at_nodes.with_ghosts().download();
    std::vector<Real> of_cells(in_cells.size(), Real(0));
    for (Index c = 0; c < domain_.cells.owned; ++c) {
        double sum = 0;
        for (int j = 0; j <= m.dimension; ++j) {
            const Index i = m.cell_nodes(c, j);
            const auto whole =
                std::count_if(all.begin(i), all.end(i), [&](Index k) { return is_whole[k]; });
            if (whole == 0)
                sum += values[i] / all.length(i);
            else if (is_whole[c])
                sum += values[i] / static_cast<double>(whole);
        }
        of_cells[c] = static_cast<Real>(sum);
    }
    in_cells.upload(of_cells);
    of_cells = in_cells.with_ghosts().download();
    for (Index i = 0; i < domain_.nodes.owned; ++i)
        for (const Index* c = all.begin(i); c != all.end(i); ++c)
            weight[i] -= of_cells[*c] / double(m.dimension + 1);
    return {of_cells.begin(), of_cells.begin() + domain_.cells.owned};
}

// With x = A^-1 weight: x . (D (-K X^T q)) = (X y) . q, y = -K D^T x, q = X G / V + force.
template <class Real>
void CellPressure<Real>::add_adjoint(const std::vector<double>& weight, Buffer<Real>& gradient,
                                     Buffer<Real>& force,
                                     std::vector<std::pair<std::size_t, double>>& given) {
    std::vector<double> padded(weight);
    padded.resize(net_.size());
    const auto right = uploaded<Real>(domain_.device, padded);
    domain_.held(Kind::cell)[change_] = 0;
    const Over cells = domain_.own(Kind::cell);
    const double size = std::sqrt(domain_.comm.sum(cells.dot(domain_.comm, right, right)));
    const SolveReport report = cg_.solve(*preconditioner_, right, change_.write(),
                                         stop_of_adjoint<Real>(settings_.stop, size));
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError("the solve for a sum over pressures in cells, at the start: " +
                                   report.explanation("pressure"));
    });
    const Mesh& m = domain_.mesh.mesh;
    const auto x = change_.with_ghosts().download();
    const auto conduction = conduction_.download();
    const auto at = [&](Index cell) { return cell == none ? Real(0) : x[cell]; };
    std::vector<Real> values(domain_.faces.all, Real(0));
    for (Index f = 0; f < domain_.faces.owned; ++f)
        values[f] = -conduction[f] * (at(m.face_cells(f, 0)) - at(m.face_cells(f, 1)));
    auto y = domain_.field<Real>(Kind::face), flux = domain_.field<Real>(Kind::face);
    y.upload(values);
    auto vectors = domain_.vector_field<Real>(Kind::cell);
    operators_.interpolation(y, vectors);
    operators_.integration(vectors, flux);
    domain_.own(Kind::face)[gradient] += flux;
    if (force) {
        const auto volume = uploaded<Real>(domain_.device, domain_.geometry.cell_volume);
        cells[force] += volume * vectors;
    }
    const BoundaryFaces& b = boundaries_.faces();
    const std::vector<Index>& positions = open_pressure_.positions();
    for (std::size_t k = 0; k < positions.size(); ++k)
        given.emplace_back(k, double(conduction[b.faces[positions[k]]]) * x[b.cells[positions[k]]]);
}

template <class Real>
void CellPressure<Real>::add_to_nodes(const Field<Real>& in_cells, Field<Real>& p) {
    kernels::ScalarCellDefect<Real>{.dimension = domain_.dimension,
                                    .node = cell_nodes_,
                                    .u = in_cells,
                                    .t = p,
                                    .value = defect_}
        .run();
    kernels::ScalarNodeInterpolation<Real>{.cells = round_.rows,
                                           .cell = round_.index,
                                           .weight = weight_,
                                           .u = defect_,
                                           .value = missing_}
        .run(domain_.own(Kind::node));
    domain_.own(Kind::node)[p] += missing_;
}

template <class Real>
CellPressure<Real>::~CellPressure() = default;

template class CellPressure<float>;
template class CellPressure<double>;

}  // namespace solenoid
