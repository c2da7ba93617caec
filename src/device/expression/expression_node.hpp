// What a vector expression such as `star - s * (q - q_before)` is: a tree whose type says which
// loop or shader computes it, and whose values are the buffers and numbers in it. See
// docs/kernels.md, "Expressions".
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "device/kernel.hpp"

namespace solenoid::expression {

// How the buffers of an expression are read: what a shader's text depends on beside the
// expression's type.
struct Shape {
    int dimension = 1;       // components of its vectors; 1 where it has none
    unsigned vectors = 0;    // bit n: its n-th buffer has `dimension` columns, not one
    unsigned is_output = 0;  // bit n: its n-th buffer is what is assigned
    bool has_vector_output = false;
    bool operator==(const Shape&) const = default;

    // The n-th buffer's value, component k, in a kernel's body.
    std::string field(int n, int k) const {
        const std::string name = 'v' + std::to_string(n);
        return (vectors >> n & 1u) ? name + '[' + std::to_string(k) + ']' : name;
    }
};

// The buffers and numbers of an expression, in order.
struct Operands {
    std::array<Storage*, max_buffers> storage{};
    std::array<int, max_buffers> first_column{}, columns{};
    std::array<const Ghosts*, max_buffers> ghosts{};
    std::array<double, max_uniforms> number{};
    int buffers = 0, numbers = 0;
};

// An expression's type as data: its nodes, each before its arguments. The text of a shader is made
// of these when a kernel is needed, so that a type costs the compiler little.
struct Token {
    enum class Kind : std::uint8_t {
        buffer,
        number,
        apply,  // an operation on each component
        dot,
        square,
        wide,     // an accumulator of a number
        product,  // an accumulator of two numbers
        add,      // the sum of two accumulators
        extreme   // the least or greatest of numbers
    };
    Kind kind = Kind::number;
    int arguments = 0;                        // of `apply`
    ElementType type = ElementType::float32;  // of a buffer
    const char* text = nullptr;               // of `apply`: %0, %1, %2 stand for the arguments
};

struct ExpressionNode {};  // a number, or a vector, an entity

// A buffer, or one column of it.
template <class T>
struct Field : ExpressionNode {
    using Real = T;
    static constexpr int buffers = 1, numbers = 0, tokens = 1;
    static constexpr bool takes_eight = true, needs_dimension = false;
    explicit Field(const Buffer<T>& buffer)
        : storage(&buffer.storage()), columns(buffer.columns()) {}
    Field(const Buffer<T>& buffer, int column)
        : storage(&buffer.storage()), first_column(column), columns(1) {}
    template <HasGhosts F>
    explicit Field(const F& field) : Field(field.values()) {
        ghosts = &field;
    }
    template <HasGhosts F>
    Field(const F& field, int column) : Field(field.values(), column) {
        ghosts = &field;
    }

    // Component k of the values of entity i, or of eight of them; B: the buffer's place among the
    // operands, N: the numbers before it.
    template <class V, int B, int N, class Data>
    static V at(const Data& data, int k, Index i) {
        return data.template load<V, T, B>(k, i);
    }
    static constexpr void describe(Token*& to) {
        *to++ = {Token::Kind::buffer, 0, element_type<T>()};
    }
    void bind(Operands& operands) const {
        const int n = operands.buffers++;
        operands.storage[n] = storage;
        operands.first_column[n] = first_column;
        operands.columns[n] = columns;
        operands.ghosts[n] = ghosts;
    }
    bool is_vector() const { return columns > 1; }

    Storage* storage;
    int first_column = 0, columns;
    const Ghosts* ghosts = nullptr;  // of a field
};

// Column k of a buffer that may be assigned.
template <class T>
struct Column : Field<T> {
    using Field<T>::Field;
};

// A number, rounded to the precision of the expression's buffers.
struct Number : ExpressionNode {
    using Real = float;  // the least: it decides nothing
    static constexpr int buffers = 0, numbers = 1, tokens = 1;
    static constexpr bool takes_eight = true, needs_dimension = false;
    explicit Number(double value) : value(value) {}

    template <class V, int B, int N, class Data>
    static V at(const Data& data, int, Index) {
        return V(data.number[N]);
    }
    static constexpr void describe(Token*& to) { *to++ = {Token::Kind::number}; }
    void bind(Operands& operands) const { operands.number[operands.numbers++] = value; }
    bool is_vector() const { return false; }

    double value;
};

// Of the first `count` of some terms.
template <class... A>
constexpr int buffers_before(std::size_t count) {
    const int each[] = {A::buffers..., 0};
    int sum = 0;
    for (std::size_t n = 0; n < count; ++n) sum += each[n];
    return sum;
}
template <class... A>
constexpr int numbers_before(std::size_t count) {
    const int each[] = {A::numbers..., 0};
    int sum = 0;
    for (std::size_t n = 0; n < count; ++n) sum += each[n];
    return sum;
}

// What every node with arguments has.
template <class... A>
struct Node {
    using Real = std::common_type_t<typename A::Real...>;
    static constexpr int buffers = buffers_before<A...>(sizeof...(A)),
                         numbers = numbers_before<A...>(sizeof...(A)),
                         tokens = 1 + (A::tokens + ... + 0);
    // whether a value depends on the number of components
    static constexpr bool needs_dimension = (A::needs_dimension || ...);
    using ArgumentIndices = std::index_sequence_for<A...>;
    explicit Node(const A&... arguments) : arguments(arguments...) {}

    template <std::size_t M, class V, int B, int N, class Data>
    static auto argument_at(const Data& data, int k, Index i) {
        using Argument = std::tuple_element_t<M, std::tuple<A...>>;
        return Argument::template at<V, B + buffers_before<A...>(M), N + numbers_before<A...>(M)>(
            data, k, i);
    }
    static constexpr void describe_as(const Token& token, Token*& to) {
        *to++ = token;
        (A::describe(to), ...);
    }
    void bind(Operands& operands) const {
        std::apply([&](const auto&... argument) { (argument.bind(operands), ...); }, arguments);
    }
    bool is_vector() const {
        return std::apply([](const auto&... argument) { return (argument.is_vector() || ...); },
                          arguments);
    }

    std::tuple<A...> arguments;
};

// An operation on every component.
template <class Operation, class... A>
struct Apply : Node<A...>, ExpressionNode {
    using Node<A...>::Node;
    static constexpr bool takes_eight = Operation::takes_eight && (A::takes_eight && ...);

    template <class V, int B, int N, class Data>
    static auto at(const Data& data, int k, Index i) {
        return [&]<std::size_t... M>(std::index_sequence<M...>) {
            return Operation::of(Node<A...>::template argument_at<M, V, B, N>(data, k, i)...);
        }
        (typename Node<A...>::ArgumentIndices());
    }
    static constexpr void describe(Token*& to) {
        Node<A...>::describe_as(
            {Token::Kind::apply, sizeof...(A), ElementType::float32, Operation::text}, to);
    }
};

// x . y of an entity's vectors, the first components first; of numbers their product.
template <class A, class B>
struct Dot : Node<A, B>, ExpressionNode {
    using Base = Node<A, B>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight && B::takes_eight, needs_dimension = true;

    template <class V, int F, int N, class Data>
    static V at(const Data& data, int, Index i) {
        V sum = Base::template argument_at<0, V, F, N>(data, 0, i) *
                Base::template argument_at<1, V, F, N>(data, 0, i);
        for (int k = 1; k < Data::dimension; ++k)
            sum = sum + Base::template argument_at<0, V, F, N>(data, k, i) *
                            Base::template argument_at<1, V, F, N>(data, k, i);
        return sum;
    }
    static constexpr void describe(Token*& to) { Base::describe_as({Token::Kind::dot}, to); }
    bool is_vector() const { return false; }
};

// x . x.
template <class A>
struct Square : Node<A>, ExpressionNode {
    using Base = Node<A>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight, needs_dimension = true;

    template <class V, int F, int N, class Data>
    static V at(const Data& data, int, Index i) {
        const V first = Base::template argument_at<0, V, F, N>(data, 0, i);
        V sum = first * first;
        for (int k = 1; k < Data::dimension; ++k) {
            const V x = Base::template argument_at<0, V, F, N>(data, k, i);
            sum = sum + x * x;
        }
        return sum;
    }
    static constexpr void describe(Token*& to) { Base::describe_as({Token::Kind::square}, to); }
    bool is_vector() const { return false; }
};

}  // namespace solenoid::expression
