// A first guess from the last solutions of the same system: of their span, the member nearest to
// the solution in the matrix's norm (Fischer 1998). It costs five passes over memory a solve and
// spares iterations where right-hand sides change slowly.
#pragma once

#include <string>

#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

template <class Real>
class FischerProjection {
  public:
    FischerProjection(const Communicator& comm, Device& device, const LinearOperator<Real>& matrix);

    // x on marked entities; zero before anything is remembered
    void guess(const Buffer<Real>& b, Buffer<Real>& x);
    // A solution, zero on fixed entities, with r = b - A x.
    void remember(const Buffer<Real>& x, const Buffer<Real>& b, const Buffer<Real>& r);
    // In a State of operators/state.hpp. kind: of the unknowns, whose owned ones are marked.
    template <class State>
    void register_state(const State& state, Kind kind) {
        state.add("count", count_, {0, most});
        // of `most` vectors the images are not used: the next solution begins anew
        for (int k = 0; k < most; ++k) {
            const auto is_there = [this, k] { return k < count_; };
            const auto is_used = [this, k] { return k < count_ && count_ < most; };
            state.add("vector_" + std::to_string(k), basis_[k], kind, {is_there, [] {}, [] {}});
            if (k < most - 1)
                state.add("image_" + std::to_string(k), image_[k], kind, {is_used, [] {}, [] {}});
        }
    }

  private:
    // solutions that are kept; then the oldest ones go, all but the last
    static constexpr int most = 4;

    AgreedSums sums_;
    Device& device_;
    const LinearOperator<Real>& matrix_;
    // x_k and A x_k, with x_j . A x_k = 1 where j = k, else 0
    std::array<Buffer<Real>, most> basis_, image_;
    Buffer<Real> next_, next_image_;
    // what is beyond counts nothing, so that a pass takes all of them whatever the count
    int count_ = 0;
};

}  // namespace solenoid
