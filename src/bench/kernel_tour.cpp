#include "bench/kernel_tour.hpp"

#include "bench/box_flow.hpp"
#include "heat/heat_solver.hpp"
#include "operators/operators.hpp"
#include "solvers/choice/preconditioner_kinds.hpp"

namespace solenoid::bench {
namespace {

constexpr double step_length = 1e-3;  // [s]

template <class Real>
double tolerance_of() {
    return sizeof(Real) == 8 ? 1e-6 : 1e-4;
}

template <class Real>
void apply_operators(const Domain& domain) {
    Operators<Real>& operators = domain.operators<Real>();
    auto p = operators.field(Kind::cell), q = operators.field(Kind::face),
         s = operators.field(domain.codim2_kind), t = operators.field(Kind::node),
         through = operators.field(Kind::edge);
    auto u = operators.vector_field(Kind::cell), v = operators.vector_field(Kind::node);
    operators.gradient(p, q);
    operators.divergence(q, p);
    operators.curl(s, q);
    operators.rotation(q, s);
    operators.interpolation(q, u);
    operators.integration(u, q);
    operators.node_gradient(t, u);
    operators.gradient_sums(v, p);
    operators.dual_flux(u, through);
    operators.dual_divergence(through, t);
}

struct HotSide : HeatCondition {
    const Formula* temperature() const override { return &one; }
    const Formula one{1.0};
};
struct CooledSide : HeatCondition {
    const Exchange* exchange() const override { return &air; }
    const Exchange air{1.0, 0.0};
};
struct InsulatedSide : HeatCondition {};

template <class Real>
void conduct(const Domain& domain) {
    std::vector<HeatBoundary> boundaries;
    for (const std::string& name : domain.mesh.mesh.boundaries) {
        std::shared_ptr<const HeatCondition> condition = std::make_shared<InsulatedSide>();
        if (name == "xmin") condition = std::make_shared<HotSide>();
        if (name == "xmax") condition = std::make_shared<CooledSide>();
        boundaries.push_back({name, "", condition});
    }
    for (const char* preconditioner : {"multigrid", "jacobi"})
        for (bool is_mixed : {false, sizeof(Real) == 8}) {
            HeatSolver<Real> solver(domain, {MaterialSettings{}}, boundaries, Formula(0.0),
                                    {.tolerance = tolerance_of<Real>(),
                                     .preconditioner = preconditioner,
                                     .is_mixed = is_mixed});
            solver.step(step_length, true);
            if (preconditioner_kind(preconditioner).may_be_multigrid()) solver.solve_steady();
        }
}

template <class Real>
void flow_once(const Domain& domain, const FlowCase& flow) {
    const std::unique_ptr<FlowSolver> solver = make_flow_solver<Real>(domain, flow);
    for (int k = 0; k < 2; ++k) solver->step(step_length);
    solver->courant(step_length);
    solver->max_divergence();
    solver->rate_of_change();
    solver->gradient_integrals();
    if (solver->has_energy_budget()) solver->energy_terms();
    solver->node_pressure();
    solver->node_velocity();
    solver->boundary_forces();
    for (std::size_t k = 0; k < flow.scalars.size(); ++k)
        solver->scalar_diffused_in(static_cast<int>(k));
}

template <class Real>
void flow_by_defaults(const Domain& domain) {
    FlowCase flow = cavity(domain.mesh.mesh, tolerance_of<Real>());
    for (const char* method : {"exact", "classical"}) {
        flow.flow.method = method;
        flow_once<Real>(domain, flow);
    }
    flow_once<Real>(domain, open_box(domain.mesh.mesh, tolerance_of<Real>()));
}

template <class Real>
void flow_by_schemes(const Domain& domain) {
    const Mesh& mesh = domain.mesh.mesh;
    for (const char* momentum : {"rotational", "thesis"}) {
        FlowCase flow = cavity(mesh, tolerance_of<Real>());
        flow.flow.momentum = momentum;
        flow.flow.convection = "central";
        flow_once<Real>(domain, flow);
    }
    for (const char* convection : {"central", "upwind", "blended"}) {
        FlowCase flow = open_box(mesh, tolerance_of<Real>());
        flow.flow.convection = convection;
        flow.flow.diffusion = "explicit";
        flow_once<Real>(domain, flow);
    }
    for (FlowCase flow :
         {driven_box(mesh, tolerance_of<Real>()), open_box(mesh, tolerance_of<Real>())}) {
        flow.flow.method = "classical";
        flow_once<Real>(domain, flow);
    }
    flow_once<Real>(domain, layered_box(mesh, tolerance_of<Real>()));
    FlowCase midpoint = cavity(mesh, tolerance_of<Real>());
    midpoint.flow.time_scheme = "midpoint";
    flow_once<Real>(domain, midpoint);
    FlowCase slow = cavity(mesh, tolerance_of<Real>());
    slow.fluid.viscosity = Formula(1e3);
    flow_once<Real>(domain, slow);
}

}  // namespace

const std::vector<TourStage>& tour_stages() {
    static const std::vector<TourStage> stages{
        {"operators", "the discrete operators",
         [](const Domain& d, bool is_double) {
             is_double ? apply_operators<double>(d) : apply_operators<float>(d);
         }},
        {"heat", "conduction, with multigrid",
         [](const Domain& d, bool is_double) {
             is_double ? conduct<double>(d) : conduct<float>(d);
         }},
        {"flow", "both methods",
         [](const Domain& d, bool is_double) {
             is_double ? flow_by_defaults<double>(d) : flow_by_defaults<float>(d);
         }},
        {"schemes", "what else a flow may ask for", [](const Domain& d, bool is_double) {
             is_double ? flow_by_schemes<double>(d) : flow_by_schemes<float>(d);
         }}};
    return stages;
}

}  // namespace solenoid::bench
