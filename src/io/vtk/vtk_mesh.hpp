// What a rank writes of its part of a mesh, as a dataset of VTK: cells of any shape, or the rows
// and columns of a structured grid.
#pragma once

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <string>
#include <vector>

#include "io/files/output_field.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

class VtkMesh {
  public:
    virtual ~VtkMesh() = default;

    // How names of pieces end ("vtu"); that of their list has a p in front.
    virtual const char* suffix() const = 0;
    // The fields and what the topology stores must outlive it. Throws ComputationError where a
    // value is not finite.
    virtual vtkSmartPointer<vtkDataSet> piece(double time,
                                              const std::vector<PointField>& point_fields,
                                              const std::vector<CellField>& cell_fields) const = 0;
    // The text of the list of all pieces. piece: one of them; names: relative ones, by ranks.
    virtual std::string list(vtkDataSet& piece, const std::vector<std::string>& names) const = 0;
};

// By what the topology is, which must outlive it. Collective.
std::unique_ptr<const VtkMesh> vtk_mesh(const Communicator& comm, const Topology& topology);
// Of each kind.
std::unique_ptr<const VtkMesh> unstructured_vtk_mesh(const Communicator& comm,
                                                     const Topology& topology);
std::unique_ptr<const VtkMesh> structured_vtk_mesh(const Communicator& comm,
                                                   Topology::Structure structure);

}  // namespace solenoid
