#include "flow/collocated/pressure_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/dense_fits.hpp"
#include "flow/discretization/slope_parts.hpp"

namespace solenoid {
namespace {

// Ratio |P (found - seen)| / |found - seen| above which the step is repeated. Below it later steps
// reduce the difference, each to less than three quarters.
constexpr double slow = 4;

// Value of Found::braked above which the step is repeated: a velocity that the projection alone
// makes slips along the walls, so that the momentum equation must be solved with the new gradient.
constexpr double braked = 0.3;

constexpr int most_remade = 40, longest_pause = 64;
constexpr std::size_t most_kept = 20;
// Residuals are linearly dependent in directions below this part of the largest singular value.
constexpr double dependent = 1e-11;

// The tolerance is relative to at least this part of the largest gradient found so far.
constexpr double least_scale = 1e-6;

}  // namespace

template <class Real>
PressureIteration<Real>::PressureIteration(const Domain& domain, const FlowBoundaries& boundaries,
                                           const CellStencil<Real>& stencil,
                                           Viscosity<Real>& viscosity, double tolerance)
    : domain_(domain),
      stencil_(stencil),
      viscosity_(viscosity),
      operators_(domain.operators<Real>()),
      tolerance_(tolerance) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<double> weight, conduction;
    const std::vector<double> part =
        slope_parts_at_faces(m, stencil.slope_part, domain.faces.shared);
    for (Index f = 0; f < domain.faces.shared; ++f) {
        const auto [a, b] = centroids_beside(m, domain.geometry, f);
        const double distance = glm::length(b - a),
                     area = glm::length(domain.geometry.face_area[f]);
        weight.push_back(distance / area);
        conduction.push_back(m.face_cells(f, 0) == none || m.face_cells(f, 1) == none
                                 ? 0
                                 : part[f] * area / distance);
    }
    for (Index c = 0; c < domain.cells.owned; ++c) {
        double sum = 0;
        for (int a = 0; a <= m.dimension; ++a) sum += conduction[entity_of(m.cell_faces(c, a))];
        conduction_rate_ = std::max(conduction_rate_, 2 * sum / domain.geometry.cell_volume[c]);
    }
    conduction_rate_ = domain.comm.max(conduction_rate_);
    weight_ = uploaded<Real>(domain.device, weight);
    conduction_ = uploaded<Real>(domain.device, conduction);
    for (auto* field : {&difference_, &mean_, &next_}) *field = domain.field<Real>(Kind::face);
    for (auto* field : {&net_, &smooth_})
        *field = domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size());
    if (boundaries.gives_pressure()) set_braking(boundaries);
}

template <class Real>
void PressureIteration<Real>::set_braking(const FlowBoundaries& boundaries) {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<double> of_cells(m.cells(), 0.0), braking;
    for (Index c = 0; c < m.cells(); ++c)
        for (int a = 0; a <= m.dimension; ++a) {
            const Index f = entity_of(m.cell_faces(c, a));
            const FlowBoundary* boundary = boundaries.boundary(f);
            if (!boundary || !boundary->condition->holds()) continue;
            const double area = glm::length(domain_.geometry.face_area[f]),
                         height = domain_.geometry.cell_volume[c] * m.dimension / area /
                                  (m.dimension + 1);
            of_cells[c] += area / height / domain_.geometry.cell_volume[c];
        }
    for (Index f = 0; f < domain_.faces.shared; ++f) {
        double sum = 0;
        int count = 0;
        for (int side = 0; side < 2; ++side)
            if (const Index c = m.face_cells(f, side); c != none) sum += of_cells[c], ++count;
        const auto [a, b] = centroids_beside(m, domain_.geometry, f);
        braking.push_back(sum / count * glm::length(b - a) /
                          glm::length(domain_.geometry.face_area[f]));
    }
    braking_ = uploaded<Real>(domain_.device, braking);
}

// residual = P difference, P = 1 - s grad nu F div, F the mean over a cell and its neighbours. P
// approximates the inverse of the Stokes operator's Schur complement for slowly varying pressures
// (Cahouet & Chabard 1988). Through thin cells P is 1: what differs there is rough.
template <class Real>
void PressureIteration<Real>::precondition(const Field<Real>& difference, double s,
                                           Field<Real>& residual) {
    const Over cells = domain_.own(Kind::cell);
    residual.copy(difference);
    operators_.divergence(residual, net_);
    cells[net_] = net_ / stencil_.volume;
    kernels::PairMean<Real>{.cell = stencil_.face_cells, .x = net_, .value = mean_}.run();
    kernels::FaceMean<Real>{
        .dimension = domain_.dimension, .face = stencil_.cell_faces, .q = mean_, .value = smooth_}
        .run();
    cells[smooth_] = -s * (viscosity_.in_cells() * smooth_);
    kernels::OrthogonalFlux<Real>{
        .cell = stencil_.face_cells, .conduction = conduction_, .x = smooth_, .flux = residual}
        .run();
}

template <class Real>
bool PressureIteration<Real>::begin(const Field<Real>& seen, const Field<Real>& found, double s) {
    if (pause_ > 0) {
        --pause_;
        return false;
    }
    if (!may_be_slow(s)) return is_active_ = false;
    s_ = s;
    first_seen_ = &seen;
    passes_ = 0;
    goes_back_ = false;
    while (!iterates_.empty()) drop_oldest();
    last_ = add(seen, found);
    const bool is_slow = last_.left > slow * last_.apart || last_.braked > braked;
    if (!is_slow || last_.left <= last_.target) {
        is_active_ = is_slow;
        return false;
    }
    next_.copy(seen);
    // the first pass extrapolated the coupling, the repeated ones do not: it is another map
    if (!is_active_) drop_oldest();
    is_active_ = true;
    first_left_ = last_.left;
    return propose();
}

template <class Real>
bool PressureIteration<Real>::goes_on(const Field<Real>& found) {
    if (goes_back_) return false;
    last_ = add(next_, found);
    return propose();
}

// Computes next(): false where the gradient is found. After most_remade passes the next steps are
// not repeated; the step goes back to the gradient of its first pass if no pass came nearer.
template <class Real>
bool PressureIteration<Real>::propose() {
    const bool is_found = last_.left <= last_.target;
    if (!is_found && std::isfinite(last_.left) && passes_ < most_remade) {
        if (!iterates_.empty()) mix(next_);
        ++passes_;
        return true;
    }
    next_pause_ = is_found ? 1 : std::min(2 * next_pause_, longest_pause);
    pause_ = is_found ? 0 : next_pause_;
    goes_back_ = !is_found && !(last_.left < first_left_);
    if (goes_back_) next_.copy(*first_seen_);
    return goes_back_;
}

// Whether the norm of P may exceed `slow`, by the bound 1 + s viscous_rate_.
template <class Real>
bool PressureIteration<Real>::may_be_slow(double s) {
    if (seen_viscosity_ != viscosity_.version()) {
        seen_viscosity_ = viscosity_.version();
        const double local =
            domain_.faces.shared
                ? domain_.shared(Kind::face).reduce(greatest(viscosity_.at_faces()))[0]
                : 0;
        viscous_rate_ = domain_.comm.max(local) * conduction_rate_;
    }
    return 1 + s * viscous_rate_ > slow;
}

template <class Real>
typename PressureIteration<Real>::Found PressureIteration<Real>::add(const Field<Real>& seen,
                                                                     const Field<Real>& found) {
    if (iterates_.size() == most_kept) drop_oldest();
    if (free_iterates_.empty())
        free_iterates_.push_back(
            {domain_.field<Real>(Kind::face), domain_.field<Real>(Kind::face), {}});
    iterates_.push_back(std::move(free_iterates_.back()));
    free_iterates_.pop_back();
    Iterate& added = iterates_.back();
    const Over own = domain_.own(Kind::face);
    domain_.shared(Kind::face)[difference_] = found - seen;
    added.seen.copy(seen);
    precondition(difference_, s_, added.residual);
    added.products = {
        own.dot(domain_.comm, weight_ * difference_, difference_),
        own.dot(domain_.comm, weight_ * found, found),
        braking_
            ? own.dot(domain_.comm, braking_ * viscosity_.at_faces() * difference_, difference_)
            : 0.0};
    for (const Iterate& other : iterates_)
        added.products.push_back(own.dot(domain_.comm, weight_ * added.residual, other.residual));
    domain_.comm.sum(added.products);
    const double apart = std::sqrt(added.products[0]), size = std::sqrt(added.products[1]);
    const double braked = apart > 0 ? s_ * added.products[2] / added.products[0] : 0;
    added.products.erase(added.products.begin(), added.products.begin() + 3);
    largest_ = std::max(largest_, size);
    return {apart, std::sqrt(added.products.back()),
            tolerance_ * std::max(size, least_scale * largest_), braked};
}

template <class Real>
void PressureIteration<Real>::drop_oldest() {
    free_iterates_.push_back(std::move(iterates_.front()));
    iterates_.pop_front();
    for (Iterate& iterate : iterates_) iterate.products.erase(iterate.products.begin());
}

// next = sum a_i (seen_i + residual_i) with the a_i, sum a_i = 1, that minimize |sum a_i
// residual_i|: Anderson mixing (Walker & Ni 2011). For a linear step these are iterates of GMRES.
template <class Real>
void PressureIteration<Real>::mix(Field<Real>& next) {
    const auto n = static_cast<Index>(iterates_.size()) - 1;
    const Iterate& last = iterates_.back();
    const Over faces = domain_.shared(Kind::face);
    faces[next] = last.seen + last.residual;
    if (n == 0) return;
    const auto product = [&](Index i, Index j) {
        return iterates_[std::max(i, j)].products[std::min(i, j)];
    };
    DenseMatrix gram(n, n);  // of the differences of the last residual from the others
    std::vector<double> rhs(n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j)
            gram(i, j) = product(n, n) - product(n, i) - product(n, j) + product(i, j);
        rhs[i] = product(n, n) - product(n, i);
    }
    const std::vector<double> parts = scaled_solution(gram, rhs, dependent);
    for (Index i = 0; i < n; ++i) {
        const double part = parts[i];
        faces[next] -=
            part * ((last.seen - iterates_[i].seen) + (last.residual - iterates_[i].residual));
    }
}

template <class Real>
void PressureIteration<Real>::register_state(const StateValues& state) {
    state.add("largest", largest_, not_negative);
    state.add("pause", pause_, not_negative);
    state.add("next_pause", next_pause_, {.least = 1});
    state.add("is_active", is_active_);
}

template <class Real>
PressureIteration<Real>::~PressureIteration() = default;

template class PressureIteration<float>;
template class PressureIteration<double>;

}  // namespace solenoid
