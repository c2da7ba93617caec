// What a mesh of any kind tells of itself to files, pictures, monitors and states: entities and
// their numbers, halos, cells as data, names. Simplices (parallel/simplex_topology.hpp) are one
// kind.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "parallel/communicator.hpp"
#include "partition/partition.hpp"

namespace solenoid {

struct HaloPlan;

enum class CellShape : std::uint8_t { triangle, quadrilateral, tetrahedron };
// The corners of a cell: as many as it has sides.
constexpr int corners_of(CellShape shape) { return shape == CellShape::triangle ? 3 : 4; }
constexpr int dimension_of(CellShape shape) { return shape == CellShape::tetrahedron ? 3 : 2; }
const char* name_of(CellShape shape);  // "triangle", "quadrilateral", "tet"

// The nodes of a cell: counter-clockwise in 2D, positively oriented in 3D. A cell of four corners
// in 2D is bilinear, so that it is convex and its sides are straight.
struct CellNodes {
    CellShape shape = CellShape::triangle;
    std::array<Index, 4> node{};

    int size() const { return corners_of(shape); }
    Index operator[](int j) const { return node[j]; }
    const Index* begin() const { return node.data(); }
    const Index* end() const { return node.data() + size(); }
};

// The simplices that a cell of this shape is drawn and sampled as: corners of the cell, dimension +
// 1 each.
std::span<const std::array<int, 4>> simplices_of(CellShape shape);

// What is beyond a side of a cell: another cell, the end of the domain (or of what this rank
// holds), or a cell that sees the side elsewhere, at a periodic side.
enum class Beyond : std::uint8_t { cell, nothing, periodic };

// Of one rank: the cells that it owns, with all their nodes, and as ghosts the cells that share a
// node with them. Functions without a Communicator are not collective.
class Topology {
  public:
    virtual ~Topology() = default;

    // ---- entities
    virtual int dimension() const = 0;  // 2 or 3
    // A kind of which the mesh has no entities has empty ranges and the count 0: edges of a plane
    // grid, for example.
    virtual const EntityRanges& range(Kind kind) const = 0;
    virtual const HaloPlan& halo(Kind kind) const = 0;
    virtual std::int64_t count(Kind kind) const = 0;  // of the whole mesh
    bool has(Kind kind) const { return count(kind) > 0; }
    // The numbers in the whole mesh, from 0 on, of the entities of a kind held here, ghosts too.
    // They depend neither on the cut nor on the number of ranks. Collective.
    virtual std::vector<GlobalIndex> numbers(const Communicator& comm, Kind kind) const = 0;
    virtual GlobalIndex node_number(Index node) const = 0;
    virtual GlobalIndex cell_number(Index cell) const = 0;

    // ---- cells
    virtual CellNodes nodes_of(Index cell) const = 0;
    virtual int owner(Index cell) const = 0;             // rank
    virtual std::uint16_t region(Index cell) const = 0;  // index into regions()
    // Side j of a tet or a triangle lies opposite its corner j, that of a quadrilateral between its
    // corners j and j + 1. side_area: outward [m^2, in 2D m].
    virtual Beyond beyond(Index cell, int j) const = 0;
    virtual Vec3 side_area(Index cell, int j) const = 0;
    virtual double volume(Index cell) const = 0;  // [m^3, in 2D m^2]

    // ---- positions [m]
    // Of a node. On a mesh with shifts a cell sees its corner j there, moved by one of them; only
    // positions that one cell sees may be subtracted. shifts(): the first is 0; empty: no periodic
    // sides.
    virtual Vec3 position(Index node) const = 0;
    virtual std::span<const Vec3> shifts() const { return {}; }
    virtual int shift(Index, int) const { return 0; }  // of a cell's corner: index into shifts()
    Vec3 corner(Index cell, int j) const {
        const Vec3 at = position(nodes_of(cell)[j]);
        return shifts().empty() ? at : at + shifts()[shift(cell, j)];
    }
    bool is_periodic() const { return !shifts().empty(); }

    // ---- names
    virtual const std::vector<std::string>& regions() const = 0;
    virtual const std::vector<std::string>& boundaries() const = 0;
    // A face that this rank owns, by the corners where a cell sees them.
    struct Face {
        int size;
        std::array<Vec3, 4> corner;  // [m]
    };
    virtual std::vector<Face> faces(std::size_t boundary) const = 0;

    // Tells two meshes apart, whatever the cut and the number of ranks. Collective.
    virtual std::uint64_t hash(const Communicator& comm) const = 0;

    // What of the above stands in arrays of all nodes and cells held, so that files read it in
    // place; else empty. cell_nodes: one cell after another.
    struct Stored {
        std::span<const Vec3> positions;
        std::span<const GlobalIndex> node_numbers, cell_numbers;
        std::span<const Index> cell_nodes;
        std::span<const std::uint16_t> regions;
    };
    virtual Stored stored() const { return {}; }

    // Where nodes and cells are those of a structured grid in the plane, how they lie: files name
    // them by rows and columns.
    struct Structure {
        enum class Lines : std::uint8_t { uniform, rectilinear, curved } lines;
        int columns, rows;  // points of the whole grid; a periodic line is there twice
        // The points of this rank's cells: their first and last column and row. Ranks share lines.
        int first_column, last_column, first_row, last_row;
        // Row by row. none: land.
        std::vector<Index> node_at, cell_at;
        std::vector<Vec3> positions;  // of all points, land too [m]
    };
    virtual std::optional<Structure> structure() const { return {}; }
};

}  // namespace solenoid
