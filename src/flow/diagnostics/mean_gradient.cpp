#include "flow/diagnostics/mean_gradient.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <glm/geometric.hpp>
#include <numeric>
#include <unordered_map>

#include "device/expression.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// A boundary face for the root: its node numbers, and the shifts with which its cell sees them.
struct SeenFace {
    std::array<GlobalIndex, 3> node{};
    std::array<std::uint8_t, 3> code{};
};

// For the faces of the whole boundary, d nodes each, the sum of offsets that moves each to the
// faces it shares nodes with. A surface that closes only round a period, such as a wall along it,
// gets no consistent shift and stays in place.
std::vector<Vec3> shifts(const std::vector<SeenFace>& faces, int d,
                         const PeriodicMap& periodic_map) {
    std::unordered_map<GlobalIndex, std::vector<std::size_t>> of_node;
    double longest = 0;
    for (const Vec3& shift : periodic_map.shifts) longest = std::max(longest, glm::length(shift));
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (int j = 0; j < d; ++j) of_node[faces[f].node[j]].push_back(f);
    std::vector<Vec3> shift(faces.size(), Vec3(0));
    std::vector<bool> is_seen(faces.size(), false);
    for (std::size_t first = 0; first < faces.size(); ++first) {
        if (is_seen[first]) continue;
        is_seen[first] = true;
        std::vector<std::size_t> body{first};
        bool is_whole = true;
        for (std::size_t k = 0; k < body.size(); ++k)
            for (int j = 0; j < d; ++j) {
                const SeenFace& one = faces[body[k]];
                for (const std::size_t f : of_node[one.node[j]]) {
                    const auto place =
                        std::find(faces[f].node.begin(), faces[f].node.begin() + d, one.node[j]) -
                        faces[f].node.begin();
                    const Vec3 needed = shift[body[k]] + periodic_map.shifts[one.code[j]] -
                                        periodic_map.shifts[faces[f].code[place]];
                    if (!is_seen[f]) {
                        is_seen[f] = true;
                        shift[f] = needed;
                        body.push_back(f);
                    } else
                        is_whole = is_whole && glm::length(needed - shift[f]) <= 1e-6 * longest;
                }
            }
        for (const std::size_t f : body)
            if (!is_whole) shift[f] = Vec3(0);
    }
    return shift;
}

// The same for faces in any order: a body has its place by its face with the lowest nodes.
std::vector<Vec3> shifts_in_order(const std::vector<SeenFace>& faces, int d,
                                  const PeriodicMap& periodic_map) {
    std::vector<std::size_t> order(faces.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t f) { return faces[f].node; });
    std::vector<SeenFace> sorted;
    for (const std::size_t f : order) sorted.push_back(faces[f]);
    const std::vector<Vec3> found = shifts(sorted, d, periodic_map);
    std::vector<Vec3> shift(faces.size());
    for (std::size_t k = 0; k < order.size(); ++k) shift[order[k]] = found[k];
    return shift;
}

}  // namespace

MeanGradient::MeanGradient(const Domain& domain, const FlowBoundaries& boundaries)
    : domain_(domain), d_(domain.dimension) {
    const Mesh& m = domain.mesh.mesh;
    const BoundaryFaces& b = boundaries.faces();
    std::vector<Index> place(m.faces(), none);
    for (std::size_t k = 0; k < b.faces.size(); ++k) place[b.faces[k]] = static_cast<Index>(k);
    for (const Side& side : m.sides) {
        const Index f = side.face, k = place[f];
        if (k == none || f >= domain.faces.owned || boundaries.is_open(f)) continue;
        faces_.push_back({f, domain.mesh.node_component[m.nodes_of(Kind::face, f)[0]],
                          side.boundary, b.outward[k] * domain.geometry.face_area[f],
                          m.face_corners(f)});
    }
    find_parts();
    unfold();
}

void MeanGradient::find_parts() {
    const Mesh& m = domain_.mesh.mesh;
    const std::vector<Index>& part = domain_.mesh.node_component;
    const std::size_t parts = domain_.mesh.components, pairs = m.periodic_map.pairs.size();
    std::vector<double> has(parts * pairs, 0.0);
    std::vector<RankSum> local(parts * 4);
    for (std::size_t i = 0; i < pairs; ++i)
        for (const Index face : section_faces(m, m.periodic_map.pairs[i]))
            has[part[m.nodes_of(Kind::face, entity_of(face))[0]] * pairs + i] = 1;
    for (Index c = 0; c < domain_.cells.owned; ++c) {
        RankSum* sum = &local[part[m.cell_nodes(c, 0)] * 4];
        for (int k = 0; k < 3; ++k)
            sum[k] += domain_.geometry.cell_volume[c] * domain_.geometry.cell_centroid[c][k];
        sum[3] += domain_.geometry.cell_volume[c];
    }
    domain_.comm.max(has);
    const std::vector<double> sums = totals(domain_.comm, std::move(local));
    pairs_.resize(parts);
    for (std::size_t p = 0; p < parts; ++p) {
        for (std::size_t i = 0; i < pairs; ++i)
            if (has[p * pairs + i] > 0) pairs_[p].push_back(i);
        centroid_.push_back(Vec3(sums[4 * p], sums[4 * p + 1], sums[4 * p + 2]) / sums[4 * p + 3]);
    }
    gradient_.assign(parts, Vec3(0));
}

// Runs on the root, which holds the whole boundary of a periodic mesh, as make_periodic() did.
void MeanGradient::unfold() {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<SeenFace> own;
    for (const Face& face : faces_) {
        SeenFace seen;
        const Index first = m.face_cells(face.face, 0),
                    cell = first == none ? m.face_cells(face.face, 1) : first;
        for (int j = 0; j < d_; ++j) {
            const Index node = m.nodes_of(Kind::face, face.face)[j];
            seen.node[j] = m.node_number[node];
            seen.code[j] =
                static_cast<std::uint8_t>(m.corner_code(cell, m.place_in_cell(cell, node)));
        }
        own.push_back(seen);
    }
    const auto gathered = domain_.comm.gather(std::as_bytes(std::span<const SeenFace>(own)));
    std::map<int, std::vector<std::byte>> outgoing;
    if (domain_.comm.is_root()) {
        std::vector<SeenFace> all;
        for (const auto& bytes : gathered) {
            const std::size_t before = all.size();
            all.resize(before + bytes.size() / sizeof(SeenFace));
            if (!bytes.empty()) std::memcpy(&all[before], bytes.data(), bytes.size());
        }
        const std::vector<Vec3> shift = shifts_in_order(all, d_, m.periodic_map);
        std::size_t start = 0;
        for (std::size_t rank = 0; rank < gathered.size(); ++rank) {
            const auto bytes = std::as_bytes(std::span<const Vec3>(shift).subspan(
                start, gathered[rank].size() / sizeof(SeenFace)));
            outgoing[static_cast<int>(rank)].assign(bytes.begin(), bytes.end());
            start += gathered[rank].size() / sizeof(SeenFace);
        }
    }
    const auto incoming = domain_.comm.exchange(outgoing);
    std::vector<Vec3> shift(faces_.size());
    if (const auto message = incoming.find(0); message != incoming.end())
        std::memcpy(shift.data(), message->second.data(), message->second.size());
    for (std::size_t k = 0; k < faces_.size(); ++k) faces_[k].shift = shift[k];
}

// For each part the shortest vector with these rises along the offsets of its pairs. Of pairs with
// parallel offsets the first counts.
void MeanGradient::update_pressure_rise(const std::vector<std::optional<double>>& rise) {
    const auto& pairs = domain_.mesh.mesh.periodic_map.pairs;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        Vec3& gradient = gradient_[p];
        gradient = Vec3(0);
        std::vector<Vec3> seen;  // orthonormal directions of earlier pairs
        for (const std::size_t pair : pairs_[p]) {
            const Vec3& offset = pairs[pair].offset;
            Vec3 left = offset;
            for (const Vec3& e : seen) left -= glm::dot(left, e) * e;
            if (glm::length(left) <= 1e-6 * glm::length(offset)) continue;
            const double missing =
                (pair < rise.size() ? rise[pair].value_or(0) : 0) - glm::dot(gradient, offset);
            seen.push_back(glm::normalize(left));
            gradient += missing / glm::length(left) * seen.back();
        }
    }
}

template <class Real>
void MeanGradient::take_from(Field<Real>& body) const {
    if (gradient_.size() == 1) {
        Buffer<Real>& values = body.write();
        for (int k = 0; k < d_; ++k)
            domain_.held(Kind::cell)[column(values, k)] = column(values, k) - gradient_[0][k];
        return;
    }
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Real> values = body.download();
    const std::size_t rows = values.size() / d_;
    for (Index c = 0; c < m.cells(); ++c)
        for (int k = 0; k < d_; ++k)
            values[k * rows + c] -=
                static_cast<Real>(gradient_[domain_.mesh.node_component[m.cell_nodes(c, 0)]][k]);
    body.upload(values);
}

// Integral of a product of linear functions over a face: area times the sum over its n corners of
// a_i b_j (1 + [i = j]) / (n (n + 1)).
void MeanGradient::add_to(std::vector<BoundaryForce>& forces) const {
    std::vector<RankSum> parts(forces.size() * 6);
    for (const Face& face : faces_) {
        const Vec3& gradient = gradient_[face.part];
        std::array<double, 3> p{};
        double whole = 0;
        Vec3 corners(0);
        for (int j = 0; j < d_; ++j) {
            p[j] = glm::dot(gradient, face.at[j] + face.shift - centroid_[face.part]);
            whole += p[j];
            corners += face.at[j];
        }
        Vec3 arm = whole * corners;
        for (int j = 0; j < d_; ++j) arm += p[j] * face.at[j];
        const Vec3 force = whole / d_ * face.area,
                   moment = glm::cross(arm, face.area) / double(d_ * (d_ + 1));
        for (int k = 0; k < 3; ++k) {
            parts[face.boundary * 6 + k] += force[k];
            parts[face.boundary * 6 + 3 + k] += moment[k];
        }
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    for (std::size_t g = 0; g < forces.size(); ++g)
        for (int k = 0; k < 3; ++k) {
            for (Vec3* force : {&forces[g].pressure, &forces[g].weak})
                (*force)[k] += sums[g * 6 + k];
            for (Vec3* moment : {&forces[g].moment, &forces[g].weak_moment})
                (*moment)[k] += sums[g * 6 + 3 + k];
        }
}

template void MeanGradient::take_from(Field<float>&) const;
template void MeanGradient::take_from(Field<double>&) const;

}  // namespace solenoid
