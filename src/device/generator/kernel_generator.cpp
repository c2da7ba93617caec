// Build step: reads kernel files and writes the typed host side of them.
//   kernel_generator NAMESPACE OUTPUT_STEM FILE.glsl...   writes OUTPUT_STEM.hpp,
//       OUTPUT_STEM.cpp, OUTPUT_STEM_FILE.cpp and
//   OUTPUT_STEM_FILE.cuda.cpp
// For each kernel: the argument struct, the loop for the CPU and the KernelInfo that the OpenGL
// devices work from.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cuda_source.hpp"

namespace {

using namespace solenoid::kernel_language;

std::string host_type(const std::string& type) {
    return type == "uint"      ? "std::uint32_t"
           : type == "single"  ? "float"
           : type == "reduced" ? "Reduced<Real>"
                               : "Real";
}
// What a buffer of the type holds, in the loop for the CPU.
std::string element_of(const std::string& type) {
    return type == "uint" || type == "single" ? type : type == "reduced" ? "Reduced<real>" : "real";
}

// ---- the header: one struct of typed arguments a kernel

std::string member(const Argument& a) {
    const std::string wrapper = a.access != "in" ? "Out" : a.entities.empty() ? "In" : "Gathered";
    return "    " + wrapper + "<" + host_type(a.type) + "> " + a.name + ";\n";
}

bool has_sums(const Kernel& k) {
    return std::ranges::any_of(k.reductions, [](const Reduce& r) { return r.operation == "sum"; });
}

std::string declare(const Kernel& k) {
    std::ostringstream out;
    out << k.comment << "template <class Real>\nstruct " << type_name(k.name) << " {\n";
    if (k.needs_dimension) out << "    Dimension dimension;\n";
    for (const Argument& a : k.arguments) out << member(a);
    for (const Uniform& u : k.uniforms)
        out << "    Uniform<" << host_type(u.type) << "> " << u.name << ";\n";
    const std::string result = k.reductions.empty() ? "void" : "Result";
    // of a launch with sums, which is collective
    const std::string ranks = has_sums(k) ? "const SummingRanks& ranks" : "",
                      ranks_and = has_sums(k) ? ranks + ", " : "",
                      pass = has_sums(k) ? "ranks, " : "";
    if (!k.reductions.empty()) {
        out << "    struct Result {\n";
        for (const Reduce& r : k.reductions) out << "        double " << r.name << ";\n";
        out << "    };\n";
    }
    const bool has_outputs = std::any_of(k.arguments.begin(), k.arguments.end(),
                                         [](const Argument& a) { return a.access != "in"; });
    if (has_outputs)
        out << "    // Over the entities of the field that it writes (run_launch).\n    " << result
            << " run(" << ranks << ") const;\n";
    out << "    " << result << " run(" << ranks_and << "const Entities& entities) const;\n    "
        << result << " run(" << ranks_and
        << "Device& device, const SplitRange& rows) const {\n        return run(" << pass
        << "{device, rows, Reach::own});\n    }\n    " << result << " run(" << ranks_and
        << "Device& device, Range range) const {\n        return run(" << pass
        << "device, SplitRange(range));\n    }\n";
    if (!k.reductions.empty())
        out << "    // Without waiting: the result when it is asked for.\n"
            << "    class Pending : public PendingLaunch {\n      public:\n        using "
               "PendingLaunch::PendingLaunch;\n        Result get();\n    };\n"
            << "    Pending start(" << ranks_and
            << "Device& device, const SplitRange& rows) const;\n    Pending start(" << ranks_and
            << "Device& device, Range range) const {\n        return start(" << pass
            << "device, SplitRange(range));\n    }\n";
    out << "    Launch bound() const;\n";
    out << "};\nconst KernelInfo& " << k.name << "_info();\n\n";
    return out.str();
}

std::string header(const std::string& space, const std::vector<Kernel>& kernels) {
    std::ostringstream out;
    out << "// Written by kernel_generator from shaders/*.glsl; do not edit.\n#pragma once\n\n"
        << "#include \"device/device.hpp\"\n\nnamespace solenoid::" << space << " {\n\n";
    for (const Kernel& k : kernels) out << declare(k);
    out << "std::span<const KernelInfo* const> all();\n\n}  // namespace solenoid::" << space
        << "\n";
    return out.str();
}

// ---- the source: the body as a C++ functor

// A ROWS argument: the entries of a row, and where they lie. Of zero-padded rows (SellLayout) the
// table has a place for each eight of them, and an entry of each is an `eight`.
std::string row_accessor(const Argument& a) {
    const std::string data = a.name + "_data", pitch = a.name + "_pitch",
                      at = a.is_zero_padded ? "i / cpu_row_stride" : "i";
    std::ostringstream out;
    out << "    const uint* " << data << ";\n    std::size_t " << pitch << ";\n    uint " << a.name
        << "_count(uint i) const { return " << data << "[" << pitch << " + " << at << "]; }\n";
    const auto member = [&](const char* name, const std::string& value) {
        out << "    std::size_t " << a.name << name << "(uint i, uint j) const { return " << value
            << "; }\n";
    };
    const std::string start = "std::size_t(" + data + "[" + at + "]) + ";
    if (a.is_zero_padded) {
        member("_eight", start + "j");
        member("_place", a.name + "_eight(i, j) * cpu_row_stride + i % cpu_row_stride");
    } else {
        member("_place", start + "std::size_t(j) * cpu_row_stride");
    }
    return out.str();
}

// Columns of zero-padded rows: an entry of each eight.
std::string near_columns(const Argument& a) {
    return "reinterpret_cast<const NearColumns*>(" + a.name + "_data)[" + a.rows + "_eight(i, j)]";
}

std::string accessor(const Argument& a) {
    if (a.is_row_table) return row_accessor(a);
    const std::string data = a.name + "_data", pitch = a.name + "_pitch";
    std::ostringstream out;
    const std::string element = element_of(a.type);
    out << "    " << (a.access == "in" ? "const " : "") << element << "* " << data
        << ";\n    std::size_t " << pitch << ";\n";
    if (a.access == "out") return out.str();
    std::string entity = "uint i", first = "i";
    if (!a.columns.empty()) {
        entity = "uint i, uint j";
        first = "j * " + pitch + " + i";
    } else if (!a.rows.empty()) {
        entity = "uint i, uint j";
        first = a.rows + "_place(i, j)";
    }
    if (a.is_near) {
        out << "    uint " << a.name << "(uint i, uint j) const { return " << near_columns(a)
            << "[i % cpu_row_stride]; }\n";
    } else if (a.type == "vec") {
        if (!a.columns.empty()) first = "j * DIMENSION * " + pitch + " + i";
        out << "    vec " << a.name << "(" << entity
            << ") const {\n        vec v;\n        const std::size_t at = " << first
            << ";\n        for (int k = 0; k < DIMENSION; ++k) v[k] = " << data << "[k * " << pitch
            << " + at];\n        return v;\n    }\n";
    } else {
        const std::string value = data + "[" + first + "]";
        out << "    " << (a.type == "reduced" ? "single" : element) << " " << a.name << "("
            << entity << ") const { return "
            << (a.type == "reduced" ? "single(" + value + ")" : value) << "; }\n";
    }
    return out.str();
}

std::string reduction_type(const Reduce& r) {
    return r.operation == "sum" ? "accumulator" : "real";
}

// The same for eight entities, the first of them i: loads of neighbours, or of entities at eight
// places.
std::string accessor_of_eight(const Argument& a) {
    if (a.is_row_table) return row_accessor(a);
    const std::string data = a.name + "_data", pitch = a.name + "_pitch";
    const std::string element = a.type == "real" || a.type == "vec" ? "element"
                                : a.type == "single"                ? "float"
                                : a.type == "reduced"               ? "Reduced<element>"
                                                                    : a.type;
    std::ostringstream out;
    out << "    " << (a.access == "in" ? "const " : "") << element << "* " << data
        << ";\n    std::size_t " << pitch << ";\n";
    if (a.access == "out") return out.str();
    const std::string result = a.type == "real" ? "real" : "single";
    const auto read = [&](const std::string& parameters, const std::string& values) {
        out << "    " << result << " " << a.name << "(" << parameters << ") const { return "
            << values << "; }\n";
    };
    const std::string loaded = "Eight<" + element + ">::load(" + data + " + ";
    if (a.is_near) {
        out << "    const NearColumns& " << a.name << "(uint i, uint j) const { return "
            << near_columns(a) << "; }\n";
    } else if (!a.rows.empty() && a.type == "vec") {
        out << "    vec " << a.name << "(uint i, uint j) const { return vec::load(" << data << " + "
            << a.rows << "_place(i, j), " << pitch << "); }\n";
    } else if (!a.rows.empty()) {
        read("uint i, uint j", loaded + a.rows + "_place(i, j))");
    } else if (a.type == "vec") {
        out << "    vec " << a.name << "(uint i) const { return vec::load(" << data << " + i, "
            << pitch << "); }\n"
            << "    vec " << a.name << "(const NearColumns& where) const { return vec::gathered("
            << data << ", " << pitch << ", where); }\n";
    } else {
        read("uint i", loaded + "i)");
        read("const NearColumns& where", "Eight<" + element + ">::gathered(" + data + ", where)");
    }
    return out.str();
}

// eight: the functor of eight entities at a time.
std::string functor(const Kernel& k, bool eight) {
    std::ostringstream out;
    if (eight)
        out << "template <class element, int DIMENSION>\nstruct " << type_name(k.name)
            << "OfEight {\n    SOLENOID_EIGHT_PROLOGUE\n";
    else
        out << "template <class real, int DIMENSION>\nstruct " << type_name(k.name)
            << "Body {\n    SOLENOID_KERNEL_PROLOGUE\n";
    for (const Argument& a : k.arguments) out << (eight ? accessor_of_eight(a) : accessor(a));
    for (const Uniform& u : k.uniforms) out << "    " << u.type << " " << u.name << ";\n";
    out << "    " << (k.returns_value ? k.value_type : "void")
        << " operator()([[maybe_unused]] uint " << k.index;
    if (!k.returns_value)
        for (const Argument& a : k.arguments)
            if (a.access != "in") out << ", " << a.type << "& " << a.name << "_new";
    for (const Reduce& r : k.reductions) out << ", " << reduction_type(r) << "& " << r.name;
    out << ") const {\n#line " << k.body_line << " \"shaders/" << k.file << ".glsl\"\n"
        << k.body << "    }\n};\n\n";
    return out.str();
}

// functor: the type that it is named in.
std::string output_type(const Argument& a, const std::string& functor) {
    if (a.type == "uint") return a.type;
    return functor + (a.type == "real" ? "scalar" : a.type);
}

// One entity, or eight: call the functor, store what it gives.
std::string entity_step(const Kernel& k, bool eight) {
    std::ostringstream out;
    const std::string body = eight ? "eight" : "body",
                      type = eight ? "typename OfEight::" : "typename Body::";
    std::string references;
    for (const Argument& a : k.arguments) {
        if (a.access == "in" || k.returns_value) continue;
        out << "        " << output_type(a, type) << " " << a.name << "_new{};\n";
        references += ", " + a.name + "_new";
    }
    for (const Reduce& r : k.reductions) {
        out << "        " << type << (r.operation == "sum" ? "accumulator " : "scalar ") << r.name
            << "{};\n";
        references += ", " + r.name;
    }
    out << "        " << (k.returns_value ? "const auto value_new = " : "") << body << "(i"
        << references << ");\n";
    for (const Argument& a : k.arguments) {
        if (a.access == "in") continue;
        if (eight)
            out << "        " << a.name << "_new.store(eight." << a.name << "_data + i"
                << (a.type == "vec" ? ", eight." + a.name + "_pitch" : "") << ");\n";
        else if (a.type == "vec")
            out << "        for (int k = 0; k < DIMENSION; ++k) body." << a.name
                << "_data[k * body." << a.name << "_pitch + i] = " << a.name << "_new[k];\n";
        else
            out << "        body." << a.name << "_data[i] = " << a.name << "_new;\n";
    }
    for (const Reduce& r : k.reductions)
        out << "        " << (r.component == 2 ? "if constexpr (DIMENSION > 2) " : "") << r.name
            << "_lanes.take(i, " << r.name << (eight ? ".v);\n" : ");\n");
    return out.str();
}

// The functor's members: what the launch hands over.
std::string members(const Kernel& k) {
    std::ostringstream out;
    for (std::size_t n = 0; n < k.arguments.size(); ++n) {
        const Argument& a = k.arguments[n];
        const std::string element = element_of(a.type);
        out << (n ? ", " : "");
        if (a.access == "in")
            out << "static_cast<const " << element << "*>(data[" << n << "])";
        else
            out << "static_cast<" << element << "*>(const_cast<void*>(data[" << n << "]))";
        out << ", pitch[" << n << "]";
    }
    for (std::size_t n = 0; n < k.uniforms.size(); ++n)
        out << ", static_cast<" << k.uniforms[n].type << ">(uniforms[" << n << "])";
    return out.str();
}

std::string loop(const Kernel& k) {
    std::ostringstream out;
    out << "template <class real, int DIMENSION"
        << (k.reductions.empty() ? "" : ", template <Reduction> class Lanes") << ">\nvoid "
        << k.name << "_loop(const void* const* data, const std::size_t* pitch,\n"
        << "    const double* uniforms, Range range, double* reductions) {\n    using Body = "
        << type_name(k.name)
        << "Body<real, DIMENSION>;\n    (void)uniforms;\n    (void)reductions;\n    const Body "
           "body{"
        << members(k) << "};\n";
    for (const Reduce& r : k.reductions)
        out << "    Lanes<Reduction::" << r.operation << "> " << r.name << "_lanes;\n";
    const std::string one = entity_step(k, false);
    if (k.takes_eight) {
        out << "    using OfEight = " << type_name(k.name)
            << "OfEight<real, DIMENSION>;\n    const OfEight eight{" << members(k) << "};\n"
            << "    const auto one_by_one = [&](uint begin, uint end) {\n    for (uint i = begin; "
               "i < end; ++i) {\n"
            << one << "    }\n    };\n"
            << "    const uint first = std::min(range.end, (range.begin + 7) / 8 * 8), last = "
               "std::max(first, range.end / 8 * 8);\n"
            << "    one_by_one(range.begin, first);\n    for (uint i = first; i < last; i += 8) {\n"
            << entity_step(k, true) << "    }\n    one_by_one(last, range.end);\n";
    } else {
        if (k.reductions.empty()) out << "#pragma GCC ivdep\n";
        out << "    for (uint i = range.begin; i < range.end; ++i) {\n" << one << "    }\n";
    }
    for (std::size_t n = 0; n < k.reductions.size(); ++n)
        out << "    " << k.reductions[n].name << "_lanes.write(reductions, " << n << ");\n";
    out << "}\n\n";
    return out.str();
}

std::string access_name(const std::string& access) {
    return "Access::" + (access == "inout" ? std::string("inout") : access);
}

std::string info(const Kernel& k) {
    std::ostringstream out;
    out << "const KernelInfo& " << k.name
        << "_info() {\n    static constexpr std::array<KernelArgument, " << k.arguments.size()
        << "> arguments{{\n";
    for (const Argument& a : k.arguments) {
        out << "        {\"" << a.name << "\", " << access_name(a.access)
            << ", ValueType::" << a.type << ", \"" << a.columns << "\", \"" << a.rows << "\", "
            << (a.is_row_table ? "true" : "false");
        if (a.or_one || !a.entities.empty()) out << ", false, " << (a.or_one ? "true" : "false");
        if (!a.entities.empty()) out << ", \"" << a.entities << "\", Reach::" << a.reach;
        out << "},\n";
    }
    out << "    }};\n    static constexpr std::array<KernelUniform, " << k.uniforms.size()
        << "> uniforms{{\n";
    for (const Uniform& u : k.uniforms)
        out << "        {\"" << u.name << "\", ValueType::" << u.type << "},\n";
    out << "    }};\n    static constexpr std::array<KernelReduction, " << k.reductions.size()
        << "> reductions{{\n";
    for (const Reduce& r : k.reductions)
        out << "        {\"" << r.name << "\", Reduction::" << r.operation << "},\n";
    out << "    }};\n    static const KernelInfo info{\"" << k.name << "\", R\"GLSL(" << k.body
        << ")GLSL\", " << k.body_line << ", \"" << k.index << "\", "
        << (k.returns_value ? "true" : "false") << ", arguments, uniforms, reductions, "
        << (k.needs_dimension ? "true" : "false") << ",\n        ";
    const std::string two = k.needs_dimension ? "2" : "3";
    const auto loops = [&](const std::string& lanes) {
        const auto one = [&](const std::string& real, const std::string& dimension) {
            return k.name + "_loop<" + real + ", " + dimension + lanes + ">";
        };
        return "{{" + one("float", two) + ", " + one("float", "3") + "}, {" + one("double", two) +
               ", " + one("double", "3") + "}}";
    };
    const bool reduces = !k.reductions.empty();
    out << loops(reduces ? ", Lanes" : "") << ", false, " << k.file << "_ptx, "
        << (k.adds_rows ? "true" : "false")
        << (reduces ? ",\n        " + loops(", BinnedLanes") : "") << "};\n    return info;\n}\n\n";
    return out.str();
}

std::string run_functions(const Kernel& k) {
    const std::string name = type_name(k.name), type = name + "<Real>";
    std::ostringstream out;
    const std::string one = "dimension.value == 1 ? ";
    out << "template <class Real>\nLaunch " << type << "::bound() const {\n    Launch launch{"
        << (k.takes_one ? one + "&scalar_" + k.name + "_info() : " : "") << "&" << k.name
        << "_info(), element_type<Real>(), " << (k.takes_one ? one + "3 : " : "")
        << (k.needs_dimension ? "dimension.value" : "3") << ", {}, {}};\n";
    for (std::size_t n = 0; n < k.arguments.size(); ++n)
        out << "    launch.bind(" << n << ", " << k.arguments[n].name << ");\n";
    for (std::size_t n = 0; n < k.uniforms.size(); ++n)
        out << "    launch.set(" << n << ", " << k.uniforms[n].name << ");\n";
    out << "    return launch;\n}\n";
    const std::size_t count = k.reductions.size();
    std::string values;
    for (std::size_t n = 0; n < count; ++n)
        values += (n ? ", " : "") + ("sums[" + std::to_string(n) + "]");
    const std::string ranks = has_sums(k) ? "const SummingRanks& ranks" : "",
                      ranks_and = has_sums(k) ? ranks + ", " : "",
                      pointer = has_sums(k) ? "&ranks" : "nullptr";
    // call: of run_launch, less what takes the reductions
    const auto run = [&](const std::string& parameters, const std::string& call) {
        out << "template <class Real>\n"
            << (count ? "typename " + type + "::Result " : "void ") << type << "::run("
            << parameters << ") const {\n";
        if (count)
            out << "    std::array<double, " << count << "> sums{};\n    run_launch(" << call
                << ", {" << pointer << ", sums});\n    return {" << values << "};\n}\n";
        else
            out << "    run_launch(" << call << ", {});\n}\n";
    };
    if (std::any_of(k.arguments.begin(), k.arguments.end(),
                    [](const Argument& a) { return a.access != "in"; }))
        run(ranks, "bound()");
    run(ranks_and + "const Entities& entities",
        "entities.device, bound(), entities.rows, entities.reach");
    if (count)
        out << "template <class Real>\ntypename " << type << "::Pending " << type << "::start("
            << ranks_and << "Device& device, const SplitRange& rows) const {\n    return Pending("
            << pointer << ", device, bound(), rows);\n}\n"
            << "template <class Real>\ntypename " << type << "::Result " << type
            << "::Pending::get() {\n    const auto sums = PendingLaunch::get();\n    return {"
            << values << "};\n}\n";
    out << "template struct " << name << "<float>;\ntemplate struct " << name << "<double>;\n\n";
    return out.str();
}

// The kernels of one file: a source of its own, so that a change of one does not compile them all.
std::string source(const std::string& space, const std::string& header_name,
                   const std::vector<Kernel>& kernels) {
    std::ostringstream out;
    const bool has_functions = std::any_of(kernels.begin(), kernels.end(), calls_functions);
    out << "// Written by kernel_generator from shaders/*.glsl; do not edit.\n#include \""
        << header_name << "\"\n\n#include \"device/cpu/simd.hpp\"\n"
        << (has_functions ? "#include \"device/cpu/functions.hpp\"\n" : "")
        << "#include \"device/cpu/prologue.hpp\"\n\n#define precise\n\nnamespace solenoid::"
        << space << " {\n\nextern const char " << kernels.front().file
        << "_ptx[];\n\nnamespace {\n\n";
    for (const Kernel& k : kernels)
        out << functor(k, false) << (k.takes_eight ? functor(k, true) : "") << loop(k);
    out << "}  // namespace\n\n#line 1 \"" << header_name << "\"\n";
    for (const Kernel& k : kernels) out << info(k) << run_functions(k);
    out << "}  // namespace solenoid::" << space << "\n";
    return out.str();
}

std::string list(const std::string& space, const std::string& header_name,
                 const std::vector<Kernel>& kernels) {
    std::ostringstream out;
    out << "// Written by kernel_generator from shaders/*.glsl; do not edit.\n#include \""
        << header_name << "\"\n\nnamespace solenoid::" << space << " {\n\n"
        << "std::span<const KernelInfo* const> all() {\n    static const KernelInfo* const "
           "kernels[] = {\n";
    for (const Kernel& k : kernels) out << "        &" << k.name << "_info(),\n";
    out << "    };\n    return kernels;\n}\n\n}  // namespace solenoid::" << space << "\n";
    return out.str();
}

std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Leaves a file that says the same already as it is: what depends on it is not built again.
void write(const std::filesystem::path& file, const std::string& text) {
    if (std::filesystem::exists(file) && read(file) == text) return;
    std::ofstream stream(file);
    stream << text;
    if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: kernel_generator NAMESPACE OUTPUT_STEM FILE.glsl...\n";
        return 2;
    }
    try {
        const std::string space = argv[1];
        const std::filesystem::path stem = argv[2];
        const std::string header_name = stem.filename().string() + ".hpp";
        std::vector<Kernel> kernels;
        for (int i = 3; i < argc; ++i) {
            const std::filesystem::path file = argv[i];
            const std::vector<Kernel> of_file =
                parse(file.filename().string(), read(file), [&](const std::string& name) {
                    return read(file.parent_path() / (name + ".include.glsl"));
                });
            kernels.insert(kernels.end(), of_file.begin(), of_file.end());
            write(stem.string() + "_" + file.stem().string() + ".cpp",
                  source(space, header_name, of_file));
            write(stem.string() + "_" + file.stem().string() + ".cuda.cpp", cuda_source(of_file));
        }
        write(stem.string() + ".hpp", header(space, kernels));
        write(stem.string() + ".cpp", list(space, header_name, kernels));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
