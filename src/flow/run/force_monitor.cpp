// Monitors of type "force": the force of the fluid on boundaries.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <iterator>
#include <span>

#include "case/named.hpp"
#include "core/error.hpp"
#include "core/optional_state.hpp"
#include "flow/run/flow_monitors.hpp"
#include "flow/run/flow_quantities.hpp"
#include "flow/run/force_window.hpp"
#include "run/averages.hpp"
#include "run/run.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

constexpr double most_apart = 0.1;  // largest relative difference of both forces without a warning
// Least magnitude of a force relative to the sum of magnitudes on the surface: where contributions
// cancel, their rest is as accurate as they are.
constexpr double least_part = 0.05;
// Forces are watched (FlowSolver::watched_forces) where they are recorded as often [steps].
constexpr std::int64_t most_steps_apart = 10;

// ---- the case

ValueReader<std::vector<std::string>> names() { return {"list of strings", &TableReader::texts}; }

ValueReader<Vec3> direction() {
    return {"point", [](const TableReader& table, const std::string& key) {
                const Vec3 v = table.point(key);
                if (v == Vec3{0}) table.fail(key, "must not be zero");
                return glm::normalize(v);
            }};
}

const Keys<ForceMonitor>& force_keys() {
    static const auto keys =
        Keys<ForceMonitor>()
            .key("boundaries", &ForceMonitor::boundaries, names(), "required",
                 "the boundary groups on which the force acts; they count together")
            .key("reference_speed", &ForceMonitor::speed, value::positive(), "none",
                 "U [m/s]: if given, the coefficients 2 F·d / (ρ U² A) are written too")
            .key("reference_area", &ForceMonitor::area, value::positive(), "`1`",
                 "A [m²], in two dimensions a length [m]")
            .key("drag", &ForceMonitor::drag, direction(), "`[1, 0, 0]`",
                 "direction d of the drag coefficient")
            .key("lift", &ForceMonitor::lift, direction(), "`[0, 1, 0]`",
                 "direction d of the lift coefficient")
            .key("centre", &ForceMonitor::centre, value::point(), "the origin",
                 "reference point of the moment [m]");
    return keys;
}

// Forces are measured on walls and symmetry planes only.
void check_force(const MonitorSettings& monitor, const CaseSettings& settings,
                 const MeshNames& mesh) {
    const ForceMonitor& force = settings_of<ForceMonitor>(monitor);
    refuse_out_of_plane(monitor, {force.drag, force.lift, force.centre}, mesh);
    refuse_unknown_boundaries(monitor, force.boundaries, mesh);
    for (auto name = force.boundaries.begin(); name != force.boundaries.end(); ++name)
        if (std::find(force.boundaries.begin(), name, *name) != name)
            throw InputError(monitor.place,
                             fmt::format("the monitor \"{0}\": boundaries names \"{1}\" twice, "
                                         "whose force would count twice: name it once",
                                         monitor.name, *name));
    for (const FlowBoundary& b : settings_of<FlowCase>(settings).boundaries)
        if (contains(force.boundaries, b.name) && b.condition->lets_through())
            throw InputError(monitor.place,
                             fmt::format("the monitor \"{}\": a force is measured at walls and in "
                                         "symmetry, and [boundary.{}] lets the flow pass: "
                                         "take \"{}\" out of boundaries",
                                         monitor.name, b.name, b.name));
}

// ---- the run

std::vector<std::string> columns_of(int dimension, bool with_coefficients) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& prefix, const std::vector<std::string>& parts) {
        for (const std::string& part : parts)
            for (int k = 0; k < dimension; ++k) names.push_back(prefix + part + "_" + "xyz"[k]);
        for (int k = dimension == 2 ? 2 : 0; k < 3; ++k)
            names.push_back(prefix + "moment_" + "xyz"[k]);
        if (with_coefficients)
            names.insert(names.end(), {prefix + "drag_coefficient", prefix + "lift_coefficient"});
    };
    add("", {"force", "pressure", "friction"});
    add("weak_", {"force"});
    names.push_back("apart");
    return names;
}

// Whether what is found once pays: it costs a dozen of solves or more, later forces none.
bool is_frequent(const WhenSettings& when) {
    return when.every ? *when.every <= most_steps_apart : !when.has_frequency();
}

// The force on boundaries, which count together.
class ForceTable final : public TableMonitor {
  public:
    ForceTable(const MonitorSettings& settings, const MonitorParts& parts)
        : TableMonitor(parts, settings.name,
                       columns_of(parts.run.topology().dimension(),
                                  settings_of<ForceMonitor>(settings).speed > 0)),
          name_(settings.name),
          settings_(settings_of<ForceMonitor>(settings)),
          simulation_(parts.simulation),
          all_(parts.simulation.quantities()),
          dimension_(parts.run.topology().dimension()),
          density_(settings_of<FlowCase>(parts.run.settings).fluid.density) {
        if (parts.run.settings.average) averages_.emplace(parts.run.settings);
        const auto& known = parts.run.topology().boundaries();
        for (const std::string& name : settings_.boundaries)
            boundaries_.push_back(std::ranges::find(known, name) - known.begin());
        if (is_frequent(settings.when)) all_.ask("force", QuantityInfo::Of::boundaries);
        all_.ask_of("force", boundaries_);
        all_.values("force", QuantityInfo::Of::boundaries);
    }

    void conclude(Summary& summary) override;
    void register_state(const StateValues& state) override;

  private:
    std::vector<double> values() override;

    const std::string name_;
    const ForceMonitor settings_;
    const Simulation& simulation_;
    Quantities& all_;
    const int dimension_;
    const double density_;
    std::vector<std::size_t> boundaries_;  // indices into Mesh::boundaries
    std::optional<BoundaryForce> last_;
    std::optional<AverageWindow> averages_;  // of [average]
    ForceWindow window_, averaged_;          // of the run; of that window
};

std::vector<double> ForceTable::values() {
    const std::vector<BoundaryForce> forces =
        forces_of(all_.values("force", QuantityInfo::Of::boundaries));
    BoundaryForce sum;
    for (const std::size_t b : boundaries_) {
        sum.pressure += forces[b].pressure;
        sum.friction += forces[b].friction;
        sum.moment += forces[b].moment;
        sum.weak += forces[b].weak;
        sum.weak_moment += forces[b].weak_moment;
    }
    last_ = sum;
    const ForceMonitor& s = settings_;
    std::vector<double> row;
    const auto add = [&](const Vec3& force, const Vec3& about_origin,
                         const std::vector<Vec3>& parts) {
        const Vec3 moment = about_origin - glm::cross(s.centre, force);
        for (const Vec3& v : parts)
            for (int k = 0; k < dimension_; ++k) row.push_back(density_ * v[k]);
        for (int k = dimension_ == 2 ? 2 : 0; k < 3; ++k) row.push_back(density_ * moment[k]);
        if (s.speed > 0)
            for (const Vec3& direction : {s.drag, s.lift})
                row.push_back(2 * glm::dot(force, direction) / (s.speed * s.speed * s.area));
    };
    const Vec3 force = sum.pressure + sum.friction;
    add(force, sum.moment, {force, sum.pressure, sum.friction});
    add(sum.weak, sum.weak_moment, {sum.weak});
    const ForceWindow::Instant now{simulation_.time(), force, sum.weak};
    window_.add(now);
    if (averages_ && averages_->is_open(now.time)) averaged_.add(now);
    const double size = window_.second_half().size;
    row.push_back(size > 0 ? now.apart() / size : 0);
    return row;
}

constexpr std::array vectors_of_force{&BoundaryForce::pressure, &BoundaryForce::friction,
                                      &BoundaryForce::moment, &BoundaryForce::weak,
                                      &BoundaryForce::weak_moment};

void ForceTable::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    OptionalState(state).add(
        "force", [this] { return last_.has_value(); },
        [this] {
            Numbers numbers;
            for (const auto vector : vectors_of_force)
                for (int k = 0; k < 3; ++k) numbers.push_back(((*last_).*vector)[k]);
            numbers.push_back(last_->strength);
            return numbers;
        },
        [this](const std::optional<Numbers>& numbers) {
            last_.reset();
            if (!numbers) return;
            last_.emplace();
            auto from = numbers->begin();
            for (const auto vector : vectors_of_force)
                for (int k = 0; k < 3; ++k) ((*last_).*vector)[k] = *from++;
            last_->strength = *from;
        },
        3 * std::ssize(vectors_of_force) + 1);
    OptionalState(state).add<Numbers>(
        "window", [this] { return !window_.is_empty(); }, [this] { return window_.numbers(); },
        [this](const std::optional<Numbers>& numbers) {
            window_ = {};
            if (numbers) window_.set(*numbers);
        },
        [](const Numbers& numbers) { ForceWindow::check(numbers); });
    // and the begin of the window of [average]: those of another one go, as its means do
    OptionalState(state).add<Numbers>(
        "averaged", [this] { return !averaged_.is_empty(); },
        [this] {
            Numbers numbers{averages_->from()};
            std::ranges::copy(averaged_.numbers(), std::back_inserter(numbers));
            return numbers;
        },
        [this](const std::optional<Numbers>& numbers) {
            averaged_ = {};
            if (numbers && averages_ && numbers->front() == averages_->from())
                averaged_.set(std::span(*numbers).subspan(1));
        },
        [](const Numbers& numbers) {
            check_numbers(std::span(numbers).first(std::min<std::size_t>(numbers.size(), 1)), {},
                          1);
            ForceWindow::check(std::span(numbers).subspan(1));
        });
}

// The last forces by the surface and by the weak form, and how far they are apart in the window of
// [average] or, without one, in the second half of the run: how a flow starts is not counted.
void ForceTable::conclude(Summary& summary) {
    if (!last_) return;
    double strength = 0;
    for (const std::size_t b : boundaries_)
        strength += all_.values("force_strength", QuantityInfo::Of::boundaries)[b];
    const ForceWindow::Largest largest =
        averaged_.is_empty() ? window_.second_half() : averaged_.whole();
    const auto listed = [&](const Vec3& force) -> std::array<double, 3> {
        return {density_ * force.x, density_ * force.y, density_ * force.z};
    };
    const Vec3 surface = last_->pressure + last_->friction;
    ForceComparison found{name_, listed(surface), listed(last_->weak),
                          largest.apart(least_part * strength)};
    if (largest.instant) {
        found.from = averaged_.is_empty() ? largest.from : averages_->from();
        found.at = largest.instant->time;
        found.surface_there = listed(largest.instant->surface);
        found.weak_there = listed(largest.instant->weak);
    }
    summary.forces.push_back(found);
}

std::unique_ptr<Monitor> make(const MonitorSettings& settings, MonitorParts& parts) {
    parts.run.comm.agree([&] {
        if (!parts.simulation.quantities().has("force", QuantityInfo::Of::boundaries))
            throw InputError(
                settings.place,
                fmt::format("the monitor \"{}\": momentum = \"{}\" gives no forces: take "
                            "\"collocated\"",
                            settings.name,
                            settings_of<FlowCase>(parts.run.settings).flow.momentum));
    });
    return std::make_unique<ForceTable>(settings, parts);
}

}  // namespace

std::string forces_warning(const ForceComparison& forces, int dimension) {
    if (!(forces.apart > most_apart)) return "";
    const auto text = [&](const std::array<double, 3>& f) {
        return dimension == 2 ? fmt::format("({:.4g}, {:.4g}) N/m", f[0], f[1])
                              : fmt::format("({:.4g}, {:.4g}, {:.4g}) N", f[0], f[1], f[2]);
    };
    return fmt::format(
        "the monitor \"{}\": the force by the integral over the surface, {}, and by the weak form, "
        "{}, differ at t = {:.6g} s by {:.0f} % of the largest from t = {:.4g} s on: neither is "
        "reliable: take a finer mesh at these boundaries",
        forces.monitor, text(forces.surface_there), text(forces.weak_there), forces.at,
        100 * forces.apart, forces.from);
}

MonitorKind force_monitor() {
    return {.name = "force",
            .keys = force_keys().declared(),
            .help = "the force of the fluid on boundaries, every step",
            .read = [](const TableReader& table, const CaseSettings&,
                       MonitorSettings& monitor) { monitor.own = force_keys().read(table); },
            .check = check_force,
            .make = make};
}

}  // namespace solenoid
