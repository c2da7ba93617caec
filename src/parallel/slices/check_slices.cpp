#include "parallel/slices/check_slices.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/log.hpp"
#include "core/threads.hpp"
#include "mesh/mesh_faults.hpp"
#include "mesh/simplex.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/slices/requests.hpp"

namespace solenoid {
namespace {

class SliceChecker {
  public:
    SliceChecker(const Communicator& comm, MeshSlice& slice, const std::string& place)
        : comm_(comm),
          slice_(slice),
          place_(place),
          first_cell_(slice.cell_ranges.first(comm.rank())),
          width_(slice.dimension + 1) {}

    void check_points();
    void check_node_numbers() const;
    void fetch_corners();
    void check_repeated_nodes() const;
    void orient_cells();
    void check_faces(const FaceMatch& faces) const;
    void check_sides(FaceMatch& faces);
    void drop_unused_nodes();

  private:
    [[noreturn]] void fail(const std::string& message) const { throw InputError(place_, message); }
    using Corners = std::array<Vec3, 4>;
    std::span<const Vec3> corners(std::size_t c, Corners& points) const;
    std::string cell_text(std::size_t c) const;
    std::string face_text(std::size_t c, int j) const;
    void turn_round(const std::vector<bool>& regions);
    bool is_here(GlobalIndex cell) const {
        return cell >= first_cell_ && cell < slice_.cell_ranges.first(comm_.rank() + 1);
    }

    const Communicator& comm_;
    MeshSlice& slice_;
    const std::string& place_;
    GlobalIndex first_cell_;
    int width_;
    double scale_ = 0;               // largest coordinate of the mesh [m]
    std::optional<Requests> nodes_;  // of the slice's cells
    std::vector<Vec3> points_;       // positions of nodes_
    std::vector<Index> corner_;      // index into points_ of each corner of each cell
};

std::span<const Vec3> SliceChecker::corners(std::size_t c, Corners& points) const {
    for (int j = 0; j < width_; ++j) points[j] = points_[corner_[c * width_ + j]];
    return std::span(points).first(width_);
}

std::string SliceChecker::cell_text(std::size_t c) const {
    Corners points;
    return faults::cell_text(first_cell_ + static_cast<GlobalIndex>(c), corners(c, points));
}

std::string SliceChecker::face_text(std::size_t c, int j) const {
    std::vector<GlobalIndex> nodes;
    for (int k = 0; k < width_; ++k)
        if (k != j) nodes.push_back(slice_.cell(c)[k]);
    std::sort(nodes.begin(), nodes.end());
    std::vector<Vec3> points;
    for (const GlobalIndex node : nodes) points.push_back(points_[nodes_->place(node)]);
    return faults::nodes_text(nodes, points);
}

// Checks that positions are finite, and moves a plane mesh to z = 0.
void SliceChecker::check_points() {
    const std::vector<double> heights = gathered(
        comm_, slice_.points.empty() ? std::vector<double>{} : std::vector{slice_.points[0].z});
    const double height = heights.empty() ? 0 : heights[0];
    comm_.agree([&] {
        for (std::size_t n = 0; n < slice_.points.size(); ++n) {
            Vec3& x = slice_.points[n];
            const GlobalIndex number =
                slice_.node_ranges.first(comm_.rank()) + static_cast<GlobalIndex>(n);
            if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
                fail(faults::not_finite(number, x));
            if (slice_.dimension == 2) {
                if (x.z != height) fail(faults::out_of_plane(number, x, height));
                x.z = 0;
            }
            scale_ = std::max({scale_, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
        }
    });
    scale_ = comm_.max(scale_);
}

void SliceChecker::check_node_numbers() const {
    comm_.agree([&] {
        if (slice_.cell_ranges.count() == 0) fail(faults::no_cells(slice_.dimension));
        const GlobalIndex nodes = slice_.node_ranges.count();
        for (std::size_t k = 0; k < slice_.cells.size(); ++k)
            if (slice_.cells[k] < 0 || slice_.cells[k] >= nodes)
                fail(faults::no_such_node(first_cell_ + static_cast<GlobalIndex>(k) / width_,
                                          slice_.cells[k], nodes));
    });
}

void SliceChecker::fetch_corners() {
    nodes_.emplace(comm_, slice_.node_ranges, slice_.cells);
    points_ = nodes_->answers(slice_.points);
    corner_.resize(slice_.cells.size());
    for_each(0, corner_.size(),
             [&](std::size_t k) { corner_[k] = nodes_->place(slice_.cells[k]); });
}

void SliceChecker::check_repeated_nodes() const {
    comm_.agree([&] {
        for (std::size_t c = 0; c < slice_.cell_count(); ++c) {
            const GlobalIndex* cell = slice_.cell(c);
            for (int j = 0; j < width_; ++j)
                for (int k = 0; k < j; ++k)
                    if (cell[j] == cell[k]) fail(faults::repeated_node(cell_text(c), cell[j]));
        }
    });
}

// Turns the cells of a region round where all are negative; refuses regions with cells of both
// signs.
void SliceChecker::orient_cells() {
    const std::size_t regions = slice_.regions.size();
    std::array<std::vector<std::int64_t>, 2> count;  // positive, negative cells of each region
    std::array<std::vector<double>, 2> first;        // the first cell of each
    for (auto& counts : count) counts.assign(regions, 0);
    for (auto& cells : first) cells.assign(regions, HUGE_VAL);
    comm_.agree([&] {
        Corners points;
        for (std::size_t c = 0; c < slice_.cell_count(); ++c) {
            const auto x = corners(c, points);
            const double measure = faults::measure(x);
            if (!(std::abs(measure) > faults::round_off(x, scale_)))
                fail(faults::flat(cell_text(c), slice_.dimension));
            const bool is_negative = measure < 0;
            if (count[is_negative][slice_.cell_region[c]]++ == 0)
                first[is_negative][slice_.cell_region[c]] = double(first_cell_) + double(c);
        }
    });
    for (int sign = 0; sign < 2; ++sign) {
        comm_.sum(std::span(count[sign]));
        comm_.min(std::span(first[sign]));
    }
    std::vector<bool> left_handed(regions);
    for (std::size_t r = 0; r < regions; ++r) {
        left_handed[r] = count[1][r] > 0;
        const bool rarer = count[1][r] <= count[0][r];
        if (!count[0][r] || !count[1][r]) continue;
        const auto inverted = static_cast<GlobalIndex>(first[rarer][r]);
        comm_.agree([&] {
            if (is_here(inverted))
                fail(faults::inverted(count[rarer][r], count[0][r] + count[1][r], slice_.regions[r],
                                      cell_text(inverted - first_cell_)));
        });
    }
    const GlobalIndex turned = std::accumulate(count[1].begin(), count[1].end(), GlobalIndex(0));
    if (turned == 0) return;
    turn_round(left_handed);
    log::warning("{}: {}", place_, faults::left_handed(turned));
}

void SliceChecker::turn_round(const std::vector<bool>& regions) {
    for (std::size_t c = 0; c < slice_.cell_count(); ++c)
        if (regions[slice_.cell_region[c]]) {
            std::swap(slice_.cells[c * width_ + width_ - 2], slice_.cells[c * width_ + width_ - 1]);
            std::swap(corner_[c * width_ + width_ - 2], corner_[c * width_ + width_ - 1]);
        }
}

void SliceChecker::check_faces(const FaceMatch& faces) const {
    const FaceFault& fault = faces.fault;
    comm_.agree([&] {
        if (!fault.why || !is_here(fault.cell)) return;
        const std::size_t c = fault.cell - first_cell_;
        if (fault.why == FaceFault::twice) fail(faults::repeated_cell(cell_text(c), fault.other));
        if (fault.why == FaceFault::third)
            fail(faults::three_cells(face_text(c, fault.face), fault.other, fault.another,
                                     fault.cell));
        fail(faults::overlap(face_text(c, fault.face), fault.other, fault.cell));
    });
}

// Checks that sides are faces of cells, and drops a side that its group already has.
void SliceChecker::check_sides(FaceMatch& faces) {
    const std::size_t d = slice_.dimension;
    std::vector<GlobalIndex> lost;  // nodes of the first side here that is no face
    std::size_t at = 0;
    const auto is_entity = [&](std::size_t s) {
        return slice_.side_group[s] + slice_.entity_boundaries >= slice_.boundaries.size();
    };
    while (at < faces.sides.size() && (faces.sides[at].cells[0] != no_cell || is_entity(at))) ++at;
    if (at < faces.sides.size()) lost.assign(slice_.side(at), slice_.side(at) + d);
    std::sort(lost.begin(), lost.end());
    const Requests nodes(comm_, slice_.node_ranges, lost);
    const std::vector<Vec3> positions = nodes.answers(slice_.points);
    comm_.agree([&] {
        if (lost.empty()) return;
        std::vector<Vec3> points;
        for (const GlobalIndex node : lost) points.push_back(positions[nodes.place(node)]);
        fail(faults::no_face(slice_.boundaries[slice_.side_group[at]],
                             faults::nodes_text(lost, points)));
    });

    std::size_t kept = 0;
    for (std::size_t s = 0; s < faces.sides.size(); ++s) {
        if (faces.sides[s].is_repeated || faces.sides[s].cells[0] == no_cell) continue;
        std::copy_n(slice_.sides.begin() + s * d, d, slice_.sides.begin() + kept * d);
        slice_.side_group[kept] = slice_.side_group[s];
        faces.sides[kept++] = faces.sides[s];
    }
    faces.sides.resize(kept);
    slice_.sides.resize(kept * d);
    slice_.side_group.resize(kept);
    slice_.side_ranges =
        RowPartition::of(gathered(comm_, std::vector{static_cast<GlobalIndex>(kept)}));
    std::vector<std::int64_t> counts(slice_.boundaries.size(), 0);
    for (const std::uint16_t group : slice_.side_group) ++counts[group];
    comm_.sum(std::span(counts));
    drop_empty_boundaries(counts, slice_.entity_boundaries, slice_.boundaries, slice_.side_group);
    slice_.entity_boundaries = 0;
}

void SliceChecker::drop_unused_nodes() {
    std::vector<GlobalIndex> number(slice_.points.size(), -1);
    for (const auto& [rank, wanted] : nodes_->asked())
        for (const Index place : wanted) number[place] = 0;
    const auto used = static_cast<GlobalIndex>(std::count(number.begin(), number.end(), 0));
    const RowPartition ranges = RowPartition::of(gathered(comm_, std::vector{used}));
    const GlobalIndex dropped = slice_.node_ranges.count() - ranges.count();
    if (dropped == 0) return;
    log::warning("{}: {}", place_, faults::unused_nodes(dropped));

    GlobalIndex next = ranges.first(comm_.rank());
    std::size_t kept = 0;
    for (std::size_t n = 0; n < number.size(); ++n)
        if (number[n] == 0) {
            slice_.points[kept++] = slice_.points[n];
            number[n] = next++;
        }
    slice_.points.resize(kept);
    const std::vector<GlobalIndex> of_corners = nodes_->answers(number);
    for (std::size_t k = 0; k < corner_.size(); ++k) slice_.cells[k] = of_corners[corner_[k]];
    const Requests sides(comm_, slice_.node_ranges, slice_.sides);
    const std::vector<GlobalIndex> renumbered = sides.answers(number);
    for (GlobalIndex& node : slice_.sides) node = renumbered[sides.place(node)];
    slice_.node_ranges = ranges;
}

}  // namespace

SlicedMesh check_and_repair(const Communicator& comm, MeshSlice&& slice, const std::string& place) {
    SliceChecker checker(comm, slice, place);
    checker.check_points();
    checker.check_node_numbers();
    checker.fetch_corners();
    checker.check_repeated_nodes();
    checker.orient_cells();
    FaceMatch faces = match_faces(comm, slice);
    checker.check_faces(faces);
    checker.check_sides(faces);
    checker.drop_unused_nodes();
    return {std::move(slice), std::move(faces)};
}

}  // namespace solenoid
