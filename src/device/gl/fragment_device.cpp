// The fragment device: fields in textures, a kernel is a fragment shader run over one fragment an
// entity.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/reproducible.hpp"
#include "device/any_above.hpp"
#include "device/buffer_limit.hpp"
#include "device/gl/gl_device.hpp"
#include "device/gl/occlusion_test.hpp"
#include "device/gl/point_rows.hpp"
#include "device/gl/quad_reduction.hpp"
#include "device/gl/texture_moves.hpp"
#include "shader_texts.hpp"

namespace solenoid {
namespace gl {
namespace {

const FieldTexture& texture(const Storage& storage) {
    return static_cast<const FieldTexture&>(storage);
}

struct Output {
    const FieldTexture& field;
    int first_column, columns;
};
std::vector<Output> outputs_of(const Launch& launch) {
    std::vector<Output> result;
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const KernelArgument& argument = launch.kernel->arguments[n];
        if (argument.access != Access::in)
            result.push_back({texture(*launch.buffers[n]), launch.first_column[n],
                              column_count(argument, launch.dimension)});
    }
    return result;
}

KernelProgram compile(const KernelInfo& kernel, const KernelVariant& variant) {
    const int attachments = attachment_count(kernel, variant);
    if (attachments > max_attachments)
        throw ComputationError(fmt::format(
            "kernel {} writes {} numbers an entity, the fragment device writes {} at a time: "
            "choose the device compute or cpu",
            kernel.name, attachments, max_attachments));
    Program program =
        Program::draw(kernel.name, vertex_text(full_screen_vertex), fragment_text(kernel, variant));
    for (std::size_t n = 0; n < kernel.arguments.size(); ++n)
        glProgramUniform1i(
            program.id(),
            program.location((std::string(kernel.arguments[n].name) + "_field").c_str()),
            static_cast<GLint>(n));
    return {std::move(program), kernel, "field_width"};
}

class FragmentStaging final : public Staging {
  public:
    FragmentStaging(std::size_t bytes, std::shared_ptr<Drawing> drawing)
        : Staging(bytes), drawing_(std::move(drawing)), buffer_(bytes) {}
    ~FragmentStaging() override { drawing_->make_current(); }

    // The host may write again only after the device has read.
    std::byte* data() override {
        drawing_->make_current();
        read_.wait();
        return buffer_.data();
    }
    void wait() override {
        drawing_->make_current();
        glFlush();  // what was launched since then runs while the host sends
        written_.wait();
    }

    const MappedBuffer& buffer() const { return buffer_; }
    void mark_written() { written_.set(); }
    void mark_read() { read_.set(); }

  private:
    std::shared_ptr<Drawing> drawing_;
    MappedBuffer buffer_;
    Fence written_, read_;
};

class FragmentDevice final : public Device,
                             public AboveTest,
                             public PointProduct,
                             public BufferLimit {
  public:
    FragmentDevice(std::shared_ptr<Context> context, Index least_side)
        : drawing_(std::make_shared<Drawing>(std::move(context), least_side)),
          programs_(compile, drawing_->description()),
          reduction_(drawing_),
          occlusion_(drawing_),
          moves_(drawing_) {
        const DeviceDescription& d = drawing_->description();
        info_ = {"fragment", d.name, d.id, d.has_fp64, d.is_software, false, d.has_fp64};
    }
    ~FragmentDevice() override { drawing_->make_current(); }

    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return 32; }
    Index parallel_rows() const override { return gpu_parallel_rows; }
    std::size_t allocated_bytes() const override { return drawing_->allocated_bytes; }

    void launch(const Launch& launch, Range range, std::span<double> reductions) override;
    ReductionTicket launch_ahead(const Launch& launch, Range range) override;
    void scatter(const Storage& value, const Storage& where, Storage& out) override;
    void copy(const Storage& from, Storage& to) override;
    std::unique_ptr<Staging> staging(std::size_t bytes) override {
        drawing_->make_current();
        return std::make_unique<FragmentStaging>(bytes, drawing_);
    }
    void gather(const Storage& field, const Storage& where, Staging& to) override;
    void scatter(Staging& from, const Storage& where, Storage& field) override;
    void finish() override {
        drawing_->make_current();
        glFinish();
    }
    bool holds(ElementType, Index size, int columns) const override {
        const Layout layout = reducible_layout(size, drawing_->least_side);
        const DeviceDescription& d = drawing_->description();
        return std::max(layout.width, layout.height) <= static_cast<Index>(d.max_texture_size) &&
               columns <= d.max_texture_layers;
    }
    bool has_above_test() const override { return occlusion_.is_there(); }
    bool any_above(const Storage& x, Range range, double bound) override {
        drawing_->make_current();
        return occlusion_.any_above(texture(x), range, bound);
    }
    std::unique_ptr<PointRows> point_rows(const Rows& rows, std::span<const double> entries,
                                          ElementType real) override {
        return std::make_unique<DrawnRows>(drawing_, rows, entries, real);
    }

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        if (type == ElementType::float64 && !info_.has_fp64)
            throw ComputationError(
                info_.name +
                " has no double precision: run in single precision or on the device cpu");
        return std::make_unique<FieldTexture>(type, size, columns, drawing_);
    }

  private:
    void bind(const Launch& launch, KernelProgram& program) const;
    GrowingTexture& scratch(std::size_t output, ElementType type, const Layout& layout,
                            int columns);
    void run_entities(const Launch& launch, KernelProgram& program, Range range,
                      std::span<double> reductions, ReductionTicket* each = nullptr);
    void run_squares(const Launch& launch, KernelProgram& program, Range range,
                     std::span<double> reductions);

    std::shared_ptr<Drawing> drawing_;
    KernelPrograms programs_;
    QuadReduction reduction_;
    OcclusionTest occlusion_;
    TextureMoves moves_;
    std::map<std::pair<std::size_t, ElementType>, GrowingTexture> scratch_;
    DeviceInfo info_;
};

void FragmentDevice::launch(const Launch& launch, Range range, std::span<double> reductions) {
    check(launch, range);
    const KernelInfo& kernel = *launch.kernel;
    if (range.end <= range.begin) {
        for (std::size_t n = 0; n < kernel.reductions.size(); ++n)
            reductions[n] = identity_of(kernel.reductions[n].operation);
        return;
    }
    drawing_->make_current();
    KernelProgram& program = programs_.of(launch);
    program.set_range(range);
    program.set_uniforms(launch);
    if (is_pure_reduction(kernel))
        run_squares(launch, program, range, reductions);
    else
        run_entities(launch, program, range, reductions);
}

ReductionTicket FragmentDevice::launch_ahead(const Launch& launch, Range range) {
    if (!is_reproducible() || launch.kernel->reductions.empty() || range.end <= range.begin)
        return Device::launch_ahead(launch, range);
    check(launch, range);
    drawing_->make_current();
    KernelProgram& program = programs_.of(launch, false, true);
    program.set_range(range);
    program.set_uniforms(launch);
    ReductionTicket ticket;
    run_entities(launch, program, range, {}, &ticket);
    return ticket;
}

void FragmentDevice::bind(const Launch& launch, KernelProgram& program) const {
    std::array<GLuint, max_buffers> ids{}, width{};
    const auto arguments = launch.kernel->arguments;
    bool is_in_place = false;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
        width[n] = texture(*launch.buffers[n]).layout.width;
        if (arguments[n].access != Access::out) ids[n] = texture(*launch.buffers[n]).id();
        is_in_place |= arguments[n].access == Access::inout;
    }
    glUseProgram(program.program().id());
    glBindTextures(0, static_cast<GLsizei>(arguments.size()), ids.data());
    program.set_shape(width);
    program.set_layers(launch.first_column);
    // An update in place reads and writes one texture: defined as each fragment reads its own
    // texel, once, and what the last pass wrote is visible after this barrier (OpenGL 4.5, 9.3.1).
    if (is_in_place) glTextureBarrier();
}

// One fragment an entity, over the rows of the first output that the range touches. An output of
// another size, thus of another width, is written at the first one's places in a spare texture, and
// relocated.
void FragmentDevice::run_entities(const Launch& launch, KernelProgram& program, Range range,
                                  std::span<double> reductions, ReductionTicket* each) {
    const KernelInfo& kernel = *launch.kernel;
    const std::vector<Output> outputs = outputs_of(launch);
    const Layout layout = outputs.empty() ? reducible_layout(range.end, drawing_->least_side)
                                          : outputs.front().field.layout;
    std::vector<Attachment> attachments;
    const auto attach = [&](const std::vector<Attachment>& more) {
        attachments.insert(attachments.end(), more.begin(), more.end());
    };
    for (std::size_t n = 0; n < outputs.size(); ++n) {
        const auto& [field, first_column, columns] = outputs[n];
        if (field.layout.width == layout.width)
            attach(field.attachments(first_column, columns));
        else
            attach(scratch(n, field.type, layout, columns).attachments(columns));
    }
    if (!kernel.reductions.empty())
        attach(reduction_.contributions(layout.width, layout.height,
                                        static_cast<int>(kernel.reductions.size())));
    bind(launch, program);
    program.set_rectangle(layout.width, layout.height);
    drawing_->cover(drawing_->framebuffer(attachments), layout.width, range.begin / layout.width,
                    (range.end - 1) / layout.width + 1);
    for (std::size_t n = 0; n < outputs.size(); ++n)
        if (outputs[n].field.layout.width != layout.width)
            moves_.relocate(scratch(n, outputs[n].field.type, layout, outputs[n].columns).id(),
                            layout.width, range, outputs[n].field);
    if (each)
        reduction_.take_each(kernel.reductions, layout.width, range, *each);
    else if (!kernel.reductions.empty())
        reduction_.fold_entities(kernel.reductions, layout.width, range, reductions);
}

GrowingTexture& FragmentDevice::scratch(std::size_t output, ElementType type, const Layout& layout,
                                        int columns) {
    GrowingTexture& texture = scratch_.try_emplace({output, type}, drawing_, type).first->second;
    texture.grow(layout.width, layout.height, columns);
    return texture;
}

// A reduction alone: four entities a fragment, so that nothing as large as a field is written.
void FragmentDevice::run_squares(const Launch& launch, KernelProgram& program, Range range,
                                 std::span<double> reductions) {
    const KernelInfo& kernel = *launch.kernel;
    const Layout layout = reducible_layout(range.size(), drawing_->least_side);
    const Index width = (layout.width + 1) / 2, height = (layout.height + 1) / 2;
    const auto attachments =
        reduction_.first_stage(width, height, static_cast<int>(kernel.reductions.size()));
    bind(launch, program);
    program.set_rectangle(layout.width, layout.height);
    drawing_->cover(drawing_->framebuffer(attachments), width, 0, height);
    reduction_.fold_stages(kernel.reductions, width, height, reductions);
}

void FragmentDevice::scatter(const Storage& value, const Storage& where, Storage& out) {
    if (where.size == 0) return;
    drawing_->make_current();
    moves_.scatter(texture(value), texture(where), texture(out));
}

void FragmentDevice::copy(const Storage& from, Storage& to) {
    drawing_->make_current();
    const FieldTexture& source = texture(from);
    glCopyImageSubData(source.id(), GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, texture(to).id(),
                       GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, static_cast<GLsizei>(source.layout.width),
                       static_cast<GLsizei>(source.layout.height), source.columns);
}

void FragmentDevice::gather(const Storage& field, const Storage& where, Staging& to) {
    if (where.size == 0) return;
    drawing_->make_current();
    auto& staging = static_cast<FragmentStaging&>(to);
    moves_.gather(texture(field), texture(where), staging.buffer());
    staging.mark_written();
}

void FragmentDevice::scatter(Staging& from, const Storage& where, Storage& field) {
    if (where.size == 0) return;
    drawing_->make_current();
    auto& staging = static_cast<FragmentStaging&>(from);
    moves_.scatter(staging.buffer(), texture(where), texture(field));
    staging.mark_read();
}

}  // namespace
}  // namespace gl

std::unique_ptr<Device> make_fragment_device(std::shared_ptr<gl::Context> context,
                                             Index least_side) {
    const gl::DeviceDescription& d = context->description();
    if (!d.has_fragment)
        throw InputError(
            d.name + " (" + d.version +
            ") lacks what the device fragment needs (OpenGL 4.5, or 4.0 with direct state "
            "access, texture barriers, cleared and copied textures): choose the device cpu");
    if (d.max_color_attachments < gl::max_attachments)
        throw InputError(d.name + " draws into " + std::to_string(d.max_color_attachments) +
                         " fields at once, 8 are needed: choose the device cpu");
    return std::make_unique<gl::FragmentDevice>(std::move(context),
                                                least_side ? least_side : gl::least_side);
}

}  // namespace solenoid
