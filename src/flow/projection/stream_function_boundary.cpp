#include "flow/projection/stream_function_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// The oriented prescribed faces at each codim-2 entity, in the order of the faces.
Rows faces_around_codim2(const Mesh& mesh, const EntitySubset& faces) {
    Rows rows;
    const Index codim2_entities = mesh.count(mesh.codim2_kind());
    std::vector<Index> count(codim2_entities + 1, 0);
    const auto for_each = [&](const auto& action) {
        for (Index f = 0; f < faces.members.size(); ++f) {
            const auto of_face = mesh.face_codim2(faces.members[f]);
            for (int j = 0; j < mesh.dimension; ++j)
                action(entity_of(of_face[j]), f | (of_face[j] & reversed));
        }
    };
    for_each([&](Index codim2, Index) { ++count[codim2 + 1]; });
    for (Index r = 0; r < codim2_entities; ++r) count[r + 1] += count[r];
    rows.start = count;
    rows.index.resize(count.back());
    for_each([&](Index codim2, Index face) { rows.index[count[codim2]++] = face; });
    return rows;
}

std::vector<Index> owned_codim2(const DistributedMesh& mesh, const Rows& codim2_faces) {
    std::vector<Index> codim2_entities;
    for (Index r = 0; r < mesh.range(mesh.mesh.codim2_kind()).owned; ++r)
        if (codim2_faces.length(r) > 0) codim2_entities.push_back(r);
    return codim2_entities;
}

}  // namespace

StreamFunctionBoundary::System::System(const Communicator& comm, Device& device,
                                       const EntitySubset& faces, const HostMatrix& entries)
    : matrix(comm, device, faces.ranges, faces.halo, entries),
      multigrid(comm, device, faces.ranges, faces.halo, entries),
      cg(comm, matrix),
      flux(device.buffer<double>(faces.ranges.all)),
      phi(device.buffer<double>(faces.ranges.all)) {}

StreamFunctionBoundary::StreamFunctionBoundary(const Domain& domain,
                                               const std::vector<bool>& prescribed)
    : comm_(domain.comm),
      mesh_(domain.mesh.mesh),
      faces_(entity_subset(domain.faces, domain.mesh.halo(Kind::face), prescribed)),
      codim2_faces_(faces_around_codim2(mesh_, faces_)),
      codim2_entities_(owned_codim2(domain.mesh, codim2_faces_)),
      device_(domain.double_device()) {}

double StreamFunctionBoundary::outward(Index face) const {
    return mesh_.face_cells(faces_.members[face], 1) == none ? 1 : -1;
}

// C_b C_b^T for outward faces: -1 for two faces that share a codim-2 entity, since they run along
// it in opposite directions; on the diagonal the number of codim-2 entities of a face.
HostMatrix StreamFunctionBoundary::assemble() const {
    HostMatrix matrix;
    for (Index f = 0; f < faces_.ranges.owned; ++f) {
        const auto codim2_entities = mesh_.face_codim2(faces_.members[f]);
        matrix.append(f, mesh_.dimension);
        for (int j = 0; j < mesh_.dimension; ++j) {
            const Index r = entity_of(codim2_entities[j]);
            for (const Index* g = codim2_faces_.begin(r); g != codim2_faces_.end(r); ++g)
                if (entity_of(*g) != f)
                    matrix.append(entity_of(*g), outward(f) * orientation_of(codim2_entities[j]) *
                                                     orientation_of(*g) * outward(entity_of(*g)));
        }
        matrix.end_row();
    }
    return matrix;
}

double StreamFunctionBoundary::norm(const std::vector<double>& flux) const {
    std::vector<RankSum> square(1);
    for (Index f = 0; f < faces_.ranges.owned; ++f) square[0] += flux[f] * flux[f];
    return std::sqrt(totals(comm_, std::move(square))[0]);
}

// s = C_b^T phi at a codim-2 entity of this rank's faces. phi: of outward faces, ghosts filled.
double StreamFunctionBoundary::trace(const std::vector<double>& phi, Index codim2) const {
    double sum = 0;
    for (const Index* f = codim2_faces_.begin(codim2); f != codim2_faces_.end(codim2); ++f)
        sum += orientation_of(*f) * outward(entity_of(*f)) * phi[entity_of(*f)];
    return sum;
}

// The norm of flux - C_b s. Unlike the system's residual it shows a net flux through a closed part
// at any size of phi, since the fluxes of any s add up to zero.
double StreamFunctionBoundary::missed(const std::vector<double>& flux,
                                      const std::vector<double>& phi) const {
    std::vector<double> left(faces_.ranges.owned);
    for (Index f = 0; f < left.size(); ++f) {
        const auto codim2_entities = mesh_.face_codim2(faces_.members[f]);
        left[f] = flux[f];
        for (int j = 0; j < mesh_.dimension; ++j)
            left[f] -=
                orientation_of(codim2_entities[j]) * trace(phi, entity_of(codim2_entities[j]));
    }
    return norm(left);
}

// Norms below it count as zero: their squares underflow.
constexpr double least_norm = 1e-140;

// Solves for s. For a uniform inflow on equal faces round a period, whose net flux was subtracted,
// only rounding may remain of flux. C_b C_b^T is singular on a closed part, and consistent only up
// to that rounding.
std::vector<double> StreamFunctionBoundary::solve(const std::vector<double>& flux,
                                                  const std::vector<double>& whole) {
    if (norm(flux) <= least_norm) return std::vector<double>(codim2_entities_.size(), 0.0);
    if (!system_) make_system();
    std::vector<double> out(flux);
    for (Index f = 0; f < out.size(); ++f) out[f] *= outward(f);
    system_->flux.upload(out);
    std::vector<double> phi;
    const auto is_found = [&] {
        system_->cg.solve(
            system_->multigrid, system_->flux, system_->phi,
            {.tolerance = 1e-12, .max_iterations = 1000, .rounding = 1e-13 * norm(whole)});
        phi = system_->phi.download();
        fill_ghosts(comm_, faces_.halo, phi);
        return missed(flux, phi) <= std::max(1e-10 * norm(flux), 1e-11 * norm(whole));
    };
    // Starts from the last phi. Its rounding may exceed a flux that has almost vanished; then
    // starts from zero.
    if (!is_found()) {
        system_->phi.upload(std::vector<double>(system_->phi.size(), 0.0));
        if (!is_found()) refuse();
    }
    std::vector<double> s;
    s.reserve(codim2_entities_.size());
    for (Index r : codim2_entities_) s.push_back(trace(phi, r));
    return s;
}

// Throws InputError with the boundaries where flux is left that no s gives. Such flux is uniform
// over a closed part, and the diagonal preconditioner keeps it so. The system has no solution:
// further iterations than it has unknowns only let phi grow until rounding is all that is left.
void StreamFunctionBoundary::refuse() {
    const std::int64_t unknowns = comm_.sum(std::int64_t(faces_.ranges.owned));
    system_->phi.upload(std::vector<double>(system_->phi.size(), 0.0));
    system_->cg.solve(
        system_->matrix.inverse_diagonal(), system_->flux, system_->phi,
        {.tolerance = 1e-12,
         .max_iterations = static_cast<int>(std::min<std::int64_t>(unknowns, 200000))});
    auto residual = device_.buffer<double>(faces_.ranges.all);
    system_->matrix.residual(comm_, system_->flux, system_->phi, residual);
    const std::vector<double> left = residual.download();
    std::vector<double> of_face(mesh_.faces(), 0.0), of_group(mesh_.boundaries.size(), 0.0);
    for (Index f = 0; f < faces_.ranges.owned; ++f) of_face[faces_.members[f]] = std::abs(left[f]);
    for (const Side& side : mesh_.sides)
        of_group[side.boundary] = std::max(of_group[side.boundary], of_face[side.face]);
    comm_.max(of_group);
    std::vector<std::string> names;
    for (std::size_t g = 0; g < of_group.size(); ++g)
        if (of_group[g] > 0.1 * *std::ranges::max_element(of_group))
            names.push_back(mesh_.boundaries[g]);
    const std::string message = fmt::format(
        "inflow and outflow through the boundary \"{}\" do not cancel: give a boundary next to {} "
        "the type \"outflow\", or change a velocity",
        joined_words(names, "\", \""), names.size() == 1 ? "it" : "them");
    comm_.agree([&] { throw InputError(message); });
    throw InputError(message);  // not reached
}

}  // namespace solenoid
