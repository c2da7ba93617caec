// A mesh as a file or a generator gives it: points, simplices and named groups, before any
// topology.
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
    // dimension nodes each: the simplices of the named boundary groups
    std::vector<Index> sides;
    std::vector<std::uint16_t> side_group;  // index into `boundaries`, one a side
    // names of the groups of dimension - 1, also those inside the domain
    std::vector<std::string> boundaries;
    // the last of `boundaries` are entities of the geometry, for faces in no group: until checked
    std::size_t entity_boundaries = 0;
    PeriodicMap periodic_map;  // of a periodic mesh (make_periodic)

    std::size_t cell_count() const { return cells.size() / (dimension + 1); }
    std::size_t side_count() const { return side_group.size(); }
    const Index* cell(std::size_t c) const { return cells.data() + c * (dimension + 1); }
    const Index* side(std::size_t s) const { return sides.data() + s * dimension; }
    Vec3 corner(std::size_t c, int j) const {  // of cell c, where the cell sees it
        const std::size_t k = c * (dimension + 1) + j;
        return periodic_map.moved(points[cells[k]], k);
    }
};

// Of the last `last` boundaries, drops those without sides (counts: of the sides of each boundary),
// and numbers the sides' groups anew.
void drop_empty_boundaries(const std::vector<std::int64_t>& counts, std::size_t last,
                           std::vector<std::string>& boundaries,
                           std::vector<std::uint16_t>& groups);

// "(1, 0, 0)", for messages.
std::string position_text(const Vec3& x);

// Throws InputError, naming `place` and the entity (counted from 1) with its position, unless the
// mesh can be computed on: indices in range, finite positions, no cell flat or there twice, no face
// with three cells or with two on one side, sides that are faces. A region whose cells are all
// negative is numbered left-handed: turned round, with a warning; cells of both signs in a region
// are an error. Nodes in no cell are dropped, with a warning; so are, without one, sides that their
// group holds twice, and of entity_boundaries sides that are no faces or lie in a group, and those
// that are left without a side. A mesh of triangles in a plane z = constant is moved to z = 0.
void check_and_repair(SimplexMesh& mesh, const std::string& place);

}  // namespace solenoid
