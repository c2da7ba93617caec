#include "solvers/krylov/cg_ahead.hpp"

#include <cmath>
#include <utility>

namespace solenoid {
namespace {

// visit(k) for the columns under way.
template <class Visit>
void each_active(std::span<const CgColumn> columns, const Visit& visit) {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (columns[k].is_active) visit(int(k));
}

}  // namespace

template <class Real>
std::unique_ptr<CgAhead<Real>> CgAhead<Real>::make(AgreedSums& sums, Device& device, int columns) {
    auto ranks = DeviceAllreduce::make(sums.communicator(), device);
    if (!ranks) return nullptr;
    return std::unique_ptr<CgAhead>(new CgAhead(sums, device, std::move(ranks), columns));
}

template <class Real>
CgAhead<Real>::CgAhead(AgreedSums& sums, Device& device, std::unique_ptr<DeviceAllreduce> ranks,
                       int columns)
    : sums_(sums), device_(device), ranks_(std::move(ranks)), pq_(device.device_sums()) {
    for (int k = 0; k < columns; ++k) {
        step_.push_back(device.device_sums());
        rz_.push_back(device.device_sums());
    }
}

// What the launches of `work` sum up stays on the device, and is added up over the ranks there.
template <class Real>
template <class Work>
void CgAhead<Real>::keep(DeviceSums& sums, const Work& work) {
    {
        const Keeping keeping(device_, sums);
        work();
    }
    ranks_->add(sums);
}

// Where r . M^-1 r is kept, of the last residual or of the one before.
template <class Real>
DeviceNumber CgAhead<Real>::rz(const Preconditioner<Real>& preconditioner, int k,
                               bool is_before) const {
    return preconditioner.inverse_diagonal() ? DeviceNumber{step_[k].get(), 1, is_before}
                                             : DeviceNumber{rz_[k].get(), 0, is_before};
}

// Saad's algorithm 9.1 as in cg_recurrence.cpp; the last new direction comes after the read-back.
template <class Real>
template <class Answer>
void CgAhead<Real>::iterate(int iterations, CgVectors<Real>& vectors,
                            Preconditioners preconditioners, Buffer<Answer>& x,
                            std::span<CgColumn> columns, std::span<Descent> descents) {
    const auto update_direction = [&](int k) {  // beta = r . z / (r . z before), p = z + beta p
        Preconditioner<Real>& m = *preconditioners[k];
        vectors.update_direction(m, k, RatioOfSums{rz(m, k), rz(m, k, true)});
    };
    each_active(columns, [&](int k) {
        if (preconditioners[k]->inverse_diagonal())
            step_[k]->set({0, columns[k].rp});
        else
            rz_[k]->set({columns[k].rp});
    });
    for (int n = 0; n < iterations; ++n) {
        if (n > 0) each_active(columns, update_direction);
        keep(*pq_, [&] { vectors.multiply(); });
        each_active(columns, [&](int k) {
            Preconditioner<Real>& m = *preconditioners[k];
            const RatioOfSums alpha{rz(m, k), {pq_.get(), k}};
            keep(*step_[k], [&] { vectors.step(m, x, k, descents[k].scale, alpha); });
            if (!m.inverse_diagonal()) keep(*rz_[k], [&] { vectors.precondition(m, k); });
        });
    }
    read_back(preconditioners, columns, descents, iterations);
    each_active(columns, update_direction);
}

// What the last iteration has left of each column, compared before ranks decide by it: the GPU of
// one that went on would wait for another.
template <class Real>
void CgAhead<Real>::read_back(Preconditioners preconditioners, std::span<CgColumn> columns,
                              std::span<Descent> descents, int iterations) {
    std::vector<DeviceSums*> sums{pq_.get()};
    each_active(columns, [&](int k) {
        sums.push_back(step_[k].get());
        if (!preconditioners[k]->inverse_diagonal()) sums.push_back(rz_[k].get());
    });
    const auto values = device_.read_back(sums);
    for (const auto& value : values) sums_.note(value);
    sums_.compare();
    std::size_t next = 1;
    each_active(columns, [&](int k) {
        CgColumn& c = columns[k];
        const auto& of_step = values[next++];
        c.pq = values[0][k];
        c.rp = preconditioners[k]->inverse_diagonal() ? of_step[1] : values[next++][0];
        descents[k].iterations += iterations;
        descents[k].is_whole = c.pq > 0 && std::isfinite(c.pq) && std::isfinite(of_step[0]);
        const double first = std::exchange(c.residual, std::sqrt(of_step[0]));
        descents[k].record(c.residual, c.rp / c.pq);
        c.before = c.residual * std::pow(first / c.residual, 1.0 / iterations);
        c.is_active = descents[k].is_whole && c.residual > descents[k].target;
    });
}

template class CgAhead<float>;
template class CgAhead<double>;
template void CgAhead<float>::iterate(int, CgVectors<float>&, Preconditioners, Buffer<float>&,
                                      std::span<CgColumn>, std::span<Descent>);
template void CgAhead<float>::iterate(int, CgVectors<float>&, Preconditioners, Buffer<double>&,
                                      std::span<CgColumn>, std::span<Descent>);
template void CgAhead<double>::iterate(int, CgVectors<double>&, Preconditioners, Buffer<double>&,
                                       std::span<CgColumn>, std::span<Descent>);

}  // namespace solenoid
