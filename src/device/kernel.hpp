// What the build step knows of a kernel (shaders/NAME.glsl), and one launch of it. See
// docs/kernels.md.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/reproducible.hpp"
#include "device/buffer.hpp"
#include "device/device_sums.hpp"
#include "device/gathered.hpp"

namespace solenoid {

enum class Access { in, out, inout };
// vec: `dimension` reals; single: a float whatever a real is; reduced: Reduced<real>
enum class ValueType { uint, real, vec, single, reduced };
enum class Reduction { sum, min, max };

struct KernelArgument {
    std::string_view name;
    Access access;
    ValueType type;
    // Shape: single value an entity (columns == "" and rows == ""); fixed columns, an expression
    // such as "4" or "FACES_PER_CELL"; or the name of the ROWS argument whose slices it follows.
    std::string_view columns;
    std::string_view rows;
    // a ROWS argument: 2 columns of uint, first entry and number of entries
    bool is_row_table = false;
    bool is_output_again = false;    // of an expression: read under the output's name, not bound
    bool or_one = false;             // a vec that may be bound to one column: all its components
    std::string_view entities = "";  // of a GATHER argument: "cells", "rows", ...
    Reach reach = Reach::own;        // of a GATHER argument
};
struct KernelUniform {
    std::string_view name;
    ValueType type;  // uint or real
};
struct KernelReduction {
    std::string_view name;
    Reduction operation;
};

// data: each argument's first column; pitch: from column to column, 0 where an argument has one
// number an entity.
using CpuFunction = void (*)(const void* const* data, const std::size_t* pitch,
                             const double* uniforms, Range range, double* reductions);

struct KernelInfo {
    std::string_view name;
    std::string_view body;   // the text between the braces of VALUE or UPDATE
    int body_line;           // line of the kernel file where the body starts
    std::string_view index;  // the name of the entity number in the body
    // VALUE(type, i): the body returns the value of the argument "value"
    bool returns_value;
    std::span<const KernelArgument> arguments;
    std::span<const KernelUniform> uniforms;
    std::span<const KernelReduction> reductions;
    bool needs_dimension;
    CpuFunction cpu[2][2];  // [double?][3D?]
    bool is_expression = false;
    // the module with this kernel for the CUDA device; "" where the build had no clang
    const char* ptx = nullptr;
    bool adds_rows = false;  // by ADD_ROW: on GPUs several invocations may share a row
    // of a kernel with reductions: sums packed (core/binned_sum.hpp), a place for each reduction
    CpuFunction binned[2][2] = {};
};

inline constexpr int max_buffers = 12;
inline constexpr int max_uniforms = 8;
inline constexpr int max_reductions = 4;

// A kernel with its buffers and uniforms bound: made by the generated argument structs only.
struct Launch {
    const KernelInfo* kernel;
    ElementType real;  // float32 or float64: the type of `real` in this launch
    int dimension;     // 2 or 3 (3 where the kernel does not use it)
    std::array<Storage*, max_buffers> buffers{};
    std::array<double, max_uniforms> uniforms{};
    // what the device computes a uniform of, where that has sums
    std::array<RatioOfSums, max_uniforms> ratios{};
    std::array<int, max_buffers> first_column{};
    std::array<int, max_buffers> columns{};           // from the first on; 0: all
    std::array<const Ghosts*, max_buffers> ghosts{};  // of fields, and of vectors gathered
    std::array<FieldGhosts*, max_buffers> written{};  // fields among the outputs

    template <class A>
    void bind(std::size_t n, const A& argument) {
        buffers[n] = argument.storage;
        first_column[n] = argument.first_column;
        columns[n] = argument.columns;
        if constexpr (requires { argument.ghosts; }) ghosts[n] = argument.ghosts;
        if constexpr (requires { argument.field; }) written[n] = argument.field;
    }
    template <class U>
    void set(std::size_t n, const U& uniform) {
        uniforms[n] = uniform.value;
        ratios[n] = uniform.ratio;
    }
};

namespace expression {
template <class T>
struct Field;
template <class T>
struct Column;
}  // namespace expression

// Typed arguments: buffers, or one column of one (column(u, k) of device/expression.hpp), fields,
// or Gathered. None has a default constructor: an argument left out does not compile.
template <class T>
struct In {
    In(const Buffer<T>& buffer) : storage(&buffer.storage()), columns(buffer.columns()) {}
    In(const expression::Field<T>& column)
        : storage(column.storage), first_column(column.first_column), columns(column.columns) {}
    template <HasGhosts Field>
    In(const Field& field) : In(field.values()) {
        ghosts = &field;
    }
    Storage* storage;
    int first_column = 0, columns;
    const Ghosts* ghosts = nullptr;  // of a field
};
template <class T>
struct Out {
    Out(Buffer<T>& buffer) : storage(&buffer.storage()), columns(buffer.columns()) {}
    Out(const expression::Column<T>& column)
        : storage(column.storage), first_column(column.first_column), columns(column.columns) {}
    // Counts as written when the launch runs.
    template <HasGhosts Field>
    Out(Field& field)
        : storage(&field.values().storage()), columns(field.columns()), field(&field) {}
    Storage* storage;
    int first_column = 0, columns;
    FieldGhosts* field = nullptr;
};
template <class T>
struct Uniform {
    Uniform(T value) : value(value) {}
    Uniform(const RatioOfSums& ratio) : ratio(ratio) {}
    template <class U>
    explicit Uniform(const Uniform<U>& other)
        : value(static_cast<T>(other.value)), ratio(other.ratio) {}
    T value{};
    RatioOfSums ratio;
};
struct Dimension {
    Dimension(int value) : value(value) {}
    int value;
};

// Columns of the buffer that an argument is bound to.
int column_count(const KernelArgument& argument, int dimension);
// One number an entity: no columns, no rows.
inline bool is_single_column(const KernelArgument& argument) {
    return argument.type != ValueType::vec && argument.columns.empty() && !argument.is_row_table;
}
// A launch that breaks the rules of docs/kernels.md (columns, size, an output that is an input, a
// gathered field of other entities) is a logic_error.
void check(const Launch& launch, Range range);

// Whether a launch of it is collective for its sums: in a reproducible run these are added up over
// the ranks.
bool has_sums(const KernelInfo& kernel);

// The reductions of a launch, and who makes it: null where there is no sum among them.
struct Reducing {
    const SummingRanks* ranks = nullptr;
    std::span<double> results = {};
};

// Runs the launch behind the exchanges that its gathered arguments need, the last of them while the
// rows inside are computed, if there are so many that it pays. Fields that it writes are current as
// far as `reach` then. reductions: those of both parts together. Collective where an argument is
// gathered, and where there are sums, over an empty range, too.
void run_launch(Device& device, const Launch& launch, const SplitRange& rows, Reach reach,
                const Reducing& reductions);
// Over the entities of the first field that it writes: those of this rank's cells, where it reduces
// those that this rank owns. std::logic_error where it writes none.
void run_launch(const Launch& launch, const Reducing& reductions);

}  // namespace solenoid
