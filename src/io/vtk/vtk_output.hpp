// States of a run for ParaView. FOLDER/NAME.pvd lists a NAME_<step>.pvtu for each written time,
// which lists one NAME_<step>/NAME_<step>_<rank>.vtu for each rank. docs/output.md lists the
// arrays.
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
    // The mesh must outlive this.
    VtkOutput(const Communicator& comm, const DistributedMesh& distributed,
              std::filesystem::path folder, std::string name);

    // Writes a state. Point fields are given at least at the nodes of owned cells, cell fields at
    // owned cells. Files get their names when complete, the .pvd file last, so that an interrupted
    // run leaves a readable series. Returns why the state could not be written, the same text on
    // all ranks; empty: it was. Earlier states remain. Throws ComputationError where a value is not
    // finite. Collective.
    [[nodiscard]] std::string write(double time, std::int64_t step,
                                    const std::vector<PointField>& point_fields,
                                    const std::vector<CellField>& cell_fields = {});
    // The list of pieces of a state.
    std::filesystem::path file_of(std::int64_t step) const;

  private:
    void list(vtkUnstructuredGrid& grid, double time, const std::string& state);

    const Communicator comm_;
    const DistributedMesh& distributed_;
    const WrittenPoints points_;
    std::filesystem::path folder_;
    std::string name_;
    std::string last_;                                    // state listed
    std::vector<std::pair<double, std::string>> states_;  // time and .pvtu of each state written
};

}  // namespace solenoid
