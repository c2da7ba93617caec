// A stage of a reduction: each fragment folds a quad of 2 x 2 contributions. Texels outside the
// source's rows, or that belong to no entity of the range, do not count.
uniform usampler2DArray source;
uniform uvec3 rows;          // width of the source, first row, one past the last row
uniform uvec2 launch_range;  // entities, numbered row by row from row 0

uvec2 texel_of_quad(uint k) {
    return 2u * uvec2(gl_FragCoord.xy) + uvec2(k & 1u, rows.y + (k >> 1));
}

bool is_valid(uvec2 at) {
    uint entity = at.y * rows.x + at.x;
    return at.x < rows.x && at.y < rows.z && entity >= launch_range.x && entity < launch_range.y;
}

accumulator contribution(uvec2 at, int reduction) {
    return accumulator_of(texelFetch(source, ivec3(at, reduction), 0).rg);
}
