#include "app/physics_runs.hpp"

#include "app/starters.hpp"
#include "case/condition_kinds.hpp"

namespace solenoid {

const std::vector<PhysicsRun>& physics_runs() {
    static const std::vector<PhysicsRun> runs{{"heat", run_heat<float>, run_heat<double>, heat_starter}, {"flow", run_flow<float>, run_flow<double>, flow_starter}};
    return runs;
}

const PhysicsRun& physics_run(const std::string& name) { return kind_of(physics_runs(), name); }

}  // namespace solenoid
