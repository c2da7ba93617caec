// States of a run for ParaView. FOLDER/NAME.pvd lists a NAME_<step>.pvtu for each written time,
// which lists one NAME_<step>/NAME_<step>_<rank>.vtu for each rank; of structured grids .pvti,
// .pvtr or .pvts with .vti, .vtr or .vts. docs/output.md lists the arrays.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/state_values.hpp"
#include "io/files/output_field.hpp"
#include "parallel/topology.hpp"

class vtkDataSet;

namespace solenoid {

class VtkMesh;

class VtkOutput {
  public:
    // The topology must outlive this. Collective.
    VtkOutput(const Communicator& comm, const Topology& topology, std::filesystem::path folder,
              std::string name);
    ~VtkOutput();

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

    // What is listed. After a load resume() removes the states that are not, and lists those that
    // are there, the root's alone; one that is gone meanwhile is left out, with a warning.
    // Collective.
    void register_state(const StateValues& state);
    void resume();

  private:
    struct Listed {
        double time;  // [s]
        std::int64_t step;
    };
    std::filesystem::path index() const { return folder_ / (name_ + ".pvd"); }
    std::string pvd_of(const std::vector<Listed>& states) const;
    std::string name_of(std::int64_t step) const;  // of a state
    std::string piece_name(const std::string& state, int rank) const;
    std::string list_name(const std::string& state) const;
    void list(vtkDataSet& grid, double time, std::int64_t step);

    const Communicator comm_;
    const std::unique_ptr<const VtkMesh> mesh_;
    std::filesystem::path folder_;
    std::string name_;
    std::vector<Listed> states_;  // written; the last one last; alike on all ranks
    bool is_listed_ = false;      // of the root: the state that failed is in the list
};

}  // namespace solenoid
