#include "physics/flow_solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "device/kernels.hpp"
#include "physics/flow_boundaries.hpp"
#include "physics/stream_function.hpp"
#include "solvers/difference_matrix.hpp"

namespace solenoid {
namespace {

template <class Real>
Buffer<Real> uploaded(Device& device, const std::vector<double>& values, int columns = 1) {
    const std::vector<Real> rounded(values.begin(), values.end());
    return device.buffer<Real>(std::span<const Real>(rounded), columns);
}

Buffer<std::uint32_t> uploaded_table(Device& device, const Table& table, std::size_t rows) {
    std::vector<std::uint32_t> values(rows * table.width);
    for (std::size_t i = 0; i < rows; ++i)
        for (int j = 0; j < table.width; ++j) values[j * rows + i] = table(i, j);
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), table.width);
}

// Vectors, `slots` an entity, as columns with the component fastest.
template <class Real>
Buffer<Real> uploaded_vectors(Device& device, const std::vector<Vec3>& vectors, std::size_t count, int slots, int dimension) {
    std::vector<double> values(count * slots * dimension);
    for (std::size_t i = 0; i < count; ++i)
        for (int j = 0; j < slots; ++j)
            for (int k = 0; k < dimension; ++k) values[(std::size_t(j) * dimension + k) * count + i] = vectors[i * slots + j][k];
    return uploaded<Real>(device, values, slots * dimension);
}

// How fast a flux forgets by what it differed from the interpolated velocity, in throughputs of a cell.
constexpr double lag_fade = 1;

// Neighbours through faces and what they conduct: the implicit part of diffusion, nu A / (d . n) a face.
struct CellDiffusion {
    Rows neighbours;
    std::vector<double> weights;
    std::vector<double> to_boundary;  // a cell's sum over its boundary faces
};
CellDiffusion cell_diffusion(const DistributedMesh& mesh, const FaceCoefficients& c, double viscosity) {
    const Mesh& m = mesh.mesh;
    CellDiffusion result;
    result.to_boundary.assign(mesh.range(Kind::cell).owned, 0.0);
    for (Index cell = 0; cell < mesh.range(Kind::cell).owned; ++cell) {
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(cell, j));
            const Index other = m.face_cells(f, 0) == cell ? m.face_cells(f, 1) : m.face_cells(f, 0);
            const double weight = viscosity * c.conduction[f];
            if (other == none) {
                result.to_boundary[cell] += weight;
                continue;
            }
            result.neighbours.index.push_back(other);
            result.weights.push_back(weight);
        }
        result.neighbours.start.push_back(static_cast<Index>(result.neighbours.index.size()));
    }
    return result;
}

}  // namespace

// The state between steps and the discretisation. In time: BDF2 with extrapolated transport, pressure-increment form,
// the step free to vary: (a u' - (1 + w) u + w^2 / (1 + w) u_before) / dt, w = dt / dt_before, a = (1 + 2 w) / (1 + w).
template <class Real>
struct FlowSolver<Real>::State {
    State(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FluidSettings& fluid,
          const std::vector<FlowBoundarySettings>& boundary_settings, const FlowSolvers& solvers)
        : comm(comm),
          device(device),
          mesh(mesh),
          d(mesh.mesh.dimension),
          cells(mesh.range(Kind::cell)),
          faces(mesh.range(Kind::face)),
          nodes(mesh.range(Kind::node)),
          g(geometry(mesh.mesh)),
          boundaries(comm, mesh, g, boundary_settings),
          operators(comm, device, mesh),
          stream(comm, device, mesh, operators, boundaries.prescribed(), settings_of(solvers.stream_function)),
          momentum_settings(settings_of(solvers.momentum)),
          viscosity(fluid.viscosity),
          coefficients(face_coefficients(mesh, g, boundaries.faces())),
          diffusion(cell_diffusion(mesh, coefficients, viscosity)),
          matrix(comm, device, cells, mesh.halo(Kind::cell), diffusion.neighbours, diffusion.weights),
          cg(comm, device, matrix) {
        put_coefficients();
        make_fields();
    }

    static CgSettings settings_of(const SolverSettings& s) {
        return {s.tolerance.value_or(std::is_same_v<Real, double> ? 1e-6 : 1e-4), s.max_iterations};
    }

    void put_coefficients() {
        const std::size_t n = faces.shared;
        face_cells = uploaded_table(device, coefficients.cells, n);
        face_nodes = uploaded_table(device, mesh.mesh.face_nodes, n);
        cell_faces = uploaded_table(device, mesh.mesh.cell_faces, cells.owned);
        theta = uploaded<Real>(device, coefficients.theta);
        skew = uploaded<Real>(device, coefficients.skew, d - 1);
        cross = uploaded<Real>(device, coefficients.cross, d - 1);
        std::vector<double> distance(n), size(n);
        for (Index f = 0; f < n; ++f) {
            const Index left = mesh.mesh.face_cells(f, 0), right = mesh.mesh.face_cells(f, 1);
            const Vec3 a = left == none ? g.face_centroid[f] : g.cell_centroid[left], b = right == none ? g.face_centroid[f] : g.cell_centroid[right];
            distance[f] = glm::length(b - a);
            size[f] = glm::length(g.face_area[f]);
        }
        spacing = uploaded<Real>(device, distance);
        face_size = uploaded<Real>(device, size);
        cell_nodes = uploaded_table(device, mesh.mesh.cell_nodes, cells.owned);
        area = uploaded_vectors<Real>(device, g.face_area, n, 1, d);
        volume = uploaded<Real>(device, {g.cell_volume.begin(), g.cell_volume.begin() + cells.owned});
        reconstruct_from = uploaded_vectors<Real>(device, reconstruction_vectors(mesh, g), cells.owned, d + 1, d);
        const NodeWeights weights = node_weights(mesh, g);
        node_cells = SlicedRows(device, weights.cells);
        node_weight = RowLayout(weights.cells, device.row_stride()).template upload<Real>(device, std::span<const double>(weights.weights));
        coefficients.theta = coefficients.skew = coefficients.cross = {};
        total_volume = 0;
        for (Index c = 0; c < cells.owned; ++c) total_volume += g.cell_volume[c];
        total_volume = comm.sum(total_volume);
    }

    void make_fields() {
        const BoundaryFaces& b = boundaries.faces();
        const Index lengthened = cells.all + static_cast<Index>(b.faces.size());
        for (auto* field : {&u, &u_before, &star, &q_long, &defect}) *field = device.buffer<Real>(lengthened, d);
        for (auto* field : {&n_now, &n_before, &q, &q_before, &rhs, &wall}) *field = device.buffer<Real>(cells.all, d);
        for (auto* field : {&x, &b_k, &inverse, &discarded}) *field = device.buffer<Real>(cells.all);
        t = device.buffer<Real>(nodes.all, d);
        for (auto* field : {&flux, &flux_star, &flux_q, &gradient, &lag, &lag_before}) *field = device.buffer<Real>(faces.all);
        transport = device.buffer<Real>(faces.all, d);
        std::vector<std::uint32_t> entries(b.faces.size());
        for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = b.first + static_cast<Index>(k);
        face_entry = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(entries));
        face_value = device.buffer<Real>(face_entry.size(), d);
        boundary_face = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(b.faces));
        boundary_transport = device.buffer<Real>(face_entry.size(), d);
        boundary_weight = uploaded<Real>(device, boundary_weights(mesh, g, b), d + 1);
        Table inside(b.faces.size(), d + 1);
        for (std::size_t k = 0; k < b.faces.size(); ++k)
            for (int j = 0; j <= d; ++j) inside(k, j) = mesh.mesh.cell_nodes(b.cells[k], j);
        boundary_cell_nodes = uploaded_table(device, inside, b.faces.size());
        node_entry = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(boundaries.nodes()));
        node_value = device.buffer<Real>(node_entry.size(), d);
        const auto& traced = stream.trace().faces();
        const std::vector<Index> marked(traced.begin(), traced.begin() + stream.trace().face_ranges().shared);
        flux_entry = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(marked));
        flux_value = device.buffer<Real>(flux_entry.size());
        std::vector<double> identity(std::size_t(d) * d, 0.0);
        for (int k = 0; k < d; ++k) identity[k * d + k] = 1;
        unit = uploaded<Real>(device, identity, d);
        ones = uploaded<Real>(device, std::vector<double>(cells.owned, 1.0));
    }

    // ---- boundary values at a time

    void see(double when) {
        if (seen && !boundaries.depends_on_time()) return;
        seen = true;
        std::vector<double> at_faces, at_nodes;
        comm.agree([&] {
            at_faces = boundaries.face_velocity(when);
            at_nodes = boundaries.node_velocity(when);
        });
        face_value.upload(std::vector<Real>(at_faces.begin(), at_faces.end()));
        node_value.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
        const auto& traced = stream.trace().faces();
        std::vector<double> through = boundaries.flux(traced, stream.trace().face_ranges().owned, when);
        stream.prescribe(through);
        through.resize(flux_entry.size());
        flux_value.upload(std::vector<Real>(through.begin(), through.end()));
        set_wall_diffusion(at_faces);
    }

    // What the boundary values diffuse into their cells: nu A / (d . n) u_b, summed over a cell's boundary faces.
    void set_wall_diffusion(const std::vector<double>& at_faces) {
        const BoundaryFaces& b = boundaries.faces();
        const std::size_t count = b.faces.size();
        std::vector<Real> values(std::size_t(cells.all) * d, Real(0));
        for (std::size_t k = 0; k < count; ++k) {
            if (b.cells[k] >= cells.owned) continue;
            for (int j = 0; j < d; ++j)
                values[std::size_t(j) * cells.all + b.cells[k]] += static_cast<Real>(viscosity * coefficients.conduction[b.faces[k]] * at_faces[j * count + k]);
        }
        wall.upload(values);
    }

    void hold_boundary_values(Buffer<Real>& field) {
        if (face_entry.size()) device.scatter(face_value, face_entry, field);
    }

    // ---- pieces of a step

    // Node values of a velocity, whose ghosts are filled on the way; given ones on the boundary.
    void to_nodes(Buffer<Real>& field, Buffer<Real>& at_nodes) {
        const kernels::NodeInterpolation<Real> kernel{d, node_cells.rows, node_cells.index, node_weight, field, at_nodes};
        auto ghosts = operators.halo(Kind::cell, d).start(field);
        if (nodes.interior) kernel.run(device, nodes.inside());
        ghosts.finish();
        if (nodes.shared > nodes.interior) kernel.run(device, {nodes.interior, nodes.shared});
        if (node_entry.size()) device.scatter(node_value, node_entry, at_nodes);
    }

    void to_faces(const Buffer<Real>& field, const Buffer<Real>& at_nodes, Buffer<Real>& out) {
        kernels::FaceInterpolation<Real>{d, face_cells, face_nodes, theta, skew, area, field, at_nodes, out}.run(device, {0, faces.shared});
    }

    // n_now = what transport without implicit diffusion brings into the cells, from u and flux.
    void transport_now() {
        to_nodes(u, t);
        kernels::CellDefect<Real>{d, cell_nodes, u, t, defect}.run(device, cells.marked());
        operators.halo(Kind::cell, d).exchange(defect);
        const auto nu = static_cast<Real>(viscosity);
        kernels::FaceTransport<Real>{d, face_cells, face_nodes, cross, flux, defect, t, transport, nu}.run(device, {0, faces.shared});
        if (face_entry.size()) {
            kernels::BoundaryTransport<Real>{d, boundary_face, boundary_cell_nodes, boundary_weight, flux, face_value, t, boundary_transport, nu}.run(device, {0, face_entry.size()});
            device.scatter(boundary_transport, boundary_face, transport);
        }
        kernels::TransportSum<Real>{d, cell_faces, transport, n_now}.run(device, cells.marked());
        to_faces(u, t, flux_q);
        kernels::Difference<Real>{flux, flux_q, lag, Real(1)}.run(device, {0, faces.shared});
    }

    void axpby(double a, const Buffer<Real>& from, double b, Buffer<Real>& to) {
        kernels::VectorAxpby<Real>{d, from, to, static_cast<Real>(a), static_cast<Real>(b)}.run(device, cells.marked());
    }

    // (a / dt V + diffusion) star = rhs, a component after the other, from the guess in star.
    void solve_momentum(double a_over_dt, double when) {
        if (a_over_dt != matrix_of) {
            std::vector<Real> shift(cells.owned);
            for (Index c = 0; c < cells.owned; ++c) shift[c] = static_cast<Real>(a_over_dt * g.cell_volume[c] + diffusion.to_boundary[c]);
            matrix.shift().upload(shift);
            matrix_of = a_over_dt;
            kernels::StageDiagonal<Real>{ones, matrix.shift(), matrix.diagonal(), ones, discarded, inverse, Real(0)}.run(device, cells.marked());
        }
        for (int k = 0; k < d; ++k) {
            const auto component = static_cast<std::uint32_t>(k);
            kernels::Component<Real>{d, unit, rhs, b_k, component}.run(device, cells.marked());
            kernels::Component<Real>{d, unit, star, x, component}.run(device, cells.marked());
            const SolveReport report = cg.solve(inverse, b_k, x, momentum_settings);
            momentum_solves.add(report);
            comm.agree([&] {
                if (!report.converged())
                    throw ComputationError(fmt::format("momentum at t = {:.6g} s: {}; or take a smaller time.step", when, report.explanation()));
            });
            kernels::SetComponent<Real>{d, unit, x, star, component}.run(device, cells.marked());
        }
    }

    void project(double when) {
        if (flux_entry.size()) device.scatter(flux_value, flux_entry, flux_star);
        const SolveReport report = stream.project(flux_star, flux);
        stream_solves.add(report);
        comm.agree([&] {
            if (!report.converged())
                throw ComputationError(fmt::format("stream function at t = {:.6g} s: {}; or take a smaller time.step", when, report.explanation()));
        });
    }

    // star -> u: flux, the face gradient and the cell gradient follow. s = dt / a.
    void correct(double s, double c1, double c2, double when) {
        hold_boundary_values(star);
        to_nodes(star, t);
        to_faces(star, t, flux_star);
        axpby(1, q, 0, q_long);
        operators.halo(Kind::cell, d).exchange(q_long);
        kernels::FaceMeanFlux<Real>{d, face_cells, theta, area, q_long, flux_q}.run(device, {0, faces.shared});
        const Range all{0, faces.shared};
        kernels::FluxLag<Real>{spacing, face_size, flux, lag, lag_before, flux_q, gradient, flux_star, static_cast<Real>(s * c1), static_cast<Real>(s * c2),
                               static_cast<Real>(s), Real(lag_fade), static_cast<Real>(viscosity)}.run(device, all);
        project(when);
        kernels::Difference<Real>{flux_star, flux, gradient, static_cast<Real>(1 / s)}.run(device, all);
        device.copy(q, q_before);
        kernels::Reconstruction<Real>{d, cell_faces, reconstruct_from, gradient, q}.run(device, cells.marked());
        device.copy(star, u);
        axpby(-s, q, 1, u);
        axpby(s, q_before, 1, u);
        hold_boundary_values(u);
    }

    // One step from (u, u_before) to u with the step ratio w; w = 0: Euler's step.
    void advance(double dt, double w) {
        const double a = (1 + 2 * w) / (1 + w), s = dt / a, when = time + dt;
        transport_now();
        see(when);
        kernels::MomentumRhs<Real>{d, volume, u, u_before, q, n_now, n_before, wall, rhs, static_cast<Real>((1 + w) / dt),
                                   static_cast<Real>(-w * w / (1 + w) / dt), static_cast<Real>(1 + w), static_cast<Real>(-w)}.run(device, cells.marked());
        device.copy(u, star);
        solve_momentum(a / dt, when);
        device.copy(u, u_before);
        device.copy(n_now, n_before);
        correct(s, (1 + w) / dt, -w * w / (1 + w) / dt, when);
        device.copy(lag, lag_before);
        time = when;
        last_step = dt;
        check_finite();
    }

    void check_finite() {
        const auto local = cells.owned ? kernels::LargestSquare<Real>{d, u, u_before}.run(device, cells.marked())
                                       : typename kernels::LargestSquare<Real>::Result{0, 0};
        largest_change = std::sqrt(comm.max(local.difference));
        speed = std::sqrt(comm.max(local.size));
        if (std::isfinite(speed) && !comm.any(!std::isfinite(local.size))) return;
        const auto values = u.download();
        comm.agree([&] {
            for (Index c = 0; c < cells.owned; ++c)
                for (int k = 0; k < d; ++k)
                    if (!std::isfinite(values[std::size_t(k) * u.size() + c])) {
                        const Vec3& at = g.cell_centroid[c];
                        throw ComputationError(fmt::format("the velocity is no longer finite at t = {:.6g} s in cell {} at ({:.6g}, {:.6g}, {:.6g}): take a smaller time.step",
                                                           time, mesh.mesh.cell_number[c] + 1, at.x, at.y, at.z));
                    }
        });
        comm.agree([&] { throw ComputationError(fmt::format("the velocity is no longer finite at t = {:.6g} s: take a smaller time.step", time)); });
    }

    const Communicator& comm;
    Device& device;
    const DistributedMesh& mesh;
    const int d;
    const EntityRanges cells, faces, nodes;
    const Geometry g;
    FlowBoundaries boundaries;
    mutable Operators<Real> operators;
    StreamFunction<Real> stream;
    CgSettings momentum_settings;
    double viscosity;
    FaceCoefficients coefficients;
    CellDiffusion diffusion;
    DifferenceMatrix<Real> matrix;
    ConjugateGradients<Real> cg;

    Buffer<std::uint32_t> cell_nodes, boundary_face, boundary_cell_nodes, face_cells, face_nodes, cell_faces, face_entry, node_entry, flux_entry;
    SlicedRows node_cells;
    Buffer<Real> theta, skew, cross, spacing, face_size, area, volume, boundary_weight, reconstruct_from, node_weight, ones, unit;
    Buffer<Real> face_value, node_value, flux_value;       // given at the boundary now
    Buffer<Real> u, u_before, star, q_long, defect;        // cell vectors, boundary faces' values at their end
    Buffer<Real> n_now, n_before, q, q_before, rhs, wall;  // cell vectors
    Buffer<Real> x, b_k, inverse, discarded;               // cell scalars
    Buffer<Real> t;                                        // node vectors
    Buffer<Real> flux, flux_star, flux_q;                  // face scalars
    Buffer<Real> gradient;                                 // A dp/dn of the exact projection
    Buffer<Real> lag, lag_before;                          // U less the flux of the interpolated u, last two states
    Buffer<Real> transport, boundary_transport;            // face vectors; of the boundary faces listed
    SolveTotals stream_solves, momentum_solves;
    double time = 0, last_step = 0, matrix_of = -1, total_volume = 0, largest_change = 0, speed = 0;
    bool seen = false;
};

template <class Real>
FlowSolver<Real>::FlowSolver(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FluidSettings& fluid,
                             const FlowSettings&, const std::vector<FlowBoundarySettings>& boundaries, const VectorFormula& initial,
                             const FlowSolvers& solvers)
    : state_(std::make_unique<State>(comm, device, mesh, fluid, boundaries, solvers)) {
    State& s = *state_;
    std::vector<Real> values(std::size_t(s.star.size()) * s.d, Real(0));
    comm.agree([&] {
        for (Index c = 0; c < s.cells.owned; ++c)
            for (int k = 0; k < s.d; ++k) values[std::size_t(k) * s.star.size() + c] = static_cast<Real>(initial[k].finite_value(s.g.cell_centroid[c], 0));
    });
    s.star.upload(values);
    s.see(0);
    // The initial velocity is projected; what that takes away is no pressure.
    s.correct(1, 0, 0, 0);
    for (auto* field : {&s.q, &s.q_before}) kernels::VectorAxpby<Real>{s.d, s.u, *field, Real(0), Real(0)}.run(device, s.cells.marked());
    kernels::Fill<Real>{s.gradient, Real(0)}.run(device, {0, s.faces.all});
    s.check_finite();
}

template <class Real>
FlowSolver<Real>::~FlowSolver() = default;

template <class Real>
void FlowSolver<Real>::step(double dt) {
    State& s = *state_;
    if (s.last_step > 0) return s.advance(dt, dt / s.last_step);
    // The first step is made twice: the first time for the pressure that it starts with.
    auto u = s.device.template buffer<Real>(s.u.size(), s.d);
    auto flux = s.device.template buffer<Real>(s.flux.size());
    auto stream = s.device.template buffer<Real>(s.stream.s().size());
    s.device.copy(s.u, u);
    s.device.copy(s.flux, flux);
    s.device.copy(s.stream.s(), stream);
    s.advance(dt, 0);
    s.device.copy(u, s.u);
    s.device.copy(flux, s.flux);
    s.device.copy(stream, s.stream.s());
    s.time -= dt;
    s.seen = false;
    s.see(s.time);
    s.advance(dt, 0);
}

template <class Real>
double FlowSolver<Real>::time() const { return state_->time; }

template <class Real>
double FlowSolver<Real>::courant(double dt) const {
    State& s = *state_;
    const double rate = s.cells.owned ? kernels::CourantNumber<Real>{s.d, s.cell_faces, s.volume, s.flux}.run(s.device, s.cells.marked()).rate : 0;
    return dt * s.comm.max(rate);
}

template <class Real>
double FlowSolver<Real>::max_divergence() const {
    State& s = *state_;
    s.operators.divergence(s.flux, s.b_k);
    const double net = s.cells.owned ? kernels::LargestMagnitude<Real>{s.b_k}.run(s.device, s.cells.marked()).largest : 0;
    const double through = s.faces.owned ? kernels::LargestMagnitude<Real>{s.flux}.run(s.device, s.faces.marked()).largest : 0;
    const double largest = s.comm.max(through);
    return largest > 0 ? s.comm.max(net) / largest : 0;
}

template <class Real>
double FlowSolver<Real>::rate_of_change() const { return state_->last_step > 0 ? state_->largest_change / state_->last_step : 0; }

template <class Real>
double FlowSolver<Real>::largest_speed() const { return state_->speed; }

template <class Real>
double FlowSolver<Real>::kinetic_energy() const {
    State& s = *state_;
    return 0.5 * s.comm.sum(s.cells.owned ? kernels::KineticEnergy<Real>{s.d, s.volume, s.u}.run(s.device, s.cells.marked()).twice : 0.0);
}

template <class Real>
std::vector<double> FlowSolver<Real>::node_velocity() const {
    State& s = *state_;
    s.to_nodes(s.u, s.t);
    s.operators.halo(Kind::node, s.d).exchange(s.t);
    const auto values = s.t.download();
    return {values.begin(), values.end()};
}

template <class Real>
std::vector<double> FlowSolver<Real>::cell_velocity() const {
    State& s = *state_;
    s.operators.halo(Kind::cell, s.d).exchange(s.u);
    const auto values = s.u.download();
    std::vector<double> result;
    for (int k = 0; k < s.d; ++k) result.insert(result.end(), values.begin() + std::size_t(k) * s.u.size(), values.begin() + std::size_t(k) * s.u.size() + s.cells.all);
    return result;
}

template <class Real>
std::vector<double> FlowSolver<Real>::face_flux() const {
    State& s = *state_;
    s.operators.halo(Kind::face).exchange(s.flux);
    const auto values = s.flux.download();
    return {values.begin(), values.end()};
}

template <class Real>
std::vector<double> FlowSolver<Real>::stream_function() const {
    State& s = *state_;
    s.operators.halo(s.mesh.mesh.ridge_kind()).exchange(s.stream.s());
    const auto values = s.stream.s().download();
    return {values.begin(), values.end()};
}

// The curl of the linear interpolant of the node velocities, its mean over the cells round each node by volume.
template <class Real>
std::vector<double> FlowSolver<Real>::node_vorticity() const {
    const State& s = *state_;
    const Mesh& m = s.mesh.mesh;
    const auto velocity = node_velocity();
    const std::size_t n = m.nodes();
    std::vector<Vec3> sum(n, Vec3(0));
    std::vector<double> weight(n, 0.0);
    const Rows cells = cells_of(m, Kind::node);
    std::vector<Vec3> curl(m.cells(), Vec3(0));
    for (Index c = 0; c < m.cells(); ++c)
        for (int j = 0; j <= s.d; ++j) {
            const Index i = m.cell_nodes(c, j);
            const Vec3 u(velocity[i], velocity[n + i], s.d == 3 ? velocity[2 * n + i] : 0.0);
            curl[c] += glm::cross(opposite_area(m, c, j) / (-s.d * s.g.cell_volume[c]), u);
        }
    const int columns = s.d == 2 ? 1 : 3;
    std::vector<double> vorticity(n * columns, 0.0);
    for (Index i = 0; i < n; ++i) {
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c) {
            sum[i] += s.g.cell_volume[*c] * curl[*c];
            weight[i] += s.g.cell_volume[*c];
        }
        for (int k = 0; k < columns; ++k) vorticity[k * n + i] = weight[i] > 0 ? sum[i][s.d == 2 ? 2 : k] / weight[i] : 0;
    }
    return vorticity;
}

template <class Real>
const SolveTotals& FlowSolver<Real>::stream_function_solves() const { return state_->stream_solves; }

template <class Real>
const SolveTotals& FlowSolver<Real>::momentum_solves() const { return state_->momentum_solves; }

template <class Real>
std::size_t FlowSolver<Real>::halo_bytes() const {
    return state_->stream.halo_bytes() + state_->matrix.halo().bytes_sent();
}

template class FlowSolver<float>;
template class FlowSolver<double>;

}  // namespace solenoid
