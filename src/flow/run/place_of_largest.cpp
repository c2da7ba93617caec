#include "flow/run/place_of_largest.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "flow/solver/finite.hpp"
#include "run/quantities.hpp"

namespace solenoid {

namespace {

constexpr double alike = 1e-6;  // relative difference: mirror images count as equal

// Of cells with equal values the first by coordinates, independent of the ranks.
struct LargestCell {
    Vec3 place;  // of its centroid
    Index cell;  // on the rank that holds it, elsewhere of no meaning
    int holder;  // that rank; the number of ranks where no cell has a number
};

LargestCell largest_cell(const Communicator& comm, const DistributedMesh& mesh, const Geometry& g,
                         const std::vector<double>& of_cells) {
    double most = -HUGE_VAL;
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) most = std::max(most, of_cells[c]);
    most = comm.max(most);
    std::array<double, 3> first{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    Index cell = none;
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) {
        const Vec3& x = g.cell_centroid[c];
        if (const std::array place{x.x, x.y, x.z};
            of_cells[c] >= most - alike * std::abs(most) && place < first) {
            first = place;
            cell = c;
        }
    }
    bool is_first = cell != none;
    for (double& coordinate : first) {
        const double agreed = comm.min(is_first ? coordinate : HUGE_VAL);
        is_first = is_first && agreed == coordinate;
        coordinate = agreed;
    }
    const int holder = static_cast<int>(comm.min(is_first ? comm.rank() : comm.size()));
    return {{first[0], first[1], first[2]}, cell, holder};
}

}  // namespace

std::string place_of_largest(const Communicator& comm, const DistributedMesh& mesh,
                             const std::vector<double>& of_cells) {
    const Geometry g = geometry(mesh.mesh);
    const LargestCell largest = largest_cell(comm, mesh, g, of_cells);
    std::string place;
    if (comm.rank() == largest.holder) place = named_cell(mesh, g, largest.cell);
    if (largest.holder < comm.size()) comm.broadcast(place, largest.holder);
    return place;
}

std::optional<Vec3> centroid_of_largest(const Communicator& comm, const DistributedMesh& mesh,
                                        const std::vector<double>& of_cells) {
    const LargestCell largest = largest_cell(comm, mesh, geometry(mesh.mesh), of_cells);
    if (largest.holder == comm.size()) return {};
    return largest.place;
}

std::vector<double> cell_speeds(FlowSolver& solver, const DistributedMesh& mesh) {
    return magnitudes(solver.cell_velocity(), mesh.mesh.dimension);
}

std::vector<double> cell_courant_rates(FlowSolver& solver, const DistributedMesh& mesh) {
    const auto flux = solver.face_flux();
    const Geometry g = geometry(mesh.mesh);
    std::vector<double> rates(mesh.range(Kind::cell).owned, 0.0);
    for (Index cell = 0; cell < rates.size(); ++cell) {
        for (int j = 0; j <= mesh.mesh.dimension; ++j)
            rates[cell] += std::abs(flux[entity_of(mesh.mesh.cell_faces(cell, j))]);
        rates[cell] /= 2 * g.cell_volume[cell];
    }
    return rates;
}

}  // namespace solenoid
