// The faces of a mesh in slices: the cells of each face, and the cells of each side.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

inline constexpr GlobalIndex no_cell = -1;

// A face that cannot have its cells, and why.
struct FaceFault {
    enum Why : int { none, twice, third, overlap };
    Why why = none;
    int face = 0;  // opposite this node of the cell
    GlobalIndex cell = 0, other = no_cell, another = no_cell;
};

struct FaceMatch {
    // for each cell the dimension + 1 cells behind its faces (that opposite node j), or no_cell
    std::vector<GlobalIndex> neighbours;
    struct SideCells {
        // the cells with this face; none where it is no face of a cell
        std::array<GlobalIndex, 2> cells{no_cell, no_cell};
        // 1 where its group has the face already or, for a side of an entity, any group has it
        std::int64_t is_repeated = 0;
    };
    std::vector<SideCells> sides;
    FaceFault fault;  // the first of the mesh, by cell and face; on every rank
};

// Matches the faces of all slices. Each face goes to a rank that a hash of its nodes gives, in
// rounds that bound the memory. Neighbours at a face with a fault have no meaning. Collective.
FaceMatch match_faces(const Communicator& comm, const MeshSlice& slice);

}  // namespace solenoid
