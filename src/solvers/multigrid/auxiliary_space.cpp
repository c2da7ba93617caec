#include "solvers/multigrid/auxiliary_space.hpp"

#include <algorithm>

#include "core/timer.hpp"
#include "core/transposed_incidence.hpp"
#include "device/kernels.hpp"
#include "device/sell_layout.hpp"
#include "device/upload.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/halo_plan.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"

namespace solenoid {
namespace {

constexpr int components = 3;  // of vectors at nodes

// One flag an entity held, true on fixed ones of any rank.
std::vector<std::uint8_t> flags_of(const Communicator& comm, const EntityRanges& ranges,
                                   const HaloPlan& halo, const std::vector<Index>& fixed) {
    std::vector<std::uint8_t> flags(ranges.all, 0);
    for (Index i : fixed) flags[i] = 1;
    fill_ghosts(comm, halo, flags);
    return flags;
}

// The first rows, without what is fixed: fixed rows are empty.
HostMatrix masked(const HostMatrix& matrix, Index rows, const std::vector<std::uint8_t>& is_fixed) {
    return joined(pieces_of(rows, [&](Index begin, Index end) {
        HostMatrix result;
        result.reserve(end - begin, matrix.rows.start[end] - matrix.rows.start[begin]);
        for (Index i = begin; i < end; ++i) {
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1] && !is_fixed[i]; ++k)
                if (!is_fixed[matrix.rows.index[k]])
                    result.append(matrix.rows.index[k], matrix.entries[k]);
            result.end_row();
        }
        return result;
    }));
}

double largest_eigenvalue_of(const Communicator& comm, const EdgeProblem& problem) {
    const ParallelMatrix a = parallel_matrix(comm, problem.edges, problem.edge_halo, problem.matrix,
                                             problem.fixed_edges);
    std::vector<double> diagonal(a.rows.rows.rows());
    for_each(0, diagonal.size(), [&](Index i) { diagonal[i] = a.rows.diagonal(i); });
    return largest_eigenvalue(comm, a, halo_plan(comm, a.partition, a.ghosts), diagonal,
                              problem.edge_halo.names.get());
}

}  // namespace

template <class Real>
AuxiliarySpace<Real>::AuxiliarySpace(const Communicator& comm, Device& device,
                                     const EdgeProblem& problem, const MultigridSettings& settings)
    : comm_(comm),
      device_(device),
      marked_nodes_(problem.nodes.owned_range()),
      marked_edges_(problem.edges.owned_range()),
      has_free_nodes_(comm.sum(std::int64_t(problem.nodes.owned) -
                               std::int64_t(problem.fixed_nodes.size())) > 0),
      nodal_(comm, device, problem.nodes, problem.node_halo, problem.laplacian, problem.fixed_nodes,
             settings, components) {
    Stopwatch watch;
    const std::size_t before = device.allocated_bytes();
    const auto fixed_edges = flags_of(comm, problem.edges, problem.edge_halo, problem.fixed_edges);
    HostMatrix matrix = masked(problem.matrix, problem.edges.owned, fixed_edges);
    if (problem.edge_halo.names) sort_rows(matrix, *problem.edge_halo.names);
    nonzeros_ = comm.sum(static_cast<std::int64_t>(matrix.entries.size()));
    std::vector<double> diagonal(problem.edges.owned, 0.0);
    for_each(0, diagonal.size(), [&](Index i) { diagonal[i] = std::max(matrix.diagonal(i), 0.0); });
    smoothed_ = std::make_unique<Halo<Real>>(comm, device,
                                             narrowed(comm, problem.edge_halo, matrix.rows.index));
    smoother_ = std::make_unique<Smoother<Real>>(
        device, *smoothed_,
        SmoothedMatrix{matrix, diagonal, largest_eigenvalue_of(comm, problem), problem.edges.all},
        problem.smoothing);
    set_embedding(comm, problem, fixed_edges);
    node_r_ = device.buffer<Real>(problem.nodes.all, components);
    node_z_ = device.buffer<Real>(problem.nodes.all, components);
    bytes_ = nodal_.bytes() + static_cast<std::size_t>(comm.sum(
                                  static_cast<std::int64_t>(device.allocated_bytes() - before)));
    setup_seconds_ = nodal_.summary().setup_seconds + watch.seconds();
}

template <class Real>
void AuxiliarySpace<Real>::set_embedding(const Communicator& comm, const EdgeProblem& problem,
                                         const std::vector<std::uint8_t>& fixed_edges) {
    Rows edges = inverse_rows(problem.ends, problem.nodes.owned,
                              [&](std::size_t e) { return !fixed_edges[e]; });
    if (const auto& names = problem.edge_halo.names)
        for_each(0, edges.rows(), [&](Index i) {
            std::sort(edges.index.begin() + edges.start[i],
                      edges.index.begin() + edges.start[i + 1],
                      [&](Index a, Index b) { return (*names)[a] < (*names)[b]; });
        });
    std::vector<double> weights(edges.index.size() * components);
    for_each(0, edges.index.size(), [&](std::size_t k) {
        for (int j = 0; j < components; ++j)
            weights[j * edges.index.size() + k] = problem.weights[edges.index[k]][j];
    });
    const SellLayout layout(edges, device_.row_stride());
    edges_of_nodes_ = layout.rows(device_, edges.index);
    weights_of_nodes_ = layout.upload<Real>(device_, std::span<const double>(weights), components);
    std::vector<Vec3> free(problem.weights.begin(), problem.weights.begin() + problem.edges.owned);
    std::vector<Index> nodes_read;
    for (Index e = 0; e < problem.edges.owned; ++e) {
        if (fixed_edges[e])
            free[e] = Vec3(0);
        else
            nodes_read.insert(nodes_read.end(), {problem.ends(e, 0), problem.ends(e, 1)});
    }
    ends_ = uploaded_table(device_, problem.ends, problem.edges.owned);
    weights_ = uploaded_vectors<Real>(device_, free, free.size(), 1, components);
    restricted_ =
        std::make_unique<Halo<Real>>(comm, device_, narrowed(comm, problem.edge_halo, edges.index));
    embedded_ = std::make_unique<Halo<Real>>(
        comm, device_, narrowed(comm, problem.node_halo, nodes_read), components);
}

template <class Real>
double AuxiliarySpace<Real>::operator_complexity() const {
    double sum = static_cast<double>(nonzeros_);
    for (const LevelSummary& level : nodal_.levels()) sum += static_cast<double>(level.nonzeros);
    return nonzeros_ ? sum / static_cast<double>(nonzeros_) : 1;
}

template <class Real>
double AuxiliarySpace<Real>::apply(const Buffer<Real>& r, Buffer<Real>& z) {
    smoother_->before(r);
    Buffer<Real>& defect = smoother_->defect();
    if (!has_free_nodes_) return smoother_->finish(comm_, z);
    kernels::EdgeIntegralTransposed<Real>{.dimension = components,
                                          .rows = edges_of_nodes_.rows,
                                          .edge = edges_of_nodes_.index,
                                          .weight = weights_of_nodes_,
                                          .x = restricted_->ghosts_of(defect),
                                          .value = node_r_}
        .run(device_, marked_nodes_);
    nodal_.correct(node_r_, node_z_);
    kernels::EdgeIntegral<Real>{.dimension = components,
                                .node = ends_,
                                .weight = weights_,
                                .z = embedded_->ghosts_of(node_z_),
                                .x = smoother_->x()}
        .run(device_, marked_edges_);
    return smoother_->finish(comm_, z);
}

template class AuxiliarySpace<float>;
template class AuxiliarySpace<double>;

}  // namespace solenoid
