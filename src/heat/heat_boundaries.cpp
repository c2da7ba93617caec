#include "heat/heat_boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/log.hpp"
#include "heat/face_size.hpp"

namespace solenoid {
namespace {

constexpr double one_value = 1e-12;  // relative difference of temperatures that are equal

// The faces of each of Mesh::boundaries, ordered by the global numbers of their nodes: in the same
// order on every rank.
std::vector<std::vector<Index>> faces_by_group(const Mesh& mesh) {
    std::vector<std::vector<Index>> faces(mesh.boundaries.size());
    for (const Side& side : mesh.sides) faces[side.boundary].push_back(side.face);
    const auto key = [&](Index face) {
        std::array<GlobalIndex, 3> numbers{};
        for (int j = 0; j < mesh.dimension; ++j)
            numbers[j] = mesh.node_number[mesh.nodes_of(Kind::face, face)[j]];
        return numbers;
    };
    for (auto& group : faces)
        std::sort(group.begin(), group.end(), [&](Index a, Index b) { return key(a) < key(b); });
    return faces;
}

// Nodes and their areas, the sums of A_f / d over `faces`.
BoundaryPart boundary_part(const DistributedMesh& mesh, const std::vector<Index>& faces,
                           const HeatBoundary& settings) {
    const Mesh& m = mesh.mesh;
    const Index owned = mesh.range(Kind::node).owned;
    BoundaryPart part{settings, {}, {}, {}};
    std::vector<std::pair<Index, double>> shares;
    for (Index face : faces)
        for (int j = 0; j < m.dimension; ++j)
            if (const Index node = m.nodes_of(Kind::face, face)[j]; node < owned)
                shares.emplace_back(node, face_size(m, face) / m.dimension);
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [node, area] : shares) {
        if (part.nodes.empty() || part.nodes.back() != node) {
            part.nodes.push_back(node);
            part.area.push_back(0);
        }
        part.area.back() += area;
    }
    return part;
}

// Throws InputError where two conditions give heat to one face: it would be the sum of both.
void refuse_sums(const Communicator& comm, const DistributedMesh& mesh,
                 const std::vector<HeatBoundary>& boundaries,
                 const std::vector<std::vector<Index>>& faces) {
    const Mesh& m = mesh.mesh;
    comm.agree([&] {
        std::map<Index, const HeatBoundary*> given;
        for (const HeatBoundary& b : boundaries) {
            const auto found = std::ranges::find(m.boundaries, b.name);
            if (found == m.boundaries.end() ||
                (!b.condition->flux() && !b.condition->exchange() && !b.condition->resistance()))
                continue;
            for (const Index face : faces[found - m.boundaries.begin()]) {
                if (face >= mesh.range(Kind::face).owned) continue;
                const auto [entry, is_new] = given.try_emplace(face, &b);
                if (is_new) continue;
                const auto x = m.face_corners(face);
                throw InputError(
                    b.place,
                    fmt::format("[boundary.{0}]: the face at {1} lies in the groups \"{2}\" and "
                                "\"{0}\", and both give it heat (the other at {3}): "
                                "make one of them insulated, or take it out of one group",
                                b.name, position_text((x[0] + x[1]) / 2.0), entry->second->name,
                                entry->second->place));
            }
        }
    });
}

}  // namespace

HeatBoundaries::HeatBoundaries(const Communicator& comm, const DistributedMesh& mesh,
                               const std::vector<HeatBoundary>& boundaries,
                               const CoupledNodes& coupled) {
    const Mesh& m = mesh.mesh;
    const GroupLocations locations = group_locations(comm, mesh);
    const auto faces = faces_by_group(m);
    refuse_sums(comm, mesh, boundaries, faces);
    for (const HeatBoundary& s : boundaries) {
        const auto found = std::find(m.boundaries.begin(), m.boundaries.end(), s.name);
        const std::size_t group = found - m.boundaries.begin();
        comm.agree([&] {
            if (found == m.boundaries.end())
                throw InputError(s.place, fmt::format("the mesh has no boundary '{}'", s.name));
            if (locations.inside[group] && !s.condition->fits_inside())
                throw InputError(
                    s.place,
                    fmt::format(
                        "boundary '{}' has faces inside the domain, where only a temperature can "
                        "be given, or a table of the group's own says insulated or contact ("
                        "the mesh is slit there then): leave those out of the group, or slit the "
                        "mesh there (Gmsh: Plugin(Crack))",
                        s.name));
        });
        parts_.push_back(boundary_part(mesh, faces[group], s));
        comm.agree([&] {
            if (s.condition->resistance())
                parts_.back().pairs = contact_pairs(mesh, coupled, faces[group], s);
        });
    }
    points_.assign(m.points.begin(), m.points.begin() + mesh.range(Kind::node).owned);
    fix_nodes(comm);
    watched_ = fixed_.nodes;
    watched_place_.resize(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const auto watch = [&](Index node) {
            watched_place_[p].push_back(static_cast<Index>(watched_.size()));
            watched_.push_back(node);
        };
        if (parts_[p].condition().exchange()) std::ranges::for_each(parts_[p].nodes, watch);
        for (const ContactPair& pair : parts_[p].pairs) watch(pair.node), watch(pair.partner);
    }
}

// The nodes of parts with a temperature, ascending, the parts that meet at each, and their shares
// by area.
void HeatBoundaries::fix_nodes(const Communicator& comm) {
    struct FixedValue {
        Index node, part;
        double area;
    };
    std::vector<FixedValue> fixed_values;
    for (std::size_t p = 0; p < parts_.size(); ++p)
        if (parts_[p].condition().temperature())
            for (std::size_t k = 0; k < parts_[p].nodes.size(); ++k)
                fixed_values.push_back(
                    {parts_[p].nodes[k], static_cast<Index>(p), parts_[p].area[k]});
    std::stable_sort(fixed_values.begin(), fixed_values.end(),
                     [](const FixedValue& a, const FixedValue& b) { return a.node < b.node; });
    bool may_differ = false;
    for (std::size_t k = 0; k < fixed_values.size();) {
        std::size_t last = k;
        double area = 0;
        bool varies = false;
        for (; last < fixed_values.size() && fixed_values[last].node == fixed_values[k].node;
             ++last) {
            area += fixed_values[last].area;
            varies |= parts_[fixed_values[last].part].condition().temperature()->depends_on_time();
        }
        may_differ |= varies && last - k > 1;
        fixed_.nodes.push_back(fixed_values[k].node);
        for (; k < last; ++k) {
            fixed_.parts.index.push_back(fixed_values[k].part);
            fixed_.share.push_back(fixed_values[k].area / area);
        }
        fixed_.parts.start.push_back(static_cast<Index>(k));
    }
    remark_meetings(comm, 0);
    may_differ_ = comm.any(may_differ) && may_differ_;
}

void HeatBoundaries::remark_meetings(const Communicator& comm, double t) {
    if (!may_differ_) return;
    std::int64_t contested = 0;
    for (std::size_t k = 0; k < fixed_.nodes.size(); ++k) {
        double least = HUGE_VAL, greatest = -HUGE_VAL;
        for (const Index* p = fixed_.parts.begin(k); p != fixed_.parts.end(k); ++p) {
            // a value that is not finite: fixed_values() throws
            const double value =
                (*parts_[*p].condition().temperature())(points_[fixed_.nodes[k]], t);
            least = std::min(least, value);
            greatest = std::max(greatest, value);
        }
        contested += greatest - least > one_value * std::max(std::abs(least), std::abs(greatest));
    }
    contested = comm.sum(contested);
    if (contested == 0) return;
    may_differ_ = false;
    log::warning(
        "{} where boundaries of different fixed temperatures meet{}: the mean is taken there",
        contested == 1 ? "1 node lies" : fmt::format("{} nodes lie", contested),
        t == 0 ? "" : fmt::format(", from t = {:.6g} s on", t));
}

bool HeatBoundaries::has_contacts() const {
    return std::ranges::any_of(
        parts_, [](const BoundaryPart& part) { return part.condition().resistance() != nullptr; });
}

std::vector<ContactPair> HeatBoundaries::pairs() const {
    std::vector<ContactPair> all;
    for (const BoundaryPart& part : parts_)
        all.insert(all.end(), part.pairs.begin(), part.pairs.end());
    return all;
}

bool HeatBoundaries::depends_on_time() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const BoundaryPart& part) {
        const HeatCondition& c = part.condition();
        const auto depends = [](const Formula* formula) {
            return formula && formula->depends_on_time();
        };
        return depends(c.temperature()) || depends(c.flux()) ||
               (c.exchange() &&
                (depends(&c.exchange()->coefficient) || depends(&c.exchange()->ambient)));
    });
}

std::vector<double> HeatBoundaries::fixed_values(double t) const {
    std::vector<double> values(fixed_.nodes.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        double sum = 0;
        for (const Index* p = fixed_.parts.begin(k); p != fixed_.parts.end(k); ++p)
            sum += parts_[*p].condition().temperature()->finite_value(points_[fixed_.nodes[k]], t);
        values[k] = sum / fixed_.parts.length(k);
    }
    return values;
}

void HeatBoundaries::add_loads(double t, std::vector<double>& load,
                               std::vector<double>& exchange) const {
    for (const BoundaryPart& part : parts_) {
        const HeatCondition& condition = part.condition();
        for (std::size_t k = 0; k < part.nodes.size(); ++k) {
            const Index node = part.nodes[k];
            if (condition.flux())
                load[node] += part.area[k] * condition.flux()->finite_value(points_[node], t);
            if (!condition.exchange()) continue;
            const double h = part.area[k] *
                             condition.exchange()->coefficient.not_negative_value(points_[node], t);
            exchange[node] += h;
            load[node] += h * condition.exchange()->ambient.finite_value(points_[node], t);
        }
    }
}

void HeatBoundaries::add_integrable(double t, double weight, std::vector<double>& load,
                                    std::vector<RankSum>& flow) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const BoundaryPart& part = parts_[p];
        const HeatCondition& condition = part.condition();
        const auto* exchange = condition.exchange();
        if (!condition.flux() && (!exchange || exchange->coefficient.depends_on_time())) continue;
        for (std::size_t k = 0; k < part.nodes.size(); ++k) {
            const Vec3& x = points_[part.nodes[k]];
            double given = condition.flux() ? condition.flux()->finite_value(x, t) : 0;
            if (exchange)
                given += exchange->coefficient.not_negative_value(x, t) *
                         exchange->ambient.finite_value(x, t);
            load[part.nodes[k]] += weight * part.area[k] * given;
            flow[p] += weight * part.area[k] * given;
        }
    }
}

std::vector<RankSum> HeatBoundaries::flows(double t, const std::vector<double>& temperature,
                                           const std::vector<double>& net_flow) const {
    std::vector<RankSum> flow(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const BoundaryPart& part = parts_[p];
        const HeatCondition& condition = part.condition();
        for (std::size_t k = 0; k < part.pairs.size(); ++k)
            flow[p] += heat_through(part.pairs[k], temperature[watched_place_[p][2 * k]],
                                    temperature[watched_place_[p][2 * k + 1]]);
        for (std::size_t k = 0; k < part.nodes.size(); ++k) {
            const Vec3& x = points_[part.nodes[k]];
            if (condition.flux()) flow[p] += part.area[k] * condition.flux()->finite_value(x, t);
            if (const auto* exchange = condition.exchange())
                flow[p] +=
                    part.area[k] * exchange->coefficient.not_negative_value(x, t) *
                    (exchange->ambient.finite_value(x, t) - temperature[watched_place_[p][k]]);
        }
    }
    std::vector<double> reaction(fixed_.nodes.size());
    for (std::size_t k = 0; k < reaction.size(); ++k) reaction[k] = -net_flow[k];
    add_reactions(reaction, flow);
    return flow;
}

void HeatBoundaries::add_reactions(const std::vector<double>& reaction,
                                   std::vector<RankSum>& flows) const {
    for (std::size_t k = 0; k < fixed_.nodes.size(); ++k)
        for (Index e = fixed_.parts.start[k]; e < fixed_.parts.start[k + 1]; ++e)
            flows[fixed_.parts.index[e]] += fixed_.share[e] * reaction[k];
}

}  // namespace solenoid
