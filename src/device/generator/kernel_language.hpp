// The declarations of a kernel file (docs/kernels.md), parsed.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace solenoid::kernel_language {

struct Argument {
    std::string access;  // "in", "out", "inout"
    std::string type;    // "uint", "real", "vec", "single", "reduced"
    std::string name;
    std::string columns;  // "" or an expression
    std::string rows;     // "" or the ROWS argument that it follows
    bool is_row_table = false;
    bool is_zero_padded = false;  // of a row table: its padding may be read, zeros at some entity
    bool is_near = false;         // columns of such rows: the CPU keeps them as NearColumns
    bool or_one = false;          // a vec that may be bound to one column: all its components
    std::string entities = {};    // of GATHER: what it is of; "" of others
    std::string reach = {};       // of GATHER: "closure" or "halo"
    bool is_table = false;        // of TABLE: read at any entry
};
struct Uniform {
    std::string type, name;
};
struct Reduce {
    std::string operation, name;
    int component = 0;  // that it is of: the last of three is none where there are two
};

struct Kernel {
    std::string name;
    std::string file;     // it stands in shaders/FILE.glsl
    std::string comment;  // the lines above KERNEL
    std::vector<Argument> arguments;
    std::vector<Uniform> uniforms;
    std::vector<Reduce> reductions;
    bool returns_value = false;
    std::string value_type;  // of VALUE
    std::string index;       // name of the entity number
    std::string body;        // between the outermost braces
    int body_line = 0;
    bool needs_dimension = false;
    // of vectors of a `quantity`: launched with dimension 1 it is scalar_NAME
    bool takes_one = false;
    // by ADD_ROW, which all invocations reach: on GPUs several may share a row
    // (device/row_lanes.hpp)
    bool adds_rows = false;
    // the CPU computes eight entities at a time: zero-padded rows, or elementwise sums and
    // quotients
    bool takes_eight = false;
};

// Error of a kernel file: "divergence.glsl:12: ..."
struct SyntaxError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The text of an included file by its name; throws std::runtime_error where there is none.
using Includes = std::function<std::string(const std::string& name)>;

// file: name for messages; text: the whole file. A kernel of the type `quantity` is two: NAME for
// vectors and scalar_NAME for numbers.
std::vector<Kernel> parse(const std::string& file, const std::string& text,
                          const Includes& includes = {});

// Whether a kernel calls exp, log or pow.
bool calls_functions(const Kernel& kernel);

// "cell_volume" -> "CellVolume".
std::string type_name(const std::string& kernel_name);

}  // namespace solenoid::kernel_language
