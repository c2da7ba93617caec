// Vector expressions over the buffers of a device, one kernel each:
//
//     const Over cells(device, mesh.range(Kind::cell).owned_range());
//     cells[u] = star - s * (q - q_before);        // entity by entity, component by component
//     cells[column(u, 0)] += dt * f;
//     const double rz = cells.dot(r, z);           // the sum of this rank, accumulated in double
//     const auto [xx, most] = cells.reduce(sum(product(x, x)), greatest(abs(x)));
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
    template <class... R>
    std::array<double, sizeof...(R)> reduce(const R&... r) const;
    template <expression::IsField A>
    double sum(const A& a) const {
        return reduce(solenoid::sum(a))[0];
    }
    template <expression::IsAccumulator A>
    double sum(const A& a) const {
        return reduce(solenoid::sum(a))[0];
    }
    template <expression::IsField A>
    double greatest(const A& a) const {
        return reduce(solenoid::greatest(a))[0];
    }
    // x . y of numbers, their products not rounded.
    template <expression::IsField A, expression::IsField B>
    double dot(const A& x, const B& y) const {
        return sum(product(x, y));
    }

  private:
    template <class T, class E>
    void assign(const expression::Field<T>& y, FieldGhosts* field, const E& e) const;

    Device* device_;
    Range range_;
    Reach reach_;
};

namespace expression {

template <class E>
std::string assignment_text() {
    return "y = " + E::template text<0, 0>({}, 0);
}

// The body of y = E.
template <class E>
ExpressionProgram assignment(const Shape& shape, ElementType real, ElementType written) {
    ExpressionProgram program{.formula = assignment_text<E>(),
                              .buffers = E::buffers,
                              .numbers = E::numbers,
                              .is_assignment = true};
    E::describe(program.types.data(), real);
    program.output = written == real ? ValueType::real : ValueType::single;
    int count = 0;
    std::string value;
    for (int k = 0; k < (shape.has_vector_output ? shape.dimension : 1); ++k)
        value += (k ? ", " : "") + declared(program.body, count, E::template text<0, 0>(shape, k));
    const std::string type = shape.has_vector_output               ? "vec"
                             : program.output == ValueType::single ? "single"
                                                                   : "";
    program.body += "    y_new = " + type + '(' + value + ");\n";
    return program;
}

template <class... R>
std::string reductions_text(const Shape& shape) {
    std::string body;
    int count = 0, place = 0;
    [&]<std::size_t... M>(std::index_sequence<M...>) {
        const auto add = [&](const std::string& value) {
            body += "    r" + std::to_string(place++) + " = " + value + ";\n";
        };
        (add(R::template text<buffers_before<R...>(M), numbers_before<R...>(M)>(shape, body,
                                                                                count)),
         ...);
    }
    (std::index_sequence_for<R...>());
    return body;
}

template <class... R>
std::string formula_of_reductions() {
    return reductions_text<R...>({});
}

}  // namespace expression

template <class T, class E>
void Over::assign(const expression::Field<T>& y, FieldGhosts* field, const E& e) const {
    using namespace expression;
    using Real = std::common_type_t<T, typename E::Real>;
    static_assert(E::buffers + 1 <= max_buffers && E::numbers <= max_uniforms,
                  "too long for one kernel");
    Operands operands;
    e.bind(operands);
    const Output output{y.storage, y.first_column, y.columns};
    static Kernels kernels;
    const Shape shape = shape_of(operands, e.is_vector(), &output, range_, assignment_text<E>);
    const KernelInfo& kernel = kernels.of(shape, [&] {
        ExpressionProgram program = assignment<E>(shape, element_type<Real>(), element_type<T>());
        constexpr CpuFunction loops[] = {expression::assign<E, Real, T, 1>,
                                         expression::assign<E, Real, T, 2>,
                                         expression::assign<E, Real, T, 3>};
        program.cpu = loops[shape.dimension - 1];
        return program;
    });
    Launch launch = bound(kernel, shape, element_type<Real>(), operands, &output);
    launch.written[0] = field;
    run_launch(*device_, launch, SplitRange(range_), reach_, {});
}

template <class... R>
std::array<double, sizeof...(R)> Over::reduce(const R&... r) const {
    using namespace expression;
    using All = Node<R...>;
    using Real = typename All::Real;
    static_assert(All::buffers <= max_buffers && All::numbers <= max_uniforms &&
                      sizeof...(R) <= max_reductions,
                  "too long for one kernel");
    Operands operands;
    (r.bind(operands), ...);
    static Kernels kernels;
    const Shape shape =
        shape_of(operands, (r.is_vector() || ...), nullptr, range_, formula_of_reductions<R...>);
    const KernelInfo& kernel = kernels.of(shape, [&] {
        ExpressionProgram program{.formula = formula_of_reductions<R...>(),
                                  .buffers = All::buffers,
                                  .numbers = All::numbers,
                                  .reductions = {R::operation...}};
        All::describe(program.types.data(), element_type<Real>());
        program.body = reductions_text<R...>(shape);
        constexpr CpuFunction loops[] = {expression::reduce<Lanes, Real, 1, R...>,
                                         expression::reduce<Lanes, Real, 2, R...>,
                                         expression::reduce<Lanes, Real, 3, R...>};
        constexpr CpuFunction binned[] = {expression::reduce<BinnedLanes, Real, 1, R...>,
                                          expression::reduce<BinnedLanes, Real, 2, R...>,
                                          expression::reduce<BinnedLanes, Real, 3, R...>};
        program.cpu = loops[shape.dimension - 1];
        program.binned = binned[shape.dimension - 1];
        return program;
    });
    std::array<double, sizeof...(R)> results{};
    run_launch(*device_, bound(kernel, shape, element_type<Real>(), operands, nullptr),
               SplitRange(range_), reach_, results);
    return results;
}

}  // namespace solenoid
