// A framebuffer larger than the picture. Means of its pixels give smooth edges, equal on all GPUs.
#pragma once

#include "device/gl/object.hpp"
#include "view/canvas.hpp"

namespace solenoid {

class OffScreen {
  public:
    OffScreen(int width, int height, int max_texture_size);  // size of the picture

    int samples() const { return samples_; }  // along each side of a pixel
    void begin() const;                       // binds the framebuffer and its viewport
    Canvas finish() const;                    // the picture

  private:
    int width_, height_, samples_;
    gl::TextureObject colour_, depth_;
    gl::FramebufferObject framebuffer_;
};

}  // namespace solenoid
