#include "mesh/separate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace solenoid {
namespace {

constexpr double same = 1e-3;  // corners coincide within this fraction of a face's shortest edge

Vec3 centroid(const OuterFace& face, int d) {
    Vec3 sum(0);
    for (int j = 0; j < d; ++j) sum += face.corners[j];
    return sum / double(d);
}

double tolerance(const OuterFace& face, int d) {
    double least = HUGE_VAL;
    for (int j = 0; j < d; ++j)
        for (int k = 0; k < j; ++k)
            least = std::min(least, glm::distance(face.corners[j], face.corners[k]));
    return same * least;
}

// The largest distance of a corner of `a` from the nearest corner of `b`.
double corner_distance(const OuterFace& a, const OuterFace& b, int d) {
    double largest = 0;
    for (int j = 0; j < d; ++j) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < d; ++k)
            nearest = std::min(nearest, glm::distance(a.corners[j], b.corners[k]));
        largest = std::max(largest, nearest);
    }
    return largest;
}

void add(Contact& contact, const Vec3& place, const OuterFace& a, std::int32_t region,
         std::int32_t part) {
    if (contact.faces++ > 0) return;
    contact.place = place;
    contact.regions = {std::min(a.region, region), std::max(a.region, region)};
    contact.parts = {std::min(a.part, part), std::max(a.part, part)};
}

// Finds pairs of faces with coinciding corners and marks their faces.
std::vector<bool> find_coincident(int d, const std::vector<OuterFace>& faces, double least,
                                  PartContacts& contacts) {
    std::vector<Vec3> centre(faces.size());
    std::vector<double> near(faces.size());
    double width = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        centre[i] = centroid(faces[i], d);
        near[i] = std::max(least, tolerance(faces[i], d));
        width = std::max(width, near[i]);
    }
    using Box = std::array<std::int64_t, 3>;
    const auto hash = [](const Box& box) {
        std::size_t h = 0;
        for (const std::int64_t i : box)
            h = (h ^ static_cast<std::size_t>(i)) * 0x9E3779B97F4A7C15u ^ h >> 29;
        return h;
    };
    std::unordered_map<Box, std::vector<std::size_t>, decltype(hash)> bins(faces.size(), hash);
    const auto box_of = [&](const Vec3& x) {
        Box box{};
        for (int k = 0; k < 3; ++k)
            box[k] = static_cast<std::int64_t>(std::floor(std::clamp(x[k] / width, -9e18, 9e18)));
        return box;
    };
    std::vector<bool> has_twin(faces.size(), false);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Box box = box_of(centre[i]);
        for (int k = 0; k < 27; ++k) {
            const auto found =
                bins.find({box[0] + k % 3 - 1, box[1] + k / 3 % 3 - 1, box[2] + k / 9 - 1});
            if (found == bins.end()) continue;
            for (const std::size_t other : found->second) {
                const double allowed = std::min(near[i], near[other]);
                if (glm::distance(centre[i], centre[other]) > allowed) continue;
                if (corner_distance(faces[i], faces[other], d) > allowed) continue;
                has_twin[i] = has_twin[other] = true;
                const bool is_slit = faces[i].part == faces[other].part ||
                                     (faces[i].is_slit && faces[other].is_slit);
                add(is_slit ? contacts.slit : contacts.coincident, centre[i], faces[i],
                    faces[other].region, faces[other].part);
            }
        }
        bins[box].push_back(i);
    }
    return has_twin;
}

// Finds the parts that contain a point: a ray crosses the faces of such a part an odd number of
// times, in both directions.
class PartLocator {
  public:
    PartLocator(int d, const std::vector<OuterFace>& faces)
        : d_(d), faces_(faces), turned_(faces.size()) {
        // Directions along which a drawing is unlikely to have faces.
        const Vec3 ray = d == 3 ? glm::normalize(Vec3{0.8121, 0.4273, 0.3974})
                                : glm::normalize(Vec3{0.8571, 0.5151, 0});
        const Vec3 up =
            d == 3 ? glm::normalize(glm::cross(ray, Vec3{0.3117, -0.2231, 0.9236})) : Vec3{0, 0, 1};
        axes_ = {ray, glm::cross(up, ray), up};
        low_ = Vec3(HUGE_VAL);
        Vec3 high(-HUGE_VAL);
        for (std::size_t f = 0; f < faces.size(); ++f)
            for (int j = 0; j < d; ++j) {
                const Vec3 x = turned_[f][j] = turned(faces[f].corners[j]);
                for (int k = 0; k < 3; ++k) {
                    low_[k] = std::min(low_[k], x[k]);
                    high[k] = std::max(high[k], x[k]);
                }
            }
        columns_ = std::max(
            1, static_cast<int>(d == 3 ? std::sqrt(double(faces.size())) : double(faces.size())));
        for (int k = 0; k < 2; ++k)
            step_[k] = std::max((high[k + 1] - low_[k + 1]) / columns_, 1e-300);
        grid_.resize(std::size_t(columns_) * rows());
        for (std::size_t f = 0; f < faces.size(); ++f) {
            std::array<int, 2> from{columns_, columns_}, to{0, 0};
            for (int j = 0; j < d; ++j)
                for (int k = 0; k < 2; ++k) {
                    from[k] = std::min(from[k], column(turned_[f][j], k));
                    to[k] = std::max(to[k], column(turned_[f][j], k));
                }
            for (int b = from[1]; b <= to[1]; ++b)
                for (int a = from[0]; a <= to[0]; ++a)
                    grid_[std::size_t(b) * columns_ + a].push_back(f);
        }
    }

    // A face of another part than `own` that holds the point, or none.
    const OuterFace* holder(const Vec3& point, std::int32_t own) const {
        const Vec3 x = turned(point);
        struct Crossings {
            std::int32_t part;
            std::array<int, 2> count;
            const OuterFace* face;
        };
        std::vector<Crossings> crossed;
        for (const std::size_t f : grid_[std::size_t(column(x, 1)) * columns_ + column(x, 0)]) {
            if (faces_[f].part == own) continue;
            double along = 0;
            if (!crosses(turned_[f], x, along)) continue;
            auto at = std::ranges::find(crossed, faces_[f].part, &Crossings::part);
            if (at == crossed.end())
                at = crossed.insert(at, Crossings{faces_[f].part, {0, 0}, &faces_[f]});
            ++at->count[along > x.x];
        }
        for (const Crossings& c : crossed)
            if (c.count[0] % 2 == 1 && c.count[1] % 2 == 1) return c.face;
        return nullptr;
    }

  private:
    Vec3 turned(const Vec3& x) const {
        return {glm::dot(axes_[0], x), glm::dot(axes_[1], x),
                d_ == 3 ? glm::dot(axes_[2], x) : 0.0};
    }
    int rows() const { return d_ == 3 ? columns_ : 1; }
    int column(const Vec3& x, int k) const {
        if (k == 1 && d_ == 2) return 0;
        return static_cast<int>(
            std::clamp((x[k + 1] - low_[k + 1]) / step_[k], 0.0, columns_ - 1.0));
    }
    // Whether the line through x along the ray crosses the face, and at which distance along it.
    bool crosses(const std::array<Vec3, 3>& face, const Vec3& x, double& along) const {
        if (d_ == 2) {
            if ((face[0].y > x.y) == (face[1].y > x.y)) return false;
            along =
                face[0].x + (face[1].x - face[0].x) * (x.y - face[0].y) / (face[1].y - face[0].y);
            return true;
        }
        std::array<double, 3> weight{};
        for (int j = 0; j < 3; ++j) {
            const Vec3 &a = face[(j + 1) % 3], &b = face[(j + 2) % 3];
            weight[j] = (a.y - x.y) * (b.z - x.z) - (b.y - x.y) * (a.z - x.z);
        }
        if ((weight[0] > 0) != (weight[1] > 0) || (weight[1] > 0) != (weight[2] > 0)) return false;
        const double sum = weight[0] + weight[1] + weight[2];
        if (sum == 0) return false;
        along = (weight[0] * face[0].x + weight[1] * face[1].x + weight[2] * face[2].x) / sum;
        return true;
    }

    int d_;
    const std::vector<OuterFace>& faces_;
    std::vector<std::array<Vec3, 3>> turned_;
    std::array<Vec3, 3> axes_;
    Vec3 low_{0};
    std::array<double, 2> step_{1, 1};
    int columns_ = 1;
    std::vector<std::vector<std::size_t>> grid_;
};

}  // namespace

JoinedSets::JoinedSets(Index count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), Index(0));
}

Index JoinedSets::root(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
}

void JoinedSets::join(Index a, Index b) {
    const Index p = root(a), q = root(b);
    parent_[std::max(p, q)] = std::min(p, q);
}

std::vector<Index> JoinedSets::numbers() {
    std::vector<Index> number(parent_.size());
    Index next = 0;
    for (Index i = 0; i < parent_.size(); ++i) number[i] = root(i) == i ? next++ : number[root(i)];
    return number;
}

std::vector<Index> parts_of_nodes(const Mesh& mesh) {
    JoinedSets nodes(mesh.nodes());
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int j = 1; j <= mesh.dimension; ++j)
            nodes.join(mesh.cell_nodes(c, 0), mesh.cell_nodes(c, j));
    return nodes.numbers();
}

PartContacts part_contacts(int dimension, const std::vector<OuterFace>& faces, bool searches_inside,
                           double near) {
    PartContacts contacts;
    if (faces.empty()) return contacts;
    // The result must not depend on the order of the faces, which follows the ranks.
    std::vector<OuterFace> sorted = faces;
    const auto key = [&](const OuterFace& f) {
        const Vec3 x = centroid(f, dimension);
        return std::tuple(x.x, x.y, x.z, f.region, f.part);
    };
    std::ranges::sort(sorted,
                      [&](const OuterFace& a, const OuterFace& b) { return key(a) < key(b); });
    const std::vector<bool> has_twin = find_coincident(dimension, sorted, near, contacts);
    const bool is_one =
        std::ranges::all_of(sorted, [&](const OuterFace& f) { return f.part == sorted[0].part; });
    if (is_one || !searches_inside) return contacts;
    const PartLocator locator(dimension, sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const OuterFace& face = sorted[i];
        const Vec3 centre = centroid(face, dimension), inward = face.corners[dimension] - centre;
        if (const OuterFace* other = locator.holder(centre + 0.25 * inward, face.part))
            add(contacts.overlapping, centre, face, other->region, other->part);
        if (has_twin[i]) continue;
        if (const OuterFace* other = locator.holder(centre - 0.05 * inward, face.part))
            add(contacts.touching, centre, face, other->region, other->part);
    }
    return contacts;
}

std::vector<OuterFace> outer_faces(const Mesh& mesh, Index count,
                                   const std::vector<Index>& part_of_node,
                                   const std::vector<std::string>& slit) {
    std::vector<bool> is_slit(slit.empty() ? 0 : mesh.faces(), false);
    if (!slit.empty())
        for (const Side& side : mesh.sides)
            if (std::ranges::find(slit, mesh.boundaries[side.boundary]) != slit.end())
                is_slit[side.face] = true;
    std::vector<OuterFace> faces;
    for (Index f = 0; f < count; ++f) {
        const Index one = mesh.face_cells(f, 0), other = mesh.face_cells(f, 1);
        if ((one == none) == (other == none)) continue;
        const Index cell = one == none ? other : one;
        OuterFace face;
        const Index* nodes = mesh.nodes_of(Kind::face, f);
        int n = 0;
        for (int j = 0; j <= mesh.dimension; ++j) {
            const bool is_of_face = std::find(nodes, nodes + mesh.dimension,
                                              mesh.cell_nodes(cell, j)) != nodes + mesh.dimension;
            face.corners[is_of_face ? n++ : mesh.dimension] = mesh.corner(cell, j);
        }
        face.part = static_cast<std::int32_t>(part_of_node[nodes[0]]);
        face.region = mesh.cell_region[cell];
        face.is_slit = !slit.empty() && is_slit[f];
        faces.push_back(face);
    }
    return faces;
}

std::string contact_refusal(const PartContacts& c, const std::vector<std::string>& regions,
                            bool may_touch) {
    const auto where = [&](const Contact& contact) {
        const std::string &a = regions[contact.regions[0]], &b = regions[contact.regions[1]];
        return fmt::format("{} face{}, one of them at {}, {}", contact.faces,
                           contact.faces == 1 ? "" : "s", position_text(contact.place),
                           a == b ? fmt::format("in the region \"{}\"", a)
                                  : fmt::format("of the regions \"{}\" and \"{}\"", a, b));
    };
    const char* const join =
        "make them one in Gmsh before meshing (Coherence; or BooleanFragments{ Volume{:}; Delete; "
        "}{ }, in 2D with Surface)";
    if (c.overlapping.faces > 0)
        return fmt::format("bodies that share no nodes overlap: {} lie within the other one: {}",
                           where(c.overlapping), join);
    if (may_touch) return "";
    if (c.touching.faces > 0)
        return fmt::format(
            "bodies that share no nodes touch with different meshes: {}: nothing passes from one "
            "into the other. Either {}, or keep them apart with mesh.glue = 0",
            where(c.touching), join);
    if (c.coincident.faces > 0)
        return fmt::format(
            "bodies that share no nodes have coinciding faces: {}: nothing passes from one into "
            "the other. Either {}, or join nodes nearer than LENGTH [m] with mesh.glue = LENGTH, "
            "or keep them apart with mesh.glue = 0",
            where(c.coincident), join);
    return "";
}

}  // namespace solenoid
