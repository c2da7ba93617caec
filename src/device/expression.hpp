// Vector expressions over the buffers of a device, one kernel each:
//
//     const Over cells(device, mesh.range(Kind::cell).owned_range());
//     cells[u] = star - s * (q - q_before);        // entity by entity, component by component
//     cells[column(u, 0)] += dt * f;
//     const double rz = cells.dot(comm, r, z);     // the sum of this rank, accumulated in double
//     const auto [xx, most] = cells.reduce(comm, sum(product(x, x)), greatest(abs(x)));
//
// Sums are made by all ranks that they name, over an empty range, too: they are collective, since
// in a reproducible run the first of these ranks gets the whole and the others nothing.
//
// The result has the bits of a plain loop that computes what is written, in that order. Numbers are
// rounded to the precision of the buffers first; where floats and doubles meet the arithmetic is in
// double. A buffer of one column meets every component of vectors; what is assigned may be read. A
// buffer shorter than the range, or vectors of different widths, are a std::logic_error.
#pragma once

#include "device/device.hpp"
#include "device/expression/expression_program.hpp"
#include "device/expression/loop.hpp"

namespace solenoid {

class Over {
  public:
    // reach: as far as fields that are assigned are current then, and as far as fields that are
    // read have to be; these are renewed, which is collective.
    Over(Device& device, Range range, Reach reach = Reach::own)
        : device_(&device), range_(range), reach_(reach) {}
    operator Entities() const { return {*device_, SplitRange(range_), reach_}; }

    template <class T>
    class Target {
      public:
        Target(const Over& over, const expression::Field<T>& y, FieldGhosts* field = nullptr)
            : over_(over), y_(y), field_(field) {}
        template <expression::IsOperand A>
        void operator=(const A& a) const {
            over_.assign(y_, field_, expression::term(a));
        }
        void operator=(const Target&) const = delete;
        template <expression::IsOperand A>
        void operator+=(const A& a) const {
            *this = y_ + a;
        }
        template <expression::IsOperand A>
        void operator-=(const A& a) const {
            *this = y_ - a;
        }
        template <expression::IsOperand A>
        void operator*=(const A& a) const {
            *this = y_ * a;
        }

      private:
        const Over& over_;
        const expression::Field<T> y_;
        FieldGhosts* const field_;
    };
    template <class T>
    Target<T> operator[](Buffer<T>& y) const {
        return {*this, expression::Field<T>(y)};
    }
    template <KeepsBuffer A>
    Target<typename A::Real> operator[](A& y) const {
        return {*this, expression::Field<typename A::Real>(y), &y};
    }
    template <class T>
    Target<T> operator[](const expression::Column<T>& y) const {
        return {*this, y};
    }

    // Of reductions: sum(accumulator or number), least(number), greatest(number). Of an empty range
    // 0, infinity, -infinity. Waits.
    template <expression::IsExtreme... R>
    std::array<double, sizeof...(R)> reduce(const R&... r) const {
        return reduced(nullptr, r...);
    }
    // With sums among them. Collective.
    template <expression::IsReduction... R>
    std::array<double, sizeof...(R)> reduce(const SummingRanks& ranks, const R&... r) const {
        return reduced(&ranks, r...);
    }
    template <expression::IsField A>
    double sum(const SummingRanks& ranks, const A& a) const {
        return reduce(ranks, solenoid::sum(a))[0];
    }
    template <expression::IsAccumulator A>
    double sum(const SummingRanks& ranks, const A& a) const {
        return reduce(ranks, solenoid::sum(a))[0];
    }
    template <expression::IsField A>
    double greatest(const A& a) const {
        return reduce(solenoid::greatest(a))[0];
    }
    // x . y of numbers, their products not rounded. Collective.
    template <expression::IsField A, expression::IsField B>
    double dot(const SummingRanks& ranks, const A& x, const B& y) const {
        return sum(ranks, product(x, y));
    }

  private:
    template <class T, class E>
    void assign(const expression::Field<T>& y, FieldGhosts* field, const E& e) const;
    // The launch of an assignment to `output`, of `field` unless that is null, or of reductions.
    void launch(expression::Kernels& kernels, const expression::Operands& operands, bool is_vector,
                const expression::Output& output, FieldGhosts* field) const;
    void launch(expression::Kernels& kernels, const expression::Operands& operands, bool is_vector,
                const Reducing& reductions) const;
    template <class... R>
    std::array<double, sizeof...(R)> reduced(const SummingRanks* ranks, const R&... r) const;

    Device* device_;
    Range range_;
    Reach reach_;
};

template <class T, class E>
void Over::assign(const expression::Field<T>& y, FieldGhosts* field, const E& e) const {
    using namespace expression;
    using Real = std::common_type_t<T, typename E::Real>;
    static_assert(E::buffers + 1 <= max_buffers && E::numbers <= max_uniforms,
                  "too long for one kernel");
    static constinit Kernels kernels(
        {.tokens = Tokens<E>::all(),
         .buffers = E::buffers,
         .numbers = E::numbers,
         .real = element_type<Real>(),
         .written = element_type<T>(),
         .reductions = {},
         .loops = {expression::assign<E, Real, T, 1>, expression::assign<E, Real, T, 2>,
                   expression::assign<E, Real, T, 3>}});
    Operands operands;
    e.bind(operands);
    launch(kernels, operands, e.is_vector(), {y.storage, y.first_column, y.columns}, field);
}

template <class... R>
std::array<double, sizeof...(R)> Over::reduced(const SummingRanks* ranks, const R&... r) const {
    using namespace expression;
    using All = Node<R...>;
    using Real = typename All::Real;
    static_assert(All::buffers <= max_buffers && All::numbers <= max_uniforms &&
                      sizeof...(R) <= max_reductions,
                  "too long for one kernel");
    static constexpr Reduction operations[] = {R::operation...};
    // without vectors there is one component
    constexpr int d2 = All::needs_dimension ? 2 : 1, d3 = All::needs_dimension ? 3 : 1;
    static constinit Kernels kernels({.tokens = Tokens<R...>::all(),
                                      .buffers = All::buffers,
                                      .numbers = All::numbers,
                                      .real = element_type<Real>(),
                                      .written = element_type<Real>(),
                                      .reductions = operations,
                                      .loops = {expression::reduce<Lanes, Real, 1, R...>,
                                                expression::reduce<Lanes, Real, d2, R...>,
                                                expression::reduce<Lanes, Real, d3, R...>},
                                      .binned = {expression::reduce<BinnedLanes, Real, 1, R...>,
                                                 expression::reduce<BinnedLanes, Real, d2, R...>,
                                                 expression::reduce<BinnedLanes, Real, d3, R...>}});
    Operands operands;
    (r.bind(operands), ...);
    std::array<double, sizeof...(R)> results{};
    launch(kernels, operands, (r.is_vector() || ...), Reducing{ranks, results});
    return results;
}

// ---- compiled once, in expression/common.cpp: what many classes write

namespace expression {

// Of fields x and y, and numbers a and b.
template <class T>
struct Common {
    using X = Field<T>;
    using AX = Apply<Times, Number, X>;
    using XPlusY = Apply<Plus, X, X>;
    using XMinusY = Apply<Minus, X, X>;
    using XTimesY = Apply<Times, X, X>;
    using XPlusAY = Apply<Plus, X, AX>;
    using XMinusAY = Apply<Minus, X, AX>;
    using AXPlusBY = Apply<Plus, AX, AX>;
    using AXMinusBY = Apply<Minus, AX, AX>;
    using SumOfX = Reduce<Reduction::sum, Wide<X>>;
    using SumOfXY = Reduce<Reduction::sum, Product<X, X>>;
    using SumOfXYZ = Reduce<Reduction::sum, Product<XTimesY, X>>;
    using SumOfDots = Reduce<Reduction::sum, Wide<Dot<X, X>>>;
};

}  // namespace expression

#define SOLENOID_COMMON_ASSIGNMENT(linkage, T, Value)                             \
    linkage template void Over::assign(const expression::Field<T>&, FieldGhosts*, \
                                       const expression::Value&) const;
#define SOLENOID_COMMON_SUM(linkage, T, Sum)                                  \
    linkage template std::array<double, 1> Over::reduced(const SummingRanks*, \
                                                         const expression::Common<T>::Sum&) const;
#define SOLENOID_COMMON_EXPRESSIONS(linkage, T)                  \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Number)               \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::X)         \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::AX)        \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::XPlusY)    \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::XMinusY)   \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::XTimesY)   \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::XPlusAY)   \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::XMinusAY)  \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::AXPlusBY)  \
    SOLENOID_COMMON_ASSIGNMENT(linkage, T, Common<T>::AXMinusBY) \
    SOLENOID_COMMON_SUM(linkage, T, SumOfX)                      \
    SOLENOID_COMMON_SUM(linkage, T, SumOfXY)                     \
    SOLENOID_COMMON_SUM(linkage, T, SumOfXYZ)                    \
    SOLENOID_COMMON_SUM(linkage, T, SumOfDots)
SOLENOID_COMMON_EXPRESSIONS(extern, float)
SOLENOID_COMMON_EXPRESSIONS(extern, double)

}  // namespace solenoid
