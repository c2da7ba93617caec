#include "flow/solver/forcing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace solenoid {

template <class Real>
Forcing<Real>::Forcing(const Domain& domain, const FlowCase& flow)
    : domain_(domain), formula_(flow.flow.body_force), cut_surfaces_(domain) {
    const auto is_zero = [](const Formula& f) { return f.is_constant() && f(Vec3(0), 0) == 0; };
    if (!std::all_of(formula_.begin(), formula_.end(), is_zero))
        force_ = domain.vector_field<Real>(Kind::cell);
    integral_.assign(std::size_t(force_.size()) * domain.dimension, 0.0);
    for (std::size_t i = 0; i < cut_surfaces_.count(); ++i) {
        std::optional<Imposed> imposed;
        for (const PeriodicSettings& p : flow.periodic) {
            const bool is_along =
                p.name == cut_surfaces_.pair(i).from && p.partner == cut_surfaces_.pair(i).to;
            const bool is_against =
                p.name == cut_surfaces_.pair(i).to && p.partner == cut_surfaces_.pair(i).from;
            if (!p.flux || !(is_along || is_against)) continue;
            domain_.comm.agree([&] {
                if (imposed)
                    throw InputError(
                        p.place,
                        fmt::format("[boundary.{}] flux: its partner [boundary.{}] has one already",
                                    p.name, p.partner));
            });
            imposed = Imposed{*p.flux, is_along ? 1.0 : -1.0};
        }
        imposed_.push_back(imposed);
    }
}

template <class Real>
bool Forcing<Real>::changes() const {
    return std::any_of(formula_.begin(), formula_.end(),
                       [](const Formula& f) { return f.depends_on_time(); });
}

template <class Real>
const Field<Real>& Forcing<Real>::force(double t) {
    if (!force_ || (is_seen_ && !changes())) return force_;
    std::vector<Real> now;
    domain_.comm.agree([&] {
        const std::vector<double> exact = values(t);
        now.assign(exact.begin(), exact.end());
    });
    force_.upload(now);
    is_seen_ = true;
    step_.reset();
    return force_;
}

// At a time: a vector a cell held, of those that are not owned 0.
template <class Real>
std::vector<double> Forcing<Real>::values(double t) const {
    const std::size_t n = force_.size();
    std::vector<double> values(n * domain_.dimension, 0.0);
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int k = 0; k < domain_.dimension; ++k)
            values[k * n + c] = formula_[k].finite_value(domain_.geometry.cell_centroid[c], t);
    return values;
}

template <class Real>
const Field<Real>& Forcing<Real>::force_over(const Step& step) {
    if (!parts_ || !force_ || !changes() || (step.kept > 0 && !has_integral_))
        return force(step.when);
    if (step_ == step) return force_;
    std::vector<Real> now;
    domain_.comm.agree([&] {
        std::vector<double> integral(std::size_t(force_.size()) * domain_.dimension, 0.0);
        for (const TimePoint& point : quadrature(parts_, step.from, step.to)) {
            const std::vector<double> f = values(point.t);
            for (std::size_t i = 0; i < f.size(); ++i) integral[i] += point.weight * f[i];
        }
        now.resize(integral.size());
        for (std::size_t i = 0; i < now.size(); ++i)
            now[i] = static_cast<Real>(
                (integral[i] - (step.kept > 0 ? step.kept * integral_[i] : 0)) / step.reach);
        integral_ = std::move(integral);
    });
    has_integral_ = true;
    force_.upload(now);
    step_ = step;
    return force_;
}

template <class Real>
void Forcing<Real>::register_state(const State<Real>& state) {
    if (!force_ || !changes()) return;
    state.add("integral", integral_, Kind::cell, std::nullopt, domain_.dimension);
    state.add("has_integral", has_integral_);
    state.remade([this] { step_.reset(); });
}

template <class Real>
bool Forcing<Real>::imposes() const {
    return std::any_of(imposed_.begin(), imposed_.end(),
                       [](const auto& one) { return one.has_value(); });
}

template <class Real>
std::vector<std::optional<double>> Forcing<Real>::imposed(double t) const {
    std::vector<std::optional<double>> flux(imposed_.size());
    domain_.comm.agree([&] {
        for (std::size_t i = 0; i < flux.size(); ++i)
            if (imposed_[i]) flux[i] = imposed_[i]->sign * imposed_[i]->flux.quantity(Vec3(0), t);
    });
    return flux;
}

template <class Real>
std::vector<SectionFlow> Forcing<Real>::cut_surfaces(
    const Buffer<Real>& flux, const std::vector<std::optional<double>>& pressure_rise) const {
    const auto through = cut_surfaces_.flux(flux);
    std::vector<SectionFlow> result;
    for (std::size_t i = 0; i < through.size(); ++i) {
        result.push_back(cut_surfaces_.pair(i));
        result.back().flux = through[i];
        if (imposed_[i])
            result.back().pressure_rise =
                i < pressure_rise.size() ? pressure_rise[i].value_or(0) : 0;
    }
    return result;
}

template class Forcing<float>;
template class Forcing<double>;

}  // namespace solenoid
