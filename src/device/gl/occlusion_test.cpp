#include "device/gl/occlusion_test.hpp"

#include "device/gl/composition.hpp"
#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

QueryObject create_query() {
    GLuint id = 0;
    glCreateQueries(GL_ANY_SAMPLES_PASSED, 1, &id);
    return QueryObject(id);
}

}  // namespace

OcclusionTest::OcclusionTest(std::shared_ptr<Drawing> drawing) : drawing_(std::move(drawing)) {
    drawing_->make_current();
    if (!glNamedFramebufferParameteri) return;
    framebuffer_ = create_framebuffer();
    set_size(1, 1);
    query_ = create_query();
    is_there_ = glCheckNamedFramebufferStatus(framebuffer_.id(), GL_DRAW_FRAMEBUFFER) ==
                GL_FRAMEBUFFER_COMPLETE;
    while (glGetError() != GL_NO_ERROR) is_there_ = false;
}

void OcclusionTest::set_size(Index width, Index height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    glNamedFramebufferParameteri(framebuffer_.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH,
                                 static_cast<GLint>(width));
    glNamedFramebufferParameteri(framebuffer_.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT,
                                 static_cast<GLint>(height));
}

bool OcclusionTest::any_above(const FieldTexture& x, Range range, double bound) {
    const Test& t = test(x.type);
    const Index width = x.layout.width;
    set_size(width, x.layout.height);
    glUseProgram(t.program.id());
    glProgramUniform2ui(t.program.id(), t.range, range.begin, range.end);
    glProgramUniform1ui(t.program.id(), t.width, width);
    if (x.type == ElementType::float64)
        glProgramUniform1d(t.program.id(), t.bound, bound);
    else
        glProgramUniform1f(t.program.id(), t.bound, static_cast<float>(bound));
    glBindTextureUnit(0, x.id());
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query_.id());
    drawing_->cover(framebuffer_.id(), width, range.begin / width, (range.end - 1) / width + 1);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    GLuint is_any = 0;
    glGetQueryObjectuiv(query_.id(), GL_QUERY_RESULT, &is_any);
    return is_any != 0;
}

const OcclusionTest::Test& OcclusionTest::test(ElementType type) {
    const auto found = tests_.find(type);
    if (found != tests_.end()) return found->second;
    Program program = Program::draw(
        "occlusion", vertex_text(full_screen_vertex),
        occlusion_text(type == ElementType::float64, drawing_->description().has_fp64));
    const GLint range = program.location("launch_range"), width = program.location("width"),
                at_bound = program.location("bound");
    return tests_.emplace(type, Test{std::move(program), range, width, at_bound}).first->second;
}

}  // namespace solenoid::gl
