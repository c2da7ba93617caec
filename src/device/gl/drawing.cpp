#include "device/gl/drawing.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solenoid::gl {

Drawing::Drawing(std::shared_ptr<Context> context, Index least_side)
    : least_side(least_side), context_(std::move(context)) {
    make_current();
    no_vertices_ = create_vertex_array();
}

GLuint Drawing::framebuffer(const std::vector<Attachment>& attachments) {
    const auto found = framebuffers_.find(attachments);
    if (found != framebuffers_.end()) return found->second.id();
    FramebufferObject made = create_framebuffer();
    std::vector<GLenum> buffers;
    for (std::size_t k = 0; k < attachments.size(); ++k) {
        buffers.push_back(static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + k));
        glNamedFramebufferTextureLayer(made.id(), buffers[k], attachments[k].texture, 0,
                                       attachments[k].layer);
    }
    glNamedFramebufferDrawBuffers(made.id(), static_cast<GLsizei>(buffers.size()), buffers.data());
    if (glCheckNamedFramebufferStatus(made.id(), GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw ComputationError(description().name + " cannot draw into " +
                               std::to_string(attachments.size()) +
                               " fields at once: choose the device compute or cpu");
    return framebuffers_.emplace(attachments, std::move(made)).first->second.id();
}

void Drawing::forget(GLuint texture) {
    std::erase_if(framebuffers_, [&](const auto& entry) {
        return std::any_of(entry.first.begin(), entry.first.end(),
                           [&](const Attachment& a) { return a.texture == texture; });
    });
}

// Pictures may share the context: nothing is taken for granted.
void Drawing::prepare(GLuint framebuffer) const {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBindVertexArray(no_vertices_.id());
    for (GLenum state : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_STENCIL_TEST,
                         GL_PROGRAM_POINT_SIZE})
        glDisable(state);
}

void Drawing::cover(GLuint framebuffer, Index width, Index first_row, Index end_row) const {
    prepare(framebuffer);
    glViewport(0, static_cast<GLint>(first_row), static_cast<GLsizei>(width),
               static_cast<GLsizei>(end_row - first_row));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Drawing::points(GLuint framebuffer, Index width, Index height, Index count) const {
    prepare(framebuffer);
    glViewport(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
    glPointSize(1);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
}

void Drawing::points(GLuint framebuffer, Index width, Index height,
                     const Vertices& vertices) const {
    prepare(framebuffer);
    glBindVertexArray(vertices.array);
    glViewport(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
    glPointSize(1);
    if (vertices.blends) {
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE);
    }
    glDrawArrays(GL_POINTS, static_cast<GLint>(vertices.first),
                 static_cast<GLsizei>(vertices.count));
    if (vertices.blends) glDisable(GL_BLEND);
}

}  // namespace solenoid::gl
