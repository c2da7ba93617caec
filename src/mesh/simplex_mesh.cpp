#include "mesh/simplex_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.hpp"
#include "core/log.hpp"
#include "mesh/mesh_faults.hpp"
#include "mesh/simplex.hpp"
#include "mesh/simplex_numbering.hpp"

namespace solenoid {
namespace {

// Entities are counted from 1 in messages.
class Checker {
  public:
    Checker(SimplexMesh& mesh, const std::string& place) : mesh_(mesh), place_(place) {}

    void check_sizes() const;
    void check_points();
    void check_cells() const;
    void orient_cells();
    template <int dimension>
    void check_faces();
    void drop_empty_entities();
    void drop_unused_nodes();

  private:
    template <class... T>
    [[noreturn]] void fail(fmt::format_string<T...> format, T&&... values) const {
        throw InputError(place_, fmt::format(format, std::forward<T>(values)...));
    }
    std::span<const Vec3> corners(std::size_t c, std::array<Vec3, 4>& points) const;
    std::string cell_text(std::size_t c) const;
    template <std::size_t count>
    std::string nodes_text(const std::array<Index, count>& nodes) const;
    void turn_round(const std::vector<bool>& regions);

    template <int dimension>
    SimplexNumbering<dimension> match_faces() const;
    template <int dimension>
    void reject_third_cell(const std::array<Index, dimension>& nodes, const Index* cells,
                           std::size_t c) const;
    template <int dimension>
    void check_sides(const SimplexNumbering<dimension>& faces);
    bool is_entity(std::uint16_t group) const {
        return group + mesh_.entity_boundaries >= mesh_.boundaries.size();
    }

    SimplexMesh& mesh_;
    const std::string& place_;
    double scale_ = 0;  // largest coordinate [m]
};

std::span<const Vec3> Checker::corners(std::size_t c, std::array<Vec3, 4>& points) const {
    for (int j = 0; j <= mesh_.dimension; ++j) points[j] = mesh_.points[mesh_.cell(c)[j]];
    return std::span(points).first(mesh_.dimension + 1);
}

std::string Checker::cell_text(std::size_t c) const {
    std::array<Vec3, 4> points;
    return faults::cell_text(static_cast<GlobalIndex>(c), corners(c, points));
}

template <std::size_t count>
std::string Checker::nodes_text(const std::array<Index, count>& nodes) const {
    std::array<GlobalIndex, count> numbers;
    std::array<Vec3, count> points;
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = nodes[i];
        points[i] = mesh_.points[nodes[i]];
    }
    return faults::nodes_text(numbers, points);
}

void Checker::check_sizes() const {
    const int d = mesh_.dimension;
    if (d != 2 && d != 3) fail("a mesh has 2 or 3 dimensions, not {}", d);
    const std::size_t cells = mesh_.cell_count(), sides = mesh_.side_count();
    if (cells == 0) fail("{}", faults::no_cells(d));
    if (cells > 1'000'000'000) fail("{} cells: at most 1 000 000 000 can be numbered", cells);
    if (mesh_.points.size() >= reversed)
        fail("{} nodes: at most 2^31 can be numbered", mesh_.points.size());
    if (mesh_.cells.size() != cells * (d + 1) || mesh_.cell_region.size() != cells)
        fail("{} cells with {} nodes and {} regions", cells, mesh_.cells.size(),
             mesh_.cell_region.size());
    if (mesh_.sides.size() != sides * d) fail("{} sides with {} nodes", sides, mesh_.sides.size());
    for (std::size_t c = 0; c < cells; ++c)
        if (mesh_.cell_region[c] >= mesh_.regions.size()) fail("cell {} lies in no region", c + 1);
    for (std::size_t s = 0; s < sides; ++s) {
        if (mesh_.side_group[s] >= mesh_.boundaries.size()) fail("side {} lies in no group", s + 1);
        for (int j = 0; j < d; ++j)
            if (mesh_.side(s)[j] >= mesh_.points.size())
                fail("side {} of \"{}\" has node {} of {}", s + 1,
                     mesh_.boundaries[mesh_.side_group[s]], std::size_t{mesh_.side(s)[j]} + 1,
                     mesh_.points.size());
    }
}

// Checks that positions are finite, and moves a plane mesh to z = 0.
void Checker::check_points() {
    const double height = mesh_.points.empty() ? 0 : mesh_.points[0].z;
    for (std::size_t n = 0; n < mesh_.points.size(); ++n) {
        Vec3& x = mesh_.points[n];
        if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
            fail("{}", faults::not_finite(static_cast<GlobalIndex>(n), x));
        if (mesh_.dimension == 2) {
            if (x.z != height)
                fail("{}", faults::out_of_plane(static_cast<GlobalIndex>(n), x, height));
            x.z = 0;
        }
        scale_ = std::max({scale_, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
    }
}

void Checker::check_cells() const {
    const int nodes = mesh_.dimension + 1;
    for (std::size_t c = 0; c < mesh_.cell_count(); ++c) {
        const Index* cell = mesh_.cell(c);
        for (int j = 0; j < nodes; ++j)
            if (cell[j] >= mesh_.points.size())
                fail("{}", faults::no_such_node(static_cast<GlobalIndex>(c), cell[j],
                                                static_cast<GlobalIndex>(mesh_.points.size())));
        for (int j = 0; j < nodes; ++j)
            for (int k = 0; k < j; ++k)
                if (cell[j] == cell[k]) fail("{}", faults::repeated_node(cell_text(c), cell[j]));
    }
}

// Turns the cells of a region round where all are negative: their numbering is left-handed, as a
// Gmsh surface's may be. Refuses regions with cells of both signs.
void Checker::orient_cells() {
    struct Sign {
        std::size_t count = 0, first = 0;
    };
    std::vector<Sign> positive(mesh_.regions.size()), negative(mesh_.regions.size());
    for (std::size_t c = 0; c < mesh_.cell_count(); ++c) {
        std::array<Vec3, 4> points;
        const auto x = corners(c, points);
        const double measure = faults::measure(x);
        if (!(std::abs(measure) > faults::round_off(x, scale_)))
            fail("{}", faults::flat(cell_text(c), mesh_.dimension));
        Sign& sign = (measure > 0 ? positive : negative)[mesh_.cell_region[c]];
        if (sign.count++ == 0) sign.first = c;
    }
    std::vector<bool> left_handed(mesh_.regions.size());
    std::size_t turned = 0;
    for (std::size_t r = 0; r < mesh_.regions.size(); ++r) {
        left_handed[r] = negative[r].count > 0;
        turned += negative[r].count;
        const bool fewer_negative = negative[r].count <= positive[r].count;
        const Sign& inverted = fewer_negative ? negative[r] : positive[r];
        if (inverted.count > 0 && positive[r].count > 0 && negative[r].count > 0)
            fail("{}",
                 faults::inverted(static_cast<GlobalIndex>(inverted.count),
                                  static_cast<GlobalIndex>(positive[r].count + negative[r].count),
                                  mesh_.regions[r], cell_text(inverted.first)));
    }
    if (turned == 0) return;
    turn_round(left_handed);
    log::warning("{}: {}", place_, faults::left_handed(static_cast<GlobalIndex>(turned)));
}

void Checker::turn_round(const std::vector<bool>& regions) {
    const int d = mesh_.dimension;
    for (std::size_t c = 0; c < mesh_.cell_count(); ++c)
        if (regions[mesh_.cell_region[c]])
            std::swap(mesh_.cells[c * (d + 1) + d - 1], mesh_.cells[c * (d + 1) + d]);
}

template <int dimension>
void Checker::reject_third_cell(const std::array<Index, dimension>& nodes, const Index* cells,
                                std::size_t c) const {
    std::array<Index, dimension + 1> here, there;
    std::copy_n(mesh_.cell(c), dimension + 1, here.begin());
    std::sort(here.begin(), here.end());
    for (int i = 0; i < 2; ++i) {
        if (cells[i] == none) continue;
        std::copy_n(mesh_.cell(cells[i]), dimension + 1, there.begin());
        std::sort(there.begin(), there.end());
        if (here == there) fail("{}", faults::repeated_cell(cell_text(c), cells[i]));
    }
    const auto last = static_cast<GlobalIndex>(c);
    if (cells[0] != none && cells[1] != none)
        fail("{}", faults::three_cells(nodes_text(nodes), cells[0], cells[1], last));
    fail("{}", faults::overlap(nodes_text(nodes), std::min(cells[0], cells[1]), last));
}

// Checks that every face has at most two cells, one on each side.
template <int dimension>
SimplexNumbering<dimension> Checker::match_faces() const {
    constexpr int width = dimension + 1;
    SimplexNumbering<dimension> faces(mesh_.points.size(), mesh_.cells.size(), [&](std::size_t k) {
        auto nodes = outward_face<dimension>(mesh_.cell(k / width), static_cast<int>(k % width));
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    });
    // two for each face: the cell that its normal leaves, the cell that it enters
    std::vector<Index> cells(2 * faces.size(), none);
    for (std::size_t k = 0; k < mesh_.cells.size(); ++k) {
        const std::size_t c = k / width, face = faces.numbers()[k];
        auto nodes = outward_face<dimension>(mesh_.cell(c), static_cast<int>(k % width));
        const bool enters = sort_is_odd(nodes, [](Index node) { return node; });
        if (cells[2 * face + enters] != none)
            reject_third_cell<dimension>(nodes, &cells[2 * face], c);
        cells[2 * face + enters] = static_cast<Index>(c);
    }
    return faces;
}

// Checks that sides are faces of cells, and drops a side that its group already has.
template <int dimension>
void Checker::check_sides(const SimplexNumbering<dimension>& faces) {
    struct Member {
        Index face;
        std::uint16_t group;
        std::size_t side;
        auto operator<=>(const Member&) const = default;
    };
    std::vector<Member> members(mesh_.side_count());
    for (std::size_t s = 0; s < members.size(); ++s) {
        std::array<Index, dimension> nodes;
        std::copy_n(mesh_.side(s), dimension, nodes.begin());
        std::sort(nodes.begin(), nodes.end());
        members[s] = {faces.find(nodes), mesh_.side_group[s], s};
        if (members[s].face == none && !is_entity(mesh_.side_group[s]))
            fail("{}", faults::no_face(mesh_.boundaries[mesh_.side_group[s]], nodes_text(nodes)));
    }
    std::sort(members.begin(), members.end());
    const auto same = [&](const Member& a, const Member& b) {
        return a.face == b.face && (a.group == b.group || is_entity(b.group));
    };
    members.erase(std::unique(members.begin(), members.end(), same), members.end());
    std::erase_if(members, [](const Member& m) { return m.face == none; });
    if (members.size() == mesh_.side_count()) return;
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.side < b.side; });
    for (std::size_t s = 0; s < members.size(); ++s) {
        std::copy_n(mesh_.sides.begin() + members[s].side * dimension, dimension,
                    mesh_.sides.begin() + s * dimension);
        mesh_.side_group[s] = members[s].group;
    }
    mesh_.sides.resize(members.size() * dimension);
    mesh_.side_group.resize(members.size());
}

void Checker::drop_empty_entities() {
    std::vector<std::int64_t> counts(mesh_.boundaries.size(), 0);
    for (const std::uint16_t group : mesh_.side_group) ++counts[group];
    drop_empty_boundaries(counts, mesh_.entity_boundaries, mesh_.boundaries, mesh_.side_group);
    mesh_.entity_boundaries = 0;
}

template <int dimension>
void Checker::check_faces() {
    check_sides<dimension>(match_faces<dimension>());
}

void Checker::drop_unused_nodes() {
    std::vector<Index> position(mesh_.points.size(), none);
    for (Index node : mesh_.cells) position[node] = 0;
    Index used = 0;
    for (std::size_t n = 0; n < position.size(); ++n)
        if (position[n] != none) {
            mesh_.points[used] = mesh_.points[n];
            position[n] = used++;
        }
    if (used == mesh_.points.size()) return;
    log::warning("{}: {}", place_,
                 faults::unused_nodes(static_cast<GlobalIndex>(mesh_.points.size() - used)));
    mesh_.points.resize(used);
    for (Index& node : mesh_.cells) node = position[node];
    for (Index& node : mesh_.sides) node = position[node];
}

}  // namespace

void drop_empty_boundaries(const std::vector<std::int64_t>& counts, std::size_t last,
                           std::vector<std::string>& boundaries,
                           std::vector<std::uint16_t>& groups) {
    std::vector<std::uint16_t> place(boundaries.size());
    std::size_t kept = 0;
    for (std::size_t g = 0; g < boundaries.size(); ++g) {
        place[g] = static_cast<std::uint16_t>(kept);
        if (g + last < boundaries.size() || counts[g] > 0) boundaries[kept++] = boundaries[g];
    }
    boundaries.resize(kept);
    for (std::uint16_t& group : groups) group = place[group];
}

std::string position_text(const Vec3& x) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x, x.y, x.z);
}

void check_and_repair(SimplexMesh& mesh, const std::string& place) {
    Checker checker(mesh, place);
    checker.check_sizes();
    checker.check_points();
    checker.check_cells();
    checker.orient_cells();
    if (mesh.dimension == 2)
        checker.check_faces<2>();
    else
        checker.check_faces<3>();
    checker.drop_empty_entities();
    checker.drop_unused_nodes();
}

}  // namespace solenoid
