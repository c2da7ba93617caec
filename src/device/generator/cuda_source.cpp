#include "cuda_source.hpp"

#include <algorithm>
#include <sstream>

namespace solenoid::kernel_language {
namespace {

std::string element_of(const Argument& a) {
    return a.type == "vec" ? "real" : a.type == "reduced" ? "Reduced<real>" : a.type;
}

std::string rows_accessor(const Argument& a) {
    const std::string data = a.name + "_data", pitch = a.name + "_pitch";
    return "    const uint* " + data + ";\n    Size " + pitch + ";\n    uint " + a.name +
           "_count(uint i) const { return " + data + "[" + pitch + " + i]; }\n    Size " + a.name +
           "_place(uint i, uint j) const { return Size(" + data +
           "[i]) + Size(j) * row_stride; }\n";
}

// The members of an argument, and the function that reads it.
std::string accessor(const Argument& a) {
    if (a.is_row_table) return rows_accessor(a);
    const std::string data = a.name + "_data", pitch = a.name + "_pitch";
    std::ostringstream out;
    out << "    " << (a.access == "in" ? "const " : "") << element_of(a) << "* " << data
        << ";\n    Size " << pitch << ";\n";
    if (a.access == "out") return out.str();
    const bool has_entries = !a.columns.empty() || !a.rows.empty();
    std::string at = "i";
    if (!a.columns.empty())
        at = (a.type == "vec" ? "Size(j) * DIMENSION * " : "Size(j) * ") + pitch + " + i";
    if (!a.rows.empty()) at = a.rows + "_place(i, j)";
    const std::string value =
        a.type == "vec" ? "vec::of([&](int k) { return " + data + "[k * " + pitch + " + at]; })"
        : a.type == "reduced" ? "single(" + data + "[at])"
                              : data + "[at]";
    out << "    " << (a.type == "reduced" ? "single" : a.type) << " " << a.name
        << (has_entries ? "(uint i, uint j)" : "(uint i)")
        << " const {\n        const Size at = " << at << ";\n        return " << value
        << ";\n    }\n";
    return out.str();
}

std::string functor(const Kernel& k) {
    std::ostringstream out;
    out << "template <class real, int DIMENSION>\nstruct " << type_name(k.name)
        << "Body {\n    SOLENOID_KERNEL_PROLOGUE\n";
    for (const Argument& a : k.arguments) out << accessor(a);
    for (const Uniform& u : k.uniforms) out << "    " << u.type << " " << u.name << ";\n";
    out << "    " << (k.returns_value ? k.value_type : "void")
        << " operator()([[maybe_unused]] uint " << k.index;
    for (const Argument& a : k.arguments)
        if (a.access != "in" && !k.returns_value) out << ", " << a.type << "& " << a.name << "_new";
    for (const Reduce& r : k.reductions)
        out << ", " << (r.operation == "sum" ? "accumulator" : "real") << "& " << r.name;
    if (k.adds_rows) out << ", uint lane, uint lanes";
    out << ") const {\n#line " << k.body_line << " \"shaders/" << k.file << ".glsl\"\n"
        << k.body << "    }\n};\n\n";
    return out.str();
}

std::string members(const Kernel& k) {
    std::string text;
    for (std::size_t n = 0; n < k.arguments.size(); ++n) {
        const Argument& a = k.arguments[n];
        const std::string number = std::to_string(n);
        text += std::string(n ? ", " : "") + "static_cast<" + (a.access == "in" ? "const " : "") +
                element_of(a) + "*>(a.data[" + number + "]), a.pitch[" + number + "]";
    }
    for (std::size_t n = 0; n < k.uniforms.size(); ++n)
        text +=
            ", static_cast<" + k.uniforms[n].type + ">(uniform_of(a, " + std::to_string(n) + "))";
    return text;
}

// Of entity i: call the functor, store what it gives, add to the totals.
std::string entity_step(const Kernel& k) {
    std::ostringstream out;
    std::string references;
    for (const Argument& a : k.arguments) {
        if (a.access == "in" || k.returns_value) continue;
        out << "            " << (a.type == "uint" ? "" : "typename Body::")
            << (a.type == "real" ? "scalar" : a.type) << " " << a.name << "_new{};\n";
        references += ", " + a.name + "_new";
    }
    for (const Reduce& r : k.reductions) {
        out << "            typename Body::" << (r.operation == "sum" ? "accumulator " : "scalar ")
            << r.name << "{};\n";
        references += ", " + r.name;
    }
    out << "            " << (k.returns_value ? "const auto value_new = " : "") << "body(i"
        << references << (k.adds_rows ? ", lane, lanes" : "") << ");\n";
    if (k.adds_rows) out << "            if (lane == 0) {\n";
    for (const Argument& a : k.arguments) {
        if (a.access == "in") continue;
        if (a.type == "vec")
            out << "            for (int k = 0; k < DIMENSION; ++k) body." << a.name
                << "_data[k * body." << a.name << "_pitch + i] = " << a.name << "_new[k];\n";
        else
            out << "            body." << a.name << "_data[i] = " << a.name << "_new;\n";
    }
    if (!k.reductions.empty()) out << "            if constexpr (keeps_each) {\n";
    for (std::size_t n = 0; n < k.reductions.size(); ++n)
        out << "                each[" << n << " * Size(a.end - a.begin) + (i - a.begin)] = double("
            << k.reductions[n].name << ");\n";
    if (!k.reductions.empty()) out << "            } else {\n";
    for (const Reduce& r : k.reductions)
        out << "                " << (r.component == 2 ? "if constexpr (DIMENSION > 2) " : "")
            << r.name << "_total = combine(reduce_" << r.operation << ", " << r.name
            << "_total, double(" << r.name << "));\n";
    if (!k.reductions.empty()) out << "            }\n";
    if (k.adds_rows) out << "            }\n";
    return out.str();
}

// The thread's first entity, and its lane where several share one.
std::string first_entity(const Kernel& k) {
    const std::string item = "block_index() * group_size + thread";
    if (!k.adds_rows) return "        const uint first = a.begin + " + item + ";\n";
    return "        const uint item = " + item +
           ", lanes = 1u << a.lane_bits, lane = item & (lanes - 1), first = a.begin + (item >> "
           "a.lane_bits);\n";
}

// keeps_each: what each entity gives to the reductions is kept, and nothing added up.
std::string block_of_threads(const Kernel& k) {
    std::ostringstream out;
    out << "template <class real, int DIMENSION"
        << (k.reductions.empty() ? "" : ", bool keeps_each") << ">\nSOLENOID_INLINED void "
        << k.name << "_block(const Arguments& a) {\n    using Body = " << type_name(k.name)
        << "Body<real, DIMENSION>;\n    const Body body{" << members(k) << "};\n";
    if (k.reductions.empty()) {
        out << "    EACH_THREAD(thread) {\n"
            << first_entity(k) << "        if (const uint i = first; i < a.end) {\n"
            << entity_step(k) << "        }\n    }\n}\n\n";
        return out.str();
    }
    std::string operations = "0";
    out << "    [[maybe_unused]] double* const each = a.reducing.each;\n"
           "    [[maybe_unused]] Tree& tree = group_tree();\n    EACH_THREAD(thread) {\n";
    for (const Reduce& r : k.reductions)
        out << "        [[maybe_unused]] double " << r.name << "_total = identity_of(reduce_"
            << r.operation << ");\n";
    const std::string stride =
        std::string("block_count() * group_size") + (k.adds_rows ? " >> a.lane_bits" : "");
    out << first_entity(k) << "        for (uint i = first; i < a.end; i += " << stride << ") {\n"
        << entity_step(k) << "        }\n";
    out << "        if constexpr (!keeps_each) {\n";
    for (std::size_t n = 0; n < k.reductions.size(); ++n) {
        out << "            tree[" << n << "][thread] = " << k.reductions[n].name << "_total;\n";
        operations += " | reduce_" + k.reductions[n].operation + " << " + std::to_string(2 * n);
    }
    out << "        }\n    }\n    if constexpr (!keeps_each) finish_reductions("
        << k.reductions.size() << ", " << operations << ", a.reducing);\n}\n\n";
    return out.str();
}

}  // namespace

std::string cuda_source(const std::vector<Kernel>& kernels) {
    std::ostringstream out;
    const bool has_functions = std::any_of(kernels.begin(), kernels.end(), calls_functions);
    out << "// Written by kernel_generator from shaders/*.glsl; do not edit.\n#include "
           "\"device/cuda/arguments.hpp\"\n#include \"prologue.cuda.hpp\"\n"
        << (has_functions ? "#include \"device/cuda/functions.hpp\"\n" : "")
        << "\nnamespace solenoid::cuda {\nnamespace {\n\n";
    for (const Kernel& k : kernels) out << functor(k) << block_of_threads(k);
    out << "}  // namespace\n}  // namespace solenoid::cuda\n\nusing solenoid::cuda::Arguments;\n";
    for (const Kernel& k : kernels)
        for (const char* real : {"float", "double"})
            for (const int dimension : {2, 3})
                for (const bool keeps_each : {false, true}) {
                    if (dimension == 2 && !k.needs_dimension) continue;
                    if (keeps_each && k.reductions.empty()) continue;
                    out << "SOLENOID_ENTRY(" << k.name << "_" << real << "_" << dimension
                        << (keeps_each ? "_each" : "")
                        << ", Arguments) { solenoid::cuda::" << k.name << "_block<" << real << ", "
                        << dimension
                        << (k.reductions.empty() ? ""
                            : keeps_each         ? ", true"
                                                 : ", false")
                        << ">(arguments); }\n";
                }
    return out.str();
}

}  // namespace solenoid::kernel_language
