#include "flow/collocated/pressure_iteration.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

// Below this ratio of the corrected difference to the difference itself the steps to come mend it, unless they are so short.
constexpr double slow = 2, short_courant = 0.15;

constexpr int most_remade = 40, most_kept = 30;
constexpr int longest_pause = 64;

// Of the largest gradient so far: a smaller one counts as this.
constexpr double least_scale = 1e-6;

}  // namespace

template <class Real>
PressureIteration<Real>::PressureIteration(const Domain& domain, const CellStencil<Real>& stencil, Viscosity<Real>& viscosity, double tolerance)
    : domain_(domain), stencil_(stencil), viscosity_(viscosity), operators_(domain.operators<Real>()), tolerance_(tolerance) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<double> weight, conduction;
    for (Index f = 0; f < domain.faces.shared; ++f) {
        const auto [a, b] = centroids_beside(m, domain.geometry, f);
        const double distance = glm::length(b - a), area = glm::length(domain.geometry.face_area[f]);
        weight.push_back(distance / area);
        conduction.push_back(m.face_cells(f, 0) == none || m.face_cells(f, 1) == none ? 0 : area / distance);
    }
    weight_ = uploaded<Real>(domain.device, weight);
    conduction_ = uploaded<Real>(domain.device, conduction);
    for (auto* field : {&difference_, &mean_, &next_}) *field = domain.field<Real>(Kind::face);
    for (auto* field : {&net_, &smooth_}) *field = domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size());
}

// Of A dp/dn: the root of the integral of |grad p|^2, but for a factor.
template <class Real>
double PressureIteration<Real>::norm(const Field<Real>& x) const {
    return std::sqrt(domain_.comm.sum(domain_.own(Kind::face).dot(weight_ * x, x)));
}

// residual = (1 - s grad nu F div) (found - seen), F the mean over a cell and its neighbours: the inverse of the Stokes operator's Schur complement for a
// pressure that varies slowly (Cahouet & Chabard 1988).
template <class Real>
void PressureIteration<Real>::precondition(const Field<Real>& seen, const Field<Real>& found, double s, Field<Real>& residual) {
    const Over cells = domain_.own(Kind::cell), faces = domain_.shared(Kind::face);
    faces[residual] = found - seen;
    operators_.divergence(residual, net_);
    cells[net_] = net_ / stencil_.volume;
    kernels::PairMean<Real>{.cell = stencil_.face_cells, .x = net_.with_ghosts(), .value = mean_}.run(domain_.device, {0, domain_.faces.shared});
    kernels::FaceMean<Real>{.dimension = domain_.dimension, .face = stencil_.cell_faces, .q = mean_, .value = smooth_}.run(domain_.device, domain_.cells.marked());
    static const int twice = getenv("PTWICE") ? atoi(getenv("PTWICE")) : 0;
    for (int i = 0; i < twice; ++i) {
    kernels::PairMean<Real>{.cell = stencil_.face_cells, .x = smooth_.with_ghosts(), .value = mean_}.run(domain_.device, {0, domain_.faces.shared});
    kernels::FaceMean<Real>{.dimension = domain_.dimension, .face = stencil_.cell_faces, .q = mean_, .value = smooth_}.run(domain_.device, domain_.cells.marked());
    }
    static const double own = getenv("POWN") ? atof(getenv("POWN")) : 0;
    cells[smooth_] = own * net_ + (1 - own) * smooth_;
    static const double factor = getenv("PFACTOR") ? atof(getenv("PFACTOR")) : 1;
    cells[smooth_] = -factor * s * (viscosity_.in_own_cells() * smooth_);
    kernels::OrthogonalFlux<Real>{.cell = stencil_.face_cells, .conduction = conduction_, .x = smooth_.with_ghosts(), .flux = residual}.run(domain_.device, {0, domain_.faces.shared});
}

template <class Real>
bool PressureIteration<Real>::run(const Field<Real>& seen, Field<Real>& found, double s, double courant, const std::function<void(const Field<Real>&)>& remake) {
    if (pause_ > 0) {
        --pause_;
        return false;
    }
    history_.clear();
    const auto add = [&](const Field<Real>& g) {
        Pair pair = spare_.empty() ? Pair{domain_.field<Real>(Kind::face), domain_.field<Real>(Kind::face)} : std::move(spare_.back());
        if (!spare_.empty()) spare_.pop_back();
        pair.seen.copy(g);
        precondition(g, found, s, pair.residual);
        history_.push_back(std::move(pair));
        if (history_.size() <= most_kept) return;
        spare_.push_back(std::move(history_.front()));
        history_.pop_front();
    };
    const auto target = [&] {
        const double size = norm(found);
        largest_ = std::max(largest_, size);
        return tolerance_ * std::max(size, least_scale * largest_);
    };
    domain_.shared(Kind::face)[difference_] = found - seen;
    const double apart = norm(difference_);
    add(seen);
    double left = norm(history_.back().residual);
    const bool debug = getenv("PDEBUG");
    if (debug) printf("s %.3g courant %.3g apart %.3e left %.3e target %.3e size %.3e", s, courant, apart, left, target(), norm(found));
    const bool needed = left > target() && (left > slow * apart || courant < short_courant);
    if (!needed) is_active_ = left > slow * apart;
    if (left > target() && (left > slow * apart || courant < short_courant)) {
        const double first = left;
        next_.copy(seen);
        for (int k = 0; k < most_remade; ++k) {
            if (k == 0 && !is_active_) {  // the step before was made with the coupling extrapolated: another map
                spare_.push_back(std::move(history_.back()));
                history_.pop_back();
            } else {
                mix(next_);
            }
            remake(next_);
            ++remade_;
            add(next_);
            left = norm(history_.back().residual);
            if (debug) printf(" %.2e", left);
            if (!(left > target()) || !std::isfinite(left)) break;
        }
        const bool failed = left > target();
        is_active_ = true;
        next_pause_ = failed ? std::min(2 * next_pause_, longest_pause) : 1;
        pause_ = failed ? next_pause_ : 0;
        if (failed && !(left < first)) remake(seen);
    }
    if (debug) printf("\n");
    while (!history_.empty()) {
        spare_.push_back(std::move(history_.back()));
        history_.pop_back();
    }
    return needed;
}

// The gradient to be seen next, by Anderson's mixing (Walker & Ni 2011): of all affine combinations of those seen the one whose residuals' combination is
// the least, and that residual added. For a linear step these are the iterates of GMRES.
template <class Real>
void PressureIteration<Real>::mix(Field<Real>& next) {
    const Pair& last = history_.back();
    const auto n = static_cast<Eigen::Index>(history_.size()) - 1;
    const Over own = domain_.own(Kind::face), faces = domain_.shared(Kind::face);
    Eigen::VectorXd part = Eigen::VectorXd::Zero(n);
    if (n > 0) {
        // Products of the residuals and of their differences from the last one.
        std::vector<double> products;
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index j = 0; j <= i; ++j)
                products.push_back(own.dot(weight_ * (last.residual - history_[i].residual), last.residual - history_[j].residual));
            products.push_back(own.dot(weight_ * (last.residual - history_[i].residual), last.residual));
        }
        domain_.comm.sum(products);
        Eigen::MatrixXd gram(n, n);
        Eigen::VectorXd rhs(n);
        std::size_t k = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = products[k++];
            rhs(i) = products[k++];
        }
        Eigen::VectorXd scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solve;
        solve.setThreshold(1e-11);
        solve.compute(scale.asDiagonal() * gram * scale.asDiagonal());
        part = scale.asDiagonal() * solve.solve(scale.asDiagonal() * rhs);
    }
    faces[next] = last.seen + last.residual;
    for (Eigen::Index i = 0; i < n; ++i) {
        const double gamma = part(i);
        faces[next] -= gamma * ((last.seen - history_[i].seen) + (last.residual - history_[i].residual));
    }
}

template class PressureIteration<float>;
template class PressureIteration<double>;

}  // namespace solenoid
