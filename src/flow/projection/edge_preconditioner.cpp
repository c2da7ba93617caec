#include "flow/projection/edge_preconditioner.hpp"

#include "flow/discretization/stream_function_matrix.hpp"
#include "mesh/geometry.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// Owned nodes of fixed edges of any rank.
std::vector<Index> nodes_of_fixed(const Communicator& comm, const DistributedMesh& mesh,
                                  const std::vector<Index>& fixed) {
    const Mesh& m = mesh.mesh;
    std::vector<std::uint8_t> is_fixed(m.edges(), 0);
    for (Index e : fixed) is_fixed[e] = 1;
    fill_ghosts(comm, mesh.halo(Kind::edge), is_fixed);
    std::vector<bool> flags(m.nodes(), false);
    for (Index e = 0; e < m.edges(); ++e)
        for (int j = 0; j < 2 && is_fixed[e]; ++j) flags[m.edge_nodes(e, j)] = true;
    std::vector<Index> nodes;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i)
        if (flags[i]) nodes.push_back(i);
    return nodes;
}

// Half of each edge vector, from its lower to its higher node, as its first cell sees it: a vector
// at a node contributes its product with it to the line integral along the edge.
std::vector<Vec3> half_edges(const Mesh& m) {
    const Rows cells = cells_of(m, Kind::edge);
    std::vector<Vec3> vectors(m.edges());
    for_each(0, m.edges(), [&](Index e) {
        const Index c = *cells.begin(e);
        vectors[e] = 0.5 * (m.corner(c, m.place_in_cell(c, m.edge_nodes(e, 1))) -
                            m.corner(c, m.place_in_cell(c, m.edge_nodes(e, 0))));
    });
    return vectors;
}

// The mean quality of all cells.
double mean_quality(const Communicator& comm, const DistributedMesh& mesh) {
    const Index cells = mesh.range(Kind::cell).owned;
    const double sum = sum_over_ranks(comm, cells, [&](Index c) { return quality(mesh.mesh, c); });
    return sum / comm.sum(static_cast<double>(cells));
}

// Smoothing steps on the edges. On flat cells the edges' smoother limits convergence; twice the
// steps need at most two thirds of the iterations.
int edge_smoothing(const Communicator& comm, const DistributedMesh& mesh, int steps) {
    constexpr double flat = 0.5;  // cells squeezed to a third
    return mean_quality(comm, mesh) < flat ? std::min(2 * steps, Smoother<double>::most_steps)
                                           : steps;
}

}  // namespace

template <class Real>
std::unique_ptr<AuxiliarySpace<Real>> edge_preconditioner(const Communicator& comm, Device& device,
                                                          const DistributedMesh& mesh,
                                                          const HostMatrix& curl_curl,
                                                          const std::vector<Index>& fixed,
                                                          const MultigridSettings& settings) {
    const HostMatrix laplacian = node_stiffness(mesh);
    const std::vector<Index> fixed_nodes = nodes_of_fixed(comm, mesh, fixed);
    const std::vector<Vec3> halves = half_edges(mesh.mesh);
    const EdgeProblem problem{mesh.range(Kind::edge),
                              mesh.halo(Kind::edge),
                              curl_curl,
                              fixed,
                              mesh.range(Kind::node),
                              mesh.halo(Kind::node),
                              laplacian,
                              fixed_nodes,
                              mesh.mesh.edge_nodes,
                              halves,
                              edge_smoothing(comm, mesh, settings.smoothing)};
    return std::make_unique<AuxiliarySpace<Real>>(comm, device, problem, settings);
}

template std::unique_ptr<AuxiliarySpace<float>> edge_preconditioner(const Communicator&, Device&,
                                                                    const DistributedMesh&,
                                                                    const HostMatrix&,
                                                                    const std::vector<Index>&,
                                                                    const MultigridSettings&);
template std::unique_ptr<AuxiliarySpace<double>> edge_preconditioner(const Communicator&, Device&,
                                                                     const DistributedMesh&,
                                                                     const HostMatrix&,
                                                                     const std::vector<Index>&,
                                                                     const MultigridSettings&);

}  // namespace solenoid
