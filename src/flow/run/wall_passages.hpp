// The number of cells across passages between walls that fluid sticks to, found by all ranks of a
// run. docs/numerics.md, "Cells across".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/settings/flow_case.hpp"
#include "io/files/summary.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class WallPassages {
  public:
    // Walks from every face of a wall to the opposite one; a plane of symmetry counts as the
    // middle. Lines that cross more than most_cells are forgotten. All must outlive this.
    // Collective.
    WallPassages(const Communicator& comm, const DistributedMesh& mesh, const FlowCase& flow);

    static constexpr double most_cells = 16;

    // The passage with the fewest cells of all whose walls feel the fluid: they are sheared by a
    // part of what walls are in the mean. velocity: of cells, column by column [m/s]; time: [s].
    // Nothing where no passage is left. Alike on all ranks, however the mesh is cut. Collective.
    std::optional<CellsAcross> narrowest(const std::vector<double>& velocity, double time) const;

  private:
    struct Passage {
        double cells, length;
        Vec3 middle;
        std::size_t wall;  // index into walls_: where the line began
        std::size_t to;    // index into Mesh::boundaries, or `mirror`
    };
    struct Wall {
        Index face, cell;
        const FlowCondition* condition;
        std::size_t boundary;
    };
    struct Walk;
    void walk_all();
    double shear(const Wall& wall, const std::vector<double>& velocity, double time) const;

    const Communicator comm_;
    const DistributedMesh& mesh_;
    std::vector<Wall> walls_;  // of this rank
    std::vector<Passage> passages_;
};

// Whether fluid passes through the domain, in at one boundary and out at another, or along a
// period.
bool is_passed_through(const FlowCase& flow);

// The line for the console.
std::string passage_line(const CellsAcross& passage);
// Fluxes and pressure losses in a passage of so many cells are off by this part, as measured.
double error_of_cells_across(double cells);
// The warning that the run's losses are off; empty where they are not by much. error: of fluxes, by
// the budget of energy or error_of_cells_across(). mesh: the name of its file, empty for a box.
std::string passage_warning(const CellsAcross& passage, double error, const std::string& mesh);

}  // namespace solenoid
