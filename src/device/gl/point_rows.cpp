#include "device/gl/point_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "device/gl/composition.hpp"
#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

constexpr Index point_entries = 4;

// As the vertex buffer holds it: the words of floats in the first four.
struct Point {
    std::uint32_t row;
    std::array<std::uint32_t, point_entries> columns;
    std::array<std::uint32_t, 2 * point_entries> words;
};

}  // namespace

// The first points of all rows come first, then the second ones, ...: no row has two in a round.
DrawnRows::DrawnRows(std::shared_ptr<Drawing> drawing, const Rows& rows,
                     std::span<const double> entries, ElementType real)
    : drawing_(std::move(drawing)), is_double_(real == ElementType::float64) {
    const Index count = static_cast<Index>(rows.rows());
    Index longest = 0;
    for (Index i = 0; i < count; ++i) longest = std::max(longest, rows.length(i));
    std::vector<Point> points;
    round_.push_back(0);
    for (Index first = 0; first < longest; first += point_entries) {
        for (Index i = 0; i < count; ++i) {
            if (rows.length(i) <= first) continue;
            Point point{i, {}, {}};
            point.columns.fill(rows.index[rows.start[i] + first]);
            for (Index j = 0; j < std::min(point_entries, rows.length(i) - first); ++j) {
                const Index k = rows.start[i] + first + j;
                point.columns[j] = rows.index[k];
                if (is_double_) {
                    std::memcpy(&point.words[2 * j], &entries[k], sizeof(double));
                } else {
                    const float entry = static_cast<float>(entries[k]);
                    std::memcpy(&point.words[j], &entry, sizeof(float));
                }
            }
            points.push_back(point);
        }
        round_.push_back(static_cast<Index>(points.size()));
    }
    if (points.empty()) return;

    drawing_->make_current();
    bytes_ = points.size() * sizeof(Point);
    points_ = create_buffer();
    while (glGetError() != GL_NO_ERROR) {
    }
    glNamedBufferStorage(points_.id(), static_cast<GLsizeiptr>(bytes_), points.data(), 0);
    if (glGetError() != GL_NO_ERROR)
        throw ComputationError(drawing_->description().name +
                               " has no memory left for a matrix as points: use more ranks");
    drawing_->allocated_bytes += bytes_;
    vertices_ = create_vertex_array();
    const GLuint array = vertices_.id();
    glVertexArrayVertexBuffer(array, 0, points_.id(), 0, sizeof(Point));
    const auto attribute = [&](GLuint location, GLint size, std::size_t offset) {
        glEnableVertexArrayAttrib(array, location);
        glVertexArrayAttribIFormat(array, location, size, GL_UNSIGNED_INT,
                                   static_cast<GLuint>(offset));
        glVertexArrayAttribBinding(array, location, 0);
    };
    attribute(0, 1, offsetof(Point, row));
    attribute(1, 4, offsetof(Point, columns));
    attribute(2, 4, offsetof(Point, words));
    attribute(3, 4, offsetof(Point, words) + 4 * sizeof(std::uint32_t));
    program_ = Program::draw("points", vertex_text(points_vertex),
                             points_text(is_double_, drawing_->description().has_fp64));
    glProgramUniform1i(program_.id(), program_.location("x"), 0);
    if (is_double_) glProgramUniform1i(program_.id(), program_.location("y"), 1);
}

DrawnRows::~DrawnRows() {
    drawing_->make_current();
    drawing_->allocated_bytes -= bytes_;
}

void DrawnRows::multiply(const Storage& x, Storage& y) {
    drawing_->make_current();
    const auto& from = static_cast<const FieldTexture&>(x);
    const auto& to = static_cast<const FieldTexture&>(y);
    const TexelFormat f = format_of(to.type);
    glClearTexImage(to.id(), 0, f.format, f.type, nullptr);
    if (bytes_ == 0) return;
    const GLuint id = program_.id();
    glUseProgram(id);
    glProgramUniform1ui(id, program_.location("x_width"), from.layout.width);
    glProgramUniform2ui(id, program_.location("rectangle"), to.layout.width, to.layout.height);
    glBindTextureUnit(0, from.id());
    const GLuint framebuffer = drawing_->framebuffer(to.attachments(0, 1));
    const auto draw = [&](Index begin, Index end, bool blends) {
        drawing_->points(framebuffer, to.layout.width, to.layout.height,
                         {vertices_.id(), begin, end - begin, blends});
    };
    if (!is_double_) return draw(0, round_.back(), true);
    glBindTextureUnit(1, to.id());
    // A round reads what the one before wrote: visible behind a barrier (OpenGL 4.5, 9.3.1).
    for (std::size_t k = 0; k + 1 < round_.size(); ++k) {
        glTextureBarrier();
        draw(round_[k], round_[k + 1], false);
    }
}

}  // namespace solenoid::gl
