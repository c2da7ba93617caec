#include "device/gl/field_texture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace solenoid::gl {

TexelFormat format_of(ElementType type) {
    switch (type) {
        case ElementType::uint32:
            return {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT};
        case ElementType::float32:
            return {GL_R32F, GL_RED, GL_FLOAT};
        case ElementType::bfloat16:
            return {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT};
        default:
            return {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
    }
}

TextureObject create_field(GLenum internal_format, Index width, Index height, int layers) {
    TextureObject texture = create_texture(GL_TEXTURE_2D_ARRAY);
    glTextureParameteri(texture.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(texture.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTextureStorage3D(texture.id(), 1, internal_format, static_cast<GLsizei>(width),
                       static_cast<GLsizei>(height), layers);
    return texture;
}

namespace {

// Calls part(first row, width, rows, byte offset) for the full rows, then for the rest of the last
// one.
template <class Part>
void for_rows(Index width, Index count, std::size_t element_bytes, Part part) {
    const Index rows = count / width, rest = count % width;
    if (rows) part(0, static_cast<GLsizei>(width), static_cast<GLsizei>(rows), std::size_t(0));
    if (rest)
        part(static_cast<GLint>(rows), static_cast<GLsizei>(rest), 1,
             std::size_t(rows) * width * element_bytes);
}

std::vector<Attachment> layers_of(GLuint texture, int first, int count) {
    std::vector<Attachment> result;
    for (int j = 0; j < count; ++j) result.push_back({texture, first + j});
    return result;
}

}  // namespace

void write_texels(GLuint texture, ElementType type, Index width, int layer, Index count,
                  const void* values) {
    const TexelFormat f = format_of(type);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    for_rows(width, count, bytes_of(type),
             [&](GLint row, GLsizei columns, GLsizei rows, std::size_t offset) {
                 glTextureSubImage3D(texture, 0, 0, row, layer, columns, rows, 1, f.format, f.type,
                                     static_cast<const char*>(values) + offset);
             });
}

void read_texels(ElementType type, Index width, Index count, void* values) {
    const TexelFormat f = format_of(type);
    glPixelStorei(GL_PACK_ALIGNMENT, 2);
    for_rows(width, count, bytes_of(type),
             [&](GLint row, GLsizei columns, GLsizei rows, std::size_t offset) {
                 glReadPixels(0, row, columns, rows, f.format, f.type,
                              static_cast<char*>(values) + offset);
             });
}

// ---- GrowingTexture

GrowingTexture::~GrowingTexture() {
    drawing_->make_current();
    drawing_->forget(id());
    drawing_->allocated_bytes -= bytes();
}

void GrowingTexture::grow(Index width, Index height, int layers) {
    if (width <= width_ && height <= height_ && layers <= layers_) return;
    drawing_->forget(id());
    drawing_->allocated_bytes -= bytes();
    texture_ = {};
    width_ = std::max(width, width_);
    height_ = std::max(height, height_);
    layers_ = std::max(layers, layers_);
    while (glGetError() != GL_NO_ERROR) {
    }
    texture_ = create_field(format_of(type_).internal, width_, height_, layers_);
    drawing_->allocated_bytes += bytes();
    if (glGetError() != GL_NO_ERROR)
        throw ComputationError(
            drawing_->description().name +
            " has no memory left for temporary values: use more GPUs or a coarser mesh");
}

std::vector<Attachment> GrowingTexture::attachments(int layers) const {
    return layers_of(id(), 0, layers);
}

// ---- FieldTexture

FieldTexture::FieldTexture(ElementType type, Index size, int columns,
                           std::shared_ptr<Drawing> drawing)
    : Storage(type, size, columns),
      layout(reducible_layout(size, drawing->least_side)),
      drawing_(std::move(drawing)) {
    check_limits();
    drawing_->make_current();
    while (glGetError() != GL_NO_ERROR) {
    }
    const TexelFormat f = format_of(type);
    texture_ = create_field(f.internal, layout.width, layout.height, columns);
    if (glGetError() != GL_NO_ERROR)
        throw ComputationError(fmt::format(
            "{} has no memory left for a field of {} MiB ({} MiB are in use): use more GPUs or a "
            "coarser mesh",
            drawing_->description().name, bytes() >> 20, drawing_->allocated_bytes >> 20));
    glClearTexImage(id(), 0, f.format, f.type, nullptr);
    drawing_->allocated_bytes += bytes();
}

void FieldTexture::check_limits() const {
    const DeviceDescription& d = drawing_->description();
    const Index side = std::max(layout.width, layout.height);
    if (side > static_cast<Index>(d.max_texture_size))
        throw ComputationError(
            fmt::format("a field of {} values needs a texture of {} x {}, {} allows {} a side "
                        "(GL_MAX_TEXTURE_SIZE): "
                        "use more ranks, so that each holds less, or the device compute or cpu",
                        size, layout.width, layout.height, d.name, d.max_texture_size));
    if (columns > d.max_texture_layers)
        throw ComputationError(
            fmt::format("a field of {} columns needs as many layers, {} allows {} "
                        "(GL_MAX_ARRAY_TEXTURE_LAYERS): "
                        "use the device compute or cpu",
                        columns, d.name, d.max_texture_layers));
}

FieldTexture::~FieldTexture() {
    drawing_->make_current();
    drawing_->forget(id());
    drawing_->allocated_bytes -= bytes();
}

std::vector<Attachment> FieldTexture::attachments(int first, int count) const {
    return layers_of(id(), first, count);
}

void FieldTexture::write(const void* values, int column) {
    drawing_->make_current();
    write_texels(id(), type, layout.width, column, size, values);
}

void FieldTexture::read(void* values, int column) {
    drawing_->make_current();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, drawing_->framebuffer({{id(), column}}));
    read_texels(type, layout.width, size, values);
}

}  // namespace solenoid::gl
