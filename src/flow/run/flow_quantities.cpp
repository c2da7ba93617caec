#include "flow/run/flow_quantities.hpp"

#include "flow/convection/convection_scheme.hpp"
#include "flow/diagnostics/vorticity.hpp"

namespace solenoid {
namespace {

using Of = QuantityInfo::Of;
using Values = std::vector<double>;

Values with_three_columns(Values vectors, int columns) {
    vectors.resize(vectors.size() / columns * 3, 0.0);
    return vectors;
}

Values numbers(std::initializer_list<double> values) { return values; }

bool exists_always(const FlowSolver&) { return true; }

// ---- fields

FlowQuantity speed() {
    return {{.name = "speed", .unit = "m/s", .help = "length of the velocity", .is_drawn = true},
            [](const FlowReader& r) { return magnitudes(r.all.values("velocity"), 3); }};
}

FlowQuantity velocity() {
    return {
        {.name = "velocity",
         .columns = 3,
         .unit = "m/s",
         .help = "velocity, recovered to second order; the third component is 0 in 2D",
         .in_files = true,
         .table_columns = {"u", "v", "w"}},
        [](const FlowReader& r) {
            return with_three_columns(r.solver.node_velocity(), r.domain.dimension);
        },
        [](const FlowReader& r) {
            return Quantities::Interpolation{
                .is_parabolic = convection_scheme(r.flow.flow.convection).is_parabolic(),
                .parts = [&solver = r.solver] { return solver.velocity_parts(); }};
        },
        exists_always,
        [](const FlowReader& r) {
            return Quantities::AtPoint{
                [&solver = r.solver, d = r.domain.dimension](const Quantities::Weights& weights) {
                    std::vector<EntityShare> shares;
                    for (const auto& [node, weight] : weights)
                        for (int k = 0; k < d; ++k)
                            shares.push_back({static_cast<std::uint32_t>(4 * k), node, weight});
                    return solver.watch_velocity(shares, 3);
                },
                [&solver = r.solver](int which) { return solver.watched_velocity(which); }};
        }};
}

FlowQuantity vorticity(int dimension) {
    QuantityInfo info{.name = "vorticity",
                      .unit = "1/s",
                      .help = "curl of the velocity; in 2D its third component alone",
                      .in_files = true,
                      .is_drawn = true,
                      .note = "in 3D its magnitude",
                      .table_columns = {"omega"},
                      .place = 2};
    if (dimension != 2) {
        info.columns = 3;
        info.table_columns = {"omega_x", "omega_y", "omega_z"};
    }
    return {info,
            [](const FlowReader& r) {
                return vorticity_at_nodes(r.domain.mesh.mesh, r.domain.geometry,
                                          r.all.values("velocity"));
            },
            {},
            exists_always,
            [](const FlowReader& r) {
                return Quantities::AtPoint{
                    [&solver = r.solver, &domain = r.domain](const Quantities::Weights& weights) {
                        return solver.watch_velocity(
                            vorticity_shares(domain.mesh.mesh, domain.geometry, weights),
                            domain.dimension == 2 ? 1 : 3);
                    },
                    [&solver = r.solver](int which) { return solver.watched_velocity(which); }};
            }};
}

FlowQuantity q_criterion() {
    return {{.name = "q_criterion",
             .unit = "1/s²",
             .help = "half of the squared rotation less that of the rate of strain: positive in "
                     "vortices",
             .in_files = true,
             .is_drawn = true},
            [](const FlowReader& r) {
                return q_criterion_at_nodes(r.domain.mesh.mesh, r.domain.geometry,
                                            r.all.values("velocity"));
            }};
}

FlowQuantity pressure() {
    return {{.name = "pressure",
             .unit = "Pa",
             .help = "pressure, with collocated momentum; it costs a solve",
             .in_files = true,
             .is_drawn = true,
             .table_columns = {"p"},
             .place = 1},
            [](const FlowReader& r) {
                Values values = r.solver.node_pressure();
                for (double& p : values) p *= r.flow.fluid.density;
                return values;
            },
            {},
            [](const FlowSolver& solver) { return solver.has_pressure(); },
            [](const FlowReader& r) {
                return Quantities::AtPoint{
                    [&solver = r.solver](const Quantities::Weights& weights) {
                        std::vector<EntityShare> shares;
                        for (const auto& [node, weight] : weights)
                            shares.push_back({0, node, weight});
                        return solver.watch_pressure(shares);
                    },
                    [&solver = r.solver, density = r.flow.fluid.density](int which) {
                        return std::vector{density * solver.watched_pressure(which)};
                    }};
            }};
}

FlowQuantity stream_function() {
    return {{.name = "stream_function",
             .unit = "m²/s",
             .help = "stream function, in 2D; its isolines are streamlines",
             .in_files = true,
             .is_drawn = true,
             .note = "2D"},
            [](const FlowReader& r) { return r.solver.stream_function(); }};
}

FlowQuantity cell_velocity() {
    return {{.name = "velocity",
             .of = Of::cells,
             .columns = 3,
             .unit = "m/s",
             .help = "velocity of the cell, as the solver has it",
             .in_files = true},
            [](const FlowReader& r) {
                return with_three_columns(r.solver.cell_velocity(), r.domain.dimension);
            }};
}

// ---- scalar i

FlowQuantity scalar(int i, const std::string& name) {
    return {{.name = name,
             .unit = "its own",
             .help = "the scalar",
             .in_files = true,
             .is_drawn = true,
             .table_columns = {name},
             .place = 3},
            [i](const FlowReader& r) { return r.solver.node_scalar(i); },
            [i](const FlowReader& r) {
                const ConvectionScheme& scheme = convection_scheme(r.flow.scalars[i].convection);
                return Quantities::Interpolation{
                    .is_parabolic = scheme.is_parabolic(),
                    .is_bounded = scheme.keeps_range(),
                    .parts = [&solver = r.solver, i] { return solver.scalar_parts(i); }};
            }};
}

FlowQuantity cell_scalar(int i, const std::string& name) {
    return {{.name = name,
             .of = Of::cells,
             .unit = "its own",
             .help = "the scalar of the cell",
             .in_files = true},
            [i](const FlowReader& r) { return r.solver.cell_scalar(i); }};
}

FlowQuantity diffused_scalar(int i, const std::string& name) {
    return {{.name = name,
             .of = Of::boundaries,
             .unit = "its own times m³/s, in 2D m²/s",
             .help = "what diffuses into the domain there"},
            [i](const FlowReader& r) { return r.solver.scalar_diffused_in(i); }};
}

// ---- on boundaries

FlowQuantity inflow() {
    return {{.name = "inflow",
             .of = Of::boundaries,
             .unit = "m³/s, in 2D m²/s",
             .help = "what flows into the domain there"},
            [](const FlowReader& r) { return r.solver.boundary_inflow(); }};
}

constexpr std::array<Vec3 BoundaryForce::*, 5> parts_of_force{
    &BoundaryForce::pressure, &BoundaryForce::friction, &BoundaryForce::moment,
    &BoundaryForce::weak, &BoundaryForce::weak_moment};
constexpr int columns_of_force = 3 * parts_of_force.size();

FlowQuantity force() {
    return {{.name = "force",
             .of = Of::boundaries,
             .columns = columns_of_force,
             .unit = "m⁴/s² by density, in 2D m³/s²",
             .help = "force of the fluid: pressure, friction, their moment, the weak form's force "
                     "and moment; it costs a solve for the pressure unless it is asked for at each "
                     "step"},
            [](const FlowReader& r) {
                const std::vector<BoundaryForce> forces =
                    r.all.is_asked("force", Of::boundaries)
                        ? r.solver.watched_forces(r.all.asked_of("force"))
                        : r.solver.boundary_forces();
                Values values;
                for (const auto part : parts_of_force)
                    for (int k = 0; k < 3; ++k)
                        for (const BoundaryForce& f : forces) values.push_back((f.*part)[k]);
                return values;
            },
            {},
            [](const FlowSolver& solver) { return solver.has_pressure(); }};
}

FlowQuantity force_strength() {
    return {
        {.name = "force_strength",
         .of = Of::boundaries,
         .unit = "m⁴/s² by density, in 2D m³/s²",
         .help = "sum of the magnitudes of the surface's forces, of the pressure less its mean; "
                 "it costs a solve for the pressure"},
        [](const FlowReader& r) {
            Values values;
            for (const BoundaryForce& f : r.solver.boundary_forces()) values.push_back(f.strength);
            return values;
        },
        {},
        [](const FlowSolver& solver) { return solver.has_pressure(); }};
}

// ---- numbers

FlowQuantity kinetic_energy() {
    return {{.name = "kinetic_energy",
             .of = Of::number,
             .unit = "m⁵/s², in 2D m⁴/s²",
             .help = "half the integral of the squared velocity",
             .table_columns = {"kinetic_energy"}},
            [](const FlowReader& r) { return numbers({r.solver.kinetic_energy()}); }};
}

FlowQuantity gradient_integrals() {
    return {{.name = "gradient_integrals",
             .of = Of::number,
             .columns = 2,
             .unit = "m³/s², m⁵/s³, in 2D m²/s², m⁴/s³",
             .help = "half the integral of the squared vorticity, and the dissipation by friction",
             .table_columns = {"enstrophy", "dissipation"}},
            [](const FlowReader& r) {
                const GradientIntegrals g = r.solver.gradient_integrals();
                return numbers({g.enstrophy, g.dissipation});
            }};
}

FlowQuantity max_divergence() {
    return {{.name = "max_divergence",
             .of = Of::number,
             .unit = "1",
             .help = "largest net outflow of a cell over the largest flux through a face",
             .table_columns = {"max_divergence"}},
            [](const FlowReader& r) { return numbers({r.solver.max_divergence()}); }};
}

FlowQuantity rate_of_change() {
    return {{.name = "rate_of_change",
             .of = Of::number,
             .unit = "m/s²",
             .help = "largest change of a cell's velocity over the length of the step",
             .table_columns = {"rate_of_change"}},
            [](const FlowReader& r) { return numbers({r.solver.rate_of_change()}); }};
}

struct EnergyColumn {
    const char* name;
    double EnergyTerms::*value;
};
constexpr std::array<EnergyColumn, 9> energy_columns{
    {{"kinetic_energy", &EnergyTerms::kinetic_energy},
     {"rate", &EnergyTerms::rate},
     {"viscous", &EnergyTerms::viscous},
     {"convection", &EnergyTerms::convection},
     {"jump_penalty", &EnergyTerms::jump_penalty},
     {"coupling", &EnergyTerms::coupling},
     {"time_scheme", &EnergyTerms::time_scheme},
     {"boundary", &EnergyTerms::boundary},
     {"force", &EnergyTerms::force}}};

FlowQuantity energy_budget() {
    QuantityInfo info{.name = "energy_budget",
                      .of = Of::number,
                      .columns = energy_columns.size() + 1,
                      .unit = "m⁵/s³, in 2D m⁴/s³",
                      .help = "the terms of the budget of kinetic energy; it costs about a step"};
    for (const EnergyColumn& column : energy_columns) info.table_columns.push_back(column.name);
    info.table_columns.push_back("residual");
    return {info,
            [](const FlowReader& r) {
                const EnergyTerms e = r.solver.energy_terms();
                Values values;
                for (const EnergyColumn& column : energy_columns) values.push_back(e.*column.value);
                values.push_back(e.residual());
                return values;
            },
            {},
            [](const FlowSolver& solver) { return solver.has_energy_budget(); }};
}

}  // namespace

// In the order of the arrays of files.
std::vector<FlowQuantity> flow_quantities(const FlowCase* flow, int dimension) {
    std::vector<FlowQuantity> all{speed(), velocity(), vorticity(dimension), q_criterion(),
                                  pressure()};
    if (dimension != 3) all.push_back(stream_function());
    all.push_back(cell_velocity());
    for (int i = 0; flow && i < static_cast<int>(flow->scalars.size()); ++i)
        for (const auto make : {scalar, cell_scalar, diffused_scalar})
            all.push_back(make(i, flow->scalars[i].name));
    for (const auto make : {inflow, force, force_strength, kinetic_energy, gradient_integrals,
                            max_divergence, rate_of_change, energy_budget})
        all.push_back(make());
    return all;
}

void add_quantities(const FlowReader& reader) {
    for (const FlowQuantity& q : flow_quantities(&reader.flow, reader.domain.dimension))
        if (q.exists(reader.solver))
            reader.all.add(
                q.info, [reader, compute = q.compute] { return compute(reader); },
                q.interpolation ? q.interpolation(reader) : Quantities::Interpolation(),
                q.at_point ? q.at_point(reader) : Quantities::AtPoint());
}

std::vector<BoundaryForce> forces_of(const std::vector<double>& values) {
    const std::size_t boundaries = values.size() / columns_of_force;
    std::vector<BoundaryForce> forces(boundaries);
    for (std::size_t b = 0; b < boundaries; ++b) {
        std::size_t column = 0;
        for (const auto part : parts_of_force)
            for (int k = 0; k < 3; ++k) (forces[b].*part)[k] = values[column++ * boundaries + b];
    }
    return forces;
}

GradientIntegrals gradient_integrals_of(const std::vector<double>& values) {
    return {values[0], values[1]};
}

EnergyTerms energy_terms_of(const std::vector<double>& values) {
    EnergyTerms e;
    for (std::size_t k = 0; k < energy_columns.size(); ++k) e.*energy_columns[k].value = values[k];
    return e;
}

}  // namespace solenoid
