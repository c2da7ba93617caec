// One point an item k of a scatter, on the texel of entity where[k].
uniform usampler2DArray where;
uniform uint where_width;
uniform uvec2 rectangle;  // width and height of the output's texture
flat out uint item;

void main() {
    item = uint(gl_VertexID);
    uint entity = texelFetch(where, ivec3(item % where_width, item / where_width, 0), 0).r;
    vec2 centre = vec2(entity % rectangle.x, entity / rectangle.x) + 0.5;
    gl_Position = vec4(2.0 * centre / vec2(rectangle) - 1.0, 0.0, 1.0);
}
