// Flows on meshes made for a test, and what their errors say.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <optional>

#include "flow/make_flow_solver.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"

namespace solenoid::test {

inline FlowSolvers tight() {
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance =
        1e-11;
    return solvers;
}

// The mesh with its nodes moved by a map that keeps orientation.
inline SimplexMesh moved(SimplexMesh mesh, const std::function<Vec3(const Vec3&)>& map) {
    for (Vec3& x : mesh.points) x = map(x);
    return mesh;
}

// The unit square or cube with its least corner at `low` and sides of length `size`.
inline SimplexMesh placed(SimplexMesh mesh, const Vec3& low, double size) {
    return moved(std::move(mesh), [&](const Vec3& x) { return low + size * x; });
}

// The mesh and its mirror image behind the plane that `group` lies in, x[axis] = at, joined there.
// Cells of the image follow those of the mesh; its groups bear the same names, but for "far",
// opposite the plane.
inline SimplexMesh with_mirror_image(const SimplexMesh& mesh, int axis, double at,
                                     const std::string& group, const std::string& opposite) {
    SimplexMesh both = mesh;
    std::vector<Index> image(mesh.points.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = static_cast<Index>(i);
        if (std::abs(mesh.points[i][axis] - at) < 1e-9) continue;
        image[i] = static_cast<Index>(both.points.size());
        both.points.push_back(mesh.points[i]);
        both.points.back()[axis] = 2 * at - mesh.points[i][axis];
    }
    const int corners = mesh.dimension + 1;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (int j = 0; j < corners; ++j) both.cells.push_back(image[mesh.cell(c)[j]]);
        std::swap(both.cells.end()[-1], both.cells.end()[-2]);
        both.cell_region.push_back(mesh.cell_region[c]);
    }
    both.sides.clear();
    both.side_group.clear();
    both.boundaries.push_back("far");
    const auto add = [&](const Index* side, bool is_image, std::size_t group_number) {
        for (int j = 0; j < mesh.dimension; ++j)
            both.sides.push_back(is_image ? image[side[j]] : side[j]);
        both.side_group.push_back(static_cast<std::uint16_t>(group_number));
    };
    for (std::size_t s = 0; s < mesh.side_count(); ++s) {
        const std::string& name = mesh.boundaries[mesh.side_group[s]];
        if (name == group) continue;
        add(mesh.side(s), false, mesh.side_group[s]);
        add(mesh.side(s), true, name == opposite ? both.boundaries.size() - 1 : mesh.side_group[s]);
    }
    both.boundaries[std::find(both.boundaries.begin(), both.boundaries.end(), group) -
                    both.boundaries.begin()] = "nowhere";
    return both;
}

// The same condition on every side of a mesh.
inline std::vector<FlowBoundary> on_every_side(const SimplexMesh& mesh, const std::string& type,
                                               const VectorFormula& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const std::string& name : mesh.boundaries)
        boundaries.push_back(boundary(name, type, velocity));
    return boundaries;
}

// The velocity on every side but "xmax", where the flow leaves.
inline std::vector<FlowBoundary> open_at_the_end(const SimplexMesh& mesh,
                                                 const VectorFormula& velocity) {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries)
        all.push_back(name == "xmax" ? boundary(name, "outflow")
                                     : boundary(name, "inflow", velocity));
    return all;
}

inline FlowSettings by_method(const std::string& method) {
    FlowSettings settings;
    settings.method = method;
    return settings;
}

template <class Real = double>
struct Flow {
    Flow(const SimplexMesh& whole, const Formula& viscosity,
         const std::vector<FlowBoundary>& boundaries, const VectorFormula& initial,
         const FlowSolvers& solvers = tight(), const std::string& device_name = "cpu",
         const FlowSettings& settings = {},
         const Communicator& communicator = Communicator::world(),
         const Formula& pressure = Formula(0.0), std::shared_ptr<const ViscosityLaw> law = nullptr,
         double step_tolerance = 1e-3)
        : comm(communicator),
          device(make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          made(make_flow_solver<Real>(domain, {.fluid = {viscosity, 1, Vec3(0), {}, law},
                                               .flow = settings,
                                               .boundaries = boundaries,
                                               .initial_velocity = initial,
                                               .solvers = solvers,
                                               .initial_pressure = pressure,
                                               .step_tolerance = step_tolerance})),
          solver(*made) {}

    void run(int steps, double length) {
        for (int n = 0; n < steps; ++n) solver.step(length);
    }

    // Relative root mean square of the cell velocities' error, over the cells whose centroid is
    // chosen.
    double error(const VectorFormula& exact) {
        const auto u = solver.cell_velocity();
        const Geometry& g = domain.geometry;
        const std::size_t n = mesh.range(Kind::cell).all;
        double square = 0, size = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k) {
                const double e = exact[k](g.cell_centroid[c], solver.time());
                square += g.cell_volume[c] * (u[k * n + c] - e) * (u[k * n + c] - e);
                size += g.cell_volume[c] * e * e;
            }
        return std::sqrt(comm.sum(square) / comm.sum(size));
    }

    // Relative root mean square of the node velocities' error.
    double node_error(const VectorFormula& exact) {
        const auto u = solver.node_velocity();
        const std::size_t n = mesh.range(Kind::node).all;
        double square = 0, size = 0;
        for (Index i = 0; i < mesh.range(Kind::node).owned; ++i)
            for (int k = 0; k < mesh.mesh.dimension; ++k) {
                const double e = exact[k](mesh.mesh.points[i], solver.time());
                square += (u[k * n + i] - e) * (u[k * n + i] - e);
                size += e * e;
            }
        return std::sqrt(comm.sum(square) / comm.sum(size));
    }

    // By number in the whole mesh, three components a cell; the same on every rank.
    std::vector<Vec3> velocities() {
        const auto u = solver.cell_velocity();
        const std::size_t n = mesh.range(Kind::cell).all;
        std::vector<double> all(3 * comm.sum(std::int64_t(mesh.range(Kind::cell).owned)), 0.0);
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k)
                all[3 * mesh.mesh.cell_number[c] + k] = u[k * n + c];
        comm.sum(std::span<double>(all));
        std::vector<Vec3> result(all.size() / 3);
        for (std::size_t c = 0; c < result.size(); ++c)
            result[c] = {all[3 * c], all[3 * c + 1], all[3 * c + 2]};
        return result;
    }

    BoundaryForce force_on(const std::string& boundary) {
        const auto& names = mesh.mesh.boundaries;
        return solver
            .boundary_forces()[std::find(names.begin(), names.end(), boundary) - names.begin()];
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> made;
    FlowSolver& solver;
};

// Of the differences of two fields.
inline double root_mean_square(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += glm::dot(a[c] - b[c], a[c] - b[c]);
    return std::sqrt(sum / a.size());
}

// Round-off where the flux is a curl, else what the pressure solve may leave.
template <class Real>
double largest_divergence(const std::string& method, const FlowSolvers& solvers) {
    return method == "exact" ? (sizeof(Real) == 8 ? 1e-13 : 1e-5) : *solvers.pressure.tolerance;
}

// One line of a study, printed by the root.
template <class... T>
void tell(const char* format, T... values) {
    if (Communicator::world().is_root()) printf(format, values...);
}

inline double observed_order(double coarse, double fine, double cells_coarse, double cells_fine,
                             int dimension) {
    return dimension * std::log(coarse / fine) / std::log(cells_fine / cells_coarse);
}

}  // namespace solenoid::test
