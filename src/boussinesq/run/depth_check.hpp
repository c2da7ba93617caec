// Whether a file of depths suits the grid that it is for: exchanged land and sea, or coordinates of
// another origin, leave a run with little or no water.
#pragma once

#include <string>

#include "boussinesq/case/boussinesq_case.hpp"
#include "io/depth/depth_file.hpp"

namespace solenoid {

// What is most likely a slip, with the extents of file and grid, the number of negative numbers and
// a remedy; empty where nothing is. Throws InputError, at the key of the file, where the grid has
// no water at all.
std::string depth_warning(const DepthGrid& file, const WaterSettings& water,
                          const GridSettings& grid);

}  // namespace solenoid
