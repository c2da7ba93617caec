#include "app/physics.hpp"

#include <tuple>

#include "boussinesq/case/boussinesq_physics.hpp"
#include "flow/case/flow_physics.hpp"
#include "heat/case/heat_physics.hpp"
#include "poisson/case/poisson_physics.hpp"
#include "wave/case/wave_physics.hpp"

namespace solenoid {
namespace {

template <class... Kinds>
PhysicsList list_of() {
    static const std::tuple<Kinds...> objects;
    return {&std::get<Kinds>(objects)...};
}

}  // namespace

const PhysicsList& all_physics() {
    static const PhysicsList all =
        list_of<HeatPhysics, FlowPhysics, WavePhysics, PoissonPhysics, BoussinesqPhysics>();
    return all;
}

}  // namespace solenoid
