// A mesh as a file or a generator gives it: points, simplices and named groups, without edges and
// faces.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"
#include "mesh/periodic_map.hpp"

namespace solenoid {

struct SimplexMesh {
    int dimension = 3;                       // 2: triangles (all z = 0), 3: tets
    std::vector<Vec3> points;                // position of each node [m]
    std::vector<Index> cells;                // dimension + 1 nodes each, positively oriented
    std::vector<std::uint16_t> cell_region;  // index into `regions`
    // volume groups (3D) or surface groups (2D); at least one
    std::vector<std::string> regions;
    // dimension nodes each: the simplices of the boundary groups
    std::vector<Index> sides;
    std::vector<std::uint16_t> side_group;  // index into `boundaries`, one a side
    // names of the groups of dimension - 1, also those inside the domain
    std::vector<std::string> boundaries;
    // the number of groups at the end of `boundaries` that are entities of the geometry, for faces
    // in no other group; 0 after the checks
    std::size_t entity_boundaries = 0;
    PeriodicMap periodic_map;  // of a periodic mesh (make_periodic)

    std::size_t cell_count() const { return cells.size() / (dimension + 1); }
    std::size_t side_count() const { return side_group.size(); }
    const Index* cell(std::size_t c) const { return cells.data() + c * (dimension + 1); }
    const Index* side(std::size_t s) const { return sides.data() + s * dimension; }
    Vec3 corner(std::size_t c, int j) const {  // of cell c, where the cell sees it [m]
        const std::size_t k = c * (dimension + 1) + j;
        return periodic_map.moved(points[cells[k]], k);
    }
};

// Drops those of the last `last` boundaries that have no sides, and renumbers `groups`, the sides'
// boundaries. counts: the number of sides of each boundary.
void drop_empty_boundaries(const std::vector<std::int64_t>& counts, std::size_t last,
                           std::vector<std::string>& boundaries,
                           std::vector<std::uint16_t>& groups);

// "(1, 0, 0)", for messages.
std::string position_text(const Vec3& x);

// Checks a mesh and repairs what can be repaired. Throws InputError with `place`, the entity
// (counted from 1) and its position, unless indices are in range, positions finite, no cell is flat
// or repeated, no face has three cells or two on one side, and sides are faces.
// Repairs: a region whose cells are all negative is turned round, and nodes in no cell are dropped,
// both with a warning (cells of both signs in a region are an error). A side that its group has
// twice is dropped. So are sides of entity_boundaries that are no faces or are in a group, and
// boundaries of that kind without sides. A plane mesh of triangles is moved to z = 0.
void check_and_repair(SimplexMesh& mesh, const std::string& place);

}  // namespace solenoid
