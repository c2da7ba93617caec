// OpenGL names that delete themselves: move-only. Their context must be current when they are
// destroyed.
#pragma once

#include <GL/glew.h>

#include <utility>

#include "core/error.hpp"

namespace solenoid::gl {

template <void (*destroy)(GLuint)>
class Object {
  public:
    Object() = default;
    explicit Object(GLuint id) : id_(id) {}
    ~Object() {
        if (id_) destroy(id_);
    }
    Object(Object&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

  private:
    GLuint id_ = 0;
};

// GLEW's entry points are macros over pointers, so each needs a function of its own.
inline void delete_buffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void delete_texture(GLuint id) { glDeleteTextures(1, &id); }
inline void delete_framebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void delete_vertex_array(GLuint id) { glDeleteVertexArrays(1, &id); }
inline void delete_program(GLuint id) { glDeleteProgram(id); }
inline void delete_shader(GLuint id) { glDeleteShader(id); }

using BufferObject = Object<delete_buffer>;
using TextureObject = Object<delete_texture>;
using FramebufferObject = Object<delete_framebuffer>;
using VertexArrayObject = Object<delete_vertex_array>;
using ProgramObject = Object<delete_program>;
using ShaderObject = Object<delete_shader>;

inline BufferObject create_buffer() {
    GLuint id = 0;
    glCreateBuffers(1, &id);
    return BufferObject(id);
}
inline TextureObject create_texture(GLenum target) {
    GLuint id = 0;
    glCreateTextures(target, 1, &id);
    return TextureObject(id);
}
inline FramebufferObject create_framebuffer() {
    GLuint id = 0;
    glCreateFramebuffers(1, &id);
    return FramebufferObject(id);
}
inline VertexArrayObject create_vertex_array() {
    GLuint id = 0;
    glCreateVertexArrays(1, &id);
    return VertexArrayObject(id);
}

// A point in the command stream that the host can wait for.
class Fence {
  public:
    Fence() = default;
    ~Fence() { reset(); }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

    // After all commands so far; submits them.
    void set() {
        reset();
        sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
    }
    // Returns at once where the fence is not set or was waited for.
    void wait() {
        constexpr GLuint64 second = 1'000'000'000;
        GLenum status = GL_ALREADY_SIGNALED;
        do {
            if (sync_) status = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, second);
        } while (status == GL_TIMEOUT_EXPIRED);
        reset();
        if (status == GL_WAIT_FAILED)
            throw ComputationError("the GPU has stopped answering (glClientWaitSync failed)");
    }

  private:
    void reset() {
        if (sync_) glDeleteSync(sync_);
        sync_ = nullptr;
    }
    GLsync sync_ = nullptr;
};

}  // namespace solenoid::gl
