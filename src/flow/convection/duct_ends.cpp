#include "flow/convection/duct_ends.hpp"

#include <algorithm>
#include <map>

#include "device/expression.hpp"
#include "device/upload.hpp"
#include "parallel/bytes.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
DuctEnds<Real>::DuctEnds(const Domain& domain, const FlowBoundaries& boundaries,
                         BoundaryVelocity<Real>& velocity)
    : domain_(domain), d_(domain.dimension), velocity_(velocity) {
    const Mesh& m = domain.mesh.mesh;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> faces, cells, entries, nodes;
    std::vector<GlobalIndex> numbers;
    for (const Index k : velocity.pressure_inflow().boundary_places()) {
        const Index f = b.faces[k], cell = b.cells[k];
        if (f >= domain.faces.owned) continue;
        outward_.push_back(b.outward[k]);
        faces.push_back(f);
        cells.push_back(cell);
        entries.push_back(b.first + k);
        for (int j = 0; j < d_; ++j) nodes.push_back(m.face_nodes(f, j));
        for (int j = 0; j <= d_; ++j)
            if (entity_of(m.cell_faces(cell, j)) == f) nodes.push_back(m.cell_nodes(cell, j));
    }
    for (const Index i : nodes) numbers.push_back(m.node_number[i]);
    std::vector<GlobalIndex> all = gathered(domain.comm, numbers);
    are_there_ = !all.empty();
    if (!are_there_) return;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    all_ = all.size();
    const auto place_of = [&](GlobalIndex number) {
        return std::lower_bound(all.begin(), all.end(), number) - all.begin();
    };
    for (const GlobalIndex number : numbers) place_.push_back(static_cast<Index>(place_of(number)));
    std::vector<Index> here;
    for (Index i = 0; i < domain.nodes.shared; ++i)
        if (std::binary_search(all.begin(), all.end(), m.node_number[i])) {
            here.push_back(i);
            mine_.push_back(static_cast<Index>(place_of(m.node_number[i])));
        }
    cells_ = std::make_unique<Probe<Real>>(domain.device, cells, d_);
    faces_ = std::make_unique<Probe<Real>>(domain.device, entries, d_);
    nodes_ = std::make_unique<Probe<Real>>(domain.device, nodes, d_);
    flux_ = std::make_unique<Probe<Real>>(domain.device, faces);
    node_ = uploaded(domain.device, here);
    value_ = domain.device.buffer<Real>(node_.size(), d_);
    sums_ = domain.vector_field<Real>(Kind::node);
}

template <class Real>
void DuctEnds<Real>::add(const typename Convection<Real>::Carried& carried, Field<Real>& at_nodes) {
    power_ = 0;
    if (!are_there_) return;
    const std::size_t n = outward_.size(), width = d_ + 1;
    const std::vector<double> inside = cells_->read(carried.cells),
                              at_face = faces_->read(carried.cells),
                              t = nodes_->read(carried.at_nodes), flux = flux_->read(carried.flux);
    const std::vector<EndVelocity> ends = velocity_.ends(carried.flux);
    std::vector<RankSum> parts(all_ * d_);
    for (std::size_t i = 0; i < n; ++i) {
        const double out = outward_[i] * flux[i];
        const EndVelocity& end = ends[i];
        for (int k = 0; k < d_; ++k) {
            const double u_c = inside[k * n + i], u_f = at_face[k * n + i];
            const auto node = [&](int j) { return t[k * n * width + i * width + j]; };
            const auto entering = [&](int j) {
                return end.given[j] * end.normal[k] + end.part * node(j);
            };
            double mean_t = 0, mean_c = 0;
            for (int j = 0; j < d_; ++j) {
                mean_t += node(j) / d_;
                mean_c += (out < 0 ? entering(j) : node(j)) / d_;
            }
            const double c = out < 0 ? end.velocity[k] : u_f, lift = out * (c - (u_c + u_f) / 2);
            power_ -= lift * (u_f - u_c);
            for (int j = 0; j <= d_; ++j) {
                double own = lift * ((j < d_ ? 1.0 / d_ : 0.0) - 1.0 / width);
                if (j < d_) {
                    const double covariance =
                        out / (d_ * (d_ + 1)) *
                        ((out < 0 ? entering(j) : node(j)) - mean_c - (node(j) - mean_t) / 2);
                    own += covariance;
                    power_ -= covariance * node(j);
                }
                parts[k * all_ + place_[i * width + j]] -= 2 * own;
            }
        }
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    // on all ranks alike, also without such nodes: the sum below may exchange ghosts
    std::vector<Real> values(mine_.size() * d_);
    for (int k = 0; k < d_; ++k)
        for (std::size_t i = 0; i < mine_.size(); ++i)
            values[k * mine_.size() + i] = static_cast<Real>(sums[k * all_ + mine_[i]]);
    value_.upload(values);
    domain_.device.scatter(value_, node_, sums_);
    domain_.shared(Kind::node)[at_nodes] += sums_;
}

template class DuctEnds<float>;
template class DuctEnds<double>;

}  // namespace solenoid
