#include "mesh/thin_layers.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

constexpr double smooth = 0.785;   // largest angle between faces of a smooth wall [rad]
constexpr double rounding = 1e-9;  // relative difference of values that count as alike

void take_larger(double& value, Vec3& place, double other, const Vec3& there) {
    if (other == 0 || other < (1 - 2 * rounding) * value) return;
    if (value > 0 && other < (1 + 2 * rounding) * value) {
        const double now = thinness_grade(value), then = thinness_grade(other);
        if (then < now || (then == now && !(thinness_order(there) < thinness_order(place)))) return;
    }
    value = other;
    place = there;
}

class Layers {
  public:
    Layers(const Mesh& mesh, Index cells)
        : m_(mesh), cells_(cells), faces_beside_(codim2_faces(mesh)) {
        result_.at_boundary.resize(mesh.boundaries.size());
        result_.layer_at.resize(mesh.boundaries.size());
    }

    ThinLayers found() {
        for (Index c = 0; c < cells_; ++c) {
            look_inside(c);
            for (int j = 0; j <= m_.dimension; ++j) look_across(c, j);
        }
        for (const Side& side : m_.sides)
            if (is_outer(side.face) && cell_of(side.face) < cells_) look_at(side);
        return std::move(result_);
    }

  private:
    bool is_outer(Index f) const {
        return (m_.face_cells(f, 0) == none) != (m_.face_cells(f, 1) == none);
    }
    Index cell_of(Index f) const { return m_.face_cells(f, m_.face_cells(f, 0) == none ? 1 : 0); }
    int place_in(Index c, Index f) const {
        int j = 0;
        while (entity_of(m_.cell_faces(c, j)) != f) ++j;
        return j;
    }
    Vec3 normal(Index f) const {
        return glm::normalize(opposite_area(m_, cell_of(f), place_in(cell_of(f), f)));
    }

    double longest_edge(Index cell, int opposite) const {
        double longest = 0;
        for (int a = 0; a <= m_.dimension; ++a)
            for (int b = 0; b < a; ++b)
                if (a != opposite && b != opposite)
                    longest =
                        std::max(longest, glm::distance(m_.corner(cell, a), m_.corner(cell, b)));
        return longest;
    }
    // On the face opposite node j.
    double aspect(Index cell, int j) const {
        const double height =
            m_.dimension * volume(m_, cell) / glm::length(opposite_area(m_, cell, j));
        return longest_edge(cell, j) / height;
    }
    Vec3 middle(Index cell, int opposite) const {
        Vec3 sum(0);
        for (int j = 0; j <= m_.dimension; ++j)
            if (j != opposite) sum += m_.corner(cell, j);
        return sum / double(m_.dimension);
    }

    void look_inside(Index cell) {
        int largest = 0;
        for (int j = 1; j <= m_.dimension; ++j)
            if (glm::length(opposite_area(m_, cell, j)) >
                glm::length(opposite_area(m_, cell, largest)))
                largest = j;
        result_.inside.include({aspect(cell, largest), middle(cell, largest), 0, Vec3(0)});
    }

    // The smaller aspect, on the face opposite node j, of the cell and the one beyond; 0 where
    // there is none.
    double of_both(Index cell, int j) const {
        const Index face = entity_of(m_.cell_faces(cell, j));
        const Index one = m_.face_cells(face, 0), other = m_.face_cells(face, 1);
        if (one == none || other == none) return 0;
        const Index beyond = one == cell ? other : one;
        return std::min(aspect(cell, j), aspect(beyond, place_in(beyond, face)));
    }

    void look_across(Index cell, int j) {
        if (aspect(cell, j) < (1 - 2 * rounding) * result_.layer_inside.aspect) return;  // mostly
        result_.layer_inside.include({of_both(cell, j), middle(cell, j), 0, Vec3(0)});
    }

    void look_at(const Side& side) {
        const Index cell = cell_of(side.face);
        const int j = place_in(cell, side.face);
        const double angle = largest_angle(side.face), of_cell = aspect(cell, j);
        double beside = 0;
        for (int k = 0; k <= m_.dimension; ++k) beside = std::max(beside, of_both(cell, k));
        const double of_layer = std::min(of_cell, beside);
        const Vec3 place = middle(cell, j);
        result_.at_boundary[side.boundary].include({of_cell, place, of_cell * angle, place});
        result_.layer_at[side.boundary].include({of_layer, place, of_layer * angle, place});
    }

    // The largest angle between a face and its neighbours in the same wall.
    double largest_angle(Index face) const {
        const Vec3 a = normal(face);
        double angle = 0;
        for (int k = 0; k < m_.dimension; ++k) {
            const Index between = entity_of(m_.face_codim2(face)[k]);
            for (const Index* f = faces_beside_.begin(between); f != faces_beside_.end(between);
                 ++f)
                if (const Index other = entity_of(*f); is_outer(other)) {
                    const Vec3 b = normal(other);
                    const double one = std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
                    if (one < smooth) angle = std::max(angle, one);
                }
        }
        return angle;
    }

    const Mesh& m_;
    Index cells_;
    Rows faces_beside_;  // of each node (2D) or edge (3D)
    ThinLayers result_;
};

}  // namespace

double thinness_grade(double aspect) { return std::round(std::log(aspect) / rounding); }

// Rounded to 24 bits (Veltkamp's splitting), with which mirror images have the same coordinates. A
// conversion to float and back will not do: the vectorizer of g++ 12 drops it.
std::array<double, 3> thinness_order(const Vec3& place) {
    const auto rounded = [](double x) {
        const double large = x * (1 << 29) + x;
        return large - (large - x);
    };
    return {rounded(place.x), rounded(place.y), rounded(place.z)};
}

void Thinness::include(const Thinness& other) {
    take_larger(aspect, aspect_place, other.aspect, other.aspect_place);
    take_larger(curved_aspect, curved_place, other.curved_aspect, other.curved_place);
}

ThinLayers thin_layers(const Mesh& mesh, Index cells) { return Layers(mesh, cells).found(); }

}  // namespace solenoid
