#include "view/off_screen.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solenoid {
namespace {

gl::TextureObject attach(GLenum attachment, GLint format, GLenum layout, GLenum type, int width,
                         int height) {
    GLuint id = 0;
    glGenTextures(1, &id);
    gl::TextureObject texture(id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, layout, type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, id, 0);
    return texture;
}

int samples_for(int width, int height, int max_texture_size) {
    const int samples = std::min(3, max_texture_size / std::max(width, height));
    if (samples < 1)
        throw InputError("a picture is larger than the OpenGL device's limit of " +
                         std::to_string(max_texture_size) + " pixels");
    return samples;
}

}  // namespace

OffScreen::OffScreen(int width, int height, int max_texture_size)
    : width_(width), height_(height), samples_(samples_for(width, height, max_texture_size)) {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    framebuffer_ = gl::FramebufferObject(id);
    glBindFramebuffer(GL_FRAMEBUFFER, id);
    const int w = samples_ * width, h = samples_ * height;
    colour_ = attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, w, h);
    depth_ = attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, w, h);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw ComputationError("no OpenGL framebuffer of " + std::to_string(w) + " x " +
                               std::to_string(h));
}

void OffScreen::begin() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, samples_ * width_, samples_ * height_);
}

Canvas OffScreen::finish() const {
    const std::size_t row = std::size_t(4) * samples_ * width_;
    std::vector<std::uint8_t> fine(row * samples_ * height_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, samples_ * width_, samples_ * height_, GL_RGBA, GL_UNSIGNED_BYTE,
                 fine.data());
    std::vector<std::uint8_t> rgba(std::size_t(4) * width_ * height_);
    const int count = samples_ * samples_;
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x)
            for (int k = 0; k < 4; ++k) {
                int sum = 0;
                for (int j = 0; j < samples_; ++j)
                    for (int i = 0; i < samples_; ++i)
                        sum += fine[(std::size_t(height_ - 1 - y) * samples_ + j) * row +
                                    4 * (x * samples_ + i) + k];
                rgba[4 * (std::size_t(y) * width_ + x) + k] =
                    static_cast<std::uint8_t>((sum + count / 2) / count);
            }
    return {width_, height_, std::move(rgba)};
}

}  // namespace solenoid
