#include "view/surface_renderer.hpp"

#include <cmath>

#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>

#include "view/colour_map.hpp"

namespace solenoid {
namespace {

const char* const vertex_shader = R"(#version 330 core
uniform mat4 clip;
uniform mat3 seen;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint creases;
layout(location = 3) in float value;
out vec3 seen_normal;
out vec3 corner;          // 1 at one corner each: distances from the sides opposite
out float colour_place;
flat out uint crease_flags;

void main() {
    gl_Position = clip * vec4(position, 1.0);
    seen_normal = seen * normal;
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

// How much a line of half this width along side i covers here; `height` is the triangle's over that side, in pixels.
float covered(int i, float half_width, out float height) {
    vec2 slope = vec2(dFdx(corner[i]), dFdy(corner[i]));
    height = 1.0 / max(length(slope), 1e-6);
    return clamp(half_width + 0.5 - corner[i] * height, 0.0, 1.0);
}

void main() {
    vec3 colour = mapped(colour_place);
    if (shaded) colour *= light();
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
    for (GLuint k = 0; k < 3; ++k) glEnableVertexAttribArray(k);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Corner),
                          offset(offsetof(Corner, position)));
    glVertexAttribPointer(1, 4, GL_INT_2_10_10_10_REV, GL_TRUE, sizeof(Corner),
                          offset(offsetof(Corner, normal)));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, sizeof(Corner),
                           offset(offsetof(Corner, creases)));
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
    glUniform1i(program_.location("mesh"), style.mesh);
    glUniform1f(program_.location("line_width"), float(style.line_width));
    glUniform1i(program_.location("colours"), 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, colours_.id());
    glBindVertexArray(arrays_.id());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * triangles_.size()));
    glBindVertexArray(0);
}

}  // namespace solenoid
