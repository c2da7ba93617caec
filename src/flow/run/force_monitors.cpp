#include "flow/run/force_monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/error.hpp"

namespace solenoid {
namespace {

constexpr double most_apart = 0.1;  // largest relative difference of both forces without a warning
// Least magnitude of a force relative to the sum of magnitudes on the surface: where contributions
// cancel, their rest is as accurate as they are.
constexpr double least_part = 0.05;

std::vector<std::string> columns(int dimension, bool with_coefficients) {
    std::vector<std::string> names{"time"};
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
    return names;
}

}  // namespace

ForceMonitors::ForceMonitors(const Run& run, FlowSolver& solver, const RunOutput& output)
    : solver_(solver),
      dimension_(run.mesh.mesh.dimension),
      density_(settings_of<FlowCase>(run.settings).fluid.density) {
    const bool asked = std::ranges::any_of(
        run.settings.monitors, [](const MonitorSettings& m) { return m.type == "force"; });
    const std::vector<BoundaryForce> forces =
        asked ? solver.boundary_forces() : std::vector<BoundaryForce>{};
    const auto& known = run.mesh.mesh.boundaries;
    for (const MonitorSettings& m : run.settings.monitors) {
        if (m.type != "force") continue;
        run.comm.agree([&] {
            if (monitors_.empty() && forces.empty())
                throw InputError(
                    m.place,
                    fmt::format("the monitor \"{}\": momentum = \"{}\" gives no forces: take "
                                "\"collocated\"",
                                m.name, settings_of<FlowCase>(run.settings).flow.momentum));
        });
        const ForceMonitor& force = settings_of<ForceMonitor>(m);
        std::vector<std::size_t> boundaries;
        for (const std::string& name : force.boundaries)
            boundaries.push_back(std::ranges::find(known, name) - known.begin());
        monitors_.push_back({m.name,
                             force,
                             boundaries,
                             output.series(m.name, columns(dimension_, force.speed > 0)),
                             {}});
    }
}

void ForceMonitors::append() {
    if (monitors_.empty()) return;
    const std::vector<BoundaryForce> forces = solver_.boundary_forces();
    has_seen_ = true;
    for (Monitor& m : monitors_) {
        BoundaryForce sum;
        for (const std::size_t b : m.boundaries) {
            sum.pressure += forces[b].pressure;
            sum.friction += forces[b].friction;
            sum.moment += forces[b].moment;
            sum.weak += forces[b].weak;
            sum.weak_moment += forces[b].weak_moment;
            sum.strength += forces[b].strength;
        }
        m.last = sum;
        m.series.append(row(m.settings, sum));
    }
}

std::vector<ForceComparison> ForceMonitors::compared() const {
    std::vector<ForceComparison> all;
    for (const Monitor& m : monitors_) {
        if (!has_seen_) break;
        const Vec3 surface = density_ * (m.last.pressure + m.last.friction),
                   weak = density_ * m.last.weak;
        const double scale = std::max(
            {glm::length(surface), glm::length(weak), least_part * density_ * m.last.strength});
        all.push_back({m.name,
                       {surface.x, surface.y, surface.z},
                       {weak.x, weak.y, weak.z},
                       scale > 0 ? glm::length(surface - weak) / scale : 0});
    }
    return all;
}

std::string forces_warning(const ForceComparison& forces, int dimension) {
    if (!(forces.apart > most_apart)) return "";
    const auto text = [&](const std::array<double, 3>& f) {
        return dimension == 2 ? fmt::format("({:.4g}, {:.4g}) N/m", f[0], f[1])
                              : fmt::format("({:.4g}, {:.4g}, {:.4g}) N", f[0], f[1], f[2]);
    };
    return fmt::format(
        "the monitor \"{}\": the force by the integral over the surface, {}, and by the weak form, "
        "{}, differ by {:.0f} % at the end: neither is reliable: take a finer mesh at these "
        "boundaries",
        forces.monitor, text(forces.surface), text(forces.weak), 100 * forces.apart);
}

CsvRow ForceMonitors::row(const ForceMonitor& s, const BoundaryForce& sum) const {
    CsvRow row{solver_.time()};
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
    return row;
}

}  // namespace solenoid
