// A flow that is continued from its saved state: the same bits as one that went on, and no entry of
// the state without an effect.
#include <gtest/gtest.h>

#include "support/changing_flows.hpp"
#include "support/saved_states.hpp"

namespace solenoid::flow_state_test {
namespace {

using test::FlowProblem;

class ContinuedFlow final : public test::Continued {
  public:
    explicit ContinuedFlow(const FlowProblem& problem,
                           const Communicator& comm = Communicator::world())
        : flow_(problem, comm) {}
    const Communicator& comm() const override { return flow_.comm; }
    StateRegistry& state() override { return flow_.made->state(); }
    void step(int number) override {
        constexpr double lengths[] = {1, 1.1, 0.95, 1.2, 0.9, 1.15, 1};
        if (number == 4) flow_.made->restart();
        flow_.made->step(0.02 * lengths[number % 7]);
    }
    test::Results results(bool of_step) override {
        test::Results all = flow_.results(of_step);
        for (const RateOfChange& change : flow_.made->changes())
            all.push_back({change.rate, change.size});
        for (const auto& [name, totals] : flow_.made->solves())
            all.push_back({double(totals.count), double(totals.iterations), totals.residual});
        return all;
    }
    test::RunningFlow& flow() { return flow_; }

  private:
    test::RunningFlow flow_;
};

test::MakeContinued maker(const FlowProblem& problem,
                          const Communicator& comm = Communicator::world()) {
    return [problem, comm] { return std::make_unique<ContinuedFlow>(problem, comm); };
}

FlowSettings settings_of(const std::string& method, const std::string& time_scheme) {
    FlowSettings settings;
    settings.method = method;
    settings.time_scheme = time_scheme;
    return settings;
}

std::vector<FlowProblem> all_flows(const FlowSettings& settings, int dimension) {
    std::vector<FlowProblem> all = test::changing_flows(settings, dimension);
    for (FlowProblem& s : test::demanding_flows(settings, dimension)) all.push_back(std::move(s));
    return all;
}

// In 2D: every entry of every case, where it has not mattered in another one.
TEST(FlowState, HasWhatStepsDependOnAndNoMore) {
    test::Omissions omissions;
    for (const char* method : {"exact", "classical"})
        for (const char* time_scheme : {"bdf2", "midpoint"})
            for (const FlowProblem& s : all_flows(settings_of(method, time_scheme), 2)) {
                SCOPED_TRACE(s.name);
                for (const int n : {2, 4})
                    test::expect_continues(maker(s), n, s.further, &omissions);
            }
    // the flux of a duct counts where all nodes of its end are given; the largest gradient where a
    // flow has fallen to a millionth of it
    omissions.expect_none_idle(
        {"flow/momentum/boundary/entering/ducts/flux", "flow/scheme/pressure_iteration/largest"});
}

// The stream function alone: its momenta, and how they treat diffusion.
std::vector<FlowProblem> staggered_flows(int dimension) {
    std::vector<FlowProblem> all;
    for (const char* momentum : {"rotational", "thesis"})
        for (const char* diffusion : {"implicit", "explicit"}) {
            FlowSettings settings = settings_of("exact", "bdf2");
            settings.momentum = momentum;
            settings.convection = "central";
            settings.diffusion = diffusion;
            for (FlowProblem& s : all_flows(settings, dimension))
                if (s.name.starts_with("lid") || s.name.starts_with("body force") ||
                    s.name.starts_with("integrated force") || s.name.starts_with("torus") ||
                    s.name.starts_with("imposed flux")) {
                    s.name += std::string(", ") + momentum + ", " + diffusion;
                    s.flow.fluid.viscosity = Formula(0.005);
                    all.push_back(s);
                }
        }
    return all;
}

TEST(FlowState, HasWhatStaggeredStepsDependOnAndNoMore) {
    test::Omissions omissions;
    for (const int dimension : {2, 3})
        for (const FlowProblem& s : staggered_flows(dimension)) {
            SCOPED_TRACE(s.name);
            for (const int n : {2, 4})
                test::expect_continues(maker(s), n, s.further,
                                       dimension == 2 ? &omissions : nullptr);
        }
    omissions.expect_none_idle();
}

TEST(FlowState, ContinuesAmongTets) {
    for (const char* method : {"exact", "classical"})
        for (const FlowProblem& s : all_flows(settings_of(method, "bdf2"), 3)) {
            SCOPED_TRACE(s.name);
            test::expect_continues(maker(s), 2, s.further, nullptr);
        }
}

// From one rank to all, at tight tolerances of the solves.
TEST(FlowState, IsLoadedByAnyNumberOfRanks) {
    std::vector<FlowProblem> problems = staggered_flows(2);
    for (const char* method : {"exact", "classical"})
        for (const char* time_scheme : {"bdf2", "midpoint"})
            for (FlowProblem& s : all_flows(settings_of(method, time_scheme), 2))
                if (!s.name.starts_with("slow flow")) problems.push_back(std::move(s));
    for (FlowProblem& s : problems) {
        SCOPED_TRACE(s.name);
        s.flow.solvers = test::tight();
        s.flow.solvers.scalar.tolerance = 1e-12;
        std::vector<std::string> told{"flow/velocity", "flow/flux"};
        if (!s.flow.scalars.empty()) told.push_back("flow/scalar_T/values");
        test::expect_continues_on(maker(s, Communicator::self()), maker(s), 2, told, 1e-6);
    }
}

}  // namespace
}  // namespace solenoid::flow_state_test
