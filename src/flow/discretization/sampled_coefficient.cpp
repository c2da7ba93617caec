#include "flow/discretization/sampled_coefficient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "core/log.hpp"
#include "flow/discretization/flow_discretization.hpp"

namespace solenoid {
namespace {

constexpr double least_change = 0.01;  // least change over a jump, relative to the larger value
// a change that remains within 2^-12 of a part of a cell is a jump
constexpr int halvings = 12;
// relative to the way from a face's centroid to a cell's: a jump within it is on the face, also on
// a curved one
constexpr double near_face = 0.25;
constexpr double beside_face = 0.02;  // where a value beside a face is sampled first

bool is_change(double a, double b) { return std::abs(a - b) > least_change * std::max(a, b); }

// The formula along the way from a cell's centroid (-1) through a face's (0) to the other cell's
// (1).
class Way {
  public:
    Way(const Formula& formula, double time, const Vec3& first, const Vec3& face,
        const Vec3& second)
        : formula_(formula), time_(time), first_(first), face_(face), second_(second) {}

    double at(double s) const {
        return formula_.not_negative_value(
            s < 0 ? face_ - s * (first_ - face_) : face_ + s * (second_ - face_), time_);
    }

    struct Place {
        double s, before, after;  // position; values before and after it
    };
    // The jump between two positions with given values; none where there is no jump.
    std::optional<Place> jump(double low, double at_low, double high, double at_high) const {
        for (int n = 0; n < halvings; ++n) {
            if (!is_change(at_low, at_high)) return {};
            const double middle = 0.5 * (low + high), at_middle = at(middle);
            if (std::abs(at_middle - at_low) > std::abs(at_high - at_middle)) {
                high = middle;
                at_high = at_middle;
            } else {
                low = middle;
                at_low = at_middle;
            }
        }
        if (!is_change(at_low, at_high)) return {};
        return Place{0.5 * (low + high), at_low, at_high};
    }

  private:
    const Formula& formula_;
    const double time_;
    const Vec3 first_, face_, second_;
};

}  // namespace

SampledCoefficient sample_coefficient(const Domain& domain, const Formula& formula, double time) {
    const Mesh& m = domain.mesh.mesh;
    const Geometry& g = domain.geometry;
    SampledCoefficient result;
    std::vector<bool> is_cut(m.cells(), false);
    domain.comm.agree([&] {
        std::vector<double> at_centroid(m.cells());
        for (Index c = 0; c < m.cells(); ++c)
            at_centroid[c] = formula.not_negative_value(g.cell_centroid[c], time);
        result.faces.resize(m.faces());
        for (Index f = 0; f < m.faces(); ++f) {
            double& value = result.faces[f];
            value = formula.not_negative_value(g.face_centroid[f], time);
            const Index a = m.face_cells(f, 0), b = m.face_cells(f, 1);
            const auto [x_a, x_b] = centroids_beside(m, g, f);
            const bool is_inside = a != none && b != none;
            // a ghost's face, which may have a cell that is not held
            if (!is_inside && f >= domain.faces.shared) continue;
            const Index only = a == none ? b : a;
            const Vec3 centre = a == none ? x_b : x_a;
            const Way way(formula, time, is_inside ? x_a : centre, g.face_centroid[f],
                          is_inside ? x_b : g.face_centroid[f]);
            std::vector<double> positions{-1, -0.5, -beside_face}, values{at_centroid[only]};
            if (is_inside)
                positions.insert(positions.end(), {beside_face, 0.5, 1});
            else
                positions.push_back(0);
            for (std::size_t k = 1; k < positions.size(); ++k)
                values.push_back(positions[k] == 1   ? at_centroid[b]
                                 : positions[k] == 0 ? value
                                                     : way.at(positions[k]));
            bool is_on_face = false;
            for (std::size_t k = 0; k + 1 < positions.size(); ++k) {
                if (!is_change(values[k], values[k + 1])) continue;
                const auto jump =
                    way.jump(positions[k], values[k], positions[k + 1], values[k + 1]);
                if (!jump) continue;
                if (std::abs(jump->s) >= near_face)
                    is_cut[jump->s < 0 ? only : b] = true;
                else if (!is_inside)
                    value = jump->before;
                else if (!is_on_face) {
                    is_on_face = true;
                    result.jumps.push_back({f, {jump->before, jump->after}});
                }
            }
            if (!is_on_face) continue;
            const auto& [before, after] = result.jumps.back().beside;
            const double d_a = std::abs(glm::dot(g.face_centroid[f] - x_a, g.face_area[f])),
                         d_b = std::abs(glm::dot(x_b - g.face_centroid[f], g.face_area[f]));
            value = before > 0 && after > 0 ? (d_a + d_b) / (d_a / before + d_b / after) : 0;
        }
        // Samples towards nodes too, where no face is crossed.
        for (Index c = 0; c < domain.cells.owned; ++c)
            for (int j = 0; j <= m.dimension && !is_cut[c]; ++j) {
                constexpr double reach = 0.75;
                const Way way(formula, time, g.cell_centroid[c], m.corner(c, j), m.corner(c, j));
                const double middle = way.at(-0.5), far = way.at(reach - 1);
                is_cut[c] = (is_change(at_centroid[c], middle) &&
                             way.jump(-1, at_centroid[c], -0.5, middle)) ||
                            (is_change(middle, far) && way.jump(-0.5, middle, reach - 1, far));
            }
    });
    std::vector<const SampledCoefficient::Jump*> jump_on(m.faces(), nullptr);
    for (const auto& jump : result.jumps) jump_on[jump.face] = &jump;
    double first = HUGE_VAL;
    result.cells.resize(domain.cells.owned);
    for (Index c = 0; c < domain.cells.owned; ++c) {
        double sum = 0;
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j));
            sum +=
                jump_on[f] ? jump_on[f]->beside[m.face_cells(f, 0) == c ? 0 : 1] : result.faces[f];
        }
        result.cells[c] = sum / (m.dimension + 1);
        if (!is_cut[c]) continue;
        ++result.cells_cut;
        first = std::min(first, double(m.cell_number[c]));
    }
    result.cells_cut = domain.comm.sum(result.cells_cut);
    const double lowest = domain.comm.min(first);
    std::array<double, 3> place{};
    for (Index c = 0; c < domain.cells.owned; ++c)
        if (is_cut[c] && double(m.cell_number[c]) == lowest)
            place = {g.cell_centroid[c].x, g.cell_centroid[c].y, g.cell_centroid[c].z};
    domain.comm.sum(place);
    result.cut_at = {place[0], place[1], place[2]};
    return result;
}

void remark_cut_cells(const SampledCoefficient& coefficient, const std::string& name) {
    if (coefficient.cells_cut == 0) return;
    log::warning(
        "{} jumps inside {:.0f} cell{}, the first of them at ({:.6g}, {:.6g}, {:.6g}): the "
        "solution is of first order there, with the value of either side. Let the mesh follow the "
        "surface on which it jumps: in Gmsh, a curve or surface between two parts of the fluid",
        name, coefficient.cells_cut, coefficient.cells_cut == 1 ? "" : "s", coefficient.cut_at.x,
        coefficient.cut_at.y, coefficient.cut_at.z);
}

}  // namespace solenoid
