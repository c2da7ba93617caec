// The faces of a mesh in slices: which cells share one, and which cells a side belongs to.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

inline constexpr GlobalIndex no_cell = -1;

// Why a cell cannot have the face that it has in common with others.
struct FaceFault {
    enum Why : int { none, twice, third, overlap };
    Why why = none;
    int face = 0;  // opposite this node of the cell
    GlobalIndex cell = 0, other = no_cell, another = no_cell;
};

struct FaceMatch {
    // dimension + 1 a cell: the cell behind the face opposite node j, or no_cell
    std::vector<GlobalIndex> neighbours;
    struct SideCells {
        // the cells that have it as a face; both none: it is no face
        std::array<GlobalIndex, 2> cells{no_cell, no_cell};
        // its group holds it before, or any group a side of an entity
        std::int64_t is_repeated = 0;
    };
    std::vector<SideCells> sides;  // of each side
    FaceFault fault;               // the first of the mesh, by cell and face; on every rank
};

// Every face goes to a rank that its nodes decide, in rounds that bound what is under way at a
// time. Where a face has a fault, its neighbours are of no meaning. Collective.
FaceMatch match_faces(const Communicator& comm, const MeshSlice& slice);

}  // namespace solenoid
