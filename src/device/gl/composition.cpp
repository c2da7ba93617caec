#include "device/gl/composition.hpp"

#include <fmt/format.h>

#include <regex>

#include "device/gl/program.hpp"
#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

const char* word(ValueType type) {
    constexpr const char* words[] = {"uint", "real", "vec", "single", "single"};
    return words[static_cast<int>(type)];
}
int components(ValueType type, int dimension) { return type == ValueType::vec ? dimension : 1; }
const char* element(ValueType type) {
    return type == ValueType::vec       ? "real"
           : type == ValueType::reduced ? "reduced_word"
                                        : word(type);
}
const char* operation(Reduction reduction) {
    constexpr const char* words[] = {"REDUCE_SUM", "REDUCE_MIN", "REDUCE_MAX"};
    return words[static_cast<int>(reduction)];
}
bool is_output(const KernelArgument& a) { return a.access != Access::in; }

// ---- the parts that both kinds of shader share

const std::string& prologue() {
    static const std::string text =
        std::string(prologue_common) + prologue_pairs + prologue_accumulators;
    return text;
}

// exp, log and pow, where a kernel calls one.
std::string functions_text(const KernelInfo& kernel) {
    static const std::regex call(R"(\b(exp|log|pow)\s*\()");
    return std::regex_search(kernel.body.begin(), kernel.body.end(), call) ? prologue_functions
                                                                           : "";
}

std::string uniforms_text(const KernelInfo& kernel) {
    std::string text;
    for (const KernelUniform& u : kernel.uniforms)
        text += fmt::format("uniform {} {};\n", word(u.type), u.name);
    return text;
}

// One accessor: a value, or the components of a vec, each from `read` at (entry, column).
template <class Read>
std::string accessor(const KernelArgument& a, int dimension, const std::string& parameters,
                     const std::string& entry, const std::string& column, Read read) {
    std::string value = read(entry, column);
    if (a.type == ValueType::vec) {
        value.clear();
        for (int k = 0; k < dimension; ++k)
            value +=
                (k ? ", " : "") + read(entry, fmt::format("{} * {}u + {}u", column, dimension, k));
        value = "vec(" + value + ")";
    }
    return fmt::format("{} {}({}) {{ return {}; }}\n", word(a.type), a.name, parameters, value);
}

// The accessors of docs/kernels.md. read(entry, column) gives the expression of one stored element.
template <class Read>
std::string accessors(const KernelArgument& a, int dimension, const std::string& first_of_rows,
                      Read read) {
    if (a.is_row_table)
        return fmt::format(
            "uint {}_count(uint i) {{ return {}; }}\nuint {}_first(uint i) {{ return {}; }}\n",
            a.name, read("i", "1u"), a.name, read("i", "0u"));
    if (!a.rows.empty())
        return accessor(a, dimension, "uint i, uint j", first_of_rows + "(i) + j * ROW_STRIDE",
                        "0u", read);
    if (!a.columns.empty()) return accessor(a, dimension, "uint i, uint j", "i", "j", read);
    return accessor(a, dimension, "uint i", "i", "0u", read);
}

// The kernel's own lines as a function; outputs and reductions are globals of the invocation.
std::string body_text(const KernelInfo& kernel) {
    std::string text, type = "void";
    for (const KernelArgument& a : kernel.arguments) {
        if (!is_output(a)) continue;
        text += fmt::format("{} {}_new;\n", word(a.type), a.name);
        if (kernel.returns_value) type = word(a.type);
    }
    for (const KernelReduction& r : kernel.reductions)
        text +=
            fmt::format("{} {};\n", r.operation == Reduction::sum ? "accumulator" : "real", r.name);
    return text + fmt::format("{} kernel_body(uint {}) {{\n#line {}\n{}#line {}\n}}\n", type,
                              kernel.index, kernel.body_line, kernel.body, 2 * generated_lines);
}

std::string call_text(const KernelInfo& kernel, const char* entity) {
    return fmt::format("{}kernel_body({});\n", kernel.returns_value ? "value_new = " : "", entity);
}

// What an entity gave, as an accumulator.
std::string contribution(const KernelReduction& r) {
    return r.operation == Reduction::sum ? std::string(r.name) : fmt::format("wide({})", r.name);
}

std::string declare_totals(std::span<const KernelReduction> reductions) {
    std::string text;
    for (const KernelReduction& r : reductions)
        text += fmt::format("    accumulator {}_total = identity_of({});\n", r.name,
                            operation(r.operation));
    return text;
}
std::string add_to_totals(const KernelInfo& kernel) {
    std::string text;
    for (const KernelReduction& r : kernel.reductions)
        text += fmt::format("        {0}_total = reduce({1}, {0}_total, {2});\n", r.name,
                            operation(r.operation), contribution(r));
    return text;
}

// ---- compute shaders: a field is a storage buffer, column j at j times its pitch

std::string compute_argument(const KernelArgument& a, std::size_t n, int dimension) {
    if (a.is_output_again) return "";
    const char* access = a.access == Access::in    ? "readonly "
                         : a.access == Access::out ? "writeonly "
                                                   : "";
    std::string text = fmt::format(
        "layout(std430, binding = {}) {}restrict buffer {}_block {{ {} {}_data[]; }};\n", n, access,
        a.name, element(a.type), a.name);
    if (a.access == Access::out) return text;
    const auto read = [&](const std::string& entry, const std::string& column) {
        const std::string offset =
            column == "0u" ? "" : fmt::format("({}) * column_pitch[{}] + ", column, n);
        const std::string at = offset + entry;
        return a.type == ValueType::reduced ? fmt::format("reduced_at({}_data, {})", a.name, at)
                                            : fmt::format("{}_data[{}]", a.name, at);
    };
    return text + accessors(a, dimension, std::string(a.rows) + "_first", read);
}

std::string compute_stores(const KernelInfo& kernel, int dimension) {
    std::string text;
    for (std::size_t n = 0; n < kernel.arguments.size(); ++n) {
        const KernelArgument& a = kernel.arguments[n];
        if (!is_output(a)) continue;
        for (int k = 0; k < components(a.type, dimension); ++k)
            text +=
                fmt::format("        {0}_data[{1}u * column_pitch[{2}] + entity] = {0}_new{3};\n",
                            a.name, k, n, a.type == ValueType::vec ? fmt::format("[{}]", k) : "");
    }
    return text;
}

// The invocations of a group go from entity to entity together where lanes share one; those beyond
// the range come along.
std::string shared_rows_loop(const std::string& call, const std::string& kept) {
    return "    lanes = 1u << lane_bits;\n    lane = gl_LocalInvocationID.x & (lanes - 1u);\n"
           "    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"
           "    uint rows = uint(GROUP_SIZE) >> lane_bits;\n"
           "    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * rows;\n"
           "    for (uint first = launch_range.x + group * rows; first < launch_range.y; first += "
           "stride) {\n"
           "        uint place = first + (gl_LocalInvocationID.x >> lane_bits);\n"
           "        uint entity = min(place, launch_range.y - 1u);\n" +
           call + "        if (place != entity || lane != 0u) continue;\n" + kept + "    }\n";
}

// What each entity gives, one reduction after another.
std::string keep_each(const KernelInfo& kernel) {
    std::string text;
    for (std::size_t n = 0; n < kernel.reductions.size(); ++n)
        text += fmt::format(
            "        each_data[{}u * (launch_range.y - launch_range.x) + entity - launch_range.x] "
            "= "
            "words_of({});\n",
            n, contribution(kernel.reductions[n]));
    return text;
}

std::string compute_main(const KernelInfo& kernel, const KernelVariant& variant) {
    const std::string call = "        " + call_text(kernel, "entity"),
                      stores = compute_stores(kernel, variant.dimension);
    const std::string kept = stores + add_to_totals(kernel),
                      head = "void main() {\n" + declare_totals(kernel.reductions);
    std::string text;
    if (variant.keeps_each)
        return fmt::format(
                   "layout(std430, binding = {}) writeonly restrict buffer each_block {{ uvec2 "
                   "each_data[]; }};\n",
                   partial_binding) +
               "void main() {\n    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * "
               "uint(GROUP_SIZE);\n"
               "    uint entity = launch_range.x + first_item();\n"
               "    for (; entity < launch_range.y; entity += stride) {\n" +
               call + stores + keep_each(kernel) + "    }\n}\n";
    if (variant.shares_rows)
        text = head + shared_rows_loop(call, kept);
    else if (kernel.reductions.empty() && !variant.is_software)
        text = head +
               "    uint entity = launch_range.x + first_item();\n    if (entity < launch_range.y) "
               "{\n" +
               call + stores + "    }\n";
    else
        text = head +
               "    uint stride = gl_NumWorkGroups.x * uint(GROUP_SIZE);\n"
               "    uint entity = launch_range.x + first_item();\n"
               "    for (; entity < launch_range.y; entity += stride) {\n" +
               call + kept + "    }\n";
    if (kernel.reductions.empty()) return text + "}\n";
    std::string last;
    for (std::size_t n = 0; n < kernel.reductions.size(); ++n) {
        const KernelReduction& r = kernel.reductions[n];
        text += fmt::format("    keep_partial({}, {}u, {}_total);\n", operation(r.operation), n,
                            r.name);
        last += fmt::format("        reduce_partials({}, {}u);\n", operation(r.operation), n);
    }
    return text + "    if (all_partials_are_there()) {\n" + last + "    }\n}\n";
}

// ---- fragment shaders: a field is a texture array, an output a color attachment a component

struct Fetch {
    const char *sampler, *function;
};
const Fetch& fetch_of(ValueType type) {
    static constexpr Fetch real{"real_sampler", "fetch_real"};
    static constexpr Fetch all[] = {{"usampler2DArray", "fetch"},
                                    real,
                                    real,
                                    {"sampler2DArray", "fetch_single"},
                                    {"reduced_sampler", "fetch_reduced"}};
    return all[static_cast<int>(type)];
}

std::string fragment_argument(const KernelInfo& kernel, std::size_t n, int dimension) {
    const KernelArgument& a = kernel.arguments[n];
    if (a.access == Access::out || a.is_output_again) return "";
    const Fetch& fetch = fetch_of(a.type);
    const auto read = [&](const std::string& entry, const std::string& column) {
        std::string layer = fmt::format("first_layer[{}] + {}", n, column);
        if (a.or_one)
            layer = fmt::format("min({}, uint(textureSize({}_field, 0).z - 1))", layer, a.name);
        return fmt::format("{}({}_field, field_width[{}], {}, {})", fetch.function, a.name, n,
                           entry, layer);
    };
    std::string text = fmt::format("uniform {} {}_field;\n", fetch.sampler, a.name);
    if (a.access == Access::in)
        return text + accessors(a, dimension, std::string(a.rows) + "_first", read);
    // Updated in place, in the texture that is read: each texel once, by its own fragment, before
    // the write.
    text += accessor({"load_" + std::string(a.name), a.access, a.type, "", "", false}, dimension,
                     "uint i", "i", "0u", read);
    return text + fmt::format("{0} {1}_old;\n{0} {1}(uint i) {{ return {1}_old; }}\n", word(a.type),
                              a.name);
}

std::string attachments_text(const KernelInfo& kernel, int dimension) {
    std::string text;
    int location = 0;
    for (const KernelArgument& a : kernel.arguments)
        for (int k = 0; is_output(a) && k < components(a.type, dimension); ++k)
            text +=
                fmt::format("layout(location = {}) out {} {}_texel_{};\n", location++,
                            a.type == ValueType::uint || a.type == ValueType::single ? word(a.type)
                                                                                     : "real_texel",
                            a.name, k);
    for (const KernelReduction& r : kernel.reductions)
        text += fmt::format("layout(location = {}) out uvec2 {}_texel;\n", location++, r.name);
    return text;
}

std::string fragment_stores(const KernelInfo& kernel, int dimension) {
    std::string text;
    for (const KernelArgument& a : kernel.arguments)
        for (int k = 0; is_output(a) && k < components(a.type, dimension); ++k) {
            std::string value = fmt::format("{}_new", a.name);
            if (a.type == ValueType::vec) value += fmt::format("[{}]", k);
            if (a.type != ValueType::uint && a.type != ValueType::single)
                value = "texel_from(" + value + ")";
            text += fmt::format("    {}_texel_{} = {};\n", a.name, k, value);
        }
    return text;
}

// One fragment an entity, at the entity's place; contributions to reductions are attachments.
std::string entity_main(const KernelInfo& kernel, int dimension) {
    std::string text =
        "void main() {\n    uvec2 at = uvec2(gl_FragCoord.xy);\n"
        "    uint entity = at.y * rectangle.x + at.x;\n"
        "    if (entity < launch_range.x || entity >= launch_range.y) discard;\n";
    for (const KernelArgument& a : kernel.arguments)
        if (a.access == Access::inout)
            text += fmt::format("    {0}_old = load_{0}(entity);\n", a.name);
    text += "    " + call_text(kernel, "entity") + fragment_stores(kernel, dimension);
    for (const KernelReduction& r : kernel.reductions)
        text += fmt::format("    {}_texel = words_of({});\n", r.name, contribution(r));
    return text + "}\n";
}

// One fragment a square of four entities of the range, which is laid out in a rectangle of its own.
std::string square_main(const KernelInfo& kernel) {
    std::string text = "void main() {\n" + declare_totals(kernel.reductions) +
                       "    uvec2 corner = 2u * uvec2(gl_FragCoord.xy);\n"
                       "    for (uint k = 0u; k < 4u; ++k) {\n"
                       "        uvec2 at = corner + uvec2(k & 1u, k >> 1);\n"
                       "        uint entity = launch_range.x + at.y * rectangle.x + at.x;\n"
                       "        if (at.x >= rectangle.x || at.y >= rectangle.y || entity >= "
                       "launch_range.y) continue;\n"
                       "        " +
                       call_text(kernel, "entity") + add_to_totals(kernel) + "    }\n";
    for (const KernelReduction& r : kernel.reductions)
        text += fmt::format("    {0}_texel = words_of({0}_total);\n", r.name);
    return text + "}\n";
}

}  // namespace

std::string preamble(const KernelVariant& variant, int version) {
    return fmt::format(
        "#version {} core\n#define REAL_IS_DOUBLE {}\n#define HAS_FP64 {}\n#define DIMENSION "
        "{}\n#define "
        "GROUP_SIZE {}\n#line {}\n",
        version, variant.is_double ? 1 : 0, variant.has_fp64 ? 1 : 0, variant.dimension, group_size,
        generated_lines);
}

std::string compute_text(const KernelInfo& kernel, const KernelVariant& variant) {
    std::string text =
        preamble(variant, 430) + fmt::format("#define REDUCTIONS {}\n{}",
                                             variant.keeps_each ? 0 : kernel.reductions.size(),
                                             variant.shares_rows ? "#define SHARES_ROWS\n" : "");
    text += prologue() + functions_text(kernel) + prologue_compute;
    text += fmt::format("uniform uint column_pitch[{}];\n", max_buffers) + uniforms_text(kernel);
    for (std::size_t n = 0; n < kernel.arguments.size(); ++n)
        text += compute_argument(kernel.arguments[n], n, variant.dimension);
    return text + body_text(kernel) + compute_main(kernel, variant);
}

std::string binned_text() { return preamble({}, 430) + prologue() + binned_compute; }

int attachment_count(const KernelInfo& kernel, const KernelVariant& variant) {
    int count = static_cast<int>(kernel.reductions.size());
    for (const KernelArgument& a : kernel.arguments)
        if (is_output(a)) count += components(a.type, variant.dimension);
    return count;
}

bool is_pure_reduction(const KernelInfo& kernel) {
    for (const KernelArgument& a : kernel.arguments)
        if (is_output(a)) return false;
    return true;
}

std::string fragment_text(const KernelInfo& kernel, const KernelVariant& variant) {
    std::string text =
        preamble(variant, 400) + prologue() + functions_text(kernel) + prologue_fragment;
    text += fmt::format("uniform uint field_width[{}];\n", max_buffers) + uniforms_text(kernel);
    text += fmt::format("uniform uint first_layer[{}];\n", max_buffers);
    for (std::size_t n = 0; n < kernel.arguments.size(); ++n)
        text += fragment_argument(kernel, n, variant.dimension);
    text += attachments_text(kernel, variant.dimension) + body_text(kernel);
    return text + (is_pure_reduction(kernel) && !variant.keeps_each
                       ? square_main(kernel)
                       : entity_main(kernel, variant.dimension));
}

std::string quads_text(std::span<const KernelReduction> reductions, bool has_fp64) {
    std::string text = preamble({false, has_fp64, 3}, 400) + prologue() + reduce_fragment, steps;
    for (std::size_t n = 0; n < reductions.size(); ++n)
        text += fmt::format("layout(location = {}) out uvec2 {}_texel;\n", n, reductions[n].name);
    text += "void main() {\n" + declare_totals(reductions) +
            "    for (uint k = 0u; k < 4u; ++k) {\n"
            "        uvec2 at = texel_of_quad(k);\n        if (!is_valid(at)) continue;\n";
    for (std::size_t n = 0; n < reductions.size(); ++n)
        text += fmt::format("        {0}_total = reduce({1}, {0}_total, contribution(at, {2}));\n",
                            reductions[n].name, operation(reductions[n].operation), n);
    text += "    }\n";
    for (const KernelReduction& r : reductions)
        text += fmt::format("    {0}_texel = words_of({0}_total);\n", r.name);
    return text + "}\n";
}

std::string occlusion_text(bool is_double, bool has_fp64) {
    return preamble({is_double, has_fp64, 3}, 400) + prologue() + prologue_fragment +
           occlusion_fragment;
}

std::string points_text(bool is_double, bool has_fp64) {
    return preamble({is_double, has_fp64, 3}, 400) + prologue() + prologue_fragment +
           points_fragment;
}

std::string moving_text(ElementType type, int columns, Moving moving) {
    const char* const words[] = {"SCATTER", "GATHER", "RELOCATE"};
    const char* const samplers[] = {"usampler2DArray", "sampler2DArray", "usampler2DArray"};
    const char* const texels[] = {"uint", "float", "uvec2"};
    const char* const parts[] = {"r", "r", "rg"};
    const int t = static_cast<int>(type);
    std::string text =
        preamble({}, 400) + fmt::format("#define FIELD_SAMPLER {}\n#define {}\n", samplers[t],
                                        words[static_cast<int>(moving)]);
    text += move_fragment;
    for (int j = 0; j < columns; ++j)
        text += fmt::format("layout(location = {0}) out {1} texel_{0};\n", j, texels[t]);
    text += "void main() {\n    ivec2 at = source_texel();\n";
    for (int j = 0; j < columns; ++j)
        text +=
            fmt::format("    texel_{0} = texelFetch(field, ivec3(at, first_layer + {0}), 0).{1};\n",
                        j, parts[t]);
    return text + "}\n";
}

std::string vertex_text(const char* text) { return preamble({}, 400) + text; }

}  // namespace solenoid::gl
