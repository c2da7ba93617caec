#include "flow/projection/pressure_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/implicit_part.hpp"
#include "flow/discretization/slope_parts.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/settings/cg_settings.hpp"
#include "solvers/krylov/apply_inverse.hpp"
#include "solvers/krylov/bicgstab.hpp"

namespace solenoid {
namespace {

// number of corrections for full convergence: meshes of Gmsh need 8 to 20
constexpr int many_corrections = 50;
constexpr int further_corrections = 4;  // beyond those set by the user, while
// the lagged part leaves more than this fraction of the net outflow to be corrected
constexpr double slow = 0.5;
constexpr double most = 1.2;  // for implicit_factors()
// Of one descent with the whole of the gradient: the least part of the net outflow that it is to
// leave, since its residual is no longer the true one then, and its iterations.
constexpr double least_descent = 1e-6;
constexpr int most_iterations = 2000;

// Whether the whole of grad p is in the matrix: where corrections would hardly converge, in layers
// of triangles from an aspect of 12 on. Slivers amid good tets have a bound of up to 0.7: there the
// corrections serve, and the whole may have eigenvalues of either sign.
template <class Real>
bool is_whole(const CellStencil<Real>& stencil) {
    const double most = stencil.domain.dimension == 2 ? most_of_explicit_diffusion : 0.75;
    return stencil.explicit_diffusion_bound > most;
}

}  // namespace

// faces: face_coefficients() between two cells, 0 where the flux is given, a first-order difference
// to the given p at other boundary faces. cells: the matrix of the implicit part.
template <class Real>
struct PressureProjection<Real>::Coefficients {
    Coefficients(const DistributedMesh& mesh, const Geometry& geometry,
                 const FlowBoundaries& boundaries, const std::vector<double>& factors) {
        BoundaryFaces held = boundaries.faces();
        for (std::size_t k = 0; k < held.faces.size(); ++k)
            held.conductance_factor[k] = boundaries.prescribed()[held.faces[k]] ? 0 : 2;
        faces = face_coefficients(mesh, geometry, held);
        const std::size_t count = faces.conduction.size();
        for (const Index f : held.faces) {
            // half of the parabola's conduction 2 A / d_n
            const double part = boundaries.prescribed()[f] ? 0.0 : 0.5;
            faces.conduction[f] *= part;
            for (std::size_t j = f; j < faces.cross.size(); j += count) faces.cross[j] *= part;
        }
        cells = cell_diffusion(mesh, faces, held, 1, factors);
        implicit = faces.conduction;
        for (std::size_t f = 0; f < count; ++f) implicit[f] *= factors[f];
    }

    FaceCoefficients faces;
    CellDiffusion cells;
    std::vector<double> implicit;  // conduction of the matrix
};

// All of -div grad p, p = 0 where it is given.
template <class Real>
struct PressureProjection<Real>::Whole {
    explicit Whole(PressureProjection& of)
        : p(of.boundary_field()),
          net(of.domain_.template field<Real>(Kind::cell)),
          flux(of.domain_.template field<Real>(Kind::face)),
          no_star(of.domain_.device.template buffer<Real>(flux.size())),
          no_value(of.domain_.device.template buffer<Real>(of.open_node_.size())),
          matrix(of.domain_.device, of.domain_.cells.owned_range(), of.domain_.cells.all, 1,
                 [this, &of](Buffer<Real>& x, Buffer<Real>& y) {
                     of.domain_.own(Kind::cell)[p] = x;
                     of.to_nodes(p);
                     of.domain_.device.scatter(no_value, of.open_node_, of.node_p_, Reach::closure);
                     of.subtract_gradient(p, no_star, 1, flux);
                     of.operators_.divergence(flux, net);
                     of.domain_.own(Kind::cell)[y] = net;
                 }),
          preconditioner(of.domain_.device, of.domain_.cells.owned_range(), of.domain_.cells.all, 1,
                         [this, &of](Buffer<Real>& r, Buffer<Real>& z) {
                             apply_inverse(*of.preconditioner_, of.domain_.own(Kind::cell), r, z);
                             remove_mean(of, z);
                         }),
          solver(of.domain_.comm, matrix, preconditioner),
          tolerance(thin_tolerance<Real>(of.domain_, of.settings_.stop.tolerance)),
          cells(of.domain_.comm.sum(double(of.domain_.cells.owned))) {}

    // Where no p is given: constants are no gradient, and no net outflow has a mean.
    void remove_mean(PressureProjection& of, Buffer<Real>& x) {
        if (!is_singular) return;
        const Over over = of.domain_.own(Kind::cell);
        over[x] -= static_cast<Real>(of.domain_.comm.sum(over.sum(of.domain_.comm, x)) / cells);
    }

    Field<Real> p, net, flux;
    Buffer<Real> no_star, no_value;
    FunctionOperator<Real> matrix, preconditioner;
    Bicgstab<Real> solver;
    const double tolerance, cells;
    bool is_singular = false;
};

template <class Real>
PressureProjection<Real>::PressureProjection(const Domain& domain, const FlowBoundaries& boundaries,
                                             double density, const CellStencil<Real>& stencil,
                                             int corrections, const SolveSettings& settings)
    : PressureProjection(
          domain, boundaries, stencil, corrections, settings,
          Coefficients(domain.mesh, domain.geometry, boundaries,
                       is_whole(stencil)
                           ? std::vector<double>(domain.faces.shared, 1.0)
                           : implicit_factors(domain.mesh, stencil.oblique_ratio, most)),
          OpenPressure(domain, boundaries, density)) {
    std::vector<Index> entries;
    for (const Index k : open_pressure_.positions())
        entries.push_back(boundaries.faces().first + k);
    open_entry_ = uploaded(domain.device, entries);
    open_value_ = domain.device.buffer<Real>(open_entry_.size());
    open_node_ = uploaded(domain.device, open_pressure_.nodes());
    open_node_value_ = domain.device.buffer<Real>(open_node_.size());
    for (auto* field : {&p_, &change_})
        *field = domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size());
    if (boundaries.has_curved_slip() || boundaries.has_moving_nodes()) set_rise();
    corrected_ = domain_.field<Real>(Kind::face);
    if (!is_whole(stencil)) return;
    whole_ = std::make_unique<Whole>(*this);
    whole_->is_singular = !domain.comm.any(open_entry_.size() > 0);
}

template <class Real>
PressureProjection<Real>::PressureProjection(const Domain& domain, const FlowBoundaries& boundaries,
                                             const CellStencil<Real>& stencil, int corrections,
                                             const SolveSettings& settings, const Coefficients& c,
                                             const OpenPressure& open_pressure)
    : domain_(domain),
      boundaries_(boundaries),
      d_(domain.dimension),
      stencil_(stencil),
      operators_(domain.operators<Real>()),
      corrections_(corrections),
      settings_(settings),
      matrix_(domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell),
              c.cells.neighbours, c.cells.weights),
      diffusion_preconditioner_(domain.comm, domain.device, domain_.cells,
                                domain.mesh.halo(Kind::cell), c.cells.neighbours, c.cells.weights,
                                {}, settings.preconditioner),
      cg_(domain.comm, matrix_),
      conduction_(uploaded<Real>(domain.device, c.faces.conduction)),
      implicit_(uploaded<Real>(domain.device, c.implicit)),
      cross_(uploaded<Real>(domain.device, c.faces.cross, domain.dimension - 1)),
      inverse_(domain.device.buffer<Real>(domain_.cells.owned)),
      net_(domain_.field<Real>(Kind::cell)),
      node_p_(domain_.field<Real>(Kind::node)),
      open_pressure_(open_pressure) {
    std::vector<double> diagonal = c.cells.to_boundary;
    matrix_.shift().upload(std::vector<Real>(diagonal.begin(), diagonal.end()));
    for (Index i = 0; i < domain_.cells.owned; ++i) {
        for (Index k = c.cells.neighbours.start[i]; k < c.cells.neighbours.start[i + 1]; ++k)
            diagonal[i] += c.cells.weights[k];
        diagonal[i] = diagonal[i] > 0 ? 1 / diagonal[i] : 0;
    }
    if (!settings.preconditioner.kind->scales_by_diagonal)
        diagonal.assign(domain_.cells.owned, 1.0);
    inverse_.upload(std::vector<Real>(diagonal.begin(), diagonal.end()));
    preconditioner_ = &diffusion_preconditioner_.prepare(c.cells.to_boundary, inverse_);
}

template <class Real>
void PressureProjection<Real>::update_boundary_pressure(double when) {
    if (is_seen_ && !changes()) return;
    if (is_seen_)
        extrapolate(when);
    else
        time_ = time_before_ = when;
    is_seen_ = true;
    set_open_values(when);
}

template <class Real>
void PressureProjection<Real>::set_open_values(double when) {
    std::vector<double> at_faces, at_nodes;
    domain_.comm.agree([&] {
        at_faces = open_pressure_.at_faces(when);
        at_nodes = open_pressure_.at_nodes(when);
    });
    if (at_faces.empty()) return;
    open_value_.upload(std::vector<Real>(at_faces.begin(), at_faces.end()));
    open_node_value_.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
    domain_.device.scatter(open_value_, open_entry_, p_.write_further());
}

// Sets the lines along which a force is integrated: from cells to their nodes, between two cells,
// along the edges of a face.
template <class Real>
void PressureProjection<Real>::set_lines() {
    const Mesh& m = domain_.mesh.mesh;
    const NodeWeights weights =
        node_weights(domain_.mesh, domain_.geometry, boundaries_.symmetry_nodes());
    const RowLayout layout(weights.cells, domain_.device.row_stride());
    std::vector<Real> reach(layout.entries() * d_, Real(0));
    std::size_t k = 0;
    for (Index i = 0; i < layout.rows(); ++i)
        for (Index j = 0; j < layout.count(i); ++j, ++k) {
            const Index c = weights.cells.index[k];
            const Vec3 to_node = weights.weights[k] * (m.corner(c, m.place_in_cell(c, i)) -
                                                       domain_.geometry.cell_centroid[c]);
            for (int component = 0; component < d_; ++component)
                reach[component * layout.entries() + layout.position(i, j)] =
                    static_cast<Real>(to_node[component]);
        }
    std::vector<Vec3> lines, edges;
    for (Index f = 0; f < domain_.faces.shared; ++f) {
        const auto [a, b] = centroids_beside(m, domain_.geometry, f);
        const auto corners = m.face_corners(f);
        lines.push_back(b - a);
        for (int j = 1; j < d_; ++j) edges.push_back(corners[j] - corners[0]);
    }
    force_ = {domain_.device.buffer<Real>(std::span<const Real>(reach), d_),
              uploaded_vectors<Real>(domain_.device, lines, lines.size(), 1, d_),
              uploaded_vectors<Real>(domain_.device, edges, lines.size(), d_ - 1, d_),
              domain_.field<Real>(Kind::node), domain_.field<Real>(Kind::face)};
}

template <class Real>
void PressureProjection<Real>::update_force(const Field<Real>& force, const Field<Real>& at_nodes) {
    if (!force_.flux) set_lines();
    kernels::NodeRise<Real>{.dimension = d_,
                            .cells = stencil_.node_cells.rows,
                            .cell = stencil_.node_cells.index,
                            .reach = force_.reach,
                            .force = force,
                            .at_node = at_nodes,
                            .value = force_.rise}
        .run();
    kernels::ForceFlux<Real>{.dimension = d_,
                             .cell = stencil_.face_cells,
                             .node = stencil_.face_nodes,
                             .conduction = conduction_,
                             .cross = cross_,
                             .line = force_.line,
                             .edge = force_.edge,
                             .force = force,
                             .t = at_nodes,
                             .value = force_.flux}
        .run();
}

// Node values are exact for linear p where the cells round a node determine a slope. Where they do
// not, the slope is that of the acceleration, grad p = -du/dt.
template <class Real>
void PressureProjection<Real>::accelerate(const Field<Real>& at_nodes) {
    const Over nodes = domain_.shared(Kind::node);
    if (!inertial_) {
        const Mesh& m = domain_.mesh.mesh;
        const NodeWeights weights =
            node_weights(domain_.mesh, domain_.geometry, boundaries_.symmetry_nodes());
        std::vector<Real> reach(std::size_t(m.nodes()) * d_, Real(0));
        for (Index i = 0; i < domain_.nodes.shared; ++i) {
            Vec3 sum(0);
            for (Index k = weights.cells.start[i]; k < weights.cells.start[i + 1]; ++k) {
                const Index c = weights.cells.index[k];
                sum += weights.weights[k] *
                       (m.corner(c, m.place_in_cell(c, i)) - domain_.geometry.cell_centroid[c]);
            }
            for (int j = 0; j < d_; ++j)
                reach[std::size_t(j) * m.nodes() + i] = static_cast<Real>(sum[j]);
        }
        reach_ = domain_.vector_field<Real>(Kind::node);
        inertial_ = domain_.field<Real>(Kind::node);
        reach_.upload(reach);
    }
    nodes[inertial_] = Real(-1) * dot(reach_, at_nodes);
}

// At a node of a curved wall p = sum w p_c - dp/dn n . sum w (x_c - x_i), w the weights with the
// cells' mirror images, where the fluid slips. With these d2p/dn2 adds as much there as at nodes
// inside. Where the wall holds the fluid dp/dn is not known, and w are one-sided, w', whose
// extrapolation takes d2p/dn2 off instead: p = sum w' p_c - 1/2 d2p/dn2 [sum w' z^2 - sum w z^2],
// z = n . (x_c - x_i). Derivatives are means over the wall's faces at the node.
template <class Real>
void PressureProjection<Real>::set_rise() {
    const Mesh& m = domain_.mesh.mesh;
    const Geometry& g = domain_.geometry;
    const NodeWeights weights = node_weights(domain_.mesh, g, boundaries_.symmetry_nodes());
    std::vector<double> lengths;
    for (const FlowBoundaries::CurvedNode& node : boundaries_.curved_nodes()) {
        const Vec3 place = mean_place(m, g, weights, node.node);
        for (const auto& face : node.faces) lengths.push_back(-glm::dot(place, face.normal));
    }
    add_rise(boundaries_.curved_nodes(), lengths, slip_rise_);
    FreeDirections along;
    for (const FlowBoundaries::CurvedNode& node : boundaries_.moving_nodes())
        along.add(node.node, {node.faces.front().normal}, d_);
    const NodeWeights mirrored = node_weights(domain_.mesh, g, along);
    lengths.clear();
    for (const FlowBoundaries::CurvedNode& node : boundaries_.moving_nodes())
        for (const auto& face : node.faces) {
            double sum = 0;
            for (Index k = weights.cells.start[node.node]; k < weights.cells.start[node.node + 1];
                 ++k) {
                const Index c = weights.cells.index[k];
                const double z = glm::dot(
                    face.normal, g.cell_centroid[c] - m.corner(c, m.place_in_cell(c, node.node)));
                sum += (weights.weights[k] - mirrored.weights[k]) * z * z;
            }
            lengths.push_back(-0.5 * sum);
        }
    add_rise(boundaries_.moving_nodes(), lengths, moving_rise_);
}

// lengths: of the faces of all nodes, what a face's derivative by its area is multiplied by.
template <class Real>
void PressureProjection<Real>::add_rise(const std::vector<FlowBoundaries::CurvedNode>& at,
                                        const std::vector<double>& lengths, WallRise& rise) {
    Rows rows;
    std::vector<double> parts;
    std::vector<Index> nodes;
    for (const FlowBoundaries::CurvedNode& node : at) {
        nodes.push_back(node.node);
        for (const FlowBoundaries::CurvedNode::Face& face : node.faces) {
            // what a face holds is along its own normal
            const double sign = domain_.mesh.mesh.face_cells(face.face, 1) == none ? 1 : -1;
            parts.push_back(sign * lengths[rows.index.size()] * face.part /
                            glm::length(boundaries_.area(face.face)));
            rows.index.push_back(face.face);
        }
        rows.start.push_back(static_cast<Index>(rows.index.size()));
    }
    rise.node = uploaded(domain_.device, nodes);
    rise.faces = SellRows(domain_.device, rows);
    rise.weight = RowLayout(rows, domain_.device.row_stride())
                      .template upload<Real>(domain_.device, std::span<const double>(parts));
    rise.at_list = domain_.device.buffer<Real>(rise.node.size());
}

template <class Real>
void PressureProjection<Real>::update_wall_gradient(const Field<Real>& gradient,
                                                    const Field<Real>& second) {
    if (!wall_rise_) wall_rise_ = domain_.field<Real>(Kind::node);
    const auto rise = [&](const Field<Real>& of_faces, WallRise& at) {
        kernels::WallRise<Real>{.faces = at.faces.rows,
                                .face = at.faces.index,
                                .weight = at.weight,
                                .gradient = of_faces,
                                .value = at.at_list}
            .run(domain_.device, {0, at.node.size()});
        domain_.device.scatter(at.at_list, at.node, wall_rise_, Reach::closure);
    };
    if (boundaries_.has_curved_slip()) rise(gradient, slip_rise_);
    if (boundaries_.has_moving_nodes()) rise(second, moving_rise_);
}

// Extrapolates p in time. Its deferred part drives the flow and must not lag behind a changing
// pressure.
template <class Real>
void PressureProjection<Real>::extrapolate(double when) {
    if (!(when > time_)) return;  // a repeated step
    const bool is_held = held_ > 0 && held_-- > 0;
    const double ratio =
        !is_held && time_ > time_before_ ? (when - time_) / (time_ - time_before_) : 0;
    if (!p_before_) p_before_ = boundary_field();
    change_.copy(p_);
    domain_.own(Kind::cell)[p_] = (1 + ratio) * p_ - ratio * p_before_;
    p_before_.copy(change_);
    time_before_ = time_;
    time_ = when;
}

template <class Real>
double PressureProjection<Real>::norm(const Buffer<Real>& field, Range range) const {
    return std::sqrt(domain_.comm.sum(Over(domain_.device, range).dot(domain_.comm, field, field)));
}

// node_p_ = p at nodes, of which those with given values have others.
template <class Real>
void PressureProjection<Real>::to_nodes(const Field<Real>& p) {
    kernels::ScalarNodeInterpolation<Real>{.cells = stencil_.node_cells.rows,
                                           .cell = stencil_.node_cells.index,
                                           .weight = stencil_.node_weight,
                                           .u = p,
                                           .value = node_p_}
        .run();
}

// flux = flux_star - step A n . grad p, by node_p_.
template <class Real>
void PressureProjection<Real>::subtract_gradient(const Field<Real>& p,
                                                 const Buffer<Real>& flux_star, Real step,
                                                 Field<Real>& flux) {
    kernels::PressureFlux<Real>{.dimension = d_,
                                .cell = stencil_.face_cells,
                                .node = stencil_.face_nodes,
                                .conduction = conduction_,
                                .cross = cross_,
                                .star = flux_star,
                                .p = p,
                                .t = node_p_,
                                .value = flux,
                                .s = step}
        .run();
}

template <class Real>
void PressureProjection<Real>::take_gradient(const Buffer<Real>& flux_star, Field<Real>& flux,
                                             Real step) {
    to_nodes(p_);
    if (force_.flux) domain_.shared(Kind::node)[node_p_] += force_.rise;
    if (inertial_) domain_.shared(Kind::node)[node_p_] += inertial_;
    if (wall_rise_) domain_.shared(Kind::node)[node_p_] += wall_rise_;
    domain_.device.scatter(open_node_value_, open_node_, node_p_, Reach::closure);
    subtract_gradient(p_, flux_star, step, flux);
    if (force_.flux) domain_.shared(Kind::face)[flux] += step * force_.flux;
}

template <class Real>
void PressureProjection<Real>::take_gradient(Field<Real>& flux) {
    const Buffer<Real> none = domain_.device.buffer<Real>(flux.size());
    take_gradient(none, flux, Real(-1));
}

// The net outflow that may remain: the tolerance, but no less than the rounding of the fluxes.
template <class Real>
double PressureProjection<Real>::target_of(double left, const Buffer<Real>& flux_star,
                                           const Buffer<Real>& flux, double tolerance) const {
    // sum of squares, largest magnitude
    const auto size =
        domain_.own(Kind::face)
            .reduce(domain_.comm, sum(product(flux_star, flux_star) + product(flux, flux)),
                    greatest(max(abs(flux_star), abs(flux))));
    const double rounding =
        2 * std::numeric_limits<Real>::epsilon() * std::sqrt(domain_.comm.sum(size[0]));
    return std::max(tolerance * std::min(left, domain_.comm.max(size[1])), rounding);
}

// Corrects p and flux by the solution change = -s p' whose right-hand side is the net outflow of
// flux, of norm `left`. Where rounding ends a solve above `target`, the next one starts from the
// net outflow of the corrected flux: iterative refinement (Higham 2002, ch. 12). It reaches the
// rounding of the fluxes even where p is large beside its differences.
template <class Real>
SolveReport PressureProjection<Real>::correct(Field<Real>& flux, double step, double left,
                                              double target, int most_iterations) {
    SolveReport total;
    for (const double first = left;;) {
        Over(domain_.device, {0, change_.size()})[change_] = 0;
        SolveReport report = cg_.solve(*preconditioner_, net_, change_.write(),
                                       {target / left, most_iterations - total.iterations});
        report.iterations += total.iterations;
        total = report;
        domain_.own(Kind::cell)[p_] -= 1 / step * change_;
        kernels::OrthogonalFlux<Real>{
            .cell = stencil_.face_cells, .conduction = implicit_, .x = change_, .flux = flux}
            .run();
        if (total.outcome != SolveOutcome::stagnated) return total;
        operators_.divergence(flux, net_);
        const double now = norm(net_, domain_.cells.owned_range());
        total.residual = now / first;
        if (now <= target) total.outcome = SolveOutcome::converged;
        if (!(now > target && now < 0.5 * left)) return total;
        left = now;
    }
}

// flux = flux_star - s grad p, net_ = its net outflow. Returns its norm.
template <class Real>
double PressureProjection<Real>::take_net_outflow(Field<Real>& flux_star, Field<Real>& flux,
                                                  double step) {
    take_gradient(flux_star, flux, static_cast<Real>(step));
    operators_.divergence(flux, net_);
    return norm(net_, domain_.cells.owned_range());
}

// Solves for p with the remaining net outflow as right-hand side. Corrections end where they reduce
// it little, on meshes too oblique for them. There are more than set by the user where the part
// from the last p would leave much.
template <class Real>
SolveReport PressureProjection<Real>::solve(Field<Real>& flux_star, Field<Real>& flux, double step,
                                            int corrections) {
    if (whole_) return solve_whole(flux_star, flux, step);
    // Nodes see the force before p balances it: the first solve may leave more.
    const int settling = force_.flux && corrections == many_corrections ? 1 : 0;
    double target = 0, first = 0, before = 0;
    SolveReport total;
    for (int k = 0;; ++k) {
        const double left = take_net_outflow(flux_star, flux, step);
        if (k == 0) {
            first = left;
            target = target_of(left, flux_star, flux, settings_.stop.tolerance);
        }
        if (std::isfinite(left) && left <= target) break;
        if (k > corrections && (left <= slow * first || k > corrections + further_corrections)) {
            flux.copy(corrected_);
            break;
        }
        const SolveReport report =
            correct(flux, step, left, target, settings_.stop.max_iterations - total.iterations);
        const int iterations = total.iterations + report.iterations;
        total = report;
        total.iterations = iterations;
        if (!report.converged() || (k > settling && left > 0.9 * before)) break;
        before = left;
        if (k >= corrections) corrected_.copy(flux);
    }
    return total;
}

// The same with all of grad p in the matrix, to the tolerance of thin cells or, where rounding
// allows no smaller net outflow, to that of the settings. Where a solve ends above the target, the
// next one starts from the net outflow of the corrected flux.
template <class Real>
SolveReport PressureProjection<Real>::solve_whole(Field<Real>& flux_star, Field<Real>& flux,
                                                  double step) {
    double target = 0, enough = 0, before = 0;
    SolveReport total;
    for (int k = 0;; ++k) {
        const double left = take_net_outflow(flux_star, flux, step);
        if (k == 0) {
            enough = target_of(left, flux_star, flux, settings_.stop.tolerance);
            target = target_of(left, flux_star, flux, whole_->tolerance);
        }
        const bool is_stuck = k > 0 && !(left < 0.5 * before);
        const bool is_done = std::isfinite(left) && left <= (is_stuck ? enough : target);
        if (is_done) total.outcome = SolveOutcome::converged;
        if (is_done || is_stuck) break;
        before = left;
        CgSettings settings = settings_.stop;
        settings.tolerance = std::max(target / left, least_descent);
        settings.max_iterations =
            std::min(most_iterations, settings.max_iterations - total.iterations);
        whole_->remove_mean(*this, net_.write());
        SolveReport report = whole_->solver.solve(net_, change_.write(), settings);
        report.iterations += total.iterations;
        total = report;
        if (total.outcome == SolveOutcome::ranks_differ) break;
        domain_.own(Kind::cell)[p_] -= 1 / step * change_;
        if (total.outcome == SolveOutcome::broken_down) break;
    }
    return total;
}

template <class Real>
SolveReport PressureProjection<Real>::project(Field<Real>& flux_star, Field<Real>& flux,
                                              double step) {
    return solve(flux_star, flux, step, corrections_);
}

template <class Real>
SolveReport PressureProjection<Real>::project_first(Field<Real>& flux_star, Field<Real>& flux,
                                                    double step) {
    // a given pressure, and one that balances a force or an acceleration, are found from zero
    const bool is_whole = open_pressure_.is_given() || force_.flux || inertial_;
    return solve(flux_star, flux, step, is_whole ? many_corrections : corrections_);
}

template <class Real>
SolveReport PressureProjection<Real>::project_whole(Field<Real>& flux_star, Field<Real>& flux,
                                                    double step) {
    return solve(flux_star, flux, step, many_corrections);
}

template <class Real>
SolveReport PressureProjection<Real>::start(Field<Real>& flux_star, Field<Real>& flux) {
    const SolveReport report = solve(flux_star, flux, 1, many_corrections);
    Over(domain_.device, {0, p_.size()})[p_] = 0;
    return report;
}

template <class Real>
void PressureProjection<Real>::register_state(const State<Real>& state) {
    state.add("pressure", p_);
    if (changes()) {  // evaluated, or extrapolated, in each step
        state.add("pressure_before", p_before_, [this] { return boundary_field(); });
        state.add("time", time_);
        state.add("time_before", time_before_);
        state.add("held", held_, not_negative);
        state.add("is_seen", is_seen_);
    } else {
        state.stack(is_seen_);
        // a flow that is saved has seen the given pressure
        state.off_stack().remade([this] {
            is_seen_ = true;
            set_open_values(0);
        });
    }
}

template <class Real>
PressureProjection<Real>::~PressureProjection() = default;

template class PressureProjection<float>;
template class PressureProjection<double>;

FlowMethod classical_method() {
    const auto make = []<class Real>(const Domain& domain, const FlowBoundaries& boundaries,
                                     const CellStencil<Real>& stencil,
                                     const FlowCase& flow) -> std::unique_ptr<Projection<Real>> {
        return std::make_unique<PressureProjection<Real>>(
            domain, boundaries, flow.fluid.density, stencil, flow.flow.non_orthogonal_corrections,
            cg_settings<Real>(flow.solvers.pressure));
    };
    return {"classical",
            "fluxes corrected by a pressure, divergence-free to the tolerance of its solver",
            true,
            {make, make}};
}

}  // namespace solenoid
