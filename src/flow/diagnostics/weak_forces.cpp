#include "flow/diagnostics/weak_forces.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <set>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/stream_function_matrix.hpp"
#include "parallel/sum_over_ranks.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {
namespace {

// relative to the largest: an inviscid layer has a test function too
constexpr double least_conductivity = 1e-6;

// The cell of a boundary face; none for a face inside the domain.
Index cell_inside(const Mesh& m, Index face) {
    const Index a = m.face_cells(face, 0), b = m.face_cells(face, 1);
    return a == none ? b : b == none ? a : none;
}

template <class Real>
Vec3 vector_at(const std::vector<Real>& values, std::size_t rows, std::size_t i, int dimension) {
    Vec3 v(0);
    for (int k = 0; k < dimension; ++k) v[k] = values[k * rows + i];
    return v;
}

// Rigid motion k of a point: translations along `dimension` axes, then rotations about three, or in
// two dimensions about the third alone.
Vec3 motion(int dimension, int k, Vec3 point) {
    if (dimension == 2 && k == 2) k = 5;
    Vec3 along(0);
    along[k % 3] = 1;
    return k < 3 ? along : glm::cross(along, point);
}

}  // namespace

template <class Real>
WeakForces<Real>::WeakForces(const Domain& domain, const FlowBoundaries& boundaries,
                             const PressureRecovery<Real>& recovery, Viscosity<Real>& viscosity,
                             const std::vector<Index>& reacting)
    : domain_(domain),
      d_(domain.dimension),
      recovery_(recovery),
      viscosity_(viscosity),
      shares_(domain.mesh.mesh.boundaries.size()) {
    find_functions(find_nodes(boundaries));
    set_cells(domain.geometry);
    set_reacting(reacting);
    set_faces(domain.geometry);
    friction_ = domain.device.buffer<Real>(static_cast<Index>(beside_.size()), d_);
    beside_face_ = uploaded(domain.device, beside_);
    ones_ = uploaded<Real>(domain.device, std::vector<double>(beside_.size(), 1.0));
    beside_viscosity_ = domain.device.buffer<Real>(beside_face_.size());
}

// Returns the owned nodes on the domain's boundary, open or not. Where k boundaries meet each
// function is 1/k, instead of 1 on its own faces and 0 on those of the others; overlaps_ has the
// differences.
template <class Real>
std::vector<Index> WeakForces<Real>::find_nodes(const FlowBoundaries& boundaries) {
    const Mesh& m = domain_.mesh.mesh;
    std::map<Index, std::set<std::uint16_t>> of_node, of_face;
    std::vector<bool> is_open(m.boundaries.size(), false);
    for (const Side& side : m.sides) {
        if (cell_inside(m, side.face) == none) continue;
        of_face[side.face].insert(side.boundary);
        is_open[side.boundary] = boundaries.is_open(side.face);
        for (int j = 0; j < d_; ++j)
            if (const Index i = m.nodes_of(Kind::face, side.face)[j]; i < domain_.nodes.owned)
                of_node[i].insert(side.boundary);
    }
    std::vector<Index> all;
    for (const auto& [node, of_this] : of_node) {
        all.push_back(node);
        for (const std::uint16_t boundary : of_this)
            if (!is_open[boundary]) shares_[boundary].push_back({node, 1.0 / of_this.size()});
    }
    for (const auto& [face, own] : of_face)
        for (int j = 0; j < d_; ++j) {
            const auto of_this = of_node.find(m.nodes_of(Kind::face, face)[j]);
            if (of_this == of_node.end() || of_this->second.size() == 1) continue;
            if (beside_.empty() || beside_.back() != face) beside_.push_back(face);
            for (const std::uint16_t boundary : of_this->second)
                if (!is_open[boundary])
                    overlaps_.push_back({static_cast<Index>(beside_.size() - 1),
                                         static_cast<Index>(j), boundary,
                                         1.0 / of_this->second.size() - own.contains(boundary)});
        }
    return all;
}

// The coefficient of the harmonic test functions in each cell held: 1 (empty) or, where the
// viscosity jumps, the viscosity: errors of the velocity then have the least weight.
template <class Real>
std::vector<double> WeakForces<Real>::conductivity() const {
    if (viscosity_.kinks().parts().empty()) return {};
    const auto nu = viscosity_.in_cells().with_ghosts().download();
    std::vector<double> values(nu.begin(), nu.begin() + domain_.mesh.mesh.cells());
    const double most = domain_.comm.max(values.empty() ? 0 : *std::ranges::max_element(values));
    for (double& value : values) value = std::max(value, least_conductivity * most);
    return values;
}

template <class Real>
void WeakForces<Real>::find_functions(const std::vector<Index>& fixed) {
    const HostMatrix entries = node_stiffness(domain_.mesh, conductivity());
    RowMatrix<Real> matrix(domain_.comm, domain_.device, domain_.nodes,
                           domain_.mesh.halo(Kind::node), entries);
    matrix.fix(fixed);
    Multigrid<Real> preconditioner(domain_.comm, domain_.device, domain_.nodes,
                                   domain_.mesh.halo(Kind::node), entries, fixed);
    ConjugateGradients<Real> cg(domain_.comm, matrix);
    auto zero = domain_.device.buffer<Real>(domain_.nodes.all),
         residual = domain_.device.buffer<Real>(domain_.nodes.all),
         change = domain_.device.buffer<Real>(domain_.nodes.all);
    CgSettings settings{.tolerance = sizeof(Real) == 8 ? 1e-8 : 1e-4};
    for (const std::vector<Share>& shares : shares_) {
        test_.emplace_back();
        if (!domain_.comm.any(!shares.empty())) continue;
        std::vector<Real> one(domain_.nodes.all, Real(0));
        for (const Share& share : shares) one[share.node] = static_cast<Real>(share.part);
        auto phi = domain_.field<Real>(Kind::node);
        phi.upload(one);
        matrix.residual(domain_.comm, zero, phi.write(), residual);
        domain_.held(Kind::node)[change] = 0;
        const SolveReport report = cg.solve(preconditioner, residual, change, settings);
        domain_.comm.agree([&] {
            if (!report.converged())
                throw ComputationError(
                    "the solve for the test function of a boundary's force, at the start: " +
                    report.explanation());
        });
        domain_.own(Kind::node)[phi] += change;
        test_.back() = std::move(phi);
    }
}

template <class Real>
void WeakForces<Real>::set_cells(const Geometry& geometry) {
    const Mesh& m = domain_.mesh.mesh;
    cell_node_ = uploaded_table(domain_.device, m.cell_nodes, m.cells());
    volume_ = uploaded<Real>(domain_.device, geometry.cell_volume);
    place_ = uploaded_vectors<Real>(domain_.device, m.points.size(), 1, d_,
                                    [&](std::size_t i, int) { return m.points[i]; });
    for (auto* sums : {&load_, &moment_})
        *sums = domain_.device.buffer<Real>(domain_.cells.owned, d_);
}

template <class Real>
void WeakForces<Real>::set_reacting(const std::vector<Index>& nodes) {
    const Mesh& m = domain_.mesh.mesh;
    const Rows all = cells_of(m, Kind::node);
    Rows corners;
    for (const Index i : nodes) {
        for (const Index* c = all.begin(i); c != all.end(i); ++c)
            corners.index.push_back(4 * *c + m.place_in_cell(*c, i));
        corners.start.push_back(static_cast<Index>(corners.index.size()));
    }
    corners_ = SellRows(domain_.device, corners);
    reaction_ = domain_.device.buffer<Real>(static_cast<Index>(nodes.size()), d_);
}

template <class Real>
void WeakForces<Real>::set_faces(const Geometry& geometry) {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Vec3> opposite;
    std::vector<double> volumes;
    Table nodes(beside_.size(), d_ + 1);
    for (std::size_t k = 0; k < beside_.size(); ++k) {
        const Index f = beside_[k], c = cell_inside(m, f);
        area_of_.push_back((m.face_cells(f, 1) == none ? 1.0 : -1.0) * geometry.face_area[f]);
        volumes.push_back(geometry.cell_volume[c]);
        for (int j = 0; j <= d_; ++j) {
            nodes(k, j) = m.cell_nodes(c, j);
            opposite.push_back(opposite_area(m, c, j));
        }
    }
    face_node_ = uploaded_table(domain_.device, nodes, beside_.size());
    face_opposite_ = uploaded_vectors<Real>(domain_.device, opposite, beside_.size(), d_ + 1, d_);
    face_volume_ = uploaded<Real>(domain_.device, volumes);
    face_area_ = uploaded_vectors<Real>(domain_.device, area_of_, beside_.size(), 1, d_);
}

// The integral over the face of the node's function times pressure and friction.
template <class Real>
Vec3 WeakForces<Real>::borne(const Overlap& overlap, const std::vector<Real>& friction,
                             const std::vector<Real>& p) const {
    const Index* nodes = domain_.mesh.mesh.nodes_of(Kind::face, beside_[overlap.face]);
    double pressure = p[nodes[overlap.place]];
    for (int j = 0; j < d_; ++j) pressure += p[nodes[j]];
    return pressure / (d_ * (d_ + 1)) * area_of_[overlap.face] +
           vector_at(friction, beside_.size(), overlap.face, d_) / double(d_);
}

template <class Real>
void WeakForces<Real>::take_overlaps(const Buffer<Real>& p,
                                     const std::vector<std::size_t>& boundaries,
                                     std::vector<RankSum>& sums) const {
    if (overlaps_.empty()) return;
    const auto friction = friction_.download(), pressure = p.download();
    for (const Overlap& o : overlaps_) {
        if (std::ranges::find(boundaries, o.boundary) == boundaries.end()) continue;
        const Vec3 force = o.excess * borne(o, friction, pressure);
        const Vec3 moment = glm::cross(
            domain_.mesh.mesh
                .points[domain_.mesh.mesh.nodes_of(Kind::face, beside_[o.face])[o.place]],
            force);
        for (int k = 0; k < 3; ++k) {
            sums[o.boundary * 6 + k] -= force[k];
            sums[o.boundary * 6 + 3 + k] -= moment[k];
        }
    }
}

template <class Real>
const Buffer<Real>& WeakForces<Real>::react(const FlowState<Real>& state) {
    kernels::NodeReaction<Real>{.dimension = d_,
                                .cells = corners_.rows,
                                .corner = corners_.index,
                                .node = cell_node_,
                                .area = recovery_.areas(),
                                .volume = volume_,
                                .nu = viscosity_.in_cells(),
                                .rate = state.rate,
                                .body = state.body,
                                .t = state.u,
                                .p = state.p,
                                .value = reaction_}
        .run(domain_.device, {0, reaction_.size()});
    return reaction_;
}

template <class Real>
void WeakForces<Real>::measure(const FlowState<Real>& state,
                               const std::vector<std::size_t>& boundaries,
                               std::vector<BoundaryForce>& forces) {
    viscosity_.gather(beside_face_, ones_, beside_viscosity_);
    kernels::FaceFriction<Real>{.dimension = d_,
                                .node = face_node_,
                                .opposite = face_opposite_,
                                .volume = face_volume_,
                                .nu = beside_viscosity_,
                                .area = face_area_,
                                .t = state.u,
                                .value = friction_}
        .run(domain_.device, {0, friction_.size()});
    std::vector<RankSum> parts(forces.size() * 6);
    const Over cells = domain_.own(Kind::cell);
    const auto components = [&](const Buffer<Real>& sums, int k) {
        return cells.reduce(domain_.comm, sum(column(sums, 0)), sum(column(sums, 1)),
                            sum(column(sums, k)));
    };
    for (const std::size_t g : boundaries) {
        if (!test_[g]) continue;
        kernels::WeakLoad<Real>{.dimension = d_,
                                .node = cell_node_,
                                .area = recovery_.areas(),
                                .volume = volume_,
                                .nu = viscosity_.in_cells(),
                                .rate = state.rate,
                                .body = state.body,
                                .phi = test_[g],
                                .place = place_,
                                .t = state.u,
                                .p = state.p,
                                .load = load_,
                                .moment = moment_}
            .run(cells);
        const auto load = components(load_, d_ - 1), moment = components(moment_, d_ - 1);
        for (int k = 0; k < d_; ++k) parts[g * 6 + k] = load[k];
        for (int k = 0; k < (d_ == 2 ? 1 : 3); ++k)
            parts[g * 6 + (d_ == 2 ? 5 : 3 + k)] = moment[k];
    }
    take_overlaps(state.p, boundaries, parts);
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    for (const std::size_t g : boundaries)
        for (int k = 0; k < 3; ++k) {
            forces[g].weak[k] = sums[g * 6 + k];
            forces[g].weak_moment[k] = sums[g * 6 + 3 + k];
        }
}

template <class Real>
std::vector<std::vector<double>> WeakForces<Real>::weights(const AtNodes& phi) const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Real> values(phi.begin(), phi.end());
    values.resize(domain_.nodes.all);
    auto field = domain_.field<Real>(Kind::node);
    field.upload(values);
    values = field.with_ghosts().download();
    const Rows cells = cells_of(m, Kind::node);
    std::vector<AtNodes> found;
    std::vector<double> of_cells(m.cells());  // of p's mean in each
    for (int k = 0; k < components_of_load(d_); ++k) {
        for_each(0, m.cells(), [&](Index c) {
            double sum = 0;
            for (int j = 0; j <= d_; ++j) {
                const Index i = m.cell_nodes(c, j);
                sum += double(values[i]) *
                       glm::dot(motion(d_, k, m.points[i]), opposite_area(m, c, j));
            }
            of_cells[c] = -sum / d_;
        });
        AtNodes& weights = found.emplace_back(domain_.nodes.owned, 0.0);
        for_each(0, domain_.nodes.owned, [&](Index i) {
            for (const Index* c = cells.begin(i); c != cells.end(i); ++c)
                weights[i] += of_cells[*c] / (d_ + 1);
        });
    }
    return found;
}

template <class Real>
std::vector<std::vector<double>> WeakForces<Real>::weights(std::size_t boundary) const {
    if (!test_[boundary])
        return std::vector<AtNodes>(components_of_load(d_), AtNodes(domain_.nodes.owned, 0.0));
    const auto phi = test_[boundary].download();
    return weights(AtNodes(phi.begin(), phi.begin() + domain_.nodes.owned));
}

template <class Real>
void WeakForces<Real>::add_overlaps(std::size_t boundary, std::uint32_t first,
                                    std::vector<EntityShare>& shares) const {
    const Mesh& m = domain_.mesh.mesh;
    for (const Overlap& o : overlaps_) {
        if (o.boundary != boundary) continue;
        const Index* nodes = m.nodes_of(Kind::face, beside_[o.face]);
        for (int j = 0; j < d_; ++j) {
            const double part = (j == static_cast<int>(o.place) ? 2.0 : 1.0) / (d_ * (d_ + 1));
            add_shares(d_, first, nodes[j], -o.excess * part * area_of_[o.face],
                       m.points[nodes[o.place]], shares);
        }
    }
}

template class WeakForces<float>;
template class WeakForces<double>;

}  // namespace solenoid
