// Drawing into textures: the state that every pass of the fragment device sets, and its
// framebuffers.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <vector>

#include "core/types.hpp"
#include "device/gl/context.hpp"
#include "device/gl/layout.hpp"
#include "device/gl/object.hpp"

namespace solenoid::gl {

struct Attachment {
    GLuint texture;
    GLint layer;
    auto operator<=>(const Attachment&) const = default;
};

// What the device and its storages share; lives as long as the last of them.
class Drawing {
  public:
    // least_side: R_min of its layouts.
    explicit Drawing(std::shared_ptr<Context> context, Index least_side = gl::least_side);
    ~Drawing() { make_current(); }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    void make_current() const { context_->make_current(); }
    const DeviceDescription& description() const { return context_->description(); }

    // The framebuffer of these color attachments, made when first used.
    GLuint framebuffer(const std::vector<Attachment>& attachments);
    void forget(GLuint texture);  // before it is deleted

    // Runs the current program over the rows [first_row, end_row) of a target: one fragment a
    // texel.
    void cover(GLuint framebuffer, Index width, Index first_row, Index end_row) const;
    // Runs the current program over points: one fragment each.
    void points(GLuint framebuffer, Index width, Index height, Index count) const;
    // The same with points of a vertex array. blends: floats that meet at a texel are added up.
    struct Vertices {
        GLuint array;
        Index first, count;
        bool blends;
    };
    void points(GLuint framebuffer, Index width, Index height, const Vertices& vertices) const;

    std::size_t allocated_bytes = 0;
    const Index least_side;

  private:
    void prepare(GLuint framebuffer) const;
    std::shared_ptr<Context> context_;
    VertexArrayObject no_vertices_;
    std::map<std::vector<Attachment>, FramebufferObject> framebuffers_;
};

}  // namespace solenoid::gl
