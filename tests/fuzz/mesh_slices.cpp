// Binary mesh files of format 4.1, read in slices: the same are accepted as whole ones, with as
// many entities.
#include "io/mesh/mesh_slices.hpp"

#include "fuzz/target.hpp"
#include "io/mesh/mesh_file.hpp"
#include "parallel/communicator.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::fuzz {

void read_input(std::string_view bytes) {
    static const Communicator comm = Communicator::self();
    const std::filesystem::path file = scratch_file("mesh.msh", bytes);
    std::optional<SlicedMesh> slices;
    const bool is_accepted = accepts(file.string(), [&] { slices = read_mesh_slices(comm, file); });
    if (is_accepted && !slices) return;  // a format that is read whole
    SimplexMesh mesh;
    if (accepts(file.string(), [&] { mesh = read_mesh(file); }) != is_accepted)
        finding(is_accepted ? "accepted in slices alone" : "accepted whole alone");
    if (!is_accepted) return;
    const MeshSlice& slice = slices->slice;
    if (slice.points != mesh.points || slice.cell_count() != mesh.cell_count() ||
        slice.cell_region != mesh.cell_region || slice.side_group != mesh.side_group ||
        slice.regions != mesh.regions || slice.boundaries != mesh.boundaries)
        finding("another mesh in slices");
}

}  // namespace solenoid::fuzz
