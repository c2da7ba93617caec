// A rank's owned cells as a VTK grid that reads the solver's arrays in place.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <vector>

#include "io/files/output_field.hpp"
#include "io/vtk/written_points.hpp"

namespace solenoid {

// A grid of the cells that `written` has, of any shape. `written`, what its topology stores and the
// fields must outlive it. Throws ComputationError where a value is not finite.
vtkSmartPointer<vtkUnstructuredGrid> vtk_grid(const WrittenPoints& written, int rank, double time,
                                              const std::vector<PointField>& point_fields,
                                              const std::vector<CellField>& cell_fields);

}  // namespace solenoid
