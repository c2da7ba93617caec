#include "flow/projection/boundary_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solenoid {
namespace {

// The oriented prescribed faces round every ridge, in the faces' order.
Rows faces_round_ridges(const Mesh& mesh, const Subset& faces) {
    Rows rows;
    const Index ridges = mesh.count(mesh.ridge_kind());
    std::vector<Index> count(ridges + 1, 0);
    const auto for_each = [&](const auto& action) {
        for (Index f = 0; f < faces.members.size(); ++f) {
            const auto of_face = mesh.face_ridges(faces.members[f]);
            for (int j = 0; j < mesh.dimension; ++j) action(entity_of(of_face[j]), f | (of_face[j] & reversed));
        }
    };
    for_each([&](Index ridge, Index) { ++count[ridge + 1]; });
    for (Index r = 0; r < ridges; ++r) count[r + 1] += count[r];
    rows.start = count;
    rows.index.resize(count.back());
    for_each([&](Index ridge, Index face) { rows.index[count[ridge]++] = face; });
    return rows;
}

std::vector<Index> marked_ridges(const DistributedMesh& mesh, const Rows& ridge_faces) {
    std::vector<Index> ridges;
    for (Index r = 0; r < mesh.range(mesh.mesh.ridge_kind()).owned; ++r)
        if (ridge_faces.length(r) > 0) ridges.push_back(r);
    return ridges;
}

}  // namespace

BoundaryTrace::BoundaryTrace(const Communicator& comm, const DistributedMesh& mesh, const std::vector<bool>& prescribed)
    : comm_(comm),
      mesh_(mesh.mesh),
      faces_(subset(mesh.range(Kind::face), mesh.halo(Kind::face), prescribed)),
      ridge_faces_(faces_round_ridges(mesh_, faces_)),
      ridges_(marked_ridges(mesh, ridge_faces_)),
      device_(make_cpu_device()),
      matrix_(comm, *device_, faces_.ranges, faces_.halo, assemble()),
      cg_(comm, *device_, matrix_),
      flux_(device_->buffer<double>(faces_.ranges.all)),
      phi_(device_->buffer<double>(faces_.ranges.all)),
      left_(device_->buffer<double>(faces_.ranges.all)) {}

// C_b C_b^T: faces that share a ridge, +1 or -1 as they run along it the same way or not; on the diagonal their ridges.
HostMatrix BoundaryTrace::assemble() const {
    HostMatrix matrix;
    for (Index f = 0; f < faces_.ranges.owned; ++f) {
        const auto ridges = mesh_.face_ridges(faces_.members[f]);
        matrix.rows.index.push_back(f);
        matrix.entries.push_back(mesh_.dimension);
        for (int j = 0; j < mesh_.dimension; ++j) {
            const Index r = entity_of(ridges[j]);
            for (const Index* g = ridge_faces_.begin(r); g != ridge_faces_.end(r); ++g) {
                if (entity_of(*g) == f) continue;
                matrix.rows.index.push_back(entity_of(*g));
                matrix.entries.push_back(orientation_of(ridges[j]) * orientation_of(*g));
            }
        }
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

double BoundaryTrace::norm(const std::vector<double>& flux) const {
    double square = 0;
    for (Index f = 0; f < faces_.ranges.owned; ++f) square += flux[f] * flux[f];
    return std::sqrt(comm_.sum(square));
}

// Of a uniform inflow on equal faces round a period, whose net flux is taken away, nothing but rounding may be left. C_b
// C_b^T is singular on a closed part, and consistent to that rounding only.
std::vector<double> BoundaryTrace::solve(const std::vector<double>& flux, const std::vector<double>& whole) {
    flux_.upload(flux);
    const SolveReport report =
        cg_.solve(matrix_.inverse_diagonal(), flux_, phi_, {.tolerance = 1e-12, .max_iterations = 200000, .rounding = 1e-13 * norm(whole)});
    if (!(report.residual <= 1e-10)) refuse();
    matrix_.halo().exchange(phi_);
    const std::vector<double> phi = phi_.download();
    std::vector<double> s;
    s.reserve(ridges_.size());
    for (Index r : ridges_) {
        double sum = 0;
        for (const Index* f = ridge_faces_.begin(r); f != ridge_faces_.end(r); ++f) sum += orientation_of(*f) * phi[entity_of(*f)];
        s.push_back(sum);
    }
    return s;
}

// Names the boundaries where flux is left over that no s gives: that is even over a closed part.
void BoundaryTrace::refuse() {
    matrix_.residual(flux_, phi_, left_);
    const std::vector<double> left = left_.download();
    std::vector<double> of_face(mesh_.faces(), 0.0), of_group(mesh_.boundaries.size(), 0.0);
    for (Index f = 0; f < faces_.ranges.owned; ++f) of_face[faces_.members[f]] = std::abs(left[f]);
    for (const Side& side : mesh_.sides) of_group[side.boundary] = std::max(of_group[side.boundary], of_face[side.face]);
    comm_.max(of_group);
    std::vector<std::string> names;
    for (std::size_t g = 0; g < of_group.size(); ++g)
        if (of_group[g] > 0.1 * *std::ranges::max_element(of_group)) names.push_back(mesh_.boundaries[g]);
    const std::string message = fmt::format("the flow in and the flow out through the boundary \"{}\" do not cancel: give a boundary beside {} the type \"outflow\", "
                                            "or change a velocity", fmt::join(names, "\", \""), names.size() == 1 ? "it" : "them");
    comm_.agree([&] { throw InputError(message); });
    throw InputError(message);  // not reached
}

}  // namespace solenoid
