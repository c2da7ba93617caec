// What a run tells of friction and of the scheme: means over its last half, and what is warned of.
#include "flow/run/energy_losses.hpp"

#include <gtest/gtest.h>

#include "flow/run/flow_monitors.hpp"

namespace solenoid::energy_losses_test {
namespace {

EnergyTerms terms(double viscous, double coupling, double penalty = 0, double rate_off = 0) {
    EnergyTerms e;
    e.kinetic_energy = 1;
    e.viscous = viscous;
    e.coupling = coupling;
    e.jump_penalty = penalty;
    e.rate = -viscous - coupling - penalty + rate_off;
    return e;
}

EnergyLoss loss_of(const EnergyTerms& e, double time = 10) {
    EnergyLosses losses(1);
    losses.add(time, e, e.viscous, e.viscous);
    return *losses.until(time);
}

TEST(EnergyLosses, AreMeansOfTheLastHalf) {
    EnergyLosses losses(10);
    EXPECT_FALSE(losses.until(1));
    // the budget's own friction is another one, as beside walls that turn
    losses.add(1, terms(90, 50), 100, 1);
    losses.add(6, terms(0.7, 0.2, 0.1), 1, 0.6);
    losses.add(8, terms(2, 0.4, 0.3), 3, 1.4);
    const EnergyLoss mean = *losses.until(8);
    EXPECT_EQ(mean.samples, 2);
    EXPECT_EQ(mean.from, 6);
    EXPECT_EQ(mean.to, 8);
    EXPECT_NEAR(mean.dissipation, 20, 1e-12);  // by the density
    EXPECT_NEAR(mean.coupling, 3, 1e-12);
    EXPECT_NEAR(mean.jump_penalty, 2, 1e-12);
    EXPECT_NEAR(mean.scheme(), 5, 1e-12);
    EXPECT_EQ(losses.until(100)->samples, 1);  // the last one at least
}

TEST(EnergyLosses, AreThoseOfARunThatWasNotBrokenOff) {
    const auto sample = [](int i) {
        EnergyTerms e;
        double value = 0.1 * i;
        for (double EnergyTerms::*term :
             {&EnergyTerms::kinetic_energy, &EnergyTerms::rate, &EnergyTerms::viscous,
              &EnergyTerms::convection, &EnergyTerms::jump_penalty, &EnergyTerms::coupling,
              &EnergyTerms::time_scheme, &EnergyTerms::boundary, &EnergyTerms::force})
            e.*term = value += 1.0 / 3;
        return e;
    };
    EnergyLosses on(10), first(10), second(10);
    for (int i = 0; i < 6; ++i) {
        on.add(i, sample(i), i + 0.1, i + 0.3);
        if (i < 4) first.add(i, sample(i), i + 0.1, i + 0.3);
    }
    second.add(77, sample(77), 1, 1);  // is forgotten
    second.unpack(first.packed());
    for (int i = 4; i < 6; ++i) second.add(i, sample(i), i + 0.1, i + 0.3);
    EXPECT_EQ(second.packed(), on.packed());
    EXPECT_EQ(second.packed().size(), 6u * 12);
    const EnergyLoss a = *on.until(5), b = *second.until(5);
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.dissipation, b.dissipation);
    EXPECT_EQ(a.scheme(), b.scheme());
    EXPECT_EQ(a.time_scheme, b.time_scheme);
    EXPECT_EQ(a.counts, b.counts);
}

// By what is taken beyond the friction that the nodes show, of a flow that friction brakes and that
// is nearly steady.
TEST(EnergyLosses, TellTheErrorOfTheFlow) {
    const auto error = [](double rate, double time = 10) {
        EnergyTerms e = terms(1, 0.06, 0.04);
        e.rate = rate;
        e.boundary = 1.1 + rate;
        EnergyLosses losses(1);
        EXPECT_EQ(losses.error_of_flow_until(1), 0);
        losses.add(time, e, 0.9, 1.05);
        return losses.error_of_flow_until(time);
    };
    const double beyond = 1.1 / 1.05 - 1;
    EXPECT_NEAR(error(0), beyond / (2 + beyond), 1e-12);
    EXPECT_EQ(error(0.2), 0);
    EXPECT_EQ(error(-0.2), 0);
    EXPECT_EQ(error(0, 0.01), 0);
}

TEST(EnergyLosses, AreWarnedOfBeyondATenth) {
    const FlowCase flow;
    EXPECT_EQ(losses_warning(loss_of(terms(1, 0.09)), flow, "a.msh"), "");
    const std::string takes = losses_warning(loss_of(terms(1, 0.07, 0.05)), flow, "a.msh"),
                      gives = losses_warning(loss_of(terms(1, -0.12)), flow, "");
    EXPECT_NE(takes.find("removes 12 %"), std::string::npos) << takes;
    EXPECT_NE(takes.find("coupling"), std::string::npos) << takes;
    EXPECT_NE(takes.find("mesh info a.msh"), std::string::npos) << takes;
    EXPECT_NE(gives.find("adds 12 %"), std::string::npos) << gives;
    EXPECT_NE(losses_line(loss_of(terms(1, 0.07, 0.05)), 3)
                  .find("takes 12 % of that besides (coupling 7 %, jump penalty 5 %"),
              std::string::npos);
    EXPECT_NE(losses_line(loss_of(terms(1e-3, 0.42)), 3)
                  .find("the scheme takes 420 times that besides (coupling 420 times,"),
              std::string::npos);
    EXPECT_NE(losses_line(loss_of(terms(1, -0.12)), 3).find("the scheme adds 12 % of that besides"),
              std::string::npos);
    EXPECT_NE(losses_meaning(loss_of(terms(1, 0.07))).find("too large"), std::string::npos);
    EXPECT_NE(losses_meaning(loss_of(terms(1, -0.07))).find("too small"), std::string::npos);
    EXPECT_EQ(losses_meaning(loss_of(terms(0, 0.07))), "");
    // what one gives the other takes, within bounds
    EXPECT_EQ(losses_warning(loss_of(terms(1, 0.2, -0.15)), flow, ""), "");
    const std::string both = losses_warning(loss_of(terms(1, 0.4, -0.35)), flow, "");
    EXPECT_NE(both.find("removes 75 % of the energy that friction dissipates by some"),
              std::string::npos)
        << both;
}

TEST(EnergyLosses, ThatDoNotMatterAreNotWarnedOf) {
    const FlowCase flow;
    EXPECT_NE(losses_warning(loss_of(terms(1e-3, 1e-3)), flow, ""), "");
    // 1e-4 of the kinetic energy in the time of the run
    EXPECT_EQ(losses_warning(loss_of(terms(1e-5, 1e-5)), flow, ""), "");
    // in a budget that does not close
    EXPECT_EQ(losses_warning(loss_of(terms(1e-3, 1e-3, 0, 5e-4)), flow, ""), "");
    // without friction
    EXPECT_EQ(losses_warning(loss_of(terms(0, 1)), flow, ""), "");
    EXPECT_EQ(losses_warning(loss_of(terms(0, -1e-3)), flow, ""), "");
    EXPECT_NE(losses_line(loss_of(terms(0, 1)), 2).find("no friction, the scheme takes 1 W/m"),
              std::string::npos);
}

// In 10 s, of 1 m^5/s^2.
TEST(EnergyLosses, AddNothingWithoutAWord) {
    const std::string words = losses_warning(loss_of(terms(0, -4e-3)), FlowCase(), "");
    EXPECT_NE(words.find("adds 4 % of the kinetic energy"), std::string::npos) << words;
    EXPECT_NE(words.find("mostly by its coupling"), std::string::npos) << words;
}

TEST(EnergyLosses, RemedyIsThatOfTheLargest) {
    FlowCase flow;
    EnergyTerms e = terms(1, 0);
    e.time_scheme = 0.5;
    e.rate -= 0.5;
    EXPECT_NE(losses_warning(loss_of(e), flow, "").find("shorter steps"), std::string::npos);
    e.convection = 0.7;
    e.rate -= 0.7;
    flow.flow.convection = "upwind";
    EXPECT_NE(losses_warning(loss_of(e), flow, "").find("skew-symmetric"), std::string::npos);
    flow.flow.convection = "skew-symmetric";
    EXPECT_NE(losses_warning(loss_of(e), flow, "").find("finer mesh"), std::string::npos);
}

TEST(ForceComparison, IsWarnedOfBeyondATenth) {
    ForceComparison forces{"walls", {0.5, 0, 0}, {0.5, 0, 0}, 0.08, 2, 3, {1, 0, 0}, {1.08, 0, 0}};
    EXPECT_EQ(forces_warning(forces, 2), "");
    forces.apart = 0.12;
    const std::string text = forces_warning(forces, 2);
    EXPECT_NE(text.find("\"walls\""), std::string::npos);
    EXPECT_NE(text.find("(1, 0) N/m"), std::string::npos) << text;
    EXPECT_NE(text.find("at t = 3 s by 12 % of the largest from t = 2 s"), std::string::npos)
        << text;
}

}  // namespace
}  // namespace solenoid::energy_losses_test
