#include "flow/run/flow_time_data.hpp"

#include "flow/settings/flow_case.hpp"
#include "run/sample_points.hpp"

namespace solenoid {
namespace {

class Collected {
  public:
    explicit Collected(const Run& run) : run_(run) {}

    void in_cells(const std::string& key, const Formula& formula, bool is_integrated = false) {
        if (formula.depends_on_time())
            data.push_back({key, formula, cell_samples(run_.comm, run_.topology()), is_integrated});
    }
    void on_boundary(const std::string& name, const std::string& key, const Formula& formula,
                     bool is_integrated = false) {
        if (formula.depends_on_time())
            data.push_back({"boundary." + name + "." + key, formula,
                            boundary_samples(run_.comm, run_.topology(), name), is_integrated});
    }

    std::vector<TimeDatum> data;

  private:
    const Run& run_;
};

}  // namespace

std::vector<TimeDatum> flow_time_data(const Run& run) {
    const FlowCase& flow = settings_of<FlowCase>(run.settings);
    Collected collected(run);
    collected.in_cells("fluid.viscosity", flow.fluid.viscosity);
    for (const Formula& component : flow.flow.body_force)
        collected.in_cells("flow.body_force", component, true);
    for (const FlowBoundary& b : flow.boundaries) {
        for (const Formula& component : b.condition->velocity())
            collected.on_boundary(b.name, "velocity", component);
        if (b.condition->is_open())
            collected.on_boundary(b.name, "pressure", b.condition->pressure());
        for (const auto& [scalar, condition] : b.scalars)
            collected.on_boundary(b.name, scalar, condition.value, !condition.is_value);
    }
    for (const PeriodicSettings& pair : flow.periodic)
        if (pair.flux && pair.flux->depends_on_time())
            collected.data.push_back({"boundary." + pair.name + ".flux", *pair.flux, {Vec3(0)}});
    for (const ScalarSettings& scalar : flow.scalars) {
        collected.in_cells("scalar." + scalar.name + ".diffusivity", scalar.diffusivity);
        collected.in_cells("scalar." + scalar.name + ".source", scalar.source, true);
    }
    return collected.data;
}

}  // namespace solenoid
