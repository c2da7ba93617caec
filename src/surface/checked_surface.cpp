#include "surface/checked_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

#include "core/error.hpp"

namespace solenoid {
namespace {

std::string point_text(const TriangleSurface& surface, Index point) {
    const Vec3& x = surface.points[point];
    return fmt::format("point {} at ({:.6g}, {:.6g}, {:.6g})", point + 1, x.x, x.y, x.z);
}

// Sides of triangles are numbered: 3 t + k is that of triangle t from its corner k to the next.
using SideNumber = Index;
constexpr Index triangle_of(SideNumber s) { return s / 3; }
constexpr SideNumber following(SideNumber s) { return s % 3 == 2 ? s - 2 : s + 1; }
constexpr SideNumber preceding(SideNumber s) { return s % 3 == 0 ? s + 2 : s - 1; }

class Check {
  public:
    Check(TriangleSurface surface, const std::string& place) : place_(place) {
        checked_.surface = std::move(surface);
    }

    CheckedSurface run() {
        check_numbers();
        leave_out_unused();
        check_shapes();
        pair_sides();
        orient();
        check_fans();
        set_edges();
        count_borders();
        return std::move(checked_);
    }

  private:
    [[noreturn]] void refuse(const std::string& message) const {
        throw InputError(place_, message);
    }
    const TriangleSurface& surface() const { return checked_.surface; }

    void check_numbers() const {
        if (surface().triangles.empty())
            refuse("there are no triangles in it: a surface of triangles is needed");
        if (surface().triangles.size() > most || surface().points.size() > most)
            refuse(fmt::format("{} triangles and {} points are too many: at most {} of each",
                               surface().triangles.size(), surface().points.size(), most));
        for (Index t = 0; t < surface().triangles.size(); ++t)
            for (const Index corner : surface().triangles[t])
                if (corner >= surface().points.size())
                    refuse(
                        fmt::format("triangle {} has the point {}, but there are {} points: "
                                    "write the file anew",
                                    t + 1, std::int64_t(corner) + 1, surface().points.size()));
        // fourth powers of lengths are computed
        constexpr double largest = 1e70;
        for (Index i = 0; i < surface().points.size(); ++i) {
            const Vec3& x = surface().points[i];
            for (int k = 0; k < 3; ++k)
                if (!(std::abs(x[k]) <= largest))
                    refuse(
                        fmt::format("{} is not finite, or beyond {:g}: repair it, or take "
                                    "another unit of length",
                                    point_text(surface(), i), largest));
        }
    }

    void leave_out_unused() {
        std::vector<Index> place(surface().points.size(), none);
        for (const auto& t : surface().triangles)
            for (const Index corner : t) place[corner] = 0;
        std::vector<Vec3> kept;
        for (Index i = 0; i < place.size(); ++i) {
            if (place[i] == none) continue;
            place[i] = static_cast<Index>(kept.size());
            kept.push_back(surface().points[i]);
        }
        checked_.unused = static_cast<Index>(place.size() - kept.size());
        if (checked_.unused == 0) return;
        for (auto& t : checked_.surface.triangles)
            for (Index& corner : t) corner = place[corner];
        checked_.surface.points = std::move(kept);
    }

    void check_shapes() const {
        Vec3 low = surface().points[0], high = low;
        for (const Vec3& p : surface().points) low = glm::min(low, p), high = glm::max(high, p);
        const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
        if (!(extent > 1e-70)) refuse("all points are at one place: the surface has no extent");
        for (Index t = 0; t < surface().triangles.size(); ++t) {
            const auto& [a, b, c] = surface().triangles[t];
            const auto at = [&](Index i) { return (surface().points[i] - low) / extent; };
            if (a == b || b == c || c == a || shape_of(at(a), at(b), at(c)) < least_shape)
                refuse(fmt::format(
                    "{} has no area: two corners are one, or all are on a line; remove it, as "
                    "by a mesh program's repair of degenerate triangles",
                    triangle_text(surface(), t)));
        }
    }

    Index from(SideNumber s) const { return surface().triangles[triangle_of(s)][s % 3]; }
    Index to(SideNumber s) const { return from(following(s)); }

    std::string edge_text(SideNumber s) const {
        const auto [low, high] = std::minmax({from(s), to(s)});
        return fmt::format("the edge between {} and {}", point_text(surface(), low),
                           point_text(surface(), high));
    }

    // The other side of each edge.
    void pair_sides() {
        const auto count = static_cast<SideNumber>(3 * surface().triangles.size());
        struct Keyed {
            std::uint64_t ends;
            SideNumber side;
        };
        std::vector<Keyed> sides(count);
        for (SideNumber s = 0; s < count; ++s) {
            const auto [low, high] = std::minmax({from(s), to(s)});
            sides[s] = {std::uint64_t(low) << 32 | high, s};
        }
        std::sort(sides.begin(), sides.end(), [](const Keyed& a, const Keyed& b) {
            return a.ends != b.ends ? a.ends < b.ends : a.side < b.side;
        });
        twin_.assign(count, none);
        for (std::size_t i = 0, end; i < sides.size(); i = end) {
            for (end = i + 1; end < sides.size() && sides[end].ends == sides[i].ends;) ++end;
            if (end - i > 2)
                refuse(fmt::format(
                    "{} is in {} triangles, {}, {} and {} among them: at an edge a surface has "
                    "two, "
                    "or one on a border; remove triangles inside the body",
                    edge_text(sides[i].side), end - i, triangle_of(sides[i].side) + 1,
                    triangle_of(sides[i + 1].side) + 1, triangle_of(sides[i + 2].side) + 1));
            if (end - i < 2) continue;
            twin_[sides[i].side] = sides[i + 1].side;
            twin_[sides[i + 1].side] = sides[i].side;
        }
    }

    // Parts, and in each the orientation that most of its triangles have.
    void orient() {
        const auto count = static_cast<Index>(surface().triangles.size());
        checked_.part_of_triangle.assign(count, none);
        std::vector<bool> is_turned(count, false);
        std::vector<Index> part;
        for (Index first = 0; first < count; ++first) {
            if (checked_.part_of_triangle[first] != none) continue;
            const Index number = checked_.parts();
            bool is_closed = true;
            part.assign(1, first);
            checked_.part_of_triangle[first] = number;
            for (std::size_t at = 0; at < part.size(); ++at) {
                const Index t = part[at];
                for (SideNumber s = 3 * t; s < 3 * t + 3; ++s) {
                    if (twin_[s] == none) {
                        is_closed = false;
                        continue;
                    }
                    const Index beside = triangle_of(twin_[s]);
                    // neighbours with one orientation run along their edge both ways
                    const bool turned = (from(s) == from(twin_[s])) != is_turned[t];
                    if (checked_.part_of_triangle[beside] == none) {
                        checked_.part_of_triangle[beside] = number;
                        is_turned[beside] = turned;
                        part.push_back(beside);
                    } else if (is_turned[beside] != turned) {
                        refuse(fmt::format(
                            "the surface has one side only, as a Moebius strip: across {} its "
                            "triangles cannot be oriented alike; cut it there",
                            edge_text(s)));
                    }
                }
            }
            checked_.part_is_closed.push_back(is_closed);
            const auto turned =
                std::count_if(part.begin(), part.end(), [&](Index t) { return is_turned[t]; });
            if (2 * turned > std::ssize(part))
                for (const Index t : part) is_turned[t] = !is_turned[t];
        }
        for (Index t = 0; t < count; ++t)
            if (is_turned[t]) {
                std::swap(checked_.surface.triangles[t][1], checked_.surface.triangles[t][2]);
                ++checked_.turned;
            }
        if (checked_.turned > 0) pair_sides();
    }

    // The triangles round each point are one fan: going round the point, from each to the next
    // across an edge, meets them all.
    void check_fans() {
        const std::size_t n = surface().points.size();
        checked_.part_of_point.assign(n, none);
        checked_.is_border.assign(n, false);
        std::vector<Index> triangles(n, 0);
        std::vector<SideNumber> side(n, none);  // one that begins at the point
        for (SideNumber s = 0; s < twin_.size(); ++s) {
            ++triangles[from(s)];
            checked_.part_of_point[from(s)] = checked_.part_of_triangle[triangle_of(s)];
            if (side[from(s)] == none) side[from(s)] = s;
            if (twin_[s] == none) checked_.is_border[from(s)] = checked_.is_border[to(s)] = true;
        }
        for (Index i = 0; i < n; ++i) {
            Index met = 1;
            SideNumber s = side[i];
            while (twin_[preceding(s)] != none && twin_[preceding(s)] != side[i]) {
                s = twin_[preceding(s)];
                ++met;
            }
            if (twin_[preceding(s)] == none)  // an open fan: its triangles on the other side
                for (s = side[i]; twin_[s] != none; s = following(twin_[s])) ++met;
            if (met != triangles[i])
                refuse(
                    fmt::format("at {} parts of the surface touch: {} of its {} triangles are one "
                                "fan; give each fan a point of its own",
                                point_text(surface(), i), met, triangles[i]));
        }
    }

    void set_edges() {
        for (SideNumber s = 0; s < twin_.size(); ++s)
            if (twin_[s] == none || s < twin_[s])
                checked_.edges.push_back({from(s), to(s), from(preceding(s)),
                                          twin_[s] == none ? none : from(preceding(twin_[s]))});
    }

    // Each point of a border begins one of its edges.
    void count_borders() {
        std::vector<Index> after(surface().points.size(), none);
        for (SideNumber s = 0; s < twin_.size(); ++s)
            if (twin_[s] == none) after[from(s)] = to(s);
        for (Index i = 0; i < after.size(); ++i) {
            if (after[i] == none) continue;
            ++checked_.borders;
            for (Index at = i; after[at] != none;) at = std::exchange(after[at], none);
        }
    }

    static constexpr std::size_t most = 700'000'000;
    const std::string place_;
    CheckedSurface checked_;
    std::vector<SideNumber> twin_;  // none on a border
};

std::string count_of(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

CheckedSurface check_surface(TriangleSurface surface, const std::string& place) {
    return Check(std::move(surface), place).run();
}

std::string words_of(const CheckedSurface& checked) {
    std::string words = fmt::format(
        "{} and {} in {}", count_of(checked.surface.triangles.size(), "triangle"),
        count_of(checked.surface.points.size(), "point"), count_of(checked.parts(), "part"));
    if (checked.is_closed())
        words += ", closed";
    else
        words +=
            fmt::format("; {}: what lies on them stays fixed", count_of(checked.borders, "border"));
    if (checked.turned > 0)
        words += fmt::format("; {} turned, so that all are oriented alike",
                             count_of(checked.turned, "triangle"));
    if (checked.unused > 0)
        words += fmt::format("; {} of no triangle left out", count_of(checked.unused, "point"));
    return words;
}

}  // namespace solenoid
