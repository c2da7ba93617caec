// An irregular sea that comes in through an absorbing border: a JONSWAP spectrum.
#include "boussinesq/conditions/boussinesq_condition.hpp"

namespace solenoid {
namespace {

struct IrregularSettings : BoussinesqCondition {
    double height = 0, peakedness = 3.3, angle = 0, spreading = 0;
    int components = 64;
    std::int64_t seed = 1;
    std::optional<double> given_rise;
};

}  // namespace

BoussinesqConditionKind irregular_waves_kind() {
    const auto keys =
        Keys<IrregularSettings>()
            .key("significant_height", &IrregularSettings::height, value::positive(), "required",
                 "four times the standard deviation of the elevation [m]")
            .key<double>("peak_period", &IrregularSettings::period, value::positive(), "required",
                         "period of the waves with the most energy [s]")
            .key("peakedness", &IrregularSettings::peakedness, value::from_to(1, 10), "`3.3`",
                 "γ of JONSWAP's spectrum")
            .key("angle", &IrregularSettings::angle, value::from_to(-80, 80), "`0`",
                 "from the inward normal to the mean direction, counter-clockwise [°]")
            .key("spreading", &IrregularSettings::spreading, value::from_to(0, 100), "`0`",
                 "s of cos²ˢ about the mean direction; `0`: all in it")
            .key("components", &IrregularSettings::components, value::integer(1, 10000), "`64`",
                 "number of waves that the sea is the sum of")
            .key("seed", &IrregularSettings::seed, value::count(0, 1'000'000'000), "`1`",
                 "the same seed, the same sea")
            .key<double>(
                "width", &IrregularSettings::width, value::positive(), "required",
                "width of the absorbing border [m], along whose inner edge they rise: a wavelength")
            .key<double>("strength", &IrregularSettings::strength, value::not_negative(), "`1`",
                         "strength of its damping")
            .key("rise", &IrregularSettings::given_rise, value::optional(value::not_negative()),
                 "two periods", "time in which they grow to their height [s]");
    return {"irregular_waves", keys.declared(),
            "a sea comes in; a border behind it absorbs what comes back",
            "significant_height = ...  peak_period = ...  width = ...   a sea comes in",
            [keys](const TableReader& table, const NoBoussinesqContext&) {
                IrregularSettings s = keys.read(table);
                s.waves = waves_at(table, [&] {
                    return solenoid::irregular_waves({.significant_height = s.height,
                                                      .peak_period = s.period,
                                                      .peakedness = s.peakedness,
                                                      .direction = s.angle * radians_a_degree,
                                                      .spreading = s.spreading,
                                                      .components = s.components,
                                                      .seed = std::uint64_t(s.seed)});
                });
                s.rise = s.given_rise.value_or(2 * s.period);
                return std::make_shared<BoussinesqCondition>(s);
            }};
}

}  // namespace solenoid
