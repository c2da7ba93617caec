#include "flow/run/place_of_largest.hpp"

#include <algorithm>
#include <cmath>

#include "flow/run/flow_fields.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {

std::string place_of_largest(const Communicator& comm, const DistributedMesh& mesh, const std::vector<double>& of_cells) {
    const auto end = of_cells.begin() + mesh.range(Kind::cell).owned;
    const auto at = std::max_element(of_cells.begin(), end);
    const double mine = at == end ? -HUGE_VAL : *at;
    const int holder = static_cast<int>(comm.min(mine == comm.max(mine) ? comm.rank() : comm.size()));
    std::string place;
    if (comm.rank() == holder) place = named_cell(mesh, geometry(mesh.mesh), static_cast<Index>(at - of_cells.begin()));
    if (holder < comm.size()) comm.broadcast(place, holder);
    return place;
}

std::vector<double> cell_speeds(FlowSolver& solver, const DistributedMesh& mesh) {
    return magnitudes(solver.cell_velocity(), mesh.mesh.dimension);
}

std::vector<double> cell_courant_rates(FlowSolver& solver, const DistributedMesh& mesh) {
    const auto flux = solver.face_flux();
    const Geometry g = geometry(mesh.mesh);
    std::vector<double> rates(mesh.range(Kind::cell).owned, 0.0);
    for (Index cell = 0; cell < rates.size(); ++cell) {
        for (int j = 0; j <= mesh.mesh.dimension; ++j) rates[cell] += std::abs(flux[entity_of(mesh.mesh.cell_faces(cell, j))]);
        rates[cell] /= 2 * g.cell_volume[cell];
    }
    return rates;
}

}  // namespace solenoid
