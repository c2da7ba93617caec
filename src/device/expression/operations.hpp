// What expressions are written with: + - * /, abs, min, max, sqrt, exp, ln, pow, quotient, where,
// dot, square, column; product and sums of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "device/cpu/functions.hpp"
#include "device/cpu/simd.hpp"
#include "device/expression/expression_node.hpp"

namespace solenoid {
namespace expression {

// ---- operations on a component: as the CPU computes them, of one entity or of eight, and in a
// shader

#define SOLENOID_OPERATION(Name, can_take_eight, value, shader) \
    struct Name {                                               \
        static constexpr bool takes_eight = can_take_eight;     \
        template <class V>                                      \
        static auto of(const V& a, const V& b) {                \
            return value;                                       \
        }                                                       \
        static constexpr const char* text = shader;             \
    };
SOLENOID_OPERATION(Plus, true, V(a + b), "(%0 + %1)")
SOLENOID_OPERATION(Minus, true, V(a - b), "(%0 - %1)")
SOLENOID_OPERATION(Times, true, V(a* b), "(%0 * %1)")
SOLENOID_OPERATION(Divided, true, V(a / b), "(%0 / %1)")
SOLENOID_OPERATION(Least, false, b < a ? b : a, "min(%0, %1)")
SOLENOID_OPERATION(Greatest, false, a < b ? b : a, "max(%0, %1)")
SOLENOID_OPERATION(Power, false, Functions<V>().pow(a, b), "pow(%0, %1)")
SOLENOID_OPERATION(IsGreater, false, a > b, "(%0 > %1)")
#undef SOLENOID_OPERATION

struct Quotient {
    static constexpr bool takes_eight = true;
    template <class V>
    static V of(const V& a, const V& b) {
        if constexpr (std::is_floating_point_v<V>)
            return b == 0 ? V(0) : a / b;
        else
            return divided(a, b);
    }
    static constexpr const char* text = "quotient(%0, %1)";
};
struct Negative {
    static constexpr bool takes_eight = true;
    template <class V>
    static V of(const V& a) {
        return -a;
    }
    static constexpr const char* text = "(-%0)";
};
struct Magnitude {
    static constexpr bool takes_eight = false;
    template <class V>
    static V of(const V& a) {
        return a < V(0) ? -a : a;
    }
    static constexpr const char* text = "abs(%0)";
};
struct Root {
    static constexpr bool takes_eight = false;
    template <class V>
    static V of(const V& a) {
        return std::sqrt(a);
    }
    static constexpr const char* text = "sqrt(%0)";
};
struct Exponential {
    static constexpr bool takes_eight = false;
    template <class V>
    static V of(const V& a) {
        return Functions<V>().exp(a);
    }
    static constexpr const char* text = "exp(%0)";
};
struct Logarithm {
    static constexpr bool takes_eight = false;
    template <class V>
    static V of(const V& a) {
        return Functions<V>().log(a);
    }
    static constexpr const char* text = "log(%0)";
};
struct Where {
    static constexpr bool takes_eight = false;
    template <class V>
    static V of(bool condition, const V& a, const V& b) {
        return condition ? a : b;
    }
    static constexpr const char* text = "(%0 ? %1 : %2)";
};

// ---- accumulators: doubles, or pairs of floats on a GPU without doubles

struct Accumulator {};
inline double wide(double value) { return value; }
template <class T>
Eight<double> wide(const Eight<T>& value) {
    return Eight<double>(value);
}

template <class A>
struct Wide : Node<A>, Accumulator {
    using Node<A>::Node;
    static constexpr bool takes_eight = A::takes_eight;
    template <class V, int B, int N, class Data>
    static auto at(const Data& data, Index i) {
        return wide(Node<A>::template argument_at<0, V, B, N>(data, 0, i));
    }
    static constexpr void describe(Token*& to) { Node<A>::describe_as({Token::Kind::wide}, to); }
};

// a b, not rounded in between.
template <class A, class B>
struct Product : Node<A, B>, Accumulator {
    using Base = Node<A, B>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight && B::takes_eight;
    template <class V, int F, int N, class Data>
    static auto at(const Data& data, Index i) {
        return wide(Base::template argument_at<0, V, F, N>(data, 0, i)) *
               wide(Base::template argument_at<1, V, F, N>(data, 0, i));
    }
    static constexpr void describe(Token*& to) { Base::describe_as({Token::Kind::product}, to); }
};

template <class A, class B>
struct Added : Node<A, B>, Accumulator {
    using Base = Node<A, B>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight && B::takes_eight;
    template <class V, int F, int N, class Data>
    static auto at(const Data& data, Index i) {
        return A::template at<V, F, N>(data, i) +
               B::template at<V, F + A::buffers, N + A::numbers>(data, i);
    }
    static constexpr void describe(Token*& to) { Base::describe_as({Token::Kind::add}, to); }
};

// ---- reductions over a range: sums of accumulators, extremes of numbers

template <Reduction op, class A>
struct Reduce : Node<A> {
    using Node<A>::Node;
    static constexpr Reduction operation = op;
    static constexpr bool takes_eight = op == Reduction::sum && A::takes_eight;
    template <class V, int B, int N, class Data>
    static auto at(const Data& data, Index i) {
        if constexpr (op == Reduction::sum)
            return A::template at<V, B, N>(data, i);
        else
            return double(A::template at<V, B, N>(data, 0, i));
    }
    static constexpr void describe(Token*& to) {
        if constexpr (op == Reduction::sum)
            A::describe(to);
        else
            Node<A>::describe_as({Token::Kind::extreme}, to);
    }
};

// ---- operands: terms, buffers of reals, numbers

template <class R>
concept IsReduction = requires {
    { R::operation } -> std::convertible_to<Reduction>;
};
template <class R>
concept IsExtreme = IsReduction<R> && R::operation != Reduction::sum;

template <class A>
concept IsNode = std::derived_from<A, ExpressionNode>;
template <class A>
concept IsField = IsNode<A> || KeepsBuffer<A> || std::same_as<A, Buffer<float>> ||
    std::same_as<A, Buffer<double>>;
template <class A>
concept IsOperand = IsField<A> || std::is_arithmetic_v<A>;
template <class A, class B>
concept AreOperands = IsOperand<A> && IsOperand<B> &&(IsField<A> || IsField<B>);
template <class A>
concept IsAccumulator = std::derived_from<A, Accumulator>;

template <class T>
Field<T> term(const Buffer<T>& buffer) {
    return Field<T>(buffer);
}
template <KeepsBuffer A>
Field<typename A::Real> term(const A& a) {
    return Field<typename A::Real>(a);
}
template <class T>
Field<T> term(const Column<T>& column) {
    return column;
}
template <IsNode A>
A term(const A& a) {
    return a;
}
inline Number term(double value) { return Number(value); }

template <class A>
using TermOf = decltype(term(std::declval<const A&>()));
template <class Operation, class... A>
Apply<Operation, TermOf<A>...> apply(const A&... a) {
    return Apply<Operation, TermOf<A>...>(term(a)...);
}

}  // namespace expression

template <class A, class B>
requires expression::AreOperands<A, B>
auto operator+(const A& a, const B& b) { return expression::apply<expression::Plus>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto operator-(const A& a, const B& b) { return expression::apply<expression::Minus>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto operator*(const A& a, const B& b) { return expression::apply<expression::Times>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto operator/(const A& a, const B& b) { return expression::apply<expression::Divided>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto operator>(const A& a, const B& b) { return expression::apply<expression::IsGreater>(a, b); }
template <expression::IsField A>
auto operator-(const A& a) {
    return expression::apply<expression::Negative>(a);
}

template <expression::IsField A>
auto abs(const A& a) {
    return expression::apply<expression::Magnitude>(a);
}
template <expression::IsField A>
auto sqrt(const A& a) {
    return expression::apply<expression::Root>(a);
}
template <expression::IsField A>
auto exp(const A& a) {
    return expression::apply<expression::Exponential>(a);
}
// log of kernels; solenoid::log is a namespace.
template <expression::IsField A>
auto ln(const A& a) {
    return expression::apply<expression::Logarithm>(a);
}
// a^b, a >= 0.
template <class A, class B>
requires expression::AreOperands<A, B>
auto pow(const A& a, const B& b) { return expression::apply<expression::Power>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto min(const A& a, const B& b) { return expression::apply<expression::Least>(a, b); }
template <class A, class B>
requires expression::AreOperands<A, B>
auto max(const A& a, const B& b) { return expression::apply<expression::Greatest>(a, b); }
// a / b, 0 where b is.
template <class A, class B>
requires expression::AreOperands<A, B>
auto quotient(const A& a, const B& b) { return expression::apply<expression::Quotient>(a, b); }
// a where `condition`, x > y, holds, otherwise b.
template <expression::IsNode C, expression::IsOperand A, expression::IsOperand B>
auto where(const C& condition, const A& a, const B& b) {
    return expression::apply<expression::Where>(condition, a, b);
}
// Column k of a buffer.
template <class T>
expression::Field<T> column(const Buffer<T>& buffer, int k) {
    return {buffer, k};
}
template <class T>
expression::Column<T> column(Buffer<T>& buffer, int k) {
    return {buffer, k};
}
template <KeepsBuffer A>
expression::Field<typename A::Real> column(const A& field, int k) {
    return {field, k};  // to be read; column(field.write(), k) to be assigned
}
// x . y and x . x of each entity's vectors.
template <expression::IsField A, expression::IsField B>
auto dot(const A& x, const B& y) {
    return expression::Dot<expression::TermOf<A>, expression::TermOf<B>>(expression::term(x),
                                                                         expression::term(y));
}
template <expression::IsField A>
auto square(const A& x) {
    return expression::Square<expression::TermOf<A>>(expression::term(x));
}

// a b, not rounded to the precision of a and b: an accumulator, as sums are made of.
template <class A, class B>
requires expression::AreOperands<A, B>
auto product(const A& a, const B& b) {
    return expression::Product<expression::TermOf<A>, expression::TermOf<B>>(expression::term(a),
                                                                             expression::term(b));
}
template <expression::IsAccumulator A, expression::IsAccumulator B>
auto operator+(const A& a, const B& b) {
    return expression::Added<A, B>(a, b);
}

// Reductions, for Over::reduce.
template <expression::IsAccumulator A>
auto sum(const A& a) {
    return expression::Reduce<Reduction::sum, A>(a);
}
template <expression::IsField A>
auto sum(const A& a) {
    return sum(expression::Wide<expression::TermOf<A>>(expression::term(a)));
}
template <expression::IsField A>
auto least(const A& a) {
    return expression::Reduce<Reduction::min, expression::TermOf<A>>(expression::term(a));
}
template <expression::IsField A>
auto greatest(const A& a) {
    return expression::Reduce<Reduction::max, expression::TermOf<A>>(expression::term(a));
}

}  // namespace solenoid
