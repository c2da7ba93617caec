// The CPU's loops, compiled from an expression's type.
#pragma once

#include "device/expression/operations.hpp"

namespace solenoid::expression {

// The operands of a launch; scalars have a pitch of 0.
template <class Real>
struct Columns {
    using Number = Real;
    const void* column[max_buffers];
    std::size_t pitch[max_buffers];
    Real number[max_uniforms];

    Columns(const void* const* columns, const std::size_t* pitches, const double* numbers,
            int buffers, int count) {
        std::copy_n(columns, buffers, column);
        std::copy_n(pitches, buffers, pitch);
        for (int n = 0; n < count; ++n) number[n] = static_cast<Real>(numbers[n]);
    }
    // V: Real or eight of them; T: what the buffer holds.
    template <class V, class T, int B>
    V load(int k, Index i) const {
        const T* from = static_cast<const T*>(column[B]) + std::size_t(k) * pitch[B] + i;
        if constexpr (std::is_same_v<V, Real>)
            return static_cast<Real>(*from);
        else
            return V(Eight<T>::load(from));
    }
};
// d: components of its vectors.
template <class Real, int d>
struct Data : Columns<Real> {
    static constexpr int dimension = d;
    using Columns<Real>::Columns;
};

// Component k of y = E: compiled once where the number of components does not matter.
template <class E, class T, class Data>
[[gnu::noinline]] void assign_component(const Data& data, int k, T* y, Range range) {
#pragma GCC ivdep
    for (Index i = range.begin; i < range.end; ++i)
        y[i] = static_cast<T>(E::template at<typename Data::Number, 0, 0>(data, k, i));
}

// y = E, component by component; y is the last buffer.
template <class E, class Real, class T, int d>
void assign(const void* const* columns, const std::size_t* pitch, const double* numbers,
            Range range, double*) {
    const Data<Real, E::needs_dimension ? d : 1> data(columns, pitch, numbers, E::buffers,
                                                      E::numbers);
    const std::size_t step = pitch[E::buffers];
    for (int k = 0; k < (step ? d : 1); ++k)
        assign_component<E>(
            data, k, static_cast<T*>(const_cast<void*>(columns[E::buffers])) + k * step, range);
}

inline double lanes_of(double value) { return value; }
inline const Eight<double>::Vector& lanes_of(const Eight<double>& values) { return values.v; }

// Adds entity i, or eight from i on, to each reduction R.
template <class V, class... R, class Data, class Totals>
void take(const Data& data, Index i, Totals& totals) {
    [&]<std::size_t... M>(std::index_sequence<M...>) {
        (std::get<M>(totals).take(
             i, lanes_of(
                    R::template at<V, buffers_before<R...>(M), numbers_before<R...>(M)>(data, i))),
         ...);
    }
    (std::index_sequence_for<R...>());
}

// In eight lanes; sums of eight entities at a time where the expressions can.
template <template <Reduction> class Lanes, class Real, int d, class... R>
void reduce(const void* const* columns, const std::size_t* pitch, const double* numbers,
            Range range, double* results) {
    using All = Node<R...>;
    const Data<Real, d> data(columns, pitch, numbers, All::buffers, All::numbers);
    std::tuple<Lanes<R::operation>...> totals;
    Index first = range.end, last = range.end;
    if constexpr ((R::takes_eight && ...)) {
        first = std::min(range.end, (range.begin + 7) / 8 * 8);
        last = std::max(first, range.end / 8 * 8);
    }
    for (Index i = range.begin; i < first; ++i) take<Real, R...>(data, i, totals);
    if constexpr ((R::takes_eight && ...))
        for (Index i = first; i < last; i += 8) take<Eight<Real>, R...>(data, i, totals);
    for (Index i = last; i < range.end; ++i) take<Real, R...>(data, i, totals);
    int n = 0;
    std::apply([&](auto&... total) { (total.write(results, n++), ...); }, totals);
}

}  // namespace solenoid::expression
