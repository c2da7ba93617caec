#include "device/gl/texture_moves.hpp"

#include <algorithm>

#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

constexpr Index packed_width = 1024;
Index rows_of(Index count) { return (count + packed_width - 1) / packed_width; }

// An offset into the bound pixel buffer, as OpenGL wants it.
void* pixel_offset(int column, Index count, ElementType type) {
    return reinterpret_cast<void*>(std::size_t(column) * count * bytes_of(type));
}

}  // namespace

const TextureMoves::MoveProgram& TextureMoves::program(ElementType type, int columns,
                                                       Moving moving) {
    const auto key = std::make_tuple(type, columns, moving);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    const char* vertices = moving == Moving::scatter ? sprites_vertex : full_screen_vertex;
    MoveProgram made{
        Program::draw("move", vertex_text(vertices), moving_text(type, columns, moving)),
        0,
        0,
        0,
        0,
        0,
        0};
    const Program& p = made.program;
    glProgramUniform1i(p.id(), p.location("field"), 0);
    glProgramUniform1i(p.id(), p.location("where"), 1);
    made.field_width = p.location("field_width");
    made.first_layer = p.location("first_layer");
    made.where_width = p.location("where_width");
    made.rectangle = p.location("rectangle");
    made.output_width = p.location("output_width");
    made.range = p.location("launch_range");
    return programs_.emplace(key, std::move(made)).first->second;
}

GrowingTexture& TextureMoves::packed(ElementType type, Index count) {
    GrowingTexture& texture = packed_.try_emplace(type, drawing_, type).first->second;
    texture.grow(packed_width, rows_of(count), max_attachments);
    return texture;
}

void TextureMoves::draw_points(GLuint values, Index values_width, int first_layer,
                               const FieldTexture& where, const FieldTexture& out, int first,
                               int columns) {
    const MoveProgram& m = program(out.type, columns, Moving::scatter);
    const GLuint id = m.program.id();
    glUseProgram(id);
    glProgramUniform1ui(id, m.field_width, values_width);
    glProgramUniform1i(id, m.first_layer, first_layer);
    glProgramUniform1ui(id, m.where_width, where.layout.width);
    glProgramUniform2ui(id, m.rectangle, out.layout.width, out.layout.height);
    glBindTextureUnit(0, values);
    glBindTextureUnit(1, where.id());
    drawing_->points(drawing_->framebuffer(out.attachments(first, columns)), out.layout.width,
                     out.layout.height, where.size);
}

void TextureMoves::scatter(const FieldTexture& value, const FieldTexture& where,
                           const FieldTexture& out) {
    for (int first = 0; first < value.columns; first += max_attachments)
        draw_points(value.id(), value.layout.width, first, where, out, first,
                    std::min(max_attachments, value.columns - first));
}

void TextureMoves::gather(const FieldTexture& field, const FieldTexture& where,
                          const MappedBuffer& message) {
    const GrowingTexture& to = packed(field.type, where.size);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, message.id());
    for (int first = 0; first < field.columns; first += max_attachments) {
        const int columns = std::min(max_attachments, field.columns - first);
        const MoveProgram& m = program(field.type, columns, Moving::gather);
        const GLuint id = m.program.id();
        glUseProgram(id);
        glProgramUniform1ui(id, m.field_width, field.layout.width);
        glProgramUniform1i(id, m.first_layer, first);
        glProgramUniform1ui(id, m.where_width, where.layout.width);
        glProgramUniform1ui(id, m.output_width, packed_width);
        glProgramUniform2ui(id, m.range, 0, where.size);
        glBindTextureUnit(0, field.id());
        glBindTextureUnit(1, where.id());
        drawing_->cover(drawing_->framebuffer(to.attachments(columns)), packed_width, 0,
                        rows_of(where.size));
        for (int j = 0; j < columns; ++j) {
            glBindFramebuffer(GL_READ_FRAMEBUFFER, drawing_->framebuffer({{to.id(), j}}));
            read_texels(field.type, packed_width, where.size,
                        pixel_offset(first + j, where.size, field.type));
        }
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

void TextureMoves::scatter(const MappedBuffer& message, const FieldTexture& where,
                           const FieldTexture& out) {
    const GrowingTexture& from = packed(out.type, where.size);
    for (int first = 0; first < out.columns; first += max_attachments) {
        const int columns = std::min(max_attachments, out.columns - first);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, message.id());
        for (int j = 0; j < columns; ++j)
            write_texels(from.id(), out.type, packed_width, j, where.size,
                         pixel_offset(first + j, where.size, out.type));
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        draw_points(from.id(), packed_width, 0, where, out, first, columns);
    }
}

void TextureMoves::relocate(GLuint values, Index values_width, Range range,
                            const FieldTexture& out) {
    const Index width = out.layout.width;
    const MoveProgram& m = program(out.type, out.columns, Moving::relocate);
    const GLuint id = m.program.id();
    glUseProgram(id);
    glProgramUniform1ui(id, m.field_width, values_width);
    glProgramUniform1i(id, m.first_layer, 0);
    glProgramUniform1ui(id, m.output_width, width);
    glProgramUniform2ui(id, m.range, range.begin, range.end);
    glBindTextureUnit(0, values);
    drawing_->cover(drawing_->framebuffer(out.attachments(0, out.columns)), width,
                    range.begin / width, (range.end - 1) / width + 1);
}

}  // namespace solenoid::gl
