// How thin a flow's cells are: told at the start of its run, with a warning where momentum does not
// bear it. docs/numerics.md, "Aspects".
#pragma once

#include <string>
#include <vector>

#include "flow/settings/flow_case.hpp"
#include "io/files/summary.hpp"
#include "mesh/thin_layers.hpp"
#include "parallel/distributed_mesh.hpp"
#include "run/run.hpp"

namespace solenoid {

// Of the whole mesh; does not depend on how it is cut. Collective.
ThinLayers thin_layers(const Communicator& comm, const DistributedMesh& mesh);

// boundaries: the names of ThinLayers::at_boundary. Only walls that fluid sticks to count as
// curved.
ThinCells thin_cells(const ThinLayers& thin, const std::vector<std::string>& boundaries,
                     const FlowCase& flow);
// The line for the console; empty where no cell is thin.
std::string thin_line(const ThinCells& cells);
// Empty where momentum bears the mesh. mesh: the name of its file, empty for a box.
std::vector<std::string> thin_warnings(const ThinLayers& thin,
                                       const std::vector<std::string>& boundaries,
                                       const FlowCase& flow, const std::string& mesh);
// Throws InputError where the flow's layers are too thin for single precision. place: of the case.
void check_thin_in_single(const ThinLayers& thin, const std::vector<std::string>& boundaries,
                          const FlowCase& flow, const std::string& mesh, const std::string& place);

// Whether nothing of the case moves the fluid: its scalars alone change. A constant force in a
// closed domain is borne by the pressure.
bool stays_at_rest(const FlowCase& flow);

// Prints the line and the warnings, and notes the figures in the summary. Throws InputError where
// the run is in single precision, which its flow's layers are too thin for. Collective.
void tell_thin_cells(Run& run);

}  // namespace solenoid
