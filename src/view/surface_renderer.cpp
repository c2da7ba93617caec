#include "view/surface_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>

#include "view/colour_map.hpp"

namespace solenoid {
namespace {

const char* const vertex_shader = R"(#version 330 core
uniform mat4 clip;
uniform mat3 seen;
uniform bool raised;
uniform float rise;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint creases;
layout(location = 3) in float value;
layout(location = 4) in vec3 height;   // and its slopes along x and y
out vec3 seen_normal;
out vec3 corner;          // 1 at one corner each: distances from the sides opposite
out float colour_place;
flat out uint crease_flags;

void main() {
    float z = raised ? rise * (height.x - 0.5) : 0.0;
    gl_Position = clip * vec4(position + vec3(0.0, 0.0, z), 1.0);
    seen_normal = seen * (raised ? normalize(vec3(-rise * height.yz, 1.0)) : normal);
    corner = vec3(0.0);
    corner[gl_VertexID % 3] = 1.0;
    colour_place = value;
    crease_flags = creases;
}
)";

const char* const fragment_shader = R"(#version 330 core
uniform sampler2D colours;
uniform vec3 invalid_colour;
uniform bool shaded;
uniform bool raised;
uniform bool plain;         // one colour: that of a body on the surface
uniform vec3 plain_colour;
uniform bool mesh;
uniform float line_width;
in vec3 seen_normal;
in vec3 corner;
in float colour_place;
flat in uint crease_flags;
layout(location = 0) out vec4 result;

vec3 mapped(float place) {
    if (!(place > -1e6)) return invalid_colour;
    float step = clamp(place, 0.0, 1.0) * 255.0;
    int below = min(int(step), 254);
    vec3 a = texelFetch(colours, ivec2(below, 0), 0).rgb;
    vec3 b = texelFetch(colours, ivec2(below + 1, 0), 0).rgb;
    return mix(a, b, step - float(below));
}

// Bright all over, so that colours can be compared: the key light comes from the upper left, over the shoulder.
float light() {
    vec3 n = normalize(seen_normal);
    if (!gl_FrontFacing) n = -n;
    float key = max(dot(n, normalize(vec3(-0.45, 0.75, 0.75))), 0.0);
    float fill = max(dot(n, normalize(vec3(0.6, -0.1, 0.8))), 0.0);
    return min(0.66 + 0.30 * key + 0.12 * fill, 1.0);
}

// Waves: light from low behind on the left, so that slopes differ, and a little gloss. It takes a colour to between half
// of it and all of it, and adds less than a quarter of white.
vec3 lit(vec3 colour) {
    vec3 n = normalize(seen_normal);
    if (!gl_FrontFacing) n = -n;
    vec3 lamp = normalize(vec3(-0.75, 0.55, 0.25));
    float light = clamp(0.42 + 0.72 * dot(n, lamp), 0.5, 1.0);
    float gloss = 0.22 * pow(max(dot(n, normalize(lamp + vec3(0.0, 0.0, 1.0))), 0.0), 24.0);
    return colour * light + gloss * (vec3(1.0) - colour * light);
}

// How much a line of half this width along side i covers here; `height` is the triangle's over that side, in pixels.
float covered(int i, float half_width, out float height) {
    vec2 slope = vec2(dFdx(corner[i]), dFdy(corner[i]));
    height = 1.0 / max(length(slope), 1e-6);
    return clamp(half_width + 0.5 - corner[i] * height, 0.0, 1.0);
}

void main() {
    vec3 colour = plain ? plain_colour : mapped(colour_place);
    if (raised) colour = lit(colour);
    else if (shaded) colour *= light();
    float thin = 0.0, thick = 0.0;
    for (int i = 0; i < 3; ++i) {
        float height;
        float line = covered(i, 0.35 * line_width, height);
        if ((crease_flags >> uint(3 + i) & 1u) == 0u)
            thin = max(thin, line * clamp(height / (12.0 * line_width) - 0.15, 0.0, 1.0));
        if ((crease_flags >> uint(i) & 1u) != 0u)
            thick = max(thick, covered(i, 0.6 * line_width, height) * clamp(height / line_width - 0.5, 0.0, 1.0));
    }
    float dark = max(mesh ? 0.55 * thin : 0.0, 0.6 * thick);
    result = vec4(mix(colour, vec3(0.08), dark), 1.0);
}
)";

// Of bodies on the surface: not among those of values.
constexpr Colour deck_colour{0.93, 0.90, 0.84}, side_colour{0.62, 0.16, 0.12};

struct Corner {
    glm::vec3 position;
    std::uint32_t normal;  // three signed components of 10 bits each
    std::uint32_t creases;
};

std::uint32_t packed(const glm::vec3& normal) {
    std::uint32_t bits = 0;
    for (int k = 0; k < 3; ++k) {
        const int component = static_cast<int>(std::lround(511 * normal[k]));
        bits |= (static_cast<std::uint32_t>(component) & 1023u) << (10 * k);
    }
    return bits;
}

gl::BufferObject new_buffer() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return gl::BufferObject(id);
}

gl::TextureObject colour_texture() {
    GLuint id = 0;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    const auto table = colour_table();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, colour_steps, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 table.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return gl::TextureObject(id);
}

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void describe_corners() {
    for (GLuint k = 0; k < 3; ++k) glEnableVertexAttribArray(k);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Corner),
                          offset(offsetof(Corner, position)));
    glVertexAttribPointer(1, 4, GL_INT_2_10_10_10_REV, GL_TRUE, sizeof(Corner),
                          offset(offsetof(Corner, normal)));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, sizeof(Corner),
                           offset(offsetof(Corner, creases)));
}

}  // namespace

SurfaceRenderer::SurfaceRenderer(const Surface& surface)
    : program_(gl::Program::draw("surface", vertex_shader, fragment_shader)),
      triangles_(surface.triangles) {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    arrays_ = gl::VertexArrayObject(id);
    glBindVertexArray(id);
    corners_ = new_buffer();
    upload_corners(surface);
    values_ = new_buffer();
    glBindBuffer(GL_ARRAY_BUFFER, values_.id());
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    colours_ = colour_texture();

    glGenVertexArrays(1, &id);
    body_arrays_ = gl::VertexArrayObject(id);
    glBindVertexArray(id);
    body_corners_ = new_buffer();
    glBindBuffer(GL_ARRAY_BUFFER, body_corners_.id());
    describe_corners();
    glBindVertexArray(0);
    if (surface.dimension != 2) return;
    for (const Vec3& p : surface.points) points_.emplace_back(glm::vec2(surface.drawn(p)));
}

void SurfaceRenderer::upload_corners(const Surface& surface) {
    std::vector<Corner> corners;
    corners.reserve(3 * surface.triangles.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
        for (int i = 0; i < 3; ++i)
            corners.push_back({glm::vec3(surface.drawn(surface.points[surface.triangles[t][i]])),
                               packed(surface.normals[t][i]), surface.creases[t]});
    glBindBuffer(GL_ARRAY_BUFFER, corners_.id());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(corners.size() * sizeof(Corner)), corners.data(),
                 GL_STATIC_DRAW);
    describe_corners();
}

void SurfaceRenderer::move(const Surface& surface) {
    glBindVertexArray(arrays_.id());
    upload_corners(surface);
    glBindVertexArray(0);
}

void SurfaceRenderer::set_values(std::span<const float> point_values) {
    std::vector<float> values;
    values.reserve(3 * triangles_.size());
    for (const auto& triangle : triangles_)
        for (const Index point : triangle) values.push_back(point_values[point]);
    glBindBuffer(GL_ARRAY_BUFFER, values_.id());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(values.size() * sizeof(float)), values.data(),
                 GL_STREAM_DRAW);
}

// At each point the mean over its triangles, weighted by their areas: what a mean of their normals,
// so weighted, leans by.
std::vector<glm::vec2> SurfaceRenderer::slopes(std::span<const float> heights) const {
    std::vector<glm::vec2> slopes(points_.size(), glm::vec2(0));
    std::vector<float> areas(points_.size(), 0.0f);
    for (const auto& t : triangles_) {
        const glm::vec2 ab = points_[t[1]] - points_[t[0]], ac = points_[t[2]] - points_[t[0]];
        const float b = heights[t[1]] - heights[t[0]], c = heights[t[2]] - heights[t[0]];
        const float area = ab.x * ac.y - ab.y * ac.x;                     // twice
        const glm::vec2 slope(b * ac.y - c * ab.y, c * ab.x - b * ac.x);  // times that
        for (const Index n : t) {
            slopes[n] += slope;
            areas[n] += area;
        }
    }
    for (std::size_t i = 0; i < slopes.size(); ++i)
        if (areas[i] > 0) slopes[i] /= areas[i];
    return slopes;
}

void SurfaceRenderer::set_heights(std::span<const float> point_heights) {
    const std::vector<glm::vec2> leaning = slopes(point_heights);
    std::vector<glm::vec3> corners;
    corners.reserve(3 * triangles_.size());
    for (const auto& triangle : triangles_)
        for (const Index point : triangle)
            corners.emplace_back(point_heights[point], leaning[point].x, leaning[point].y);
    glBindVertexArray(arrays_.id());
    if (!heights_.id()) heights_ = new_buffer();
    glBindBuffer(GL_ARRAY_BUFFER, heights_.id());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(corners.size() * sizeof(glm::vec3)), corners.data(),
                 GL_STREAM_DRAW);
    glEnableVertexAttribArray(4);
    glVertexAttribPointer(4, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glBindVertexArray(0);
}

void SurfaceRenderer::set_bodies(std::vector<BodyTriangle> bodies) {
    std::ranges::stable_partition(bodies, &BodyTriangle::is_deck);
    deck_corners_ = GLsizei(3 * std::ranges::count_if(bodies, &BodyTriangle::is_deck));
    side_corners_ = GLsizei(3 * bodies.size()) - deck_corners_;
    std::vector<Corner> corners;
    for (const BodyTriangle& t : bodies)
        for (const Vec3& p : t.corners)
            corners.push_back({glm::vec3(p), packed(glm::vec3(t.normal)), t.creases});
    glBindBuffer(GL_ARRAY_BUFFER, body_corners_.id());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(corners.size() * sizeof(Corner)), corners.data(),
                 GL_STREAM_DRAW);
}

void SurfaceRenderer::draw(const Camera& camera, const glm::dmat4& clip,
                           const RenderStyle& style) const {
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (triangles_.empty()) return;

    const Orientation& o = camera.orientation;
    const glm::mat3 seen = glm::transpose(glm::mat3(o.right, o.up, o.back));
    glUseProgram(program_.id());
    glUniformMatrix4fv(program_.location("clip"), 1, GL_FALSE, glm::value_ptr(glm::mat4(clip)));
    glUniformMatrix3fv(program_.location("seen"), 1, GL_FALSE, glm::value_ptr(seen));
    glUniform3f(program_.location("invalid_colour"), float(invalid_colour.x),
                float(invalid_colour.y), float(invalid_colour.z));
    glUniform1i(program_.location("shaded"), style.shaded);
    glUniform1i(program_.location("raised"), style.is_raised);
    glUniform1f(program_.location("rise"), float(style.rise));
    glUniform1i(program_.location("plain"), false);
    glUniform1i(program_.location("mesh"), style.mesh);
    glUniform1f(program_.location("line_width"), float(style.line_width));
    glUniform1i(program_.location("colours"), 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, colours_.id());
    glBindVertexArray(arrays_.id());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * triangles_.size()));
    draw_bodies();
    glBindVertexArray(0);
}

void SurfaceRenderer::draw_bodies() const {
    if (deck_corners_ + side_corners_ == 0) return;
    glUniform1i(program_.location("raised"), false);
    glUniform1i(program_.location("shaded"), true);
    glUniform1i(program_.location("plain"), true);
    glBindVertexArray(body_arrays_.id());
    const auto draw = [this](const Colour& colour, GLint first, GLsizei count) {
        glUniform3f(program_.location("plain_colour"), float(colour.x), float(colour.y),
                    float(colour.z));
        glDrawArrays(GL_TRIANGLES, first, count);
    };
    draw(deck_colour, 0, deck_corners_);
    draw(side_colour, deck_corners_, side_corners_);
}

}  // namespace solenoid
