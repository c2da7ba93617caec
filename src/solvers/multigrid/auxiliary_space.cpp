#include "solvers/multigrid/auxiliary_space.hpp"

#include <algorithm>

#include "core/timer.hpp"
#include "device/kernels.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/halo_plan.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"

namespace solenoid {
namespace {

// One flag an entity held, true on fixed ones of any rank.
std::vector<std::uint8_t> flags_of(const Communicator& comm, const EntityRanges& ranges, const HaloPlan& halo, const std::vector<Index>& fixed) {
    std::vector<std::uint8_t> flags(ranges.all, 0);
    for (Index i : fixed) flags[i] = 1;
    fill_ghosts(comm, halo, flags);
    return flags;
}

// The first rows, without what is fixed: fixed rows are empty.
HostMatrix free_part(const HostMatrix& matrix, Index rows, const std::vector<std::uint8_t>& fixed_rows, const std::vector<std::uint8_t>& fixed_columns) {
    return joined(pieces_of(rows, [&](Index begin, Index end) {
        HostMatrix result;
        result.reserve(end - begin, matrix.rows.start[end] - matrix.rows.start[begin]);
        for (Index i = begin; i < end; ++i) {
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1] && !fixed_rows[i]; ++k)
                if (!fixed_columns[matrix.rows.index[k]]) result.append(matrix.rows.index[k], matrix.entries[k]);
            result.end_row();
        }
        return result;
    }));
}

double largest_eigenvalue_of(const Communicator& comm, const EdgeProblem& problem) {
    const ParallelMatrix a = parallel_matrix(comm, problem.edges, problem.edge_halo, problem.matrix, problem.fixed_edges);
    std::vector<double> diagonal(a.rows.rows.rows());
    for_each(0, diagonal.size(), [&](Index i) { diagonal[i] = a.rows.diagonal(i); });
    return largest_eigenvalue(comm, a, halo_plan(comm, a.spread, a.ghosts), diagonal);
}

}  // namespace

template <class Real>
AuxiliarySpace<Real>::AuxiliarySpace(const Communicator& comm, Device& device, const EdgeProblem& problem, const MultigridSettings& settings)
    : device_(device),
      marked_nodes_(problem.nodes.marked()),
      marked_edges_(problem.edges.marked()),
      nodal_(comm, device, problem.nodes, problem.node_halo, problem.laplacian, problem.fixed_nodes, settings) {
    Stopwatch watch;
    const std::size_t before = device.allocated_bytes();
    const auto fixed_edges = flags_of(comm, problem.edges, problem.edge_halo, problem.fixed_edges);
    const auto fixed_nodes = flags_of(comm, problem.nodes, problem.node_halo, problem.fixed_nodes);
    const HostMatrix matrix = free_part(problem.matrix, problem.edges.owned, fixed_edges, fixed_edges);
    nonzeros_ = comm.sum(static_cast<std::int64_t>(matrix.entries.size()));
    std::vector<double> diagonal(problem.edges.owned, 0.0);
    for_each(0, diagonal.size(), [&](Index i) { diagonal[i] = std::max(matrix.diagonal(i), 0.0); });
    smoothed_ = std::make_unique<Halo<Real>>(comm, device, narrowed(comm, problem.edge_halo, matrix.rows.index));
    smoother_ = std::make_unique<Smoother<Real>>(
        device, *smoothed_, SmoothedMatrix{matrix, diagonal, largest_eigenvalue_of(comm, problem), problem.edges.all}, problem.smoothing);
    put_embedding(comm, problem, fixed_edges, fixed_nodes);
    node_r_ = device.buffer<Real>(problem.nodes.all);
    node_z_ = device.buffer<Real>(problem.nodes.all);
    bytes_ = nodal_.bytes() + static_cast<std::size_t>(comm.sum(static_cast<std::int64_t>(device.allocated_bytes() - before)));
    setup_seconds_ = nodal_.summary().setup_seconds + watch.seconds();
}

template <class Real>
void AuxiliarySpace<Real>::put_embedding(const Communicator& comm, const EdgeProblem& problem, const std::vector<std::uint8_t>& fixed_edges,
                                         const std::vector<std::uint8_t>& fixed_nodes) {
    std::vector<Index> edges_read, nodes_read;
    const auto note = [](std::vector<Index>& read, const HostMatrix& rows) { read.insert(read.end(), rows.rows.index.begin(), rows.rows.index.end()); };
    for (const HostMatrix& component : problem.embedding) {
        const HostMatrix down = transposed(free_part(component, problem.edges.all, fixed_edges, fixed_nodes), problem.nodes.owned);
        const HostMatrix up = free_part(component, problem.edges.owned, fixed_edges, fixed_nodes);
        note(edges_read, down);
        note(nodes_read, up);
        restriction_.emplace_back(device_, down);
        embedding_.emplace_back(device_, up);
    }
    restricted_ = std::make_unique<Halo<Real>>(comm, device_, narrowed(comm, problem.edge_halo, edges_read));
    embedded_ = std::make_unique<Halo<Real>>(comm, device_, narrowed(comm, problem.node_halo, nodes_read));
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
    restricted_->exchange(defect);
    for (std::size_t k = 0; k < embedding_.size(); ++k) {
        const DeviceRows<>&down = restriction_[k], &up = embedding_[k];
        kernels::RowSum<Real>{.rows = down.rows, .column = down.index, .entry = down.entry, .x = defect, .value = node_r_}.run(device_, marked_nodes_);
        nodal_.apply(node_r_, node_z_);
        embedded_->exchange(node_z_);
        kernels::RowAdd<Real>{.rows = up.rows, .column = up.index, .entry = up.entry, .x = node_z_, .y = smoother_->x()}.run(device_, marked_edges_);
    }
    return smoother_->finish(z);
}

template class AuxiliarySpace<float>;
template class AuxiliarySpace<double>;

}  // namespace solenoid
