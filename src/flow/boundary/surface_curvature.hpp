// The curvature of the surface that some of the domain's boundary faces approximate.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "operators/domain.hpp"

namespace solenoid {

// A face of a curved surface.
struct CurvedFace {
    // The principal directions, orthonormal in the plane of the face, and the curvatures along them
    // [1/m] at the face's centroid: the eigenvalues of the surface gradient of the outward normal.
    // +1/r inside a cylinder of the radius r, -1/r outside. In 2D there is one.
    std::array<Vec3, 2> direction{};
    std::array<double, 2> curvature{};
    double depth = 0;              // of the centroid below the surface [m]
    std::array<Vec3, 3> normal{};  // of the surface at the face's nodes, outward, of length 1
    bool is_curved = false;        // else all of it is 0
};

// A vector along the plane of a unit normal, turned by the shortest way into that of another.
Vec3 turned(const Vec3& along, const Vec3& normal, const Vec3& other);

// For each face held: an entry where is_asked and the surface is curved; null where it is plane, or
// where a face has no neighbours enough to tell.
class CurvedFaces {
  public:
    // on_boundary: whether a face held lies on the domain's boundary; is_asked: one of those of
    // which the curvature is wanted. Both are equal on all ranks that hold the face. Collective.
    CurvedFaces(const Domain& domain, const std::function<bool(Index)>& on_boundary,
                const std::function<bool(Index)>& is_asked);
    const CurvedFace* at(Index face) const {
        return place_.empty() || place_[face] == none || !faces_[place_[face]].is_curved
                   ? nullptr
                   : &faces_[place_[face]];
    }
    bool exist() const { return exist_; }  // on any rank

  private:
    std::vector<Index> place_;
    std::vector<CurvedFace> faces_;
    bool exist_ = false;
};

}  // namespace solenoid
