#include "flow/projection/stream_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "device/expression.hpp"
#include "device/upload.hpp"
#include "flow/discretization/slope_parts.hpp"
#include "flow/discretization/stream_function_matrix.hpp"
#include "flow/projection/codim2_preconditioner.hpp"
#include "flow/projection/double_codim2_solver.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/settings/cg_settings.hpp"
#include "solvers/krylov/single_preconditioner.hpp"

namespace solenoid {

template <class Real>
StreamFunction<Real>::StreamFunction(const Domain& domain, const std::vector<bool>& prescribed,
                                     const SolveSettings& settings)
    : domain_(domain),
      operators_(domain.operators<Real>()),
      d_(domain.dimension),
      settings_(settings),
      enough_(settings.stop.tolerance),
      prescribed_(prescribed),
      topology_(domain.comm, domain.mesh, prescribed_),
      net_flux_lifting_(domain, topology_, prescribed_),
      trace_(domain, prescribed_),
      host_matrix_(stream_function_matrix(domain.mesh)),
      matrix_(domain.comm, domain.device, domain_.codim2_entities,
              domain.mesh.halo(domain.codim2_kind), host_matrix_),
      cg_(domain.comm, matrix_),
      guess_(domain.comm, domain.device, matrix_),
      preconditioner_(make_preconditioner()),
      harmonic_(domain, topology_, prescribed_, trace_.codim2_entities(), host_matrix_,
                [this] { return codim2_solve(); }),
      cut_surfaces_(domain),
      circulation_(domain_.field<Real>(Kind::face)),
      velocity_(domain_.vector_field<Real>(Kind::cell)),
      star_velocity_(domain_.vector_field<Real>(Kind::cell)) {
    settings_.stop.tolerance = thin_tolerance<Real>(domain, settings_.stop.tolerance);
    set_positions(domain.mesh.mesh);
    for (auto* field : {&s_, &change_, &rhs_, &star_rhs_, &boundary_rhs_})
        *field = domain.field<Real>(domain.codim2_kind);
    fixed_ = domain.device.buffer<std::uint32_t>(
        std::span<const std::uint32_t>(trace_.codim2_entities()));
    fixed_value_ = domain.device.buffer<Real>(fixed_.size());
    trace_value_.assign(fixed_.size(), 0.0);
    if (domain.dimension == 2)
        for (Index node : trace_.codim2_entities()) fixed_part_.push_back(topology_.part_of(node));
    host_matrix_ = {};
}

template <class Real>
void StreamFunction<Real>::set_positions(const Mesh& mesh) {
    std::vector<Real> square(domain_.cells.all, Real(0));
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j <= d_; ++j)
            square[c] = std::max(square[c],
                                 static_cast<Real>(glm::dot(mesh.corner(c, j), mesh.corner(c, j))));
    position_square_ = domain_.device.buffer<Real>(std::span<const Real>(square));
}

// Also fixes the codim-2 entities of the boundary in the matrix.
template <class Real>
std::unique_ptr<Preconditioner<Real>> StreamFunction<Real>::make_preconditioner() {
    matrix_.fix(trace_.codim2_entities());
    const PreconditionerSettings& settings = settings_.preconditioner;
    if (settings.kind->part_without_shift() != PreconditionerPart::multigrid)
        return make_diagonal(
            domain_.device, settings.is_mixed,
            settings.kind->scales_by_diagonal ? matrix_.inverse_diagonal() : matrix_.free());
    return solenoid::make_preconditioner<Real>(
        domain_.device, settings.is_mixed, [&]<class Precision>() {
            return codim2_preconditioner<Precision>(domain_, domain_.device, host_matrix_,
                                                    trace_.codim2_entities(), settings.max_levels);
        });
}

// The solver for harmonic fluxes: the steps' own where it is multigrid in double precision.
template <class Real>
Codim2Solve StreamFunction<Real>::codim2_solve() {
    if constexpr (std::is_same_v<Real, double>)
        if (!preconditioner_->inverse_diagonal())
            return {&domain_.device,
                    [this](const Buffer<double>& b, Buffer<double>& x, const CgSettings& settings) {
                        return cg_.solve(*preconditioner_, b, x, settings);
                    }};
    const auto codim2_entities = std::make_shared<DoubleCodim2Solver>(
        domain_, host_matrix_, trace_.codim2_entities(), settings_.preconditioner.max_levels);
    return {
        &codim2_entities->device(),
        [codim2_entities](const Buffer<double>& b, Buffer<double>& x, const CgSettings& settings) {
            return codim2_entities->solve(b, x, settings);
        }};
}

template <class Real>
void StreamFunction<Real>::prescribe(const std::vector<double>& flux) {
    std::vector<double> by_curl = flux;
    net_flux_lifting_.take(trace_.faces(), by_curl);
    carried_ = net_flux_lifting_.carried().empty()
                   ? Buffer<Real>()
                   : uploaded<Real>(domain_.device, net_flux_lifting_.carried());
    trace_value_ = trace_.solve(by_curl, flux);
    // The contribution of the boundary values to the right-hand side.
    domain_.held(domain_.codim2_kind)[change_] = 0;
    impose_boundary_values(change_, false);
    operators_.curl(change_, circulation_);
    if (carried_) domain_.shared(Kind::face)[circulation_] += carried_;
    operators_.interpolation(circulation_, velocity_);
    tested(velocity_, boundary_rhs_);
    impose_boundary_values(s_, true);
}

// Sets the boundary values, with or without the constants of the boundary's parts. They are
// computed from their terms each time, since differences of a part's values are its prescribed
// flux.
template <class Real>
void StreamFunction<Real>::impose_boundary_values(Field<Real>& s, bool with_constants) {
    std::vector<Real> values(trace_value_.begin(), trace_value_.end());
    for (std::size_t k = 0; k < fixed_part_.size() && with_constants; ++k)
        values[k] = static_cast<Real>(trace_value_[k] + harmonic_.constant(fixed_part_[k]));
    fixed_value_.upload(values);
    domain_.device.scatter(fixed_value_, fixed_, s);
}

template <class Real>
void StreamFunction<Real>::impose(const std::vector<std::optional<double>>& flux) {
    const bool is_new = imposed_.empty();
    imposed_ = flux;
    if (!is_new ||
        std::none_of(flux.begin(), flux.end(), [](const auto& one) { return one.has_value(); }))
        return;
    const std::vector<bool> passes = harmonic_.passes(cut_surfaces_);
    domain_.comm.agree([&] {
        if (topology_.closed_regions() != topology_.regions())
            throw InputError(
                "a flux between periodic sides cannot be imposed where the flow enters or leaves "
                "through other boundaries: every cut surface has a different flux then. Leave the "
                "key flux of these sides out, or make walls of the boundaries that are open");
        for (std::size_t i = 0; i < flux.size(); ++i)
            if (flux[i] && !passes[i])
                throw InputError(
                    fmt::format("the flux between the periodic sides \"{0}\" and \"{1}\" cannot be "
                                "imposed: walls between them let nothing pass from one to the "
                                "other. Leave the key flux of these sides out, or leave a way open",
                                cut_surfaces_.pair(i).from, cut_surfaces_.pair(i).to));
    });
}

template <class Real>
std::vector<double> StreamFunction<Real>::constrained(std::vector<double> change,
                                                      const Buffer<Real>& flux) {
    if (std::none_of(imposed_.begin(), imposed_.end(),
                     [](const auto& one) { return one.has_value(); }))
        return change;
    const std::vector<double> now = cut_surfaces_.flux(flux);
    multiplier_ = imposed_;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (multiplier_[i]) *multiplier_[i] -= now[i];
    const std::vector<double> multiplier = harmonic_.constrain(change, multiplier_);
    for (std::size_t i = 0; i < now.size(); ++i)
        if (multiplier_[i]) multiplier_[i] = multiplier[i];
    return change;
}

template <class Real>
std::vector<std::optional<double>> StreamFunction<Real>::pressure_rise(double step) const {
    auto rise = multiplier_;
    for (auto& one : rise)
        if (one) *one = step > 0 ? *one / step : 0;
    return rise;
}

// Adds to the curl of s all that is not a curl.
template <class Real>
void StreamFunction<Real>::compose(Field<Real>& flux) {
    operators_.curl(s_, flux);
    if (carried_) Over(domain_.device, {0, flux.size()})[flux] += carried_;
    harmonic_.add_fluxes(flux);
}

template <class Real>
double StreamFunction<Real>::tested(const Field<Real>& u, Field<Real>& out) {
    operators_.integration(u, circulation_);
    operators_.rotation(circulation_, out);
    return norm(out);
}

template <class Real>
double StreamFunction<Real>::norm(const Buffer<Real>& b) {
    return std::sqrt(domain_.comm.sum(
        domain_.own(domain_.codim2_kind).dot(domain_.comm, matrix_.free() * b, b)));
}

// The norm of the error of C^T X^T u by the rounding of positions in x_f - x_c. For an irrotational
// flow in a periodic domain C^T X^T u consists of it, and the singular matrix gives it no solution.
template <class Real>
double StreamFunction<Real>::position_rounding(const Buffer<Real>& u) const {
    const double local = domain_.own(Kind::cell).dot(domain_.comm, position_square_, square(u));
    return 2 * std::numeric_limits<double>::epsilon() * std::sqrt(domain_.comm.sum(local));
}

template <class Real>
SolveReport StreamFunction<Real>::project(Field<Real>& flux_star, Field<Real>& flux, double step) {
    step_ = step;
    operators_.interpolation(flux_star, star_velocity_);
    if (force_) domain_.own(Kind::cell)[star_velocity_] += step * *force_;
    return project_velocity(star_velocity_, flux);
}

// Solves for the change of s, with a right-hand side from the operators, so that the rounding of
// the matrix and the tolerance affect only the change. A change of the size of rounding is left
// out. Harmonic fluxes are orthogonal to curls: their change needs no solve and does not affect
// that of s.
template <class Real>
SolveReport StreamFunction<Real>::project_velocity(const Field<Real>& u_star, Field<Real>& flux,
                                                   double size) {
    const Over codim2_entities = domain_.own(domain_.codim2_kind);
    tested(u_star, star_rhs_);
    codim2_entities[star_rhs_] -= boundary_rhs_;
    const double star = norm(star_rhs_);
    compose(flux);
    operators_.interpolation(flux, velocity_);
    domain_.own(Kind::cell)[velocity_] = u_star - velocity_;
    last_size_ = tested(velocity_, rhs_);
    if (harmonic_.count()) {
        harmonic_.add(constrained(harmonic_.shares(circulation_, rhs_), flux), s_);
        impose_boundary_values(s_, true);
    }
    SolveReport report;
    CgSettings settings = settings_.stop;
    settings.rounding = std::max({8 * std::numeric_limits<Real>::epsilon() * star,
                                  position_rounding(u_star), settings.tolerance * size});
    if (!(last_size_ <= settings.rounding) || !std::isfinite(last_size_)) {
        codim2_entities[star_rhs_] = matrix_.free() * rhs_;
        guess_.guess(star_rhs_, change_.write());
        report = cg_.solve(*preconditioner_, star_rhs_, change_.write(), settings);
        if (report.outcome == SolveOutcome::stagnated && report.residual <= enough_)
            report.outcome = SolveOutcome::converged;
        guess_.remember(change_, star_rhs_, cg_.residual());
        codim2_entities[s_] += change_;
    }
    compose(flux);
    return report;
}

// Boundary values are prescribed anew before each step where they depend on time.
template <class Real>
void StreamFunction<Real>::register_state(const State<Real>& state) {
    state.add("potential", s_);
    if (std::ranges::any_of(imposed_, [](const auto& one) { return one.has_value(); })) {
        using Multipliers = std::vector<std::optional<double>>;  // none before the first solve
        state.template add<Multipliers>(
            "multipliers",
            [this] {
                Multipliers all = multiplier_;
                all.resize(imposed_.size());
                return all;
            },
            [this](const Multipliers& all) { multiplier_ = all; });
        if (step_ > 0)
            state.add("step", step_, not_negative);  // project_velocity() does without it
    }
    trace_.register_state(state.part("boundary"));
    harmonic_.register_state(state.part("harmonic"));
    guess_.register_state(state.part("guess"), domain_.codim2_kind);
}

template <class Real>
StreamFunction<Real>::~StreamFunction() = default;

template class StreamFunction<float>;
template class StreamFunction<double>;

FlowMethod exact_method() {
    const auto make = []<class Real>(const Domain& domain, const FlowBoundaries& boundaries,
                                     const CellStencil<Real>&,
                                     const FlowCase& flow) -> std::unique_ptr<Projection<Real>> {
        return std::make_unique<StreamFunction<Real>>(
            domain, boundaries.prescribed(), cg_settings<Real>(flow.solvers.stream_function));
    };
    return {"exact",
            "fluxes from a stream function, divergence-free to round-off",
            false,
            {make, make}};
}

}  // namespace solenoid
