// A wall that rotates about an axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct RotatingWallSettings {
    Formula omega;                  // [rad/s]
    Vec3 axis{0, 0, 1}, centre{0};  // centre [m]
};

// The velocity omega a x (x - c) [m/s] with the unit vector a of the axis.
VectorFormula rotation(const RotatingWallSettings& s) {
    const double largest = std::max({std::abs(s.axis.x), std::abs(s.axis.y), std::abs(s.axis.z)});
    // squares of a very short axis would underflow
    const Vec3 a = glm::normalize(s.axis / largest);
    const char names[] = {'x', 'y', 'z'};
    VectorFormula velocity;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (a[j] == 0 && a[k] == 0) continue;  // the constant 0, which a 2D mesh accepts
        velocity[i] = Formula(fmt::format("({})*(({})*({}-({}))-({})*({}-({})))", s.omega.text(),
                                          a[j], names[k], s.centre[k], a[k], names[j], s.centre[j]),
                              s.omega.place());
    }
    return velocity;
}

class RotatingWall : public FlowCondition {
  public:
    explicit RotatingWall(const RotatingWallSettings& settings) : velocity_(rotation(settings)) {}
    Given given() const override { return Given::all; }
    bool lets_through() const override { return false; }
    const VectorFormula& velocity() const override { return velocity_; }

  private:
    const VectorFormula velocity_;
};

ValueReader<Vec3> direction() {
    return {"point", [](const TableReader& table, const std::string& key) {
                const Vec3 v = table.point(key);
                if (v == Vec3(0)) table.fail(key, "must not be zero");
                return v;
            }};
}

}  // namespace

FlowConditionKind rotating_wall_kind() {
    using Settings = RotatingWallSettings;
    const auto keys = Keys<Settings>()
                          .key("omega", &Settings::omega, value::formula_of_time(), "required",
                               "angular velocity [rad/s], of t")
                          .key("axis", &Settings::axis, direction(), "`[0, 0, 1]`",
                               "direction of the axis, by the right-hand rule")
                          .key("centre", &Settings::centre, value::point(), "the origin",
                               "a point on the axis [m]");
    return {
        {"rotating_wall", keys.declared(),
         "a wall that rotates about an axis; surfaces of revolution about it move along themselves",
         "omega = 1.0 [rad/s]: a wall that rotates about the line through centre along axis",
         [keys](const TableReader& table, const FlowConditionContext&) {
             return std::make_shared<RotatingWall>(keys.read(table));
         }},
        FlowCondition::Given::all};
}

}  // namespace solenoid
