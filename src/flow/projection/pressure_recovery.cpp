#include "flow/projection/pressure_recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "mesh/geometry.hpp"
#include "parallel/entity_shares.hpp"
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
      cg_(domain.comm, matrix_),
      is_given_(is_given) {
    set_corners();
    set_fit(domain.geometry, is_given);
    for (auto* field : {&p_, &b_, &change_}) *field = domain.field<Real>(Kind::node);
    residual_ = domain.device.buffer<Real>(domain.nodes.all);
    fixed_ = fix();
    const HostMatrix matrix = matrix_of_differences(stiffness.neighbours, stiffness.weights,
                                                    std::vector<double>(domain.nodes.owned, 0.0));
    preconditioner_ = make_preconditioner<Real>(
        domain.device, settings.preconditioner.is_mixed, [&]<class Precision>() {
            return std::make_unique<Multigrid<Precision>>(
                domain.comm, domain.device, domain_.nodes, domain.mesh.halo(Kind::node), matrix,
                fixed_, MultigridSettings{.max_levels = settings.preconditioner.max_levels});
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

// The cells whose q is fitted, and the faces that it is fitted to.
template <class Real>
std::pair<std::vector<Index>, std::vector<bool>> PressureRecovery<Real>::fitted_cells(
    const std::vector<bool>& is_given) const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Index> cells;
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j <= d_; ++j)
            if (is_given[entity_of(m.cell_faces(c, j))] && (cells.empty() || cells.back() != c))
                cells.push_back(c);
    std::vector<bool> known(is_given);
    known.flip();
    return {std::move(cells), std::move(known)};
}

template <class Real>
void PressureRecovery<Real>::set_fit(const Geometry& geometry, const std::vector<bool>& is_given) {
    const auto [cells, known] = fitted_cells(is_given);
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
    matrix_.residual(domain_.comm, b_, p_.write(), residual_);
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

// The transposed steps of solve(), from the last to the first.
template <class Real>
PressureSum<Real> PressureRecovery<Real>::prepare(std::vector<double> weight,
                                                  const PressureSources<Real>& kind) {
    std::vector<double> of_given(domain_.nodes.owned, 0.0);
    const auto take_given = [&] {
        for (const Index i : fixed_) of_given[i] += std::exchange(weight[i], 0.0);
    };
    PressureSum<Real> sum{domain_.device.buffer<Real>(domain_.faces.owned), {}, {}, {}, {}};
    const double rounding = rounding_of(weight);
    if (kind.force) sum.force = domain_.device.buffer<Real>(domain_.cells.owned, d_);
    transpose_centre(weight);
    take_given();
    if (cells_) {
        const std::vector<double> of_cells = cells_->transpose(weight);
        take_given();
        transpose_centre(weight);
        if (kind.in_cells)
            sum.in_cells = uploaded<Real>(domain_.device, of_cells);
        else
            cells_->add_adjoint(of_cells, sum.gradient, sum.force, sum.given_faces);
    }
    add_adjoint(weight, of_given, rounding, sum);
    return sum;
}

// The norm of the rounding in the differences that are taken of a weight.
template <class Real>
double PressureRecovery<Real>::rounding_of(const std::vector<double>& weight) const {
    const double square = sum_over_ranks(domain_.comm, weight.size(),
                                         [&](std::size_t i) { return weight[i] * weight[i]; });
    return 8 * std::numeric_limits<Real>::epsilon() * std::sqrt(square);
}

// With A the matrix of free nodes, p_g the given values, b = D q: w . p = w . p_g + (A^-1 w) . (D q
// - A p_g). A weight no larger than its rounding counts as 0: that of a wall's pressure along the
// wall, or what is left of a weight that is nearly its own mean.
template <class Real>
void PressureRecovery<Real>::add_adjoint(const std::vector<double>& weight,
                                         const std::vector<double>& of_given, double rounding,
                                         PressureSum<Real>& sum) {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<double> values(weight);
    values.resize(domain_.nodes.all);
    const auto right = uploaded<Real>(domain_.device, values);
    domain_.held(Kind::node)[change_] = 0;
    CgSettings settings = stop_of_adjoint<Real>(settings_.stop, norm(right));
    settings.rounding = std::max(settings.rounding, rounding);
    const SolveReport report = cg_.solve(*preconditioner_, right, change_.write(), settings);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError("the solve for a sum over pressures, at the start: " +
                                   report.explanation("pressure"));
    });
    const auto adjoint = change_.with_ghosts().download();
    std::vector<Vec3> of_cells(domain_.cells.owned, Vec3(0));
    for_each(0, of_cells.size(), [&](std::size_t c) {
        for (int j = 0; j <= d_; ++j)
            of_cells[c] -= double(adjoint[m.cell_nodes(c, j)]) / d_ *
                           opposite_area(m, static_cast<Index>(c), j);
    });
    add_rows(of_cells, sum);
    const auto zero = domain_.device.buffer<Real>(domain_.nodes.all);
    matrix_.residual_everywhere(matrix_.shift(), zero, change_.write(), residual_);
    const auto rest = residual_.download();
    const std::vector<Index>& nodes = open_pressure_.nodes();
    for (std::size_t k = 0; k < nodes.size(); ++k)
        if (nodes[k] < domain_.nodes.owned)
            sum.given_nodes.emplace_back(k, of_given[nodes[k]] + rest[nodes[k]]);
}

// Adds of_cells . q to a sum: q = X G / V, but for the rows of fitted cells, plus the force.
template <class Real>
void PressureRecovery<Real>::add_rows(const std::vector<Vec3>& of_cells, PressureSum<Real>& sum) {
    const Over cells = domain_.own(Kind::cell), faces = domain_.own(Kind::face);
    if (sum.force) {
        const auto all = uploaded_vectors<Real>(domain_.device, of_cells, of_cells.size(), 1, d_);
        cells[sum.force] += all;
    }
    const auto [fitted, known] = fitted_cells(is_given_);
    std::vector<Vec3> plain(of_cells);
    for (const Index c : fitted) plain[c] = Vec3(0);
    std::vector<Real> by_volume(std::size_t(domain_.cells.all) * d_, Real(0));
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int k = 0; k < d_; ++k)
            by_volume[std::size_t(k) * domain_.cells.all + c] =
                static_cast<Real>(plain[c][k] / domain_.geometry.cell_volume[c]);
    auto vectors = domain_.vector_field<Real>(Kind::cell);
    vectors.upload(by_volume);
    auto flux = domain_.field<Real>(Kind::face);
    operators_.integration(vectors, flux);
    faces[sum.gradient] += flux;
    if (!fit_on_host_) fit_on_host_ = gradient_fit(domain_.mesh, domain_.geometry, fitted, known);
    const GradientFit& fit = *fit_on_host_;
    std::vector<EntityShare> shares;  // in a reproducible run all, else of foreign faces
    std::vector<double> of_faces(domain_.faces.owned, 0.0);
    for (std::size_t r = 0; r < fitted.size(); ++r)
        for (Index k = fit.faces.start[r]; k < fit.faces.start[r + 1]; ++k) {
            const Index face = fit.faces.index[k];
            const double value = glm::dot(fit.vectors[k], of_cells[fitted[r]]);
            if (face < domain_.faces.owned && !is_reproducible())
                of_faces[face] += value;
            else
                shares.push_back({0, face, value});
        }
    for (const EntityShare& share : shares_of_owned(domain_.comm, domain_.mesh, Kind::face, shares))
        of_faces[share.entity] += share.value;
    const auto by_fit = uploaded<Real>(domain_.device, of_faces);
    faces[sum.gradient] += by_fit;
}

template <class Real>
std::vector<double> PressureRecovery<Real>::sums(const std::vector<PressureSum<Real>>& prepared,
                                                 const PressureSources<Real>& from,
                                                 double time) const {
    std::vector<double> at_nodes, at_faces;
    domain_.comm.agree([&] {
        at_nodes = open_pressure_.at_nodes(time);
        if (cells_ && !from.in_cells) at_faces = open_pressure_.at_faces(time);
    });
    std::vector<RankSum> parts(prepared.size());
    const Over faces = domain_.own(Kind::face), cells = domain_.own(Kind::cell);
    const Field<Real>& gradient = *from.gradient;
    for (std::size_t k = 0; k < prepared.size(); k += 4) {
        if (k + 1 == prepared.size()) {
            parts[k] += faces.dot(domain_.comm, prepared[k].gradient, gradient);
            break;
        }
        const auto factor = [&](std::size_t j) -> const Buffer<Real>& {
            return prepared[std::min(k + j, prepared.size() - 1)].gradient;
        };
        const auto four = faces.reduce(domain_.comm, solenoid::sum(product(factor(0), gradient)),
                                       solenoid::sum(product(factor(1), gradient)),
                                       solenoid::sum(product(factor(2), gradient)),
                                       solenoid::sum(product(factor(3), gradient)));
        for (std::size_t j = 0; j < 4 && k + j < prepared.size(); ++j) parts[k + j] += four[j];
    }
    for (std::size_t k = 0; k < prepared.size(); ++k) {
        const PressureSum<Real>& sum = prepared[k];
        if (bool(sum.force) != (from.force != nullptr) ||
            bool(sum.in_cells) != (cells_ && from.in_cells))
            throw std::logic_error("a sum over pressures was prepared for others");
        if (from.force) parts[k] += cells.sum(domain_.comm, dot(sum.force, *from.force));
        if (sum.in_cells) parts[k] += cells.dot(domain_.comm, sum.in_cells, *from.in_cells);
        for (const auto& [i, factor] : sum.given_nodes) parts[k] += factor * at_nodes[i];
        for (const auto& [i, factor] : sum.given_faces) parts[k] += factor * at_faces[i];
    }
    return totals(domain_.comm, std::move(parts));
}

// The norm over nodes where p is not given.
template <class Real>
double PressureRecovery<Real>::norm(const Buffer<Real>& x) {
    return std::sqrt(
        domain_.comm.sum(domain_.own(Kind::node).dot(domain_.comm, matrix_.free() * x, x)));
}

template <class Real>
void PressureRecovery<Real>::centre(Field<Real>& p) {
    if (volume_.empty()) return;
    if (is_whole()) {
        const Over nodes = domain_.own(Kind::node);
        nodes[p] -= domain_.comm.sum(nodes.dot(domain_.comm, whole_, p)) / volume_[0];
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

// The mean is a sum of share / volume times p, and is taken from each node of its part. It is done
// twice: little may be left of a weight, and its sum is then as small as the rounding of what is
// left, not of what was taken.
template <class Real>
void PressureRecovery<Real>::transpose_centre(std::vector<double>& weight) const {
    if (volume_.empty()) return;
    for (int pass = 0; pass < 2; ++pass) {
        std::vector<RankSum> parts(volume_.size());
        for (Index i = 0; i < floating_.size(); ++i)
            if (floating_[i] != none) parts[floating_[i]] += weight[i];
        const std::vector<double> sums = totals(domain_.comm, std::move(parts));
        for (Index i = 0; i < floating_.size(); ++i)
            if (const Index part = floating_[i]; part != none)
                weight[i] -= sums[part] / volume_[part] * share_[i];
    }
}

template <class Real>
PressureRecovery<Real>::~PressureRecovery() = default;

template class PressureRecovery<float>;
template class PressureRecovery<double>;

}  // namespace solenoid
