#include "flow/stream_function.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "device/kernels.hpp"
#include "heat/heat_discretization.hpp"

namespace solenoid {
namespace {

HostMatrix node_stiffness(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const std::vector<double> weights = edge_weights(mesh, std::vector<double>(m.cells(), 1.0));
    const Rows edges = node_edges(m);
    HostMatrix matrix;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
        double diagonal = 0;
        const std::size_t at = matrix.entries.size();
        matrix.rows.index.push_back(i);
        matrix.entries.push_back(0);
        for (const Index* e = edges.begin(i); e != edges.end(i); ++e) {
            const Index* ends = m.nodes_of(Kind::edge, entity_of(*e));
            const double weight = weights[entity_of(*e)];
            matrix.rows.index.push_back(ends[0] == i ? ends[1] : ends[0]);
            matrix.entries.push_back(-weight);
            diagonal += weight;
        }
        matrix.entries[at] = diagonal;
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

// The curl of the edge element of edge ab is 2 grad(a) x grad(b), constant in the tet; of the cell's six edges, turned
// from the lower to the higher global node.
std::array<Vec3, 6> edge_element_curls(const Mesh& m, Index cell) {
    std::array<Vec3, 4> gradient;
    const double v = volume(m, cell);
    for (int j = 0; j < 4; ++j) gradient[j] = opposite_area(m, cell, j) / (-3 * v);
    static constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    std::array<Vec3, 6> curls;
    for (int e = 0; e < 6; ++e) {
        const bool turned = m.edge_nodes(m.cell_edges(cell, e), 0) != m.cell_nodes(cell, ends[e][0]);
        curls[e] = (turned ? -2.0 : 2.0) * glm::cross(gradient[ends[e][0]], gradient[ends[e][1]]);
    }
    return curls;
}

HostMatrix edge_curl_curl(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    HostMatrix matrix;
    std::vector<std::pair<Index, double>> row;
    const auto key = [&](Index e) { return std::pair(m.node_number[m.edge_nodes(e, 0)], m.node_number[m.edge_nodes(e, 1)]); };
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e) {
        row.clear();
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            const auto curls = edge_element_curls(m, *c);
            const Index* edges = m.cell_edges.row(*c);
            const auto place = std::find(edges, edges + 6, e) - edges;
            for (int j = 0; j < 6; ++j) {
                const double entry = volume(m, *c) * glm::dot(curls[place], curls[j]);
                const auto found = std::find_if(row.begin(), row.end(), [&](const auto& pair) { return pair.first == edges[j]; });
                if (found == row.end()) row.emplace_back(edges[j], entry);
                else found->second += entry;
            }
        }
        std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) { return key(a.first) < key(b.first); });
        for (const auto& [column, entry] : row) {
            matrix.rows.index.push_back(column);
            matrix.entries.push_back(entry);
        }
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

}  // namespace

HostMatrix stream_function_matrix(const DistributedMesh& mesh) {
    return mesh.mesh.dimension == 2 ? node_stiffness(mesh) : edge_curl_curl(mesh);
}

template <class Real>
StreamFunction<Real>::StreamFunction(const Communicator& comm, Device& device, const DistributedMesh& mesh, Operators<Real>& operators,
                                     const std::vector<bool>& prescribed, const CgSettings& settings)
    : comm_(comm),
      device_(device),
      operators_(operators),
      ridges_(mesh.range(mesh.mesh.ridge_kind())),
      settings_(settings),
      trace_(comm, mesh, prescribed),
      host_matrix_(stream_function_matrix(mesh)),
      matrix_(comm, device, ridges_, mesh.halo(mesh.mesh.ridge_kind()), host_matrix_),
      cg_(comm, device, matrix_),
      circulation_(operators.field(Kind::face)),
      velocity_(operators.vector_field(Kind::cell)),
      left_(operators.field(Kind::face)) {
    for (auto* field : {&s_, &change_, &rhs_, &star_rhs_, &boundary_rhs_}) *field = device.buffer<Real>(ridges_.all);
    matrix_.fix(trace_.ridges());
    fixed_ = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(trace_.ridges()));
    fixed_value_ = device.buffer<Real>(fixed_.size());
    make_preconditioner(mesh);
    host_matrix_ = {};
}

// On edges multigrid for scalars does not help: the gradients in the null space are no smooth fields.
template <class Real>
void StreamFunction<Real>::make_preconditioner(const DistributedMesh& mesh) {
    const std::string& choice = settings_.preconditioner;
    const bool is_plane = mesh.mesh.dimension == 2;
    if (choice == "none" || choice == "jacobi" || !is_plane) {
        preconditioner_ = std::make_unique<DiagonalPreconditioner<Real>>(choice == "none" ? matrix_.free() : matrix_.inverse_diagonal());
        return;
    }
    auto multigrid = std::make_unique<Multigrid<Real>>(comm_, device_, ridges_, mesh.halo(mesh.mesh.ridge_kind()), host_matrix_, trace_.ridges());
    setup_seconds_ = multigrid->setup_seconds();
    preconditioner_ = std::move(multigrid);
}

template <class Real>
void StreamFunction<Real>::prescribe(const std::vector<double>& flux) {
    const std::vector<double> values = trace_.solve(flux);
    if (values.empty()) return;
    fixed_value_.upload(std::vector<Real>(values.begin(), values.end()));
    device_.scatter(fixed_value_, fixed_, s_);
    // What the boundary values alone contribute to the right-hand side of the unknowns.
    kernels::Fill<Real>{change_, Real(0)}.run(device_, ridges_.whole());
    device_.scatter(fixed_value_, fixed_, change_);
    operators_.curl(change_, left_);
    tested(left_, boundary_rhs_);
}

template <class Real>
double StreamFunction<Real>::tested(Buffer<Real>& flux, Buffer<Real>& out) {
    operators_.interpolation(flux, velocity_);
    operators_.integration(velocity_, circulation_);
    operators_.rotation(circulation_, out);
    return norm(out);
}

template <class Real>
double StreamFunction<Real>::norm(const Buffer<Real>& b) {
    return std::sqrt(comm_.sum(kernels::WeightedDot<Real>{matrix_.free(), b, b}.run(device_, ridges_.marked()).wxy));
}

// Solves for the change of s, whose right-hand side the operators give: what rounding the matrix costs, and what the
// tolerance leaves, touches the change alone. A change that is rounding itself is left out.
template <class Real>
SolveReport StreamFunction<Real>::project(Buffer<Real>& flux_star, Buffer<Real>& flux, double) {
    tested(flux_star, star_rhs_);
    kernels::Axpy<Real>{boundary_rhs_, star_rhs_, Real(-1)}.run(device_, ridges_.marked());
    const double star = norm(star_rhs_);
    operators_.curl(s_, flux);
    device_.copy(flux_star, left_);
    kernels::Axpy<Real>{flux, left_, Real(-1)}.run(device_, {0, left_.size()});
    const double left = tested(left_, rhs_);
    if (left <= 8 * std::numeric_limits<Real>::epsilon() * star) return {};
    kernels::FreePart<Real>{matrix_.free(), rhs_, star_rhs_}.run(device_, ridges_.marked());
    kernels::Fill<Real>{change_, Real(0)}.run(device_, ridges_.whole());
    const SolveReport report = cg_.solve(*preconditioner_, star_rhs_, change_, settings_);
    kernels::Axpy<Real>{change_, s_, Real(1)}.run(device_, ridges_.marked());
    operators_.curl(s_, flux);
    return report;
}

template class StreamFunction<float>;
template class StreamFunction<double>;

}  // namespace solenoid
