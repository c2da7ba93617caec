#include "flow/scalar_diffusion.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/upload.hpp"
#include "flow/finite.hpp"

namespace solenoid {
namespace {

constexpr int most_refinements = 3;  // of a solution whose largest residual is still too large
constexpr double kept_rate = 2;      // a preconditioner serves rates that differ by less

}  // namespace

template <class Real>
ScalarDiffusion<Real>::ScalarDiffusion(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, CellDiffusion diffusion,
                                       const Buffer<Real>& volume, const std::string& name, const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry),
      cells_(mesh.range(Kind::cell)),
      volume_(volume),
      name_(name),
      settings_(settings),
      diffusion_(std::move(diffusion)),
      matrix_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights),
      preconditioners_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights, {}, settings),
      cg_(comm, device, matrix_),
      to_boundary_(uploaded<Real>(device, diffusion_.to_boundary)),
      inverse_(device.buffer<Real>(cells_.all)),
      residual_(device.buffer<Real>(cells_.all)),
      change_(device.buffer<Real>(cells_.all)) {}

template <class Real>
void ScalarDiffusion<Real>::set_rate(double rate) {
    if (rate == rate_) return;
    rate_ = rate;
    const Over cells(device_, cells_.marked());
    cells[matrix_.shift()] = rate * volume_ + to_boundary_;
    const auto diagonal = matrix_.shift() + matrix_.diagonal();
    if (settings_.preconditioner == "none") cells[inverse_] = 1;
    else cells[inverse_] = where(diagonal > 0, 1 / diagonal, 0);
    if (preconditioner_ && rate < kept_rate * prepared_rate_ && prepared_rate_ < kept_rate * rate) return;
    prepared_rate_ = rate;
    std::vector<double> values(cells_.owned);
    for (Index c = 0; c < cells_.owned; ++c) values[c] = rate * geometry_.cell_volume[c] + diffusion_.to_boundary[c];
    preconditioner_ = &preconditioners_.prepare(values, inverse_);
    totals_.preconditioner = preconditioners_.summary();
}

template <class Real>
double ScalarDiffusion<Real>::largest_residual(double rate) const {
    const double largest = cells_.owned ? Over(device_, cells_.marked()).greatest(abs(residual_) / volume_) : 0;
    return comm_.max(largest) / rate;
}

template <class Real>
void ScalarDiffusion<Real>::solve(double rate, const Buffer<Real>& b, Buffer<Real>& x, double when, double most) {
    set_rate(rate);
    matrix_.residual(b, x, residual_);
    double largest = HUGE_VAL;
    for (int i = 0; i < most_refinements; ++i) {
        refine(b, x, when);
        if (most == HUGE_VAL) return;
        const double before = std::exchange(largest, largest_residual(rate));
        if (largest <= most || largest > before / 2) return;
    }
}

// For the change alone, as momentum: relative to the whole right-hand side slow changes would stay below the tolerance.
template <class Real>
void ScalarDiffusion<Real>::refine(const Buffer<Real>& b, Buffer<Real>& x, double when) {
    Over(device_, {0, cells_.all})[change_] = 0;
    const SolveReport report = cg_.solve(*preconditioner_, residual_, change_, settings_);
    Over(device_, cells_.marked())[x] += change_;
    totals_.add(report);
    if (report.outcome == SolveOutcome::broken_down) check_finite(comm_, mesh_, geometry_, b, "what is carried of " + name_, when);
    comm_.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("{} at t = {:.6g} s: {}; or take a smaller time.step", name_, when, report.explanation("scalar")));
    });
    matrix_.residual(b, x, residual_);
}

template class ScalarDiffusion<float>;
template class ScalarDiffusion<double>;

}  // namespace solenoid
