// Heat exchanged with surroundings, by Newton's law of cooling: k dT/dn = h (T_inf - T).
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {
namespace {

class ConvectiveExchange : public HeatCondition {
  public:
    explicit ConvectiveExchange(const Exchange& exchange) : exchange_(exchange) {}
    const Exchange* exchange() const override { return &exchange_; }

  private:
    const Exchange exchange_;
};

}  // namespace

HeatConditionKind convection_kind() {
    using Exchange = HeatCondition::Exchange;
    const auto keys = Keys<Exchange>()
                          .key("h", &Exchange::coefficient, value::not_negative_formula(),
                               "required", "heat transfer coefficient [W/(m² K)], not negative")
                          .key("T_inf", &Exchange::ambient, value::formula(), "required",
                               "temperature of the fluid outside [K]");
    return {"convection", keys.declared(), "heat h (T − T_inf) leaves [W/m²]",
            "h = ...  T_inf = ...  h [W/(m^2 K)] to surroundings at T_inf [K]",
            [keys](const TableReader& table, const NoContext&) {
                return std::make_shared<ConvectiveExchange>(keys.read(table));
            }};
}

}  // namespace solenoid
