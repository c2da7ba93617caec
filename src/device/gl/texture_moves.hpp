// Gathers and scatters between textures: point sprites write values to entities, fragments gather
// them.
#pragma once

#include <map>
#include <tuple>

#include "device/gl/composition.hpp"
#include "device/gl/field_texture.hpp"
#include "device/gl/mapped_buffer.hpp"
#include "device/gl/program.hpp"

namespace solenoid::gl {

inline constexpr int max_attachments = 8;  // what OpenGL guarantees

class TextureMoves {
  public:
    explicit TextureMoves(std::shared_ptr<Drawing> drawing) : drawing_(std::move(drawing)) {}

    // out[where[k]] = value[k], all columns.
    void scatter(const FieldTexture& value, const FieldTexture& where, const FieldTexture& out);
    // message[j][k] = field(where[k], column j), and back. The message is a pixel buffer.
    void gather(const FieldTexture& field, const FieldTexture& where, const MappedBuffer& message);
    void scatter(const MappedBuffer& message, const FieldTexture& where, const FieldTexture& out);

    // out = values over the range, from a texture of another width.
    void relocate(GLuint values, Index values_width, Range range, const FieldTexture& out);

  private:
    struct MoveProgram {
        Program program;
        GLint field_width, first_layer, where_width, rectangle, output_width, range;
    };
    const MoveProgram& program(ElementType type, int columns, Moving moving);
    // Packed values of a message, up to 8 columns at a time, in rows of a fixed width.
    GrowingTexture& packed(ElementType type, Index count);
    // Points for columns [first, first + columns) of `out` from as many layers of `values`.
    void draw_points(GLuint values, Index values_width, int first_layer, const FieldTexture& where,
                     const FieldTexture& out, int first, int columns);

    std::shared_ptr<Drawing> drawing_;
    std::map<std::tuple<ElementType, int, Moving>, MoveProgram> programs_;
    std::map<ElementType, GrowingTexture> packed_;
};

}  // namespace solenoid::gl
