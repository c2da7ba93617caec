#include "flow/topology/flux_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/fill_ghosts.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

FluxBalance::System::System(const Domain& domain, Device& device, const HostMatrix& entries)
    : matrix(domain.comm, device, domain.cells, domain.mesh.halo(Kind::cell), entries),
      multigrid(domain.comm, device, domain.cells, domain.mesh.halo(Kind::cell), entries),
      cg(domain.comm, matrix),
      net(device.buffer<double>(domain.cells.all)),
      p(device.buffer<double>(domain.cells.all)) {}

FluxBalance::FluxBalance(const Domain& domain, const Cohomology& topology,
                         const std::vector<bool>& prescribed)
    : domain_(domain),
      prescribed_(prescribed),
      closed_region_(topology.closed_region_of_cells()),
      closed_regions_(topology.closed_regions()) {}

// D D^T on the faces that may change: the graph Laplacian of the cells, with the outside as a
// neighbour of value zero.
HostMatrix FluxBalance::assemble() const {
    const Mesh& m = domain_.mesh.mesh;
    return joined(pieces_of(domain_.cells.owned, [&](Index begin, Index end) {
        HostMatrix matrix;
        matrix.reserve(end - begin, std::size_t(end - begin) * (m.dimension + 2));
        for (Index c = begin; c < end; ++c) {
            const std::size_t diagonal = matrix.entries.size();
            matrix.append(c, 0);
            for (int j = 0; j <= m.dimension; ++j) {
                const Index f = entity_of(m.cell_faces(c, j));
                if (prescribed_[f]) continue;
                const Index other =
                    m.face_cells(f, 0) == c ? m.face_cells(f, 1) : m.face_cells(f, 0);
                matrix.entries[diagonal] += 1;
                if (other != none) matrix.append(other, -1);
            }
            matrix.end_row();
        }
        return matrix;
    }));
}

double FluxBalance::net(const std::vector<double>& flux, std::vector<double>& out) const {
    const Mesh& m = domain_.mesh.mesh;
    for_each(0, domain_.cells.owned, [&](Index c) {
        out[c] = 0;
        for (int j = 0; j <= m.dimension; ++j)
            out[c] += orientation_of(m.cell_faces(c, j)) * flux[entity_of(m.cell_faces(c, j))];
    });
    take_means(out);
    return domain_.comm.max(
        largest_of_each(0, domain_.cells.owned, [&](Index c) { return std::abs(out[c]); }));
}

// Subtracts means in regions without an outlet, where the matrix is singular: a mean left by
// rounding must not enter the solve.
void FluxBalance::take_means(std::vector<double>& net) const {
    if (closed_regions_ == 0) return;
    std::vector<RankSum> parts(2 * closed_regions_);  // sums, counts
    const Index owned = domain_.cells.owned;
    for (Index c = 0; c < owned; ++c) {
        if (closed_region_[c] == none) continue;
        parts[closed_region_[c]] += net[c];
        parts[closed_regions_ + closed_region_[c]] += 1;
    }
    const std::vector<double> sum_and_count = totals(domain_.comm, std::move(parts));
    for_each(0, owned, [&](Index c) {
        if (const Index r = closed_region_[c]; r != none)
            net[c] -= sum_and_count[r] / sum_and_count[closed_regions_ + r];
    });
}

// p with D D^T p = net, ghosts filled.
std::vector<double> FluxBalance::potential(const std::vector<double>& net, double tolerance,
                                           bool must_converge) {
    Device& device = domain_.double_device();
    if (!system_) system_ = std::make_unique<System>(domain_, device, assemble());
    system_->net.upload(net);
    system_->p.upload(std::vector<double>(net.size(), 0.0));
    const SolveReport report = system_->cg.solve(system_->multigrid, system_->net, system_->p,
                                                 {.tolerance = tolerance, .max_iterations = 10000});
    domain_.comm.agree([&] {
        if (report.is_fault() || (!report.converged() && must_converge))
            throw ComputationError("a divergence-free flux could not be found: " +
                                   report.explanation());
    });
    std::vector<double> p = system_->p.download();
    fill_ghosts(domain_.comm, domain_.mesh.halo(Kind::cell), p);
    return p;
}

// Each round solves for what the last one left, until that is the rounding of the flux itself (half
// a unit of each face and of each sum) or the fraction `left_over` of its largest value.
void FluxBalance::balance(std::vector<double>& flux, int rounds, double left_over) {
    const Mesh& m = domain_.mesh.mesh;
    const Index shared = domain_.faces.shared;
    std::vector<double> out(domain_.cells.all, 0.0);
    for (int round = 0; round < rounds; ++round) {
        const double largest = domain_.comm.max(
            largest_of_each(0, shared, [&](Index f) { return std::abs(flux[f]); }));
        const double rounding =
                         (m.dimension + 1) * std::numeric_limits<double>::epsilon() * largest,
                     left = net(flux, out);
        if (left <= std::max(rounding, left_over * largest)) break;
        const auto p =
            potential(out, std::max(1e-10, 0.1 * rounding / left), left > 100 * rounding);
        const auto at = [&](Index cell) { return cell == none ? 0.0 : p[cell]; };
        for_each(0, shared, [&](Index f) {
            if (!prescribed_[f]) flux[f] -= at(m.face_cells(f, 0)) - at(m.face_cells(f, 1));
        });
    }
    fill_ghosts(domain_.comm, domain_.mesh.halo(Kind::face), flux);
}

}  // namespace solenoid
