// What a vector expression such as `star - s * (q - q_before)` is: a tree whose type says which
// loop or shader computes it, and whose values are the buffers and numbers in it. See
// docs/kernels.md, "Expressions".
#pragma once

#include <array>
#include <concepts>
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

struct ExpressionNode {};  // a number, or a vector, an entity

// A buffer, or one column of it.
template <class T>
struct Field : ExpressionNode {
    using Real = T;
    static constexpr int buffers = 1, numbers = 0;
    static constexpr bool takes_eight = true;
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
    template <int B, int N>
    static std::string text(const Shape& shape, int k) {
        return shape.field(B, k);
    }
    static void describe(ValueType* types, ElementType real) {
        *types = element_type<T>() == real ? ValueType::real : ValueType::single;
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
    static constexpr int buffers = 0, numbers = 1;
    static constexpr bool takes_eight = true;
    explicit Number(double value) : value(value) {}

    template <class V, int B, int N, class Data>
    static V at(const Data& data, int, Index) {
        return V(data.number[N]);
    }
    template <int B, int N>
    static std::string text(const Shape&, int) {
        return 's' + std::to_string(N);
    }
    static void describe(ValueType*, ElementType) {}
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
                         numbers = numbers_before<A...>(sizeof...(A));
    using ArgumentIndices = std::index_sequence_for<A...>;
    explicit Node(const A&... arguments) : arguments(arguments...) {}

    template <std::size_t M, class V, int B, int N, class Data>
    static auto argument_at(const Data& data, int k, Index i) {
        using Argument = std::tuple_element_t<M, std::tuple<A...>>;
        return Argument::template at<V, B + buffers_before<A...>(M), N + numbers_before<A...>(M)>(
            data, k, i);
    }
    template <std::size_t M, int B, int N>
    static std::string argument_text(const Shape& shape, int k) {
        using Argument = std::tuple_element_t<M, std::tuple<A...>>;
        return Argument::template text<B + buffers_before<A...>(M), N + numbers_before<A...>(M)>(
            shape, k);
    }
    static void describe(ValueType* types, ElementType real) {
        ((A::describe(types, real), types += A::buffers), ...);
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
    template <int B, int N>
    static std::string text(const Shape& shape, int k) {
        return [&]<std::size_t... M>(std::index_sequence<M...>) {
            return Operation::text(Node<A...>::template argument_text<M, B, N>(shape, k)...);
        }
        (typename Node<A...>::ArgumentIndices());
    }
};

template <class Product>
std::string sum_of_products(const Shape& shape, const Product& product) {
    std::string sum = product(0);
    for (int k = 1; k < shape.dimension; ++k) sum = '(' + sum + " + " + product(k) + ')';
    return sum;
}

// x . y of an entity's vectors, the first components first; of numbers their product.
template <class A, class B>
struct Dot : Node<A, B>, ExpressionNode {
    using Base = Node<A, B>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight && B::takes_eight;

    template <class V, int F, int N, class Data>
    static V at(const Data& data, int, Index i) {
        V sum = Base::template argument_at<0, V, F, N>(data, 0, i) *
                Base::template argument_at<1, V, F, N>(data, 0, i);
        for (int k = 1; k < Data::dimension; ++k)
            sum = sum + Base::template argument_at<0, V, F, N>(data, k, i) *
                            Base::template argument_at<1, V, F, N>(data, k, i);
        return sum;
    }
    template <int F, int N>
    static std::string text(const Shape& shape, int) {
        return sum_of_products(shape, [&](int k) {
            return '(' + Base::template argument_text<0, F, N>(shape, k) + " * " +
                   Base::template argument_text<1, F, N>(shape, k) + ')';
        });
    }
    bool is_vector() const { return false; }
};

// x . x.
template <class A>
struct Square : Node<A>, ExpressionNode {
    using Base = Node<A>;
    using Base::Base;
    static constexpr bool takes_eight = A::takes_eight;

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
    template <int F, int N>
    static std::string text(const Shape& shape, int) {
        return sum_of_products(shape, [&](int k) {
            const std::string x = Base::template argument_text<0, F, N>(shape, k);
            return '(' + x + " * " + x + ')';
        });
    }
    bool is_vector() const { return false; }
};

}  // namespace solenoid::expression
