#include "flow/solver/finite.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace solenoid {

std::string named_cell(const DistributedMesh& mesh, const Geometry& geometry, Index cell) {
    const Vec3& at = geometry.cell_centroid[cell];
    return fmt::format(" in cell {} at ({:.6g}, {:.6g}, {:.6g})", mesh.mesh.cell_number[cell] + 1,
                       at.x, at.y, at.z);
}

std::string or_shorter_step(double when) { return when > 0 ? "; or take a smaller time.step" : ""; }

template <class Real>
void check_finite(const Domain& domain, const Buffer<Real>& of_cells, const std::string& what,
                  double when) {
    const auto values = of_cells.download();
    const char* remedy = when > 0 ? "take a smaller time.step or time.courant"
                                  : "take smaller initial and boundary values";
    domain.comm.agree([&] {
        for (Index c = 0; c < domain.cells.owned; ++c)
            for (int k = 0; k < of_cells.columns(); ++k)
                if (const Real value = values[std::size_t(k) * of_cells.size() + c];
                    !std::isfinite(value * value))
                    throw ComputationError(
                        fmt::format("{}{} is no longer finite at t = {:.6g} s{}: {}",
                                    std::isfinite(value) ? "the square of " : "", what, when,
                                    named_cell(domain.mesh, domain.geometry, c), remedy));
    });
}

template void check_finite(const Domain&, const Buffer<float>&, const std::string&, double);
template void check_finite(const Domain&, const Buffer<double>&, const std::string&, double);

}  // namespace solenoid
