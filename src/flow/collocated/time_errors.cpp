#include "flow/collocated/time_errors.hpp"

#include <algorithm>
#include <cmath>

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
TimeErrors<Real>::TimeErrors(const Domain& domain, const CollocatedState<Real>& state,
                             const FlowSources<Real>& sources, const Buffer<Real>& volume)
    : domain_(domain),
      state_(state),
      sources_(sources),
      cell_volume_(volume),
      volume_(domain.comm.sum(domain.own(Kind::cell).sum(domain.comm, volume))),
      scalars_(sources.scalars().size()) {}

template <class Real>
void TimeErrors<Real>::push(Followed& followed, const Buffer<Real>& now) {
    std::rotate(followed.before.begin(), followed.before.end() - 1, followed.before.end());
    Buffer<Real>& last = followed.before.front();
    if (!last) last = domain_.device.buffer<Real>(now.size(), now.columns());
    domain_.device.copy(now, last);
}

template <class Real>
void TimeErrors<Real>::pop() {
    std::rotate(time_.begin(), time_.begin() + 1, time_.end());
    std::rotate(velocity_.before.begin(), velocity_.before.begin() + 1, velocity_.before.end());
    for (Followed& one : scalars_)
        std::rotate(one.before.begin(), one.before.begin() + 1, one.before.end());
    --count_;
}

template <class Real>
void TimeErrors<Real>::begin(bool anew) {
    if (anew) count_ = 0;
    while (count_ > 0 && time_.front() > state_.time) pop();
    if (count_ > 0 && time_.front() == state_.time) return;
    std::rotate(time_.begin(), time_.end() - 1, time_.end());
    time_.front() = state_.time;
    push(velocity_, state_.u);
    for (std::size_t i = 0; i < scalars_.size(); ++i)
        push(scalars_[i], sources_.scalars()[i]->values());
    count_ = std::min(count_ + 1, most);
}

// The root mean square over the volume of the divided difference of the last order + 1 states. It
// is summed from differences of successive states, so that a steady field gives exactly zero.
template <class Real>
double TimeErrors<Real>::difference(const Followed& followed, const Buffer<Real>& now,
                                    int order) const {
    std::array<double, observations + 1> t{state_.time, time_[0], time_[1], time_[2]}, sum{};
    double total = 0;
    for (int k = 0; k < order; ++k) {
        double product = 1;
        for (int j = 0; j <= order; ++j)
            if (j != k) product *= (t[k] - t[j]) / (t[0] - t[1]);
        sum[k] = total += 1 / product;
    }
    const auto& b = followed.before;
    const Over cells = domain_.own(Kind::cell);
    const double square_sum =
        order == 3
            ? cells.dot(
                  domain_.comm, cell_volume_,
                  square(sum[0] * (now - b[0]) + sum[1] * (b[0] - b[1]) + sum[2] * (b[1] - b[2])))
            : cells.dot(domain_.comm, cell_volume_,
                        square(sum[0] * (now - b[0]) + sum[1] * (b[0] - b[1])));
    return std::sqrt(domain_.comm.sum(square_sum) / volume_) / std::pow(t[0] - t[1], order);
}

template <class Real>
std::optional<StepErrors> TimeErrors<Real>::of_step(const CollocatedStep<Real>& step) const {
    if (count_ < 2) return {};
    const double dt = state_.time - time_[0], before = time_[0] - time_[1];
    const int order = count_ == 2 ? 1 : 2;
    StepErrors errors;
    errors.order = order;
    errors.velocity = difference(velocity_, state_.u, order + 1) *
                      (order == 1 ? dt * dt : step.error_of_third(dt, before));
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const double part = std::pow(sources_.scalars()[i]->parts(), -order),
                     whole = order == 1 ? dt * dt : bdf2_error(dt, before);
        errors.scalars.push_back(
            part * whole * difference(scalars_[i], sources_.scalars()[i]->values(), order + 1));
    }
    return errors;
}

// Steps that are taken back are dropped by their times.
template <class Real>
void TimeErrors<Real>::register_state(const State<Real>& state) {
    state.off_stack().template add<int>(
        "count", [this] { return std::min(count_, observations); },
        [this](const int& count) { count_ = count; }, {0, observations});
    state.off_stack().add("times", time_);
    register_states(state.off_stack().part("velocity"), velocity_, state_.u);
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const std::string name = sources_.scalars()[i]->settings().name;
        register_states(state.off_stack().owned_by("scalar", name).part("scalar_" + name),
                        scalars_[i], sources_.scalars()[i]->values());
    }
}

template <class Real>
void TimeErrors<Real>::register_states(const State<Real>& state, Followed& followed,
                                       const Buffer<Real>& now) {
    for (int k = 0; k < observations; ++k) {
        Buffer<Real>& before = followed.before[k];
        const auto make = [this, &before, &now] {
            before = domain_.device.template buffer<Real>(now.size(), now.columns());
        };
        state.add(std::to_string(k), before, Kind::cell,
                  {[this, &before, k] { return k < count_ && bool(before); }, make,
                   [this, k] { count_ = std::min(count_, k); }});
    }
}

template class TimeErrors<float>;
template class TimeErrors<double>;

}  // namespace solenoid
