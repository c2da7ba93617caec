// One point for up to four entries of a row, on the row's texel.
layout(location = 0) in uint row;
layout(location = 1) in uvec4 columns;
layout(location = 2) in uvec4 first_words;
layout(location = 3) in uvec4 second_words;  // of doubles
uniform uvec2 rectangle;                     // width and height of the output's texture
flat out uvec4 point_columns;
flat out uvec4 point_words;
flat out uvec4 point_words_2;

void main() {
    point_columns = columns;
    point_words = first_words;
    point_words_2 = second_words;
    vec2 centre = vec2(row % rectangle.x, row / rectangle.x) + 0.5;
    gl_Position = vec4(2.0 * centre / vec2(rectangle) - 1.0, 0.0, 1.0);
}
