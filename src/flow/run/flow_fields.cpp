#include "flow/run/flow_fields.hpp"

#include <cmath>

#include "flow/convection/convection_scheme.hpp"
#include "flow/diagnostics/vorticity.hpp"

namespace solenoid {
namespace {

std::vector<double> with_three_columns(std::vector<double> vectors, int columns) {
    vectors.resize(vectors.size() / columns * 3, 0.0);
    return vectors;
}

}  // namespace

std::vector<double> magnitudes(std::span<const double> vectors, int columns) {
    const std::size_t n = vectors.size() / columns;
    std::vector<double> lengths(n);
    for (std::size_t i = 0; i < n; ++i) {
        double square = 0;
        for (int k = 0; k < columns; ++k) square += vectors[k * n + i] * vectors[k * n + i];
        lengths[i] = std::sqrt(square);
    }
    return lengths;
}

FlowFields::FlowFields(FlowSolver& solver, const Domain& domain, const FlowCase& flow)
    : time_(solver.time()),
      dimension_(domain.dimension),
      is_parabolic_(convection_scheme(flow.flow.convection).is_parabolic()),
      node_velocity_(with_three_columns(solver.node_velocity(), dimension_)),
      cell_velocity_(with_three_columns(solver.cell_velocity(), dimension_)),
      pressure_(solver.node_pressure()),
      vorticity_(vorticity_at_nodes(domain.mesh.mesh, domain.geometry, node_velocity_)),
      q_criterion_(q_criterion_at_nodes(domain.mesh.mesh, domain.geometry, node_velocity_)),
      velocity_parts_(solver.velocity_parts()) {
    for (double& p : pressure_) p *= flow.fluid.density;
    const auto& scalars = flow.scalars;
    if (dimension_ == 2) stream_function_ = solver.stream_function();
    for (int i = 0; i < static_cast<int>(scalars.size()); ++i)
        scalars_.push_back({scalars[i].name, scalars[i].convection, solver.node_scalar(i),
                            solver.cell_scalar(i), solver.scalar_parts(i)});
}

std::span<const double> FlowFields::component(int k) const {
    const std::size_t n = node_velocity_.size() / 3;
    return std::span(node_velocity_).subspan(k * n, n);
}

RunState FlowFields::state() const {
    const int vorticity_columns = dimension_ == 2 ? 1 : 3;
    RunState state;
    state.time = time_;
    state.points = {{"velocity", node_velocity_, 3},
                    {"vorticity", vorticity_, vorticity_columns},
                    {"q_criterion", q_criterion_, 1}};
    if (!pressure_.empty()) state.points.push_back({"pressure", pressure_, 1});
    if (dimension_ == 2) state.points.push_back({"stream_function", stream_function_, 1});
    state.cells = {{"velocity", cell_velocity_, 3}};
    for (int k = 0; k < 3; ++k)
        state.monitored.push_back(
            {std::string(1, "uvw"[k]), component(k), 1, is_parabolic_, false, velocity_parts_});
    if (!pressure_.empty()) state.monitored.push_back({"p", pressure_, 1});
    state.monitored.push_back({"omega", vorticity_, vorticity_columns});
    for (const Scalar& s : scalars_) {
        state.points.push_back({s.name, s.nodes, 1});
        state.cells.push_back({s.name, s.cells, 1});
        state.monitored.push_back({s.name, s.nodes, 1,
                                   convection_scheme(s.convection).is_parabolic(),
                                   convection_scheme(s.convection).keeps_range(), s.parts});
    }
    return state;
}

std::vector<double> FlowFields::pictured(const std::string& field) const {
    if (field == "speed") return magnitudes(node_velocity_, 3);
    if (field == "pressure") return pressure_;
    if (field == "stream_function") return stream_function_;
    if (field == "q_criterion") return q_criterion_;
    for (const Scalar& s : scalars_)
        if (s.name == field) return s.nodes;
    return dimension_ == 2 ? vorticity_ : magnitudes(vorticity_, 3);
}

FlowCellFields::FlowCellFields(FlowSolver& solver, int dimension, const FlowCase& flow)
    : time_(solver.time()), velocity_(with_three_columns(solver.cell_velocity(), dimension)) {
    for (std::size_t i = 0; i < flow.scalars.size(); ++i)
        scalars_.emplace_back(flow.scalars[i].name, solver.cell_scalar(static_cast<int>(i)));
}

RunState FlowCellFields::state() const {
    RunState state;
    state.time = time_;
    state.cells = {{"velocity", velocity_, 3}};
    for (const auto& [name, values] : scalars_) state.cells.push_back({name, values, 1});
    return state;
}

}  // namespace solenoid
