#include "flow/run/energy_losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/state_values.hpp"
#include "run/text.hpp"

namespace solenoid {
namespace {

constexpr double last_part = 0.5;  // fraction of the run over which the mean is taken
// largest part of the scheme, relative to friction, without a warning: of the sum, of the sum of
// magnitudes
constexpr double most_share = 0.1, most_of_both_signs = 0.5;
// Least part of the kinetic energy that the scheme adds or removes during the run; less does not
// matter, however small friction is.
constexpr double least_effect = 1e-3;
// Largest part of the kinetic energy that the scheme adds during a run without friction, without a
// warning.
constexpr double most_gain = 0.02;
// Least part of the kinetic energy that friction dissipates during the run: ratios to less are
// noise.
constexpr double least_friction = 1e-6;
// Least part of the kinetic energy that friction dissipates where it is to decide on flow rates.
constexpr double least_braked = 0.1;
// Largest rate of kinetic energy over the dissipation, likewise: a flow that starts is rough, and
// no mesh is to blame.
constexpr double most_rate = 0.1;
// least ratio of the scheme's part to the rest that the budget leaves
constexpr double least_closed = 3;

struct EnergyTerm {
    const char *name, *key;
    double EnergyLoss::*value;
};
constexpr std::array<EnergyTerm, 4> terms{
    {{"coupling", "coupling", &EnergyLoss::coupling},
     {"jump penalty", "jump_penalty", &EnergyLoss::jump_penalty},
     {"convection", "convection", &EnergyLoss::convection},
     {"time scheme", "time_scheme", &EnergyLoss::time_scheme}}};

std::string percent(double part) {
    if (std::abs(part) > 10) return fmt::format("{:.0f} times", part);
    return std::abs(part) < 0.1 ? fmt::format("{:.2g} %", std::abs(part) < 5e-5 ? 0 : 100 * part)
                                : fmt::format("{:.0f} %", 100 * part);
}

// "12 % of", "42 times": of what follows.
std::string share_of(double part) { return percent(part) + (std::abs(part) > 10 ? "" : " of"); }

// "coupling 12 %, jump penalty 9.1 %, ...", sorted by magnitude.
std::string parts(const EnergyLoss& loss, double of, const char* unit) {
    std::array<EnergyTerm, 4> sorted = terms;
    std::ranges::sort(sorted, std::greater(),
                      [&](const EnergyTerm& t) { return std::abs(loss.*t.value); });
    std::string text;
    for (const EnergyTerm& t : sorted)
        text +=
            (text.empty() ? "" : ", ") + std::string(t.name) + " " +
            (of > 0 ? percent(loss.*t.value / of) : fmt::format("{:.3g} {}", loss.*t.value, unit));
    return text;
}

const EnergyTerm& largest(const EnergyLoss& loss) {
    return *std::ranges::max_element(terms, {},
                                     [&](const EnergyTerm& t) { return std::abs(loss.*t.value); });
}

}  // namespace

constexpr std::array terms_of_sample{
    &EnergyTerms::kinetic_energy, &EnergyTerms::rate,         &EnergyTerms::viscous,
    &EnergyTerms::convection,     &EnergyTerms::jump_penalty, &EnergyTerms::coupling,
    &EnergyTerms::time_scheme,    &EnergyTerms::boundary,     &EnergyTerms::force};
static_assert(sizeof(EnergyTerms) == terms_of_sample.size() * sizeof(double));

std::vector<double> EnergyLosses::packed() const {
    std::vector<double> numbers;
    for (const Sample& sample : samples_) {
        numbers.push_back(sample.time);
        numbers.push_back(sample.dissipation);
        numbers.push_back(sample.seen);
        for (const auto term : terms_of_sample) numbers.push_back(sample.terms.*term);
    }
    return numbers;
}

void EnergyLosses::check(const std::vector<double>& numbers) {
    const std::int64_t rest = std::ssize(numbers) % (3 + std::ssize(terms_of_sample));
    check_numbers(numbers, {}, std::ssize(numbers) - rest);
}

void EnergyLosses::unpack(const std::vector<double>& numbers) {
    samples_.clear();
    constexpr std::size_t width = 3 + terms_of_sample.size();
    for (std::size_t i = 0; i + width <= numbers.size(); i += width) {
        Sample& sample = samples_.emplace_back();
        sample.time = numbers[i];
        sample.dissipation = numbers[i + 1];
        sample.seen = numbers[i + 2];
        for (std::size_t k = 0; k < terms_of_sample.size(); ++k)
            sample.terms.*terms_of_sample[k] = numbers[i + 3 + k];
    }
}

void EnergyLosses::add(double time, const EnergyTerms& terms, double dissipation, double seen) {
    samples_.push_back({time, terms, dissipation, seen});
}

bool EnergyLosses::is_counted(const Sample& sample, double time) const {
    return sample.time >= last_part * time || &sample == &samples_.back();
}

double EnergyLosses::error_of_flow_until(double time) const {
    double taken = 0, seen = 0, energy = 0, residual = 0, rate = 0;
    for (const Sample& s : samples_) {
        if (!is_counted(s, time)) continue;
        taken += s.terms.viscous + s.terms.convection + s.terms.jump_penalty + s.terms.coupling;
        seen += s.seen;
        energy += s.terms.kinetic_energy;
        residual += s.terms.residual();
        rate += s.terms.rate;
    }
    if (!(seen * time > least_braked * energy) || std::abs(residual) * least_closed > seen ||
        std::abs(rate) > most_rate * seen)
        return 0;
    const double beyond = taken / seen - 1;
    return beyond / (2 + beyond);
}

std::optional<EnergyLoss> EnergyLosses::until(double time) const {
    EnergyLoss mean;
    double residual = 0, energy = 0;
    for (const Sample& s : samples_) {
        if (!is_counted(s, time)) continue;
        if (mean.samples++ == 0) mean.from = s.time;
        mean.to = s.time;
        mean.dissipation += s.dissipation;
        mean.convection += s.terms.convection;
        mean.jump_penalty += s.terms.jump_penalty;
        mean.coupling += s.terms.coupling;
        mean.time_scheme += s.terms.time_scheme;
        residual += s.terms.residual();
        energy += s.terms.kinetic_energy;
    }
    if (mean.samples == 0) return {};
    const double part = density_ / double(mean.samples);
    for (double* value : {&mean.dissipation, &mean.convection, &mean.jump_penalty, &mean.coupling,
                          &mean.time_scheme, &residual, &energy})
        *value *= part;
    double scheme = 0;
    for (const EnergyTerm& t : terms) scheme += std::abs(mean.*t.value);
    mean.counts = scheme * time > least_effect * energy &&
                  mean.dissipation * time > least_friction * energy &&
                  scheme > least_closed * std::abs(residual);
    if (mean.scheme() < -least_closed * std::abs(residual) && energy > 0)
        mean.gain = -mean.scheme() * time / energy;
    return mean;
}

std::string losses_line(const EnergyLoss& loss, int dimension) {
    const char* unit = dimension == 2 ? "W/m" : "W";
    const std::string over = loss.samples == 1
                                 ? fmt::format("at t = {:.6g} s", loss.to)
                                 : fmt::format("mean of {} from t = {:.6g} to {:.6g} s",
                                               plural(loss.samples, "step"), loss.from, loss.to);
    if (!(loss.dissipation > 0))
        return fmt::format("no friction, the scheme {} {:.4g} {} ({}; {})",
                           loss.scheme() < 0 ? "adds" : "takes", std::abs(loss.scheme()), unit,
                           parts(loss, 0, unit), over);
    return fmt::format("friction dissipates {:.4g} {}, the scheme {} {} that besides ({}; {})",
                       loss.dissipation, unit, loss.scheme() < 0 ? "adds" : "takes",
                       share_of(std::abs(loss.scheme()) / loss.dissipation),
                       parts(loss, loss.dissipation, unit), over);
}

std::string losses_meaning(const EnergyLoss& loss) {
    if (!(loss.dissipation > 0)) return "";
    return fmt::format(
        "so pressure losses and decay are too {} by that share at least; a finer mesh makes it "
        "smaller",
        loss.scheme() < 0 ? "small" : "large");
}

std::string losses_warning(const EnergyLoss& loss, const FlowCase& flow, const std::string& mesh) {
    double both = 0;
    for (const EnergyTerm& t : terms) both += std::abs(loss.*t.value);
    if (!(loss.dissipation > 0))
        return loss.gain > most_gain
                   ? fmt::format(
                         "the scheme adds {} the kinetic energy in the time of the run, "
                         "mostly by its {}, where no friction takes it: take a finer mesh",
                         share_of(loss.gain), largest(loss).name)
                   : "";
    if (!loss.counts) return "";
    const bool is_much = std::abs(loss.scheme()) > most_share * loss.dissipation;
    if (!is_much && both <= most_of_both_signs * loss.dissipation) return "";
    const std::string key = largest(loss).key, usual = FlowSettings().convection;
    std::string remedy = "take a finer mesh where the flow shears";
    if (!mesh.empty())
        remedy += fmt::format(
            ", with eight cells and more across a passage: `solenoid mesh info {}` tells how many "
            "there are",
            mesh);
    if (key == "time_scheme") remedy = "take shorter steps, a smaller time.courant or time.step";
    if (key == "convection" && flow.flow.convection != usual)
        remedy = fmt::format("take flow.convection = \"{}\", or a finer mesh", usual);
    if (!is_much)
        return fmt::format(
            "the scheme removes {} the energy that friction dissipates by some of its terms and "
            "adds as much by others ({}), so that losses and forces are uncertain: {}",
            share_of(both / loss.dissipation), parts(loss, loss.dissipation, ""), remedy);
    return loss.scheme() > 0
               ? fmt::format(
                     "the scheme removes {} the energy that friction dissipates, mostly by its "
                     "{}, so that pressure losses and decay are too large by as much: {}",
                     share_of(loss.scheme() / loss.dissipation), largest(loss).name, remedy)
               : fmt::format(
                     "the scheme adds {} the energy that friction dissipates, mostly by its {}, "
                     "so that pressure losses and decay are too small by as much: {}",
                     share_of(-loss.scheme() / loss.dissipation), largest(loss).name, remedy);
}

}  // namespace solenoid
