#include "flow/projection/pressure_recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "mesh/geometry.hpp"
#include "parallel/sum_over_ranks.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

template <class Real>
PressureRecovery<Real>::PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                                         const std::vector<bool>& is_given,
                                         const SolveSettings& settings)
    : PressureRecovery(
          domain, open_pressure, is_given, settings,
          node_differences(domain.mesh, std::vector<double>(domain.mesh.mesh.cells(), 1.0))) {}

template <class Real>
PressureRecovery<Real>::PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                                         const std::vector<bool>& is_given,
                                         const SolveSettings& settings,
                                         const NodeDifferences& stiffness)
    : domain_(domain),
      d_(domain.dimension),
      operators_(domain.operators<Real>()),
      settings_(settings),
      open_pressure_(open_pressure),
      matrix_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
              stiffness.neighbours, stiffness.weights),
      cg_(domain.comm, matrix_) {
    set_corners();
    set_fit(domain.geometry, is_given);
    for (auto* field : {&p_, &b_, &change_}) *field = domain.field<Real>(Kind::node);
    residual_ = domain.device.buffer<Real>(domain.nodes.all);
    const std::vector<Index> fixed = fix();
    const HostMatrix matrix = matrix_of_differences(stiffness.neighbours, stiffness.weights,
                                                    std::vector<double>(domain.nodes.owned, 0.0));
    preconditioner_ = make_preconditioner<Real>(
        domain.device, settings.preconditioner.is_mixed, [&]<class Precision>() {
            return std::make_unique<Multigrid<Precision>>(
                domain.comm, domain.device, domain_.nodes, domain.mesh.halo(Kind::node), matrix,
                fixed, MultigridSettings{.max_levels = settings.preconditioner.max_levels});
        });
}

template <class Real>
void PressureRecovery<Real>::set_corners() {
    const Mesh& m = domain_.mesh.mesh;
    Rows corners = cells_of(m, Kind::node);
    corners.start.resize(domain_.nodes.owned + 1);
    corners.index.resize(corners.start.back());
    share_.assign(domain_.nodes.owned, 0.0);
    for_each(0, domain_.nodes.owned, [&](Index i) {
        for (Index k = corners.start[i]; k < corners.start[i + 1]; ++k) {
            const Index cell = corners.index[k];
            share_[i] += volume(m, cell) / (d_ + 1);
            corners.index[k] = 4 * cell + m.place_in_cell(cell, i);
        }
    });
    corners_ = SellRows(domain_.device, corners);
    std::vector<Vec3> areas(std::size_t(m.cells()) * (d_ + 1));
    for_each(0, m.cells(), [&](Index c) {
        for (int j = 0; j <= d_; ++j) areas[std::size_t(c) * (d_ + 1) + j] = opposite_area(m, c, j);
    });
    area_ = uploaded_vectors<Real>(domain_.device, areas, m.cells(), d_ + 1, d_);
}

template <class Real>
void PressureRecovery<Real>::set_fit(const Geometry& geometry, const std::vector<bool>& is_given) {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Index> cells;
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j <= d_; ++j)
            if (is_given[entity_of(m.cell_faces(c, j))] && (cells.empty() || cells.back() != c))
                cells.push_back(c);
    std::vector<bool> known(is_given);
    known.flip();
    fit_ = FittedRows<Real>(domain_.device, gradient_fit(domain_.mesh, geometry, cells, known), d_);
    fitted_ = uploaded(domain_.device, cells);
    value_ = domain_.device.buffer<Real>(fitted_.size(), d_);
    q_ = domain_.vector_field<Real>(Kind::cell);
}

// Sets the nodes where p is given, and returns them.
template <class Real>
std::vector<Index> PressureRecovery<Real>::fix() {
    open_node_ = uploaded(domain_.device, open_pressure_.nodes());
    open_value_ = domain_.device.buffer<Real>(open_node_.size());
    std::vector<Real> free(domain_.nodes.owned, Real(1));
    std::vector<Index> fixed;
    for (const Index node : open_pressure_.nodes())
        if (node < domain_.nodes.owned) fixed.push_back(node);
    for (const Index node : fixed) free[node] = 0;
    find_floating(fixed);
    matrix_.free().upload(free);
    domain_.held(Kind::node)[p_] = 0;
    return fixed;
}

// Finds parts joined by nodes without a given pressure: the matrix couples nodes.
template <class Real>
void PressureRecovery<Real>::find_floating(const std::vector<Index>& fixed) {
    const std::vector<Index>& part = domain_.mesh.node_component;
    std::vector<double> is_held(domain_.mesh.components, 0.0);
    for (const Index node : fixed) is_held[part[node]] = 1;
    domain_.comm.max(is_held);
    std::vector<Index> number;
    Index count = 0;
    for (const double held : is_held) number.push_back(held > 0 ? none : count++);
    std::vector<RankSum> volume(count);
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        floating_.push_back(number[part[i]]);
        if (floating_[i] != none) volume[floating_[i]] += share_[i];
    }
    volume_ = totals(domain_.comm, std::move(volume));
    if (!is_whole()) return;
    std::vector<double> shares(share_);
    shares.resize(domain_.nodes.all);
    whole_ = uploaded<Real>(domain_.device, shares);
}

template <class Real>
void PressureRecovery<Real>::constrain(double time, Field<Real>& p) {
    std::vector<double> given;
    domain_.comm.agree([&] { given = open_pressure_.at_nodes(time); });
    if (given.empty()) return;
    open_value_.upload(std::vector<Real>(given.begin(), given.end()));
    domain_.device.scatter(open_value_, open_node_, p);
}

// Solves for the change of p only, so that the rounding of a solve touches the change alone. A
// residual of the size of rounding is not solved for.
template <class Real>
const Field<Real>& PressureRecovery<Real>::solve(const Field<Real>& gradient, double time,
                                                 const Buffer<Real>* force,
                                                 const Field<Real>* in_cells) {
    operators_.interpolation(gradient, q_);
    fit_.apply(domain_.device, gradient, value_);
    domain_.device.scatter(value_, fitted_, q_);
    if (force) domain_.own(Kind::cell)[q_] += *force;
    kernels::CornerDivergence<Real>{.dimension = d_,
                                    .cells = corners_.rows,
                                    .corner = corners_.index,
                                    .area = area_,
                                    .q = q_,
                                    .divergence = b_,
                                    .magnitude = change_}
        .run(domain_.own(Kind::node));
    CgSettings settings = settings_.stop;
    // of a uniform q, as a body force makes it, b consists of rounding
    settings.rounding = 8 * std::numeric_limits<Real>::epsilon() * norm(change_);
    constrain(time, p_);
    matrix_.residual(b_, p_.write(), residual_);
    domain_.held(Kind::node)[change_] = 0;
    const SolveReport report = cg_.solve(*preconditioner_, residual_, change_.write(), settings);
    solves_.add(report);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("recovered pressure at t = {:.6g} s: {}", time,
                                               report.explanation("pressure")));
    });
    domain_.own(Kind::node)[p_] += change_;
    centre(p_);
    if (cells_ && !in_cells) cells_->solve(gradient, time, force, solves_);
    return again(time, in_cells);
}

template <class Real>
const Field<Real>& PressureRecovery<Real>::again(double time, const Field<Real>* in_cells) {
    if (!cells_) return p_;
    if (!in_cells) in_cells = &cells_->guess();
    corrected_.copy(p_);
    cells_->add_to_nodes(*in_cells, corrected_);
    constrain(time, corrected_);
    centre(corrected_);
    return corrected_;
}

template <class Real>
void PressureRecovery<Real>::correct_by(std::unique_ptr<CellPressure<Real>> cells) {
    cells_ = std::move(cells);
    if (cells_) corrected_ = domain_.field<Real>(Kind::node);
}

// The norm over nodes where p is not given.
template <class Real>
double PressureRecovery<Real>::norm(const Buffer<Real>& x) {
    return std::sqrt(domain_.comm.sum(domain_.own(Kind::node).dot(matrix_.free() * x, x)));
}

template <class Real>
void PressureRecovery<Real>::centre(Field<Real>& p) {
    if (volume_.empty()) return;
    if (is_whole()) {
        const Over nodes = domain_.own(Kind::node);
        nodes[p] -= domain_.comm.sum(nodes.dot(whole_, p)) / volume_[0];
        return;
    }
    std::vector<Real> values = p.download();
    std::vector<RankSum> sums(volume_.size());
    for (Index i = 0; i < floating_.size(); ++i)
        if (floating_[i] != none) sums[floating_[i]] += share_[i] * values[i];
    std::vector<double> mean = totals(domain_.comm, std::move(sums));
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] /= volume_[k];
    for (Index i = 0; i < floating_.size(); ++i)
        if (floating_[i] != none) values[i] = static_cast<Real>(values[i] - mean[floating_[i]]);
    p.upload(values);
}

template class PressureRecovery<float>;
template class PressureRecovery<double>;

}  // namespace solenoid
