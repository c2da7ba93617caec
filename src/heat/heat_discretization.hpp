// Heat conduction on nodes (thesis, section 6.1): T linear in each cell, flux through the dual
// faces. For triangles and tets the matrix is the stiffness matrix of linear finite elements;
// capacity, sources and boundary terms are lumped.
#pragma once

#include "heat/case/heat_settings.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Heat made in the volume of one region: nodes and the volume of the region that each stands for
// [m^3].
struct SourcePart {
    Formula source;  // [W/m^3]
    std::vector<Index> nodes;
    std::vector<double> volume;
};

// Everything is given for the owned nodes of this rank, [0, owned).
struct HeatDiscretization {
    Rows neighbours;  // of each node, one an edge, in ascending global order
    // w_ij = -k_ij [W/K], one an entry: (K T)_i = sum_j w_ij (T_i - T_j)
    std::vector<double> weights;
    std::vector<double> mass;  // heat capacity of the dual cell [J/K]
    std::vector<SourcePart> sources;
};

// regions: the material of each of the mesh's regions, in their order.
HeatDiscretization discretize_heat(const DistributedMesh& mesh, const Geometry& geometry,
                                   const std::vector<MaterialSettings>& regions);

// The volume of the dual cell of each owned node [m^3, in 2D m^2]: V / (d + 1) of the cells round
// it.
std::vector<double> dual_volumes(const DistributedMesh& mesh, const Geometry& geometry);

// The stiffness matrix of linear finite elements as differences, (K x)_i = sum_j w_ij (x_i - x_j);
// a row for each owned node, neighbours in ascending global order.
struct NodeDifferences {
    Rows neighbours;
    std::vector<double> weights;
};
NodeDifferences node_differences(const DistributedMesh& mesh,
                                 const std::vector<double>& cell_conductivity);

// w of every edge touching a owned node: -sum over its cells of k grad(phi_a) . grad(phi_b) V.
// Others are 0.
std::vector<double> edge_weights(const DistributedMesh& mesh,
                                 const std::vector<double>& cell_conductivity);

}  // namespace solenoid
