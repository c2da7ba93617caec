#include "view/overlay.hpp"

namespace solenoid {
namespace {

const char* const vertex_shader = R"(#version 330 core
out vec2 place;
void main() {   // one triangle that covers the viewport; the canvas' first row is at the top
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);
    gl_Position = vec4(corner, 0.0, 1.0);
}
)";

const char* const fragment_shader = R"(#version 330 core
uniform sampler2D canvas;
in vec2 place;
layout(location = 0) out vec4 result;
void main() { result = texture(canvas, place); }
)";

}  // namespace

Overlay::Overlay() : program_(gl::Program::draw("overlay", vertex_shader, fragment_shader)) {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    arrays_ = gl::VertexArrayObject(id);
    glGenTextures(1, &id);
    texture_ = gl::TextureObject(id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void Overlay::draw(const Canvas& canvas) const {
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // the colours of the canvas are premultiplied
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, canvas.width(), canvas.height(), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, canvas.rgba().data());
    glUseProgram(program_.id());
    glUniform1i(program_.location("canvas"), 0);
    glBindVertexArray(arrays_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

}  // namespace solenoid
