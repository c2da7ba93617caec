#include "flow/boundary/convected_outflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/discretization/normal_slope.hpp"
#include "flow/topology/flow_regions.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
template <class Real>
ConvectedOutflow<Real>::ConvectedOutflow(const Domain& domain, const FlowBoundaries& boundaries)
    : domain_(domain),
      boundaries_(boundaries),
      d_(domain.dimension),
      flux_(boundaries.prescribed_faces().members.size(), 0.0) {
    const Mesh& m = domain.mesh.mesh;
    const EntitySubset& prescribed = boundaries.prescribed_faces();
    for (std::size_t k = 0; k < prescribed.ranges.owned; ++k) {
        const Index f = prescribed.members[k];
        const FlowBoundary* boundary = boundaries.boundary(f);
        if (!boundary->condition->follows()) continue;
        const double outward = m.face_cells(f, 1) == none ? 1 : -1,
                     area = glm::length(domain.geometry.face_area[f]);
        faces_.push_back({k, f, static_cast<int>(boundary - boundaries.settings().data()), outward,
                          area, 0, outward / area * domain.geometry.face_area[f], 0});
    }
    inside_.assign(faces_.size(), 0.0);
    set_weights();
}

template <class Real>
void ConvectedOutflow<Real>::set_weights() {
    const Mesh& m = domain_.mesh.mesh;
    const Rows cells_of_node = faces_.empty() ? Rows() : cells_of(m, Kind::node);
    std::vector<Index> all;
    for (Face& face : faces_) {
        std::vector<Index> cells;
        for (int j = 0; j < d_; ++j) {
            const Index node = m.face_nodes(face.face, j);
            cells.insert(cells.end(), cells_of_node.begin(node), cells_of_node.end(node));
        }
        // on all ranks alike: the slope below adds up in this order
        std::ranges::sort(cells, {}, [&](Index c) { return m.cell_number[c]; });
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        std::vector<Vec3> points;
        for (const Index c : cells) points.push_back(domain_.geometry.cell_centroid[c]);
        const Index inside = m.face_cells(face.face, face.outward > 0 ? 0 : 1);
        const NormalSlope slope =
            normal_slope(domain_.geometry.face_centroid[face.face], face.normal, points,
                         std::ranges::find(cells, inside) - cells.begin(), d_);
        face.distance = slope.distance;
        weight_.insert(weight_.end(), slope.weights.begin(), slope.weights.end());
        all.insert(all.end(), cells.begin(), cells.end());
        face.end = all.size();
    }
    cells_ = std::make_unique<Probe<Real>>(domain_.device, all, d_);
}

template <class Real>
void ConvectedOutflow<Real>::start(const VectorFormula& initial) {
    domain_.comm.agree([&] {
        for (const Face& face : faces_) {
            Vec3 u(0);
            for (int k = 0; k < d_; ++k)
                u[k] = initial[k].quantity(domain_.geometry.face_centroid[face.face], 0);
            flux_[face.place] = glm::dot(domain_.geometry.face_area[face.face], u);
        }
    });
    if (boundaries_.follow()) refuse_what_stays_shut();
}

// A boundary at which nothing leaves at the start opens by what enters elsewhere: where a pressure
// is given, too, that takes the rest, and without a given inflow there is none.
template <class Real>
void ConvectedOutflow<Real>::refuse_what_stays_shut() const {
    const Mesh& m = domain_.mesh.mesh;
    const FlowRegions regions(domain_.comm, domain_.mesh, boundaries_.prescribed());
    const auto region_at = [&](Index face) {
        const Index cell = m.face_cells(face, 0);
        return regions.of_cell(cell == none ? m.face_cells(face, 1) : cell);
    };
    std::set<GlobalIndex> with_inflow;
    const EntitySubset& prescribed = boundaries_.prescribed_faces();
    for (Index k = 0; k < prescribed.ranges.owned; ++k)
        if (boundaries_.boundary(prescribed.members[k])->condition->is_inflow())
            with_inflow.insert(region_at(prescribed.members[k]));
    with_inflow = distinct(domain_.comm, with_inflow);
    const std::vector<double> speed = speeds(flux_);
    domain_.comm.agree([&] {
        for (const Face& face : faces_) {
            const GlobalIndex region = region_at(face.face);
            const bool is_open = regions.has_outlet(region);
            if (speed[face.boundary] > 0 || (!is_open && with_inflow.contains(region))) continue;
            const FlowBoundary& b = boundaries_.settings()[face.boundary];
            throw InputError(
                b.place, fmt::format("[boundary.{}]: from rest nothing would ever leave through a "
                                     "convective boundary where {}: take the type \"outflow\", or "
                                     "an [initial] velocity that leaves here",
                                     b.name,
                                     is_open ? "the pressure is given at another boundary"
                                             : "no other boundary is an inflow"));
        }
    });
}

// The fluxes of the velocity inside, out of the domain.
template <class Real>
std::vector<double> ConvectedOutflow<Real>::fluxes_inside(const Field<Real>& u) {
    const std::vector<double> cells = cells_->read(u.with_ghosts());
    std::vector<double> fluxes;
    std::size_t i = 0;
    for (const Face& face : faces_) {
        double sum = 0;
        for (; i < face.end; ++i)
            for (int k = 0; k < d_; ++k)
                sum += weight_[i] * face.normal[k] * cells[k * weight_.size() + i];
        fluxes.push_back(face.area * sum);
    }
    return fluxes;
}

// The mean outflow velocity of each boundary [m/s].
template <class Real>
std::vector<double> ConvectedOutflow<Real>::speeds(const std::vector<double>& balanced) const {
    const std::size_t n = boundaries_.settings().size();
    std::vector<RankSum> parts(2 * n);  // of each boundary: outflow, area
    for (const Face& face : faces_) {
        parts[face.boundary] += face.outward * balanced[face.place];
        parts[n + face.boundary] += face.area;
    }
    std::vector<double> sums = totals(domain_.comm, std::move(parts));
    for (std::size_t b = 0; b < n; ++b)
        sums[b] = sums[n + b] > 0 ? std::max(0.0, sums[b] / sums[n + b]) : 0;
    return sums;
}

template <class Real>
void ConvectedOutflow<Real>::advance(const Field<Real>& u, const std::vector<double>& balanced,
                                     double step) {
    if (!boundaries_.follow()) return;
    const std::vector<double> speed = speeds(balanced), inside = fluxes_inside(u);
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        const Face& face = faces_[i];
        const double growth = last_step_ > 0 ? (inside[i] - inside_[i]) / last_step_ : 0;
        const FlowCondition::Beside beside{face.outward * balanced[face.place],
                                           inside[i],
                                           inside[i] + growth * step,
                                           face.distance,
                                           speed[face.boundary],
                                           step};
        flux_[face.place] =
            face.outward * boundaries_.settings()[face.boundary].condition->next_flux(beside);
    }
    inside_ = inside;
    last_step_ = step;
}

template <class Real>
void ConvectedOutflow<Real>::register_state(const State<Real>& state) {
    if (!boundaries_.follow()) return;
    std::vector<Index> faces;
    for (const Face& face : faces_) faces.push_back(face.face);
    state.add("flux", flux_, Kind::face, boundaries_.prescribed_faces().members);
    state.add("inside", inside_, Kind::face, faces);
    state.add("last_step", last_step_, not_negative);
}

template class ConvectedOutflow<float>;
template class ConvectedOutflow<double>;

}  // namespace solenoid
