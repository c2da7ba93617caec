// Regular waves that come in through an absorbing border.
#include "boussinesq/conditions/boussinesq_condition.hpp"

namespace solenoid {
namespace {

struct RegularSettings : BoussinesqCondition {
    double amplitude = 0, angle = 0;
    std::optional<double> given_rise;
};

}  // namespace

BoussinesqConditionKind regular_waves_kind() {
    const auto keys =
        Keys<RegularSettings>()
            .key("amplitude", &RegularSettings::amplitude, value::positive(), "required",
                 "amplitude of the elevation [m]")
            .key<double>("period", &RegularSettings::period, value::positive(), "required",
                         "period of the waves [s]")
            .key("angle", &RegularSettings::angle, value::from_to(-80, 80), "`0`",
                 "from the inward normal to the direction of travel, counter-clockwise [°]")
            .key<double>(
                "width", &RegularSettings::width, value::positive(), "required",
                "width of the absorbing border [m], along whose inner edge they rise: a wavelength")
            .key<double>("strength", &RegularSettings::strength, value::not_negative(), "`1`",
                         "strength of its damping")
            .key("rise", &RegularSettings::given_rise, value::optional(value::not_negative()),
                 "two periods", "time in which they grow to their height [s]");
    return {"regular_waves", keys.declared(),
            "waves of one period come in; a border behind them absorbs what comes back",
            "amplitude = ...  period = ...  width = ...   regular waves come in",
            [keys](const TableReader& table, const NoBoussinesqContext&) {
                RegularSettings s = keys.read(table);
                s.waves = waves_at(table, [&] {
                    return solenoid::regular_waves(s.amplitude, s.period,
                                                   s.angle * radians_a_degree);
                });
                s.rise = s.given_rise.value_or(2 * s.period);
                return std::make_shared<BoussinesqCondition>(s);
            }};
}

}  // namespace solenoid
