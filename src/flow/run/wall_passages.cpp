#include "flow/run/wall_passages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "mesh/cell_line.hpp"
#include "mesh/geometry.hpp"
#include "parallel/bytes.hpp"
#include "run/text.hpp"

namespace solenoid {
namespace {

// Least shear of a wall, of the root mean square over all walls, that counts as felt.
constexpr double felt = 0.3;
constexpr double same_cells = 1e-6;  // relative difference: mirror images count as equal
// Measured on plane channels and pipes of 5 to 30 cells: error x cells^2.
constexpr double error_of_one_cell = 3.6;
// without a warning: by the budget of energy, and by the cells, of which 11 and more are enough
constexpr double most_error = 0.025, most_of_cells = 0.03;
constexpr double wanted_error = 0.01;  // of the remedy
constexpr double most_excess = 1.5;    // of the first over the second, in what is told

// in the place of a boundary: where a plane of symmetry is the middle
constexpr std::size_t mirror = std::size_t(-1);

Vec3 outward_area(const Mesh& mesh, Index face, Index cell) {
    for (int j = 0; j <= mesh.dimension; ++j)
        if (entity_of(mesh.cell_faces(cell, j)) == face) return opposite_area(mesh, cell, j);
    return Vec3(0);
}

// To nine digits: what the order of a sum changes is not told.
double rounded(double value, double size) {
    const double unit = std::pow(10, std::floor(std::log10(size)) - 8);
    return std::round(value / unit) * unit;
}

}  // namespace

// A line on its way, between ranks too.
struct WallPassages::Walk {
    CellLine line;
    GlobalIndex cell;                  // its next cell
    std::array<GlobalIndex, 3> nodes;  // of the face where it began
    int home;                          // the rank where it began
    std::size_t wall;                  // there
};

WallPassages::WallPassages(const Communicator& comm, const DistributedMesh& mesh,
                           const FlowCase& flow)
    : comm_(comm), mesh_(mesh) {
    const Mesh& m = mesh.mesh;
    std::map<std::string, const FlowCondition*> conditions;
    for (const FlowBoundary& b : flow.boundaries) conditions[b.name] = b.condition.get();
    for (const Side& side : m.sides) {
        const auto found = conditions.find(m.boundaries[side.boundary]);
        const Index one = m.face_cells(side.face, 0), other = m.face_cells(side.face, 1);
        if (found == conditions.end() || (one == none) == (other == none)) continue;
        const Index cell = one == none ? other : one;
        if (cell < mesh.range(Kind::cell).owned)
            walls_.push_back({side.face, cell, found->second, side.boundary});
    }
    walk_all();
}

void WallPassages::walk_all() {
    const Mesh& m = mesh_.mesh;
    const Index owned = mesh_.range(Kind::cell).owned;
    const int d = m.dimension;
    std::unordered_map<Index, std::size_t> walls;  // by face
    for (std::size_t i = 0; i < walls_.size(); ++i) walls.emplace(walls_[i].face, i);
    const auto nodes_of = [&](Index face) {
        std::array<GlobalIndex, 3> nodes{};
        for (int j = 0; j < d; ++j) nodes[j] = m.node_number[m.face_nodes(face, j)];
        return nodes;
    };
    const auto meet = [&](const std::array<GlobalIndex, 3>& a,
                          const std::array<GlobalIndex, 3>& b) {
        return std::any_of(a.begin(), a.begin() + d, [&](GlobalIndex node) {
            return std::find(b.begin(), b.begin() + d, node) != b.begin() + d;
        });
    };
    std::map<int, std::vector<Passage>> found_for;  // by rank
    const auto end = [&](const Walk& walk, Index face, const Vec3& out) {
        const auto found = walls.find(face);
        if (found == walls.end() || !(walk.line.length > 0)) return;
        const Wall& wall = walls_[found->second];
        const bool is_middle = wall.condition->slips();
        if ((!wall.condition->is_wall() && !is_middle) ||
            glm::dot(out, walk.line.direction) <= facing * glm::length(out) ||
            meet(walk.nodes, nodes_of(face)))
            return;
        const double both = is_middle ? 2 : 1;
        if (both * walk.line.cells > most_cells) return;
        found_for[walk.home].push_back(
            {both * walk.line.cells, both * walk.line.length,
             walk.line.start + both / 2 * walk.line.length * walk.line.direction, walk.wall,
             is_middle ? mirror : wall.boundary});
    };
    // Follows a line through this rank's cells. Returns the rank that goes on with it, or -1.
    const auto follow = [&](Walk& walk, Index cell) {
        while (walk.line.cells <= most_cells) {
            const int exit = pass_cell(m, cell, walk.line);
            if (exit < 0) return -1;
            const Index f = entity_of(m.cell_faces(cell, exit));
            const bool is_second = m.face_cells(f, 1) == cell;
            const Index next = m.face_cells(f, is_second ? 0 : 1);
            if (next == none) {
                end(walk, f, opposite_area(m, cell, exit));
                return -1;
            }
            walk.line.start += (is_second ? -1.0 : 1.0) * m.jump(f);
            cell = next;
            if (cell < owned) continue;
            walk.cell = m.cell_number[cell];
            return mesh_.cell_owner[cell];
        }
        return -1;
    };
    std::map<int, std::vector<Walk>> leaving;
    const auto send_on = [&](Walk walk, Index cell) {
        if (const int rank = follow(walk, cell); rank >= 0) leaving[rank].push_back(walk);
    };
    for (std::size_t i = 0; i < walls_.size(); ++i)
        if (const Wall& wall = walls_[i]; wall.condition->is_wall())
            send_on(
                {line_from_face(m, wall.face, wall.cell), 0, nodes_of(wall.face), comm_.rank(), i},
                wall.cell);
    std::unordered_map<GlobalIndex, Index> border;  // cells that are ghosts elsewhere
    for (const Index c : mesh_.halo(Kind::cell).send) border.emplace(m.cell_number[c], c);
    while (comm_.any(!leaving.empty())) {
        const auto arriving = exchange_values(comm_, std::exchange(leaving, {}));
        for (const auto& [rank, walks] : arriving)
            for (const Walk& walk : walks) send_on(walk, border.at(walk.cell));
    }
    for (const auto& [rank, passages] : exchange_values(comm_, std::move(found_for)))
        passages_.insert(passages_.end(), passages.begin(), passages.end());
}

// The speed of the fluid beside a wall, over its distance from the wall [1/s].
double WallPassages::shear(const Wall& wall, const std::vector<double>& velocity,
                           double time) const {
    const Mesh& m = mesh_.mesh;
    const std::size_t cells = mesh_.range(Kind::cell).all;
    const int d = m.dimension;
    Vec3 on_face(0), centroid(0);
    for (int j = 0; j <= d; ++j) {
        const Vec3 x = m.corner(wall.cell, j);
        centroid += x / double(d + 1);
        // the node opposite the face is no part of it
        if (entity_of(m.cell_faces(wall.cell, j)) != wall.face) on_face += x / double(d);
    }
    const Vec3 area = outward_area(m, wall.face, wall.cell);
    Vec3 u(0);
    for (int k = 0; k < d; ++k)
        u[k] = velocity[k * cells + wall.cell] - wall.condition->velocity()[k](on_face, time);
    return glm::length(u) * glm::length(area) / std::abs(glm::dot(area, centroid - on_face));
}

std::optional<CellsAcross> WallPassages::narrowest(const std::vector<double>& velocity,
                                                   double time) const {
    const Mesh& m = mesh_.mesh;
    std::vector<double> shears(walls_.size(), 0.0);
    std::array<RankSum, 2> sums;  // area, area times shear squared
    for (std::size_t i = 0; i < walls_.size(); ++i) {
        if (!walls_[i].condition->is_wall()) continue;
        const double area = glm::length(outward_area(m, walls_[i].face, walls_[i].cell));
        shears[i] = shear(walls_[i], velocity, time);
        sums[0] += area;
        sums[1] += area * shears[i] * shears[i];
    }
    comm_.sum(sums);
    const double least = felt * std::sqrt(sums[1] / std::max<double>(sums[0], 1e-300));
    const auto is_felt = [&](const Passage& p) { return shears[p.wall] >= least; };
    double fewest = HUGE_VAL;
    for (const Passage& p : passages_)
        if (least > 0 && is_felt(p)) fewest = std::min(fewest, p.cells);
    fewest = comm_.min(fewest);
    if (fewest == HUGE_VAL) return {};
    struct Candidate {
        double cells, length;
        std::array<double, 3> middle;
        std::size_t from, to;
        auto key() const { return std::tuple(middle, from, to); }
    };
    std::vector<Candidate> candidates;
    for (const Passage& p : passages_) {
        if (!is_felt(p) || p.cells > fewest * (1 + same_cells)) continue;
        const std::size_t from = walls_[p.wall].boundary;
        candidates.push_back({p.cells,
                              p.length,
                              {p.middle.x, p.middle.y, p.middle.z},
                              from,
                              p.to == mirror ? from : p.to});
    }
    candidates = gathered(comm_, candidates);
    const Candidate& p = *std::ranges::min_element(candidates, {}, &Candidate::key);
    CellsAcross found{rounded(p.cells, p.cells), rounded(p.length, p.length)};
    for (int k = 0; k < 3; ++k) found.place[k] = rounded(p.middle[k], p.length);
    found.from = m.boundaries[p.from];
    found.to = m.boundaries[p.to];
    return found;
}

bool is_passed_through(const FlowCase& flow) {
    return !flow.periodic.empty() ||
           std::ranges::any_of(flow.boundaries,
                               [](const FlowBoundary& b) { return b.condition->lets_through(); });
}

std::string passage_line(const CellsAcross& passage) {
    const auto [x, y, z] = passage.place;
    return fmt::format(
        "fewest cells across between walls {:.1f}, on {:.4g} m from \"{}\" to \"{}\", at {}",
        passage.cells, passage.length, passage.from, passage.to, position_text({x, y, z}));
}

double error_of_cells_across(double cells) { return error_of_one_cell / (cells * cells); }

std::string passage_warning(const CellsAcross& passage, double error, const std::string& mesh) {
    const double by_cells = error_of_cells_across(passage.cells);
    if (!(error > most_error) || !(by_cells > most_of_cells)) return "";
    // the budget may have other losses, too, as at corners where walls begin to hold the fluid
    error = std::min(error, most_excess * by_cells);
    const auto [x, y, z] = passage.place;
    std::string text = fmt::format(
        "the mesh has too few cells across a passage, {:.1f} on {:.4g} m at {}: flow rates at a "
        "given pressure are too small, or pressure losses at a given flow rate too large, by some "
        "{:.0f} %, more than the share of the scheme; take a finer mesh there, with {:.0f} cells "
        "across for {:.0f} %",
        passage.cells, passage.length, position_text({x, y, z}), 100 * error,
        std::ceil(passage.cells * std::sqrt(error / wanted_error)), 100 * wanted_error);
    if (!mesh.empty())
        text += fmt::format(" (`solenoid mesh info {}` tells how many there are)", mesh);
    return text;
}

}  // namespace solenoid
