#include "bench/box_flow.hpp"

#include <fmt/format.h>

#include "bench/bench_meshes.hpp"
#include "flow/viscosity/viscosity_law.hpp"

namespace solenoid::bench {
namespace {

// A boundary condition with given properties.
struct Side : FlowCondition {
    Side(Given given, bool lets_through, VectorFormula velocity = {}, Formula pressure = 0.0,
         bool drives = false)
        : given_(given),
          lets_through_(lets_through),
          drives_(drives),
          velocity_(std::move(velocity)),
          pressure_(std::move(pressure)) {}
    Given given() const override { return given_; }
    bool lets_through() const override { return lets_through_; }
    const VectorFormula& velocity() const override { return velocity_; }
    const Formula& pressure() const override { return pressure_; }
    bool drives() const override { return drives_; }

  private:
    const Given given_;
    const bool lets_through_, drives_;
    const VectorFormula velocity_;
    const Formula pressure_;
};

// nu = 0.01 (1 + rate)^(-1/2) [m^2/s] for a shear rate in 1/s.
class Thinning : public ViscosityLawOf<Thinning> {
  public:
    Thinning() : ViscosityLawOf({1e-3, 1e-1}) {}
    double steepness() const override { return 1; }
    template <class Real>
    auto at(const Buffer<Real>& rate) const {
        return 0.01 * pow(1.0 + rate, -0.5);
    }
};

using Given = FlowCondition::Given;
std::shared_ptr<const FlowCondition> wall_moving(const VectorFormula& velocity = {}) {
    return std::make_shared<Side>(Given::all, false, velocity);
}

FlowCase still_box(const Mesh& mesh, double tolerance) {
    FlowCase flow;
    flow.fluid.viscosity = 0.01;
    for (const std::string& name : mesh.boundaries)
        flow.boundaries.push_back({name, "", wall_moving()});
    for (SolverSettings* solver : {&flow.solvers.stream_function, &flow.solvers.pressure,
                                   &flow.solvers.momentum, &flow.solvers.scalar})
        solver->tolerance = tolerance;
    return flow;
}

void set(FlowCase& flow, const std::string& side, std::shared_ptr<const FlowCondition> condition) {
    for (FlowBoundary& boundary : flow.boundaries)
        if (boundary.name == side) boundary.condition = condition;
}

}  // namespace

FlowCase cavity(const Mesh& mesh, double tolerance) {
    FlowCase flow = still_box(mesh, tolerance);
    set(flow, "ymax", wall_moving({Formula(1.0), Formula(0.0), Formula(0.0)}));
    return flow;
}

FlowCase open_box(const Mesh& mesh, double tolerance) {
    FlowCase flow = still_box(mesh, tolerance);
    set(flow, "xmin",
        std::make_shared<Side>(
            Given::all, true,
            VectorFormula{Formula("4*y*(1 - y)", "benchmark"), Formula(0.0), Formula(0.0)}));
    set(flow, "xmax", std::make_shared<Side>(Given::nothing, true));
    if (mesh.dimension == 3) set(flow, "zmin", std::make_shared<Side>(Given::normal, false));
    for (const char* convection : {"bounded", "blended"}) {
        flow.scalars.push_back({.name = convection,
                                .diffusivity = 0.01,
                                .initial = Formula("x < 0.5 ? 1 : 0", "benchmark"),
                                .convection = convection,
                                .place = {}});
        for (FlowBoundary& boundary : flow.boundaries)
            if (boundary.name == "xmin" || boundary.name == "ymin")
                boundary.scalars[convection] = {true, 1.0};
    }
    flow.initial_velocity = {Formula("4*y*(1 - y)", "benchmark"), Formula(0.0), Formula(0.0)};
    return flow;
}

FlowCase driven_box(const Mesh& mesh, double tolerance) {
    FlowCase flow = still_box(mesh, tolerance);
    flow.flow.method = "classical";
    flow.fluid.law = std::make_shared<Thinning>();
    flow.flow.body_force = {Formula("y", "benchmark"), Formula(0.0), Formula(0.0)};
    set(flow, "xmin",
        std::make_shared<Side>(Given::nothing, true, VectorFormula{}, Formula(0.1), true));
    set(flow, "xmax",
        std::make_shared<Side>(Given::nothing, true, VectorFormula{}, Formula(0.0), true));
    return flow;
}

FlowCase layered_box(const Mesh& mesh, double tolerance) {
    FlowCase flow = cavity(mesh, tolerance);
    if (const auto pair = diagonal_of(mesh.points))
        flow.fluid.viscosity =
            Formula(fmt::format("{} < {} ? 0.02 : 0.01", "xyz"[(*pair)[0]], "xyz"[(*pair)[1]]),
                    "benchmark");
    return flow;
}

}  // namespace solenoid::bench
