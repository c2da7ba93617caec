// States of a run for ParaView: FOLDER/NAME.pvd lists, for every written time, a NAME_<step>.pvtu,
// which lists one NAME_<step>/NAME_<step>_<rank>.vtu a rank. docs/output.md lists the arrays.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/files/output_field.hpp"
#include "io/vtk/written_points.hpp"
#include "parallel/distributed_mesh.hpp"

class vtkUnstructuredGrid;

namespace solenoid {

class VtkOutput {
  public:
    // Keeps a reference to the mesh.
    VtkOutput(const Communicator& comm, const DistributedMesh& distributed,
              std::filesystem::path folder, std::string name);

    // Point fields hold values at the nodes of owned cells at least, cell fields at owned cells.
    // Files get their names when they are complete, the .pvd last, so that an interrupted run
    // leaves a readable series. Throws ComputationError where a value is not finite or a file does
    // not fit; earlier states stay. Collective.
    void write(double time, std::int64_t step, const std::vector<PointField>& point_fields,
               const std::vector<CellField>& cell_fields = {});

  private:
    void list(vtkUnstructuredGrid& grid, double time, const std::string& state);

    const Communicator comm_;
    const DistributedMesh& distributed_;
    const WrittenPoints points_;
    std::filesystem::path folder_;
    std::string name_;
    std::vector<std::pair<double, std::string>> states_;  // written: time and .pvtu
};

}  // namespace solenoid
