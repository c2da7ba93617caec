#include "bench/poisson_problem.hpp"

#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "flow/discretization/stream_function_matrix.hpp"
#include "heat/heat_discretization.hpp"
#include "operators/operators.hpp"

namespace solenoid::bench {
namespace {

// Owned entities of a kind on the boundary of the domain.
std::vector<Index> on_boundary(const DistributedMesh& mesh, Kind kind) {
    const Mesh& m = mesh.mesh;
    std::vector<bool> flags(m.count(kind), false);
    for (Index f = 0; f < m.faces(); ++f) {
        if (m.face_cells(f, 0) != none && m.face_cells(f, 1) != none) continue;
        if (kind == Kind::node)
            for (int j = 0; j < m.dimension; ++j) flags[m.nodes_of(Kind::face, f)[j]] = true;
        else
            for (int j = 0; j < m.dimension; ++j) flags[entity_of(m.face_codim2(f)[j])] = true;
    }
    std::vector<Index> result;
    for (Index i = 0; i < mesh.range(kind).owned; ++i)
        if (flags[i]) result.push_back(i);
    return result;
}

void on_nodes(const DistributedMesh& mesh, PoissonProblem& problem) {
    const HeatDiscretization heat = discretize_heat(
        mesh, geometry(mesh.mesh), std::vector<MaterialSettings>(mesh.mesh.regions.size()));
    problem.matrix = matrix_of_differences(heat.neighbours, heat.weights,
                                           std::vector<double>(heat.mass.size(), 0.0));
    problem.fixed = on_boundary(mesh, Kind::node);
    problem.rhs = heat.mass;
}

void on_cells(const DistributedMesh& mesh, PoissonProblem& problem) {
    const Geometry g = geometry(mesh.mesh);
    const BoundaryFaces boundary = boundary_faces(mesh);
    const CellDiffusion diffusion =
        cell_diffusion(mesh, face_coefficients(mesh, g, boundary), boundary, 1);
    problem.matrix =
        matrix_of_differences(diffusion.neighbours, diffusion.weights, diffusion.to_boundary);
    problem.rhs.assign(g.cell_volume.begin(), g.cell_volume.begin() + mesh.range(Kind::cell).owned);
}

void on_edges(const Communicator& comm, const DistributedMesh& mesh, PoissonProblem& problem) {
    problem.matrix = stream_function_matrix(mesh);
    problem.fixed = on_boundary(mesh, Kind::edge);
    const auto device = make_cpu_device();
    const Domain domain(comm, *device, mesh);
    const Geometry& g = domain.geometry;
    std::vector<double> through(mesh.range(Kind::face).all, 0.0);
    for (std::size_t f = 0; f < through.size(); ++f)
        through[f] = glm::dot(Vec3(-g.face_centroid[f].y, g.face_centroid[f].x, 0), g.face_area[f]);
    auto flux = domain.field<double>(Kind::face), circulation = domain.field<double>(Kind::face),
         rhs = domain.field<double>(Kind::edge);
    auto velocity = domain.vector_field<double>(Kind::cell);
    Operators<double>& operators = domain.operators<double>();
    flux.upload(through);
    operators.interpolation(flux, velocity);
    operators.integration(velocity, circulation);
    operators.rotation(circulation, rhs);
    problem.rhs = rhs.download();
}

}  // namespace

PoissonProblem poisson_problem(const Communicator& comm, const DistributedMesh& mesh, Kind kind) {
    PoissonProblem problem;
    problem.kind = kind;
    if (kind == Kind::edge) {
        if (mesh.mesh.dimension == 2)
            throw InputError("the stream function of a plane flow lives on nodes: --on nodes");
        on_edges(comm, mesh, problem);
    } else {
        comm.agree([&] { kind == Kind::node ? on_nodes(mesh, problem) : on_cells(mesh, problem); });
    }
    problem.rhs.resize(mesh.range(kind).owned);
    for (Index i : problem.fixed) problem.rhs[i] = 0;
    return problem;
}

PoissonProblem momentum_problem(const DistributedMesh& mesh, int dimension) {
    PoissonProblem problem;
    problem.kind = Kind::cell;
    on_cells(mesh, problem);
    for (Index c = 0; c < problem.matrix.rows.rows(); ++c)
        for (Index k = problem.matrix.rows.start[c]; k < problem.matrix.rows.start[c + 1]; ++k)
            if (problem.matrix.rows.index[k] == c)
                problem.matrix.entries[k] +=
                    std::pow(problem.rhs[c], 1 - 2.0 / dimension);  // V / h^2
    return problem;
}

Differences differences_of(const HostMatrix& matrix) {
    Differences result;
    for (Index i = 0; i < matrix.rows.rows(); ++i) {
        double sum = 0;
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k) {
            sum += matrix.entries[k];
            if (matrix.rows.index[k] == i) continue;
            result.neighbours.index.push_back(matrix.rows.index[k]);
            result.weights.push_back(-matrix.entries[k]);
        }
        result.neighbours.start.push_back(static_cast<Index>(result.neighbours.index.size()));
        result.shift.push_back(sum);
        result.inverse.push_back(1 / matrix.diagonal(i));
    }
    return result;
}

}  // namespace solenoid::bench
