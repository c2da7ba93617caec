// What the OpenGL devices make of kernels: that all compile, what their errors name, and sums where
// there are no doubles.
#include <cstring>

#include "device/expression.hpp"
#include "device/gl/composition.hpp"
#include "device/gl/program.hpp"
#include "device/gl/texture_moves.hpp"
#include "device/gpu_devices.hpp"
#include "device/kernels.hpp"

namespace solenoid::test::gl_programs_test {
namespace {

TEST_P(GpuDevice, ACompileErrorNamesTheKernelsLine) {
    static const KernelArgument arguments[] = {{"y", Access::out, ValueType::real, "", "", false}};
    KernelInfo wrong{};
    wrong.name = "wrong";
    wrong.body = "    real a = real(1);\n    y_new = a + misspelt;\n";
    wrong.body_line = 11;
    wrong.index = "i";
    wrong.arguments = arguments;
    Buffer<float> y = device_->buffer<float>(4);
    Launch launch{&wrong, ElementType::float32, 3, {&y.storage()}, {}};
    try {
        device_->launch(launch, {0, 4}, {});
        FAIL() << "compiled";
    } catch (const ComputationError& error) {
        EXPECT_NE(std::string(error.what()).find("shaders/wrong.glsl:12:"), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("misspelt"), std::string::npos) << error.what();
    }
}

TEST(CompileErrors, AreTranslatedFromEveryDriver) {
    EXPECT_EQ(gl::translate_log("curl", "0:12(5): error: `q' undeclared\n"),
              "shaders/curl.glsl:12: error: `q' undeclared");
    EXPECT_EQ(gl::translate_log("curl", "0(12) : error C1503: undefined variable \"q\"\n"),
              "shaders/curl.glsl:12: error C1503: undefined variable \"q\"");
    EXPECT_EQ(gl::translate_log("curl", "ERROR: 0:12: 'q' : undeclared\n\n"),
              "shaders/curl.glsl:12: 'q' : undeclared");
    EXPECT_EQ(gl::translate_log("curl", "0:10003(1): error: x\nmore"),
              "curl (generated):3: error: x\nmore");
}

// Buffers of a kernel for eight entities with rows of some length: empty rows, as all is zero.
template <class Real>
struct KernelBuffers {
    KernelBuffers(Device& device, const KernelInfo& kernel, int dimension, Index length)
        : launch{&kernel, element_type<Real>(), dimension, {}, {}} {
        for (std::size_t n = 0; n < kernel.arguments.size(); ++n) {
            const KernelArgument& a = kernel.arguments[n];
            const int columns = column_count(a, dimension);
            const Index size = a.rows.empty() ? 8 : 8 * length;
            if (a.is_row_table || a.type == ValueType::uint)
                launch.buffers[n] = kept(indices, device.buffer<Index>(size, columns));
            else if (a.type == ValueType::single)
                launch.buffers[n] = kept(singles, device.buffer<float>(size, columns));
            else
                launch.buffers[n] = kept(reals, device.buffer<Real>(size, columns));
        }
    }
    template <class T>
    static Storage* kept(std::vector<std::unique_ptr<Buffer<T>>>& list, Buffer<T> buffer) {
        list.push_back(std::make_unique<Buffer<T>>(std::move(buffer)));
        return &list.back()->storage();
    }

    Launch launch;
    std::vector<std::unique_ptr<Buffer<Real>>> reals;
    std::vector<std::unique_ptr<Buffer<Index>>> indices;
    std::vector<std::unique_ptr<Buffer<float>>> singles;
};

// Every kernel of the program compiles and links, in every variant: with rows that invocations
// share, and with what entities give to reductions kept, too.
TEST_P(GpuDevice, AllKernelsCompile) {
    std::string why;
    const auto shared = context(why);
    shared->make_current();
    const bool is_compute = GetParam() == std::string("compute");
    const auto compile = [&](const KernelInfo& kernel, const gl::KernelVariant& variant) {
        if (is_compute) return gl::Program::compute(kernel.name, gl::compute_text(kernel, variant));
        EXPECT_LE(gl::attachment_count(kernel, variant), gl::max_attachments) << kernel.name;
        return gl::Program::draw(kernel.name,
                                 gl::vertex_text("void main() { gl_Position = vec4(0.0); }\n"),
                                 gl::fragment_text(kernel, variant));
    };
    const auto count = [](bool is_varied) { return is_varied ? 2 : 1; };
    int programs = 0;
    for (const KernelInfo* kernel : kernels::all())
        for (int dimension = kernel->needs_dimension ? 2 : 3; dimension <= 3; ++dimension)
            for (int shares = 0; shares < count(is_compute && kernel->adds_rows); ++shares)
                for (int keeps = 0; keeps < count(!kernel->reductions.empty()); ++keeps)
                    in_both_precisions([&](auto real) {
                        const gl::KernelVariant variant{
                            sizeof(real) == 8, device_->info().has_fp64,
                            dimension,         device_->info().is_software,
                            shares == 1,       keeps == 1};
                        EXPECT_NO_THROW(compile(*kernel, variant)) << kernel->name;
                        ++programs;
                    });
    EXPECT_GT(programs, 2 * int(kernels::all().size()));
}

// What is bound to a program is what it has.
TEST_P(GpuDevice, AllKernelsRun) {
    const auto run = [&](auto real, const KernelInfo& kernel) {
        KernelBuffers<decltype(real)> with(*device_, kernel, 3, kernel.adds_rows ? 4 : 1);
        std::array<double, max_reductions> reductions{};
        EXPECT_NO_THROW(device_->launch(with.launch, {0, 8}, reductions)) << kernel.name;
    };
    for (const KernelInfo* kernel : kernels::all())
        if (device_->info().has_fp64)
            run(double(), *kernel);
        else
            run(float(), *kernel);
}

// ---- without doubles

TEST_P(GpuDevice, SumsInTwoFloatsAreNearlyDouble) {
    setenv("SOLENOID_GL_NO_FP64", "1", 1);
    auto bare = gl::Context::create();
    unsetenv("SOLENOID_GL_NO_FP64");
    const auto device = make_gl_device(GetParam(), bare);
    EXPECT_FALSE(device->info().has_fp64);
    EXPECT_THROW(device->buffer<double>(4), ComputationError);
    const Index n = 100'000;
    auto x = random_values<float>(n, 20, 0, 1), y = random_values<float>(n, 21);
    x[n / 2] = 1e6f;
    const auto bx = device->buffer<float>(std::span<const float>(x)),
               by = device->buffer<float>(std::span<const float>(y));
    long double total = 0, xy = 0;
    for (Index i = 0; i < n; ++i) {
        total += x[i];
        xy += static_cast<long double>(x[i]) * y[i];
    }
    const Over all(*device, {0, n});
    EXPECT_NEAR(all.sum(ThisRank(), bx), double(total), 1e-12 * double(total));
    EXPECT_NEAR(all.dot(ThisRank(), bx, by), double(xy), 1e-12 * 1e6);
    EXPECT_EQ(all.reduce(least(by))[0], double(*std::min_element(y.begin(), y.end())));
}

INSTANTIATE_TEST_SUITE_P(Both, GpuDevice, testing::Values("compute", "fragment"), name_of_device);

}  // namespace
}  // namespace solenoid::test::gl_programs_test
