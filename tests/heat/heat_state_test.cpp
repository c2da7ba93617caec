// Heat conduction that is continued from its saved state: the same bits as one that went on, and no
// entry of the state without an effect.
#include <gtest/gtest.h>

#include "heat/heat_solver.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/heat_boundaries.hpp"
#include "support/saved_states.hpp"

namespace solenoid::heat_state_test {
namespace {

Formula formula(const std::string& text) { return Formula(text, "test"); }

struct HeatProblem {
    std::string name;
    SolverSettings solver;
    bool integrates = false;  // loads over steps
    bool estimates = false;   // errors of steps
};

// Each boundary and the source change in time.
class ContinuedHeat final : public test::Continued {
  public:
    explicit ContinuedHeat(const HeatProblem& problem, const Communicator& comm)
        : problem_(problem),
          comm_(comm),
          device_(test::make_device("cpu")),
          mesh_(distribute(comm, comm.is_root()
                                     ? std::optional(box_mesh({.dimension = 2, .cells = 150}))
                                     : std::nullopt)),
          domain_(comm, *device_, mesh_),
          solver_(domain_, {material()}, boundaries(), initial(), problem_.solver) {
        if (problem.integrates)
            solver_.integrate_over([](double from, double to) {
                return std::vector<double>{0.3 * from + 0.7 * to, to};
            });
    }
    const Communicator& comm() const override { return comm_; }
    StateRegistry& state() override { return solver_.state(); }
    void step(int number) override {
        constexpr double lengths[] = {1, 1.1, 0.9, 1.3, 0.8, 1.2, 1};
        if (number == 2) solver_.restart();
        error_ = solver_.step(0.03 * lengths[number % 7], problem_.estimates);
    }
    test::Results results(bool of_step) override {
        const HeatBalance& balance = solver_.balance();
        const auto [low, high] = solver_.extrema();
        const SolveTotals& solves = solver_.solves();
        return {solver_.temperature(),
                balance.boundary,
                {solver_.time(), balance.source, balance.storage, balance.imbalance(), low, high},
                {of_step ? error_ : 0, double(solves.count), double(solves.iterations),
                 solves.residual}};
    }

  private:
    // Fades, so that the range of temperatures was larger once.
    static Formula initial() {
        return formula("20+60*exp(-80*((x-0.3)^2+(y-0.5)^2))-60*exp(-80*((x-0.7)^2+(y-0.5)^2))");
    }
    static MaterialSettings material() {
        MaterialSettings m;
        m.conductivity = 0.1;
        m.heat_capacity = 1.0;
        m.source = formula("30*sin(9*t)*x");
        return m;
    }
    static std::vector<HeatBoundary> boundaries() {
        return {test::heat_boundary("xmin", "temperature", formula("20+5*sin(7*t)*y"), 0.0),
                test::heat_boundary("xmax", "flux", formula("10*cos(5*t)"), 0.0),
                test::heat_boundary("ymin", "convection", formula("4+t"), formula("30+20*sin(t)")),
                test::heat_boundary("ymax", "insulated", 0.0, 0.0)};
    }

    const HeatProblem problem_;
    const Communicator& comm_;
    std::unique_ptr<Device> device_;
    DistributedMesh mesh_;
    Domain domain_;
    HeatSolver<double> solver_;
    double error_ = 0;
};

SolverSettings by(const std::string& preconditioner) {
    SolverSettings settings;
    settings.preconditioner = preconditioner;
    return settings;
}

const std::vector<HeatProblem> problems{{"jacobi", by("jacobi")},
                                        {"multigrid", by("multigrid")},
                                        {"integrals", by("jacobi"), true},
                                        {"errors", by("multigrid"), false, true}};

TEST(HeatState, HasWhatStepsDependOnAndNoMore) {
    test::Omissions omissions;
    const Communicator comm = Communicator::world();
    for (const HeatProblem& problem : problems) {
        SCOPED_TRACE(problem.name);
        test::expect_continues([&] { return std::make_unique<ContinuedHeat>(problem, comm); }, 3, 3,
                               &omissions);
    }
    omissions.expect_none_idle();
}

// From one rank to all.
TEST(HeatState, IsLoadedByAnyNumberOfRanks) {
    const Communicator self = Communicator::self(), world = Communicator::world();
    for (HeatProblem problem : problems) {
        SCOPED_TRACE(problem.name);
        problem.solver.tolerance = 1e-13;
        test::expect_continues_on([&] { return std::make_unique<ContinuedHeat>(problem, self); },
                                  [&] { return std::make_unique<ContinuedHeat>(problem, world); },
                                  3, {"heat/temperature", "heat/net_flow"}, 1e-9);
    }
}

}  // namespace
}  // namespace solenoid::heat_state_test
