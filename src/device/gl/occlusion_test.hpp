// Whether a number of a field is beyond a bound: fragments where none is are discarded, and an
// occlusion query tells whether any is left. Nothing is written or read back but that.
#pragma once

#include <map>

#include "device/gl/field_texture.hpp"
#include "device/gl/program.hpp"

namespace solenoid::gl {

inline void delete_query(GLuint id) { glDeleteQueries(1, &id); }
using QueryObject = Object<delete_query>;

class OcclusionTest {
  public:
    explicit OcclusionTest(std::shared_ptr<Drawing> drawing);

    // false: the framebuffer that it draws into, one without attachments, is not to be had
    bool is_there() const { return is_there_; }
    bool any_above(const FieldTexture& x, Range range, double bound);

  private:
    struct Test {
        Program program;
        GLint range, width, bound;
    };
    const Test& test(ElementType type);
    void set_size(Index width, Index height);
    std::shared_ptr<Drawing> drawing_;
    bool is_there_ = false;
    Index width_ = 0, height_ = 0;
    FramebufferObject framebuffer_;
    QueryObject query_;
    std::map<ElementType, Test> tests_;
};

}  // namespace solenoid::gl
