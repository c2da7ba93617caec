// The kernel language: what is accepted, and where errors point.
#include <gtest/gtest.h>

#include "cuda_source.hpp"
#include "kernel_language.hpp"

namespace solenoid::generator_test {
namespace {

namespace language = kernel_language;

const std::string good =
    "// A comment.\n"
    "KERNEL(probe)\n"
    "    ROWS(faces)\n"
    "    IN(uint, face, faces)      // entries of the rows\n"
    "    IN(vec, offset, FACES_PER_CELL)\n"
    "    UNIFORM(real, a)\n"
    "    INOUT(real, x)\n"
    "    REDUCE(sum, xx)\n"
    "UPDATE(i)\n"
    "{\n"
    "    x_new = a;\n"
    "}\n";

std::string error_of(const std::string& text) {
    try {
        language::parse("probe.glsl", text);
    } catch (const language::SyntaxError& error) {
        return error.what();
    }
    return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

TEST(KernelLanguage, DeclarationsAreRead) {
    const auto k = language::parse("probe.glsl", good).at(0);
    ASSERT_EQ(k.arguments.size(), 4u);
    EXPECT_TRUE(k.arguments[0].is_row_table);
    EXPECT_EQ(k.arguments[1].rows, "faces");
    EXPECT_EQ(k.arguments[2].columns, "FACES_PER_CELL");
    EXPECT_EQ(k.arguments[3].access, "inout");
    EXPECT_EQ(k.body, "    x_new = a;\n");
    EXPECT_EQ(k.body_line, 11);
    EXPECT_TRUE(k.needs_dimension);
    EXPECT_FALSE(k.returns_value);
}

TEST(KernelLanguage, VectorsAreNotIndexed) {
    EXPECT_NE(error_of(replaced(good, "x_new = a;", "vec v = vec(a); v[i] = a;"))
                  .find("probe.glsl:11: no [ ]: component_of(v, i)"),
              std::string::npos);
    EXPECT_EQ(error_of(replaced(good, "x_new = a;", "x_new = component_of(vec(a), 1u);")), "");
}

// What is read at other entities is declared so, by what it is of and how far.
TEST(KernelLanguage, GatheredArgumentsAreDeclared) {
    const std::string text =
        "KERNEL(probe)\n    IN(uint, cell, 2)\n    GATHER(real, p, cells, halo)\n    TABLE(real, "
        "t)\n    IN(real, q)\nVALUE(real, f)\n{\n"
        "    return p(cell(f, 0u)) + t(cell(f, 1u)) + q(f);  // not q(cell(f, 0u))\n}\n";
    const auto k = language::parse("probe.glsl", text).at(0);
    EXPECT_EQ(k.arguments[1].entities, "cells");
    EXPECT_EQ(k.arguments[1].reach, "halo");
    EXPECT_EQ(k.arguments[3].entities, "");
    EXPECT_NE(error_of(replaced(text, "GATHER(real, p, cells, halo)", "IN(real, p)"))
                  .find("probe.glsl:8: 'p' is read at another entity than f: declare it GATHER"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "p(cell(f, 0u)) +", "p(f) +"))
                  .find("'p' is read at f alone: declare it IN"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "+ q(f)", "+ q(f + 1u)")).find("'q' is read at another"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "cells, halo", "cells, near"))
                  .find("probe.glsl:3: expected GATHER(type, name, entities, reach)"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "cells, halo", "points, halo")).find("expected GATHER"),
              std::string::npos);
}

TEST(KernelLanguage, IncludesStandOnOneLine) {
    const auto includes = [](const std::string& name) -> std::string {
        return name == "inputs" ? "// of both\nIN(TYPE, x)\nIN(TYPE, y)  // [m]\n"
                                : "precise TYPE sum = x(i)\n    + y(i);\n";
    };
    const std::string text =
        "KERNEL(probe)\n    INCLUDE(inputs, vec)\nVALUE(vec, i)\n{\n    INCLUDE(sum, vec)\n    "
        "return sum;\n}\n";
    const auto k = language::parse("probe.glsl", text, includes).at(0);
    ASSERT_EQ(k.arguments.size(), 3u);
    EXPECT_EQ(k.arguments[1].name, "y");
    EXPECT_EQ(k.arguments[1].type, "vec");
    EXPECT_EQ(k.body, "precise vec sum = x(i) + y(i); \n    return sum;\n");
    EXPECT_NE(error_of(text).find("probe.glsl:2: nothing can be included"), std::string::npos);
}

TEST(KernelLanguage, ErrorsNameFileAndLine) {
    EXPECT_NE(error_of(replaced(good, "IN(vec, offset, FACES_PER_CELL)", "INN(vec, offset)"))
                  .find("probe.glsl:5: unknown declaration INN"),
              std::string::npos);
    EXPECT_NE(
        error_of(replaced(good, "IN(vec", "IN(double")).find("probe.glsl:5: unknown type 'double'"),
        std::string::npos);
    EXPECT_NE(error_of(replaced(good, "face, faces", "face, cells"))
                  .find("probe.glsl:4: 'cells' is no ROWS"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(good, "INOUT(real, x)", "INOUT(real, a)")).find("declared twice"),
              std::string::npos);
    EXPECT_NE(
        error_of(replaced(good, "KERNEL(probe)", "KERNEL(other)")).find("belongs in other.glsl"),
        std::string::npos);
    EXPECT_NE(error_of(replaced(good, "{\n", "{ int j;\n")).find("probe.glsl:10: expected '{'"),
              std::string::npos);
    EXPECT_NE(error_of("KERNEL(probe)\n").find("no VALUE"), std::string::npos);
}

TEST(KernelLanguage, ZeroPaddedRowsTakeNoBranches) {
    const std::string text =
        "KERNEL(probe)\n    ROWS(rows, zero_padded)\n    IN(real, entry, rows)\nVALUE(real, "
        "i)\n{\n    return entry(i, 0u);\n}\n";
    EXPECT_TRUE(language::parse("probe.glsl", text).at(0).takes_eight);
    EXPECT_FALSE(
        language::parse("probe.glsl", replaced(text, ", zero_padded", "")).at(0).takes_eight);
    EXPECT_NE(
        error_of(replaced(text, "zero_padded", "padded")).find("probe.glsl:2: expected ROWS(name)"),
        std::string::npos);
    EXPECT_NE(
        error_of(replaced(text, "return entry(i, 0u)", "return i == 0u ? entry(i, 0u) : real(1)"))
            .find("probe.glsl:6: no branches"),
        std::string::npos);
    EXPECT_TRUE(
        language::parse("probe.glsl", replaced(replaced(text, "IN(real, entry", "IN(vec, entry"),
                                               "VALUE(real", "VALUE(vec"))
            .at(0)
            .takes_eight);
    EXPECT_NE(error_of(replaced(text, "VALUE", "    IN(real, x, 2)\nVALUE"))
                  .find("neither columns nor other rows"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "VALUE", "    ROWS(others)\nVALUE")).find("nor other rows"),
              std::string::npos);
}

TEST(KernelLanguage, ColumnsOfZeroPaddedRowsAreNear) {
    const std::string text =
        "KERNEL(probe)\n    ROWS(rows, zero_padded)\n    IN(uint, column, rows)\n    IN(uint, "
        "tag)\n    GATHER(real, x, rows, halo)\n"
        "VALUE(real, i)\n{\n    return x(column(i, tag(i)));\n}\n";
    const auto near = [](const std::string& kernel) {
        std::vector<std::string> names;
        const auto kernels = language::parse("probe.glsl", kernel);
        for (const auto& argument : kernels.at(0).arguments)
            if (argument.is_near) names.push_back(argument.name);
        return names;
    };
    EXPECT_EQ(near(text), std::vector<std::string>{"column"});
    EXPECT_TRUE(near(replaced(text, ", zero_padded", "")).empty());
}

TEST(KernelLanguage, ElementwiseSumsAndQuotientsTakeEight) {
    const std::string text =
        "KERNEL(probe)\n    UNIFORM(real, a)\n    IN(single, d)\n    INOUT(real, x)\n    "
        "OUT(single, y)\n    REDUCE(sum, xx)\nUPDATE(i)\n{\n"
        "    real next = a * quotient(x(i), real(d(i))) / real(2);  // a remark: if, x(k), [1/s]\n "
        "   x_new = next;\n"
        "    y_new = single(next);\n    xx = product(next, next);\n}\n";
    const auto takes_eight = [](const std::string& kernel) {
        return language::parse("probe.glsl", kernel).at(0).takes_eight;
    };
    EXPECT_TRUE(takes_eight(text));
    EXPECT_FALSE(takes_eight(replaced(text, "REDUCE(sum", "REDUCE(max")));
    EXPECT_FALSE(takes_eight(replaced(text, "IN(single, d)", "IN(uint, d)")));
    EXPECT_FALSE(takes_eight(replaced(text, "IN(single, d)", "IN(vec, d)")));
    EXPECT_FALSE(takes_eight(replaced(text, "IN(single, d)", "IN(single, d, 2)")));
    EXPECT_FALSE(takes_eight(replaced(text, "UNIFORM(real", "UNIFORM(uint")));
    EXPECT_FALSE(takes_eight(replaced(text, "x_new = next", "if (a > next) x_new = next")));
    EXPECT_FALSE(takes_eight(replaced(text, "x_new = next", "x_new = a > next ? a : next")));
    EXPECT_FALSE(takes_eight(replaced(text, "x_new = next", "x_new = abs(next)")));
    EXPECT_FALSE(takes_eight(replaced(text, "x_new = next", "x_new = real(i)")));
    EXPECT_FALSE(takes_eight(replaced(text, "x_new = next", "x_new = 0.5 * next")));
    // What the compiler makes vectors of by itself.
    EXPECT_FALSE(takes_eight(
        "KERNEL(probe)\n    IN(real, x)\nVALUE(real, i)\n{\n    return x(i) + x(i);\n}\n"));
}

TEST(KernelLanguage, AQuantityIsAVectorAndANumber) {
    const auto kernels = language::parse("probe.glsl",
                                         "KERNEL(probe)\n    IN(quantity, x)\nVALUE(quantity, "
                                         "i)\n{\n    return x(i) + quantity(0);\n}\n");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "probe");
    EXPECT_EQ(kernels[0].value_type, "vec");
    EXPECT_TRUE(kernels[0].needs_dimension);
    EXPECT_EQ(kernels[1].name, "scalar_probe");
    EXPECT_EQ(kernels[1].file, "probe");
    EXPECT_EQ(kernels[1].arguments[0].type, "real");
    EXPECT_EQ(kernels[1].body, "    return x(i) + real(0);\n");
    EXPECT_FALSE(kernels[1].needs_dimension);
    EXPECT_TRUE(kernels[0].takes_one);
    EXPECT_FALSE(kernels[1].takes_one);
    const auto of_mesh =
        language::parse("probe.glsl",
                        "KERNEL(probe)\n    IN(quantity, x, FACES_PER_CELL)\nVALUE(quantity, "
                        "i)\n{\n    return x(i, 0u);\n}\n");
    EXPECT_FALSE(of_mesh[0].takes_one);
}

TEST(KernelLanguage, AQuantityIsSummedByComponent) {
    const std::string text =
        "KERNEL(probe)\n    ROWS(rows, zero_padded)\n    IN(quantity, x, or_one)\n    REDUCE(sum, "
        "xx, quantity)\nVALUE(quantity, i)\n{\n"
        "    quantity y = x(i);\n    xx = product(y, y);\n    return y;\n}\n";
    const auto kernels = language::parse("probe.glsl", text);
    ASSERT_EQ(kernels[0].reductions.size(), 3u);
    EXPECT_EQ(kernels[0].reductions[2].name, "xx_2");
    EXPECT_NE(kernels[0].body.find("xx_1 = product(y[1], y[1]);"), std::string::npos);
    EXPECT_TRUE(kernels[0].takes_eight);
    EXPECT_TRUE(kernels[0].arguments[1].or_one);
    ASSERT_EQ(kernels[1].reductions.size(), 1u);
    EXPECT_EQ(kernels[1].reductions[0].name, "xx");
    EXPECT_FALSE(kernels[1].arguments[1].or_one);
    EXPECT_NE(error_of(replaced(text, "product(y, y)", "product(y, -y)"))
                  .find("probe.glsl:7: expected 'xx = product(a, b);'"),
              std::string::npos);
    EXPECT_NE(
        error_of(replaced(text, "sum, xx, quantity", "max, xx, quantity")).find("expected REDUCE"),
        std::string::npos);
}

// An entry a precision and, where the kernel asks for it, a dimension.
TEST(KernelLanguage, CudaTextsHaveAnEntryAVariant) {
    const auto entries = [](const std::string& text) {
        const std::string source = language::cuda_source(language::parse("probe.glsl", text));
        std::string found;
        for (const char* name :
             {"probe_float_2", "probe_float_3", "probe_double_2", "probe_double_3"})
            if (source.find(std::string("SOLENOID_ENTRY(") + name + ", Arguments)") !=
                std::string::npos)
                found += std::string(name) + " ";
        return found;
    };
    EXPECT_EQ(entries(good), "probe_float_2 probe_float_3 probe_double_2 probe_double_3 ");
    EXPECT_EQ(entries(replaced(good, "    IN(vec, offset, FACES_PER_CELL)\n", "")),
              "probe_float_3 probe_double_3 ");
}

// On a GPU several invocations share a row: all of them reach its sum.
TEST(KernelLanguage, RowSumsStandBehindNoBranch) {
    const std::string head =
        "KERNEL(row)\n    ROWS(rows, zero_padded)\n    IN(real, entry, rows)\n    IN(real, "
        "x)\nVALUE(real, i)\n{\n    precise real sum = real(0);\n";
    const std::string added =
        "    ADD_ROW(sum, rows_count(i), j, entry(i, j))\n    return sum;\n}\n";
    EXPECT_TRUE(language::parse("row.glsl", head + added).front().adds_rows);
    EXPECT_THROW(
        language::parse("row.glsl", head + "    if (x(i) == real(0)) return sum;\n" + added),
        language::SyntaxError);
}

TEST(KernelLanguage, TypeNamesAreCamelCase) {
    EXPECT_EQ(language::type_name("cell_volume_sum"), "CellVolumeSum");
}

}  // namespace
}  // namespace solenoid::generator_test
