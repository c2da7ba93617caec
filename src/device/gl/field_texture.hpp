// The fragment device's memory: a field is an array of textures, one layer a column.
#pragma once

#include "device/device.hpp"
#include "device/gl/drawing.hpp"
#include "device/gl/layout.hpp"

namespace solenoid::gl {

// How an element travels: uint R32UI, float R32F, double RG32UI (its two words), bfloat16 R16UI.
struct TexelFormat {
    GLenum internal, format, type;
};
TexelFormat format_of(ElementType type);

TextureObject create_field(GLenum internal_format, Index width, Index height, int layers);

// The first `count` values of a column: from and to host memory, or a bound pixel buffer.
void write_texels(GLuint texture, ElementType type, Index width, int layer, Index count,
                  const void* values);
void read_texels(ElementType type, Index width, Index count,
                 void* values);  // from the bound read framebuffer

// A texture array for temporary values, which grows to what is asked for and loses its values then.
class GrowingTexture {
  public:
    GrowingTexture(std::shared_ptr<Drawing> drawing, ElementType type)
        : drawing_(std::move(drawing)), type_(type) {}
    ~GrowingTexture();
    GrowingTexture(const GrowingTexture&) = delete;
    GrowingTexture& operator=(const GrowingTexture&) = delete;

    void grow(Index width, Index height, int layers);
    GLuint id() const { return texture_.id(); }
    std::vector<Attachment> attachments(int layers) const;

  private:
    std::size_t bytes() const { return std::size_t(width_) * height_ * layers_ * bytes_of(type_); }
    std::shared_ptr<Drawing> drawing_;
    ElementType type_;
    TextureObject texture_;
    Index width_ = 0, height_ = 0;
    int layers_ = 0;
};

class FieldTexture final : public Storage {
  public:
    // Zero-filled; throws ComputationError where a limit or the memory is exceeded.
    FieldTexture(ElementType type, Index size, int columns, std::shared_ptr<Drawing> drawing);
    ~FieldTexture() override;
    FieldTexture(const FieldTexture&) = delete;
    FieldTexture& operator=(const FieldTexture&) = delete;
    void write(const void* values, int column) override;
    void read(void* values, int column) override;

    GLuint id() const { return texture_.id(); }
    std::vector<Attachment> attachments(int first, int count) const;
    const Layout layout;

  private:
    std::size_t bytes() const { return layout.texels() * columns * bytes_of(type); }
    void check_limits() const;
    std::shared_ptr<Drawing> drawing_;
    TextureObject texture_;
};

}  // namespace solenoid::gl
