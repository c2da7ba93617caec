#include "flow/run/thin_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "flow/momentum_kinds.hpp"
#include "run/simplices/simplices.hpp"

namespace solenoid {
namespace {

constexpr double told = 5;            // least aspect that a run tells
constexpr double told_curved = 1;     // likewise, of the aspect times length over radius
constexpr double same_aspect = 1e-6;  // relative difference: the first of such boundaries is told
constexpr double share =
    0.9;  // of the largest aspect inside, with which a boundary is told instead
constexpr std::size_t most_names = 4;

std::array<double, 3> coordinates(const Vec3& x) { return {x.x, x.y, x.z}; }
Vec3 point(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

void take_larger(ThinCells::Largest& largest, double value, const Vec3& place,
                 const std::string& boundary) {
    if (value > largest.value * (1 + same_aspect)) largest = {value, coordinates(place), boundary};
}

// Whether fluid sticks to a boundary, by its name.
class Walls {
  public:
    explicit Walls(const FlowCase& flow) {
        for (const FlowBoundary& b : flow.boundaries) sticks_[b.name] = b.condition->is_wall();
    }
    bool have(const std::string& name) const {
        const auto found = sticks_.find(name);
        return found != sticks_.end() && found->second;
    }

  private:
    std::map<std::string, bool> sticks_;
};

// Such as `"a", "b" and 3 more`.
std::string named(std::vector<std::string> names) {
    for (std::string& name : names) name = '"' + name + '"';
    if (names.size() <= most_names) return joined_words(names, ", ");
    const std::size_t more = names.size() - most_names;
    names.resize(most_names);
    return fmt::format("{} and {} more", joined_words(names, ", "), more);
}

// To three digits, without an exponent.
std::string figure(double value) {
    if (value < 999.5) return fmt::format("{:.3g}", value);
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    return fmt::format("{:.0f}", unit * std::round(value / unit));
}

std::string where_told(const std::string& mesh) {
    return mesh.empty() ? "" : fmt::format(" (`solenoid mesh info {}` tells where)", mesh);
}

// What of the layers is thinner than the bounds: those at boundaries, else those inside.
struct TooThin {
    TooThin(const ThinLayers& thin, const std::vector<std::string>& boundaries,
            double at_boundaries, double inside) {
        for (std::size_t b = 0; b < boundaries.size(); ++b)
            if (const Thinness& t = thin.layer_at[b]; t.aspect > at_boundaries) {
                names.push_back(boundaries[b]);
                most.include(t);
            }
        if (names.empty() && thin.layer_inside.aspect > inside) most.include(thin.layer_inside);
        bound = names.empty() ? inside : at_boundaries;
    }
    bool is_any() const { return most.aspect > 0; }
    std::string words() const {
        return fmt::format("cells {} are up to {} times as long as high, at {}",
                           names.empty() ? "inside" : "at " + named(names), figure(most.aspect),
                           position_text(most.aspect_place));
    }

    std::vector<std::string> names;
    Thinness most;
    double bound;  // the one that counts
};

bool is_constant(const VectorFormula& v) {
    return std::ranges::all_of(v, [](const Formula& component) { return component.is_constant(); });
}
bool is_zero(const Formula& formula) { return formula.is_constant() && formula(Vec3(0)) == 0; }
bool is_zero(const VectorFormula& v) {
    return std::ranges::all_of(v, [](const Formula& component) { return is_zero(component); });
}

}  // namespace

ThinLayers thin_layers(const Communicator& comm, const DistributedMesh& mesh) {
    ThinLayers all = thin_layers(mesh.mesh, mesh.range(Kind::cell).owned);
    struct Value {
        double& value;
        Vec3& place;
    };
    std::vector<Value> values;
    const auto add = [&](Thinness& t) {
        values.push_back({t.aspect, t.aspect_place});
        values.push_back({t.curved_aspect, t.curved_place});
    };
    for (Thinness& t : all.at_boundary) add(t);
    for (Thinness& t : all.layer_at) add(t);
    add(all.inside);
    add(all.layer_inside);
    // Ranks agree on the value, then on one coordinate after another of its first place.
    const std::size_t count = values.size();
    std::vector<double> own(count), agreed;
    std::vector<bool> is_here(count, true);
    const auto agree = [&](const auto& value_of, const auto& reduce) {
        for (std::size_t i = 0; i < count; ++i) own[i] = value_of(values[i]);
        agreed = own;
        for (std::size_t i = 0; i < count; ++i)
            if (!is_here[i]) agreed[i] = HUGE_VAL;
        reduce(agreed);
        for (std::size_t i = 0; i < count; ++i) is_here[i] = is_here[i] && own[i] == agreed[i];
    };
    const auto least = [&](std::vector<double>& of) { comm.min(of); };
    agree([](const Value& v) { return thinness_grade(v.value); },
          [&](std::vector<double>& of) { comm.max(of); });
    for (int k = 0; k < 3; ++k)
        agree([&](const Value& v) { return thinness_order(v.place)[k]; }, least);
    for (int k = 0; k < 3; ++k) {
        agree([&](const Value& v) { return v.place[k]; }, least);
        for (std::size_t i = 0; i < count; ++i) values[i].place[k] = agreed[i];
    }
    agree([](const Value& v) { return v.value; }, least);
    for (std::size_t i = 0; i < count; ++i) values[i].value = agreed[i];
    return all;
}

ThinCells thin_cells(const ThinLayers& thin, const std::vector<std::string>& boundaries,
                     const FlowCase& flow) {
    const Walls walls(flow);
    ThinCells cells;
    for (std::size_t b = 0; b < boundaries.size(); ++b) {
        const Thinness& t = thin.layer_at[b];
        take_larger(cells.at_boundaries, t.aspect, t.aspect_place, boundaries[b]);
        if (walls.have(boundaries[b]))
            take_larger(cells.curved, t.curved_aspect, t.curved_place, boundaries[b]);
    }
    take_larger(cells.inside, thin.layer_inside.aspect, thin.layer_inside.aspect_place, "");
    return cells;
}

std::string thin_line(const ThinCells& cells) {
    const bool is_at_boundary = cells.at_boundaries.value > share * cells.inside.value;
    const ThinCells::Largest& largest = is_at_boundary ? cells.at_boundaries : cells.inside;
    if (largest.value < told) return "";
    std::string line =
        fmt::format("largest aspect of cells {}, {} at {}", figure(largest.value),
                    is_at_boundary ? fmt::format("on \"{}\"", largest.boundary) : "inside",
                    position_text(point(largest.place)));
    if (cells.curved.value >= told_curved)
        line += fmt::format("; times length over radius {}, on \"{}\" at {}",
                            figure(cells.curved.value), cells.curved.boundary,
                            position_text(point(cells.curved.place)));
    return line;
}

std::vector<std::string> thin_warnings(const ThinLayers& thin,
                                       const std::vector<std::string>& boundaries,
                                       const FlowCase& flow, const std::string& mesh) {
    const ThinLayerBounds bounds = momentum_kind(flow.flow.momentum).thin_layers(flow.flow);
    const Walls walls(flow);
    std::vector<std::string> curved_ones, warnings;
    Thinness curved;
    for (std::size_t b = 0; b < boundaries.size(); ++b) {
        const Thinness& t = thin.layer_at[b];
        if (walls.have(boundaries[b]) && t.curved_aspect > bounds.curved) {
            curved_ones.push_back(boundaries[b]);
            curved.include(t);
        }
    }
    if (const TooThin flat(thin, boundaries, bounds.at_boundaries, bounds.inside); flat.is_any())
        warnings.push_back(fmt::format(
            "{}: beyond {} velocities, pressure and forces may be wrong there, and steps very "
            "short; {}mesh with layers no thinner than {:.2g} of the faces along them, so with "
            "thicker layers or shorter faces{}",
            flat.words(), figure(flat.bound),
            bounds.remedy.empty() ? "" : fmt::format("take {}, or ", bounds.remedy), 1 / flat.bound,
            where_told(mesh)));
    if (!curved_ones.empty())
        warnings.push_back(fmt::format(
            "cells at {} are so thin, where the wall is curved, that their aspect times length "
            "along the wall over its radius is {}, at {}: beyond {} velocities, pressure "
            "and forces may be wrong there; mesh with shorter faces along the wall, since it falls "
            "with the square of their length, or with a thicker first layer{}",
            named(curved_ones), figure(curved.curved_aspect), position_text(curved.curved_place),
            figure(bounds.curved), where_told(mesh)));
    return warnings;
}

void check_thin_in_single(const ThinLayers& thin, const std::vector<std::string>& boundaries,
                          const FlowCase& flow, const std::string& mesh, const std::string& place) {
    const double bound = momentum_kind(flow.flow.momentum).thin_layers(flow.flow).in_single;
    if (const TooThin flat(thin, boundaries, bound, bound); flat.is_any())
        throw InputError(
            place, fmt::format("{}: beyond {} the rounding of single precision is as large as what "
                               "flows in such cells; take --precision mixed or double, or mesh "
                               "with thicker layers or shorter faces{}",
                               flat.words(), figure(bound), where_told(mesh)));
}

bool stays_at_rest(const FlowCase& flow) {
    const Formula* pressure = nullptr;
    for (const FlowBoundary& b : flow.boundaries) {
        if (!b.condition->is_open()) {
            if (!is_zero(b.condition->velocity())) return false;
            continue;
        }
        const Formula& given = b.condition->pressure();
        if (!given.is_constant()) return false;
        if (pressure && given(Vec3(0)) != (*pressure)(Vec3(0))) return false;
        pressure = &given;
    }
    const bool flux = std::ranges::any_of(flow.periodic, [](const PeriodicSettings& pair) {
        return pair.flux && !is_zero(*pair.flux);
    });
    const bool buoyancy = flow.fluid.gravity != Vec3(0) &&
                          std::ranges::any_of(flow.scalars, [](const ScalarSettings& scalar) {
                              return scalar.expansion != 0;
                          });
    const bool is_closed = !pressure && flow.periodic.empty(),
               force =
                   !(is_closed ? is_constant(flow.flow.body_force) : is_zero(flow.flow.body_force));
    return is_zero(flow.initial_velocity) && !force && !flux && !buoyancy;
}

void tell_thin_cells(Run& run) {
    const FlowCase& flow = settings_of<FlowCase>(run.settings);
    const DistributedMesh& mesh = simplices_of(run).mesh;
    const ThinLayers thin = thin_layers(run.comm, mesh);
    const ThinCells cells = thin_cells(thin, mesh.mesh.boundaries, flow);
    run.summary.thin_cells = cells;
    if (const std::string line = thin_line(cells); !line.empty()) log::info("         {}", line);
    // what the file gave is formulas of the case in the first run alone, not in one that goes on
    const bool starts_from_file = run.checkpoint && run.settings.initial;
    if (stays_at_rest(flow) && !starts_from_file) return;
    const std::string file = run.settings.mesh.file.filename().string();
    if (run.options.precision == "single")
        run.comm.agree([&] {
            check_thin_in_single(thin, mesh.mesh.boundaries, flow, file, run.settings.place);
        });
    for (const std::string& warning : thin_warnings(thin, mesh.mesh.boundaries, flow, file))
        log::warning("{}", warning);
}

}  // namespace solenoid
