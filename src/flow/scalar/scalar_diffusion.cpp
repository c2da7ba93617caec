#include "flow/scalar/scalar_diffusion.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/upload.hpp"
#include "flow/solver/finite.hpp"
#include "solvers/krylov/apply_inverse.hpp"

namespace solenoid {
namespace {

constexpr int most_refinements = 3;  // of a solution whose largest residual is still too large
constexpr double kept_rate = 2;      // a preconditioner serves rates that differ by less
constexpr double kept_change = 2;    // and diffusivities

}  // namespace

template <class Real>
ScalarDiffusion<Real>::ScalarDiffusion(const Domain& domain, const ScalarFaces<Real>& faces,
                                       const Buffer<Real>& volume, const std::string& name,
                                       const SolveSettings& settings)
    : domain_(domain),
      volume_(volume),
      name_(name),
      settings_(settings),
      diffusion_(faces.cell_diffusion()),
      matrix_(domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell),
              diffusion_.neighbours, diffusion_.weights),
      preconditioners_(domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell),
                       diffusion_.neighbours, diffusion_.weights, {}, settings.preconditioner),
      cg_(domain.comm, matrix_),
      to_boundary_(uploaded<Real>(domain.device, diffusion_.to_boundary)),
      inverse_(domain.device.buffer<Real>(domain.cells.all)),
      residual_(domain.device.buffer<Real>(domain.cells.all)),
      change_(domain.device.buffer<Real>(domain.cells.all)) {
    if (faces.has_inflow_values()) update_boundary(faces);
    if (!faces.varies()) return;
    matrix_.follow(diffusion_.neighbours, diffusion_.faces, diffusion_.conduction);
    update(faces);
}

template <class Real>
void ScalarDiffusion<Real>::take(const ScalarFaces<Real>& faces) {
    const Buffer<Real> values = uploaded<Real>(domain_.device, faces.values());
    matrix_.set_values(complete(values));
    take_boundary(faces);
}

template <class Real>
void ScalarDiffusion<Real>::take_boundary(const ScalarFaces<Real>& faces) {
    diffusion_.to_boundary = faces.conducted_to_boundary();
    to_boundary_ = uploaded<Real>(domain_.device, diffusion_.to_boundary);
    rate_ = -1;
}

// The preconditioner is made anew: a run that goes on from a saved state makes it so, too.
template <class Real>
void ScalarDiffusion<Real>::update_boundary(const ScalarFaces<Real>& faces) {
    take_boundary(faces);
    preconditioner_ = nullptr;
}

template <class Real>
void ScalarDiffusion<Real>::update(const ScalarFaces<Real>& faces) {
    const std::vector<double>& nu = faces.values();
    take(faces);
    bool is_far = prepared_.empty();
    for (std::size_t f = 0; f < prepared_.size(); ++f)
        is_far = is_far || nu[f] > kept_change * prepared_[f] || prepared_[f] > kept_change * nu[f];
    if (!domain_.comm.any(is_far)) return;
    prepared_ = nu;
    replace_weights();
}

// The preconditioner's weights become those of prepared_.
template <class Real>
void ScalarDiffusion<Real>::replace_weights() {
    for (std::size_t k = 0; k < diffusion_.weights.size(); ++k)
        diffusion_.weights[k] = prepared_[diffusion_.faces[k]] * diffusion_.conduction[k];
    preconditioners_.replace(diffusion_.weights);
    preconditioner_ = nullptr;
}

template <class Real>
void ScalarDiffusion<Real>::set_rate(double rate) {
    if (rate == rate_) return;
    rate_ = rate;
    const Over cells = domain_.own(Kind::cell);
    cells[matrix_.shift()] = rate * volume_ + to_boundary_;
    const auto diagonal = matrix_.shift() + matrix_.diagonal();
    if (!settings_.preconditioner.kind->scales_by_diagonal)
        cells[inverse_] = 1;
    else
        cells[inverse_] = where(diagonal > 0, 1 / diagonal, 0);
    if (preconditioner_ && rate < kept_rate * prepared_rate_ && prepared_rate_ < kept_rate * rate)
        return;
    prepared_rate_ = rate;
    std::vector<double> values(domain_.cells.owned);
    for (Index c = 0; c < domain_.cells.owned; ++c)
        values[c] = rate * domain_.geometry.cell_volume[c] + diffusion_.to_boundary[c];
    preconditioner_ = &preconditioners_.prepare(values, inverse_);
    totals_.preconditioner = preconditioners_.summary();
}

template <class Real>
double ScalarDiffusion<Real>::largest_residual(double rate) const {
    const double largest =
        domain_.cells.owned ? domain_.own(Kind::cell).greatest(abs(residual_) / volume_) : 0;
    return domain_.comm.max(largest) / rate;
}

template <class Real>
void ScalarDiffusion<Real>::solve(double rate, const Buffer<Real>& b, Field<Real>& x, double when,
                                  double most) {
    set_rate(rate);
    refine(
        rate, when, most, [&] { matrix_.residual(domain_.comm, b, x.write(), residual_); },
        [&] {
            domain_.held(Kind::cell)[change_] = 0;
            const SolveReport report =
                cg_.solve(*preconditioner_, residual_, change_, settings_.stop);
            domain_.own(Kind::cell)[x] += change_;
            if (report.outcome == SolveOutcome::broken_down)
                check_finite(domain_, b, "what is carried of " + name_, when);
            return report;
        });
}

template <class Real>
void ScalarDiffusion<Real>::solve_whole(double rate, const Buffer<Real>& b, CellField<Real>& x,
                                        DeferredDiffusion<Real>& deferred,
                                        const Buffer<Real>& given, double when, double most) {
    set_rate(rate);
    if (!whole_) make_whole();
    deferred_ = &deferred;
    refine(
        rate, when, most,
        [&] {
            matrix_.residual(domain_.comm, b, x.write(), residual_);
            deferred.subtract(x, given, residual_);
        },
        [&] {
            const SolveReport report = bicgstab_->solve(residual_, change_, settings_.stop);
            domain_.own(Kind::cell)[x] += change_;
            if (report.outcome == SolveOutcome::broken_down)
                check_finite(domain_, b, "what is carried of " + name_, when);
            return report;
        });
}

template <class Real>
void ScalarDiffusion<Real>::make_whole() {
    const Range range = domain_.cells.owned_range();
    whole_ = std::make_unique<FunctionOperator<Real>>(domain_.device, range, domain_.cells.all, 1,
                                                      [this](Buffer<Real>& x, Buffer<Real>& y) {
                                                          matrix_.apply(x, y);
                                                          deferred_->add_of_difference(x, y);
                                                      });
    inverse_of_implicit_ = std::make_unique<FunctionOperator<Real>>(
        domain_.device, range, domain_.cells.all, 1, [this](Buffer<Real>& r, Buffer<Real>& z) {
            apply_inverse(*preconditioner_, domain_.own(Kind::cell), r, z);
        });
    bicgstab_ = std::make_unique<Bicgstab<Real>>(domain_.comm, *whole_, *inverse_of_implicit_);
}

// Solves for the change alone, as momentum: relative to the whole right-hand side slow changes
// would stay below the tolerance. measure: residual_ of x; solve: adds to x what reduces it.
template <class Real>
void ScalarDiffusion<Real>::refine(double rate, double when, double most,
                                   const std::function<void()>& measure,
                                   const std::function<SolveReport()>& solve) {
    measure();
    double largest = HUGE_VAL;
    for (int i = 0; i < most_refinements; ++i) {
        const SolveReport report = solve();
        totals_.add(report);
        domain_.comm.agree([&] {
            if (!report.converged())
                throw ComputationError(
                    fmt::format("{} at t = {:.6g} s: {}; or take a smaller time.step", name_, when,
                                report.explanation("scalar")));
        });
        measure();
        if (most == HUGE_VAL) return;
        const double before = std::exchange(largest, largest_residual(rate));
        if (largest <= most || largest > before / 2) return;
    }
}

template <class Real>
void ScalarDiffusion<Real>::register_state(const State<Real>& motion, const State<Real>& found,
                                           const ScalarFaces<Real>& faces) {
    totals_.register_state(motion);
    if (faces.has_inflow_values()) motion.remade([this, &faces] { take_boundary(faces); });
    if (faces.changes()) {
        motion.remade([this, &faces] { take(faces); });
        found.add("prepared_diffusivity", prepared_, Kind::face);
        found.off_stack().remade([this] { replace_weights(); });
    }
    preconditioners_.register_state(found, Kind::cell);
    found.stack(preconditioner_);
    found.add("prepared_rate", prepared_rate_);
    found.off_stack().remade([this] {
        preconditioner_ = nullptr;
        rate_ = -1;
        if (prepared_rate_ > 0) set_rate(prepared_rate_);
    });
    found.remade([this] { rate_ = -1; });
}

template <class Real>
ScalarDiffusion<Real>::~ScalarDiffusion() = default;

template class ScalarDiffusion<float>;
template class ScalarDiffusion<double>;

}  // namespace solenoid
