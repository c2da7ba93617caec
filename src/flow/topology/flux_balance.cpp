#include "flow/topology/flux_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace solenoid {

FluxBalance::FluxBalance(const Communicator& comm, const DistributedMesh& mesh, const FluxTopology& topology,
                         const std::vector<bool>& prescribed)
    : comm_(comm),
      mesh_(mesh),
      prescribed_(prescribed),
      closed_region_(topology.closed_region_of_cells()),
      closed_regions_(topology.closed_regions()),
      device_(make_cpu_device()),
      matrix_(comm, *device_, mesh.range(Kind::cell), mesh.halo(Kind::cell), assemble(prescribed)),
      cg_(comm, *device_, matrix_),
      faces_(comm, *device_, mesh.halo(Kind::face)),
      net_(device_->buffer<double>(mesh.range(Kind::cell).all)),
      p_(device_->buffer<double>(mesh.range(Kind::cell).all)),
      flux_(device_->buffer<double>(mesh.range(Kind::face).all)) {}

// D D^T on the faces that may change: the graph Laplacian of the cells, with the outside as a neighbour that is zero.
HostMatrix FluxBalance::assemble(const std::vector<bool>& prescribed) const {
    const Mesh& m = mesh_.mesh;
    HostMatrix matrix;
    for (Index c = 0; c < mesh_.range(Kind::cell).owned; ++c) {
        const std::size_t diagonal = matrix.entries.size();
        matrix.rows.index.push_back(c);
        matrix.entries.push_back(0);
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j));
            if (prescribed[f]) continue;
            const Index other = m.face_cells(f, 0) == c ? m.face_cells(f, 1) : m.face_cells(f, 0);
            matrix.entries[diagonal] += 1;
            if (other == none) continue;
            matrix.rows.index.push_back(other);
            matrix.entries.push_back(-1);
        }
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

double FluxBalance::net(const std::vector<double>& flux, std::vector<double>& out) const {
    const Mesh& m = mesh_.mesh;
    double largest = 0;
    for (Index c = 0; c < mesh_.range(Kind::cell).owned; ++c) {
        out[c] = 0;
        for (int j = 0; j <= m.dimension; ++j) out[c] += orientation_of(m.cell_faces(c, j)) * flux[entity_of(m.cell_faces(c, j))];
    }
    take_means(out);
    for (Index c = 0; c < mesh_.range(Kind::cell).owned; ++c) largest = std::max(largest, std::abs(out[c]));
    return comm_.max(largest);
}

// In a region without outlet the matrix is singular: what rounding leaves as a mean must not enter the solve.
void FluxBalance::take_means(std::vector<double>& net) const {
    if (closed_regions_ == 0) return;
    std::vector<double> sum_and_count(2 * closed_regions_, 0.0);
    const Index owned = mesh_.range(Kind::cell).owned;
    for (Index c = 0; c < owned; ++c) {
        if (closed_region_[c] == none) continue;
        sum_and_count[closed_region_[c]] += net[c];
        sum_and_count[closed_regions_ + closed_region_[c]] += 1;
    }
    comm_.sum(sum_and_count);
    for (Index c = 0; c < owned; ++c)
        if (const Index r = closed_region_[c]; r != none) net[c] -= sum_and_count[r] / sum_and_count[closed_regions_ + r];
}

// Each round solves for what the last one has left, until that is the rounding of the flux itself.
void FluxBalance::balance(std::vector<double>& flux) {
    const Mesh& m = mesh_.mesh;
    const Index shared = mesh_.range(Kind::face).shared;
    std::vector<double> out(mesh_.range(Kind::cell).all, 0.0);
    for (int round = 0; round < 6; ++round) {
        double largest = 0;
        for (Index f = 0; f < shared; ++f) largest = std::max(largest, std::abs(flux[f]));
        const double rounding = 2 * std::numeric_limits<double>::epsilon() * comm_.max(largest), left = net(flux, out);
        if (left <= rounding) break;
        net_.upload(out);
        p_.upload(std::vector<double>(p_.size(), 0.0));
        const SolveReport report = cg_.solve(matrix_.inverse_diagonal(), net_, p_, {1e-10, 200000});
        comm_.agree([&] {
            if (!report.converged() && left > 100 * rounding) throw ComputationError("a divergence-free flux could not be found: " + report.explanation());
        });
        matrix_.halo().exchange(p_);
        const auto p = p_.download();
        const auto at = [&](Index cell) { return cell == none ? 0.0 : p[cell]; };
        for (Index f = 0; f < shared; ++f)
            if (!prescribed_[f]) flux[f] -= at(m.face_cells(f, 0)) - at(m.face_cells(f, 1));
    }
    flux_.upload(flux);
    faces_.exchange(flux_);
    flux = flux_.download();
}

}  // namespace solenoid
