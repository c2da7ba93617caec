// The products of a point's entries with x. Floats are blended into the row; doubles, which no
// texture blends, are added to what the row's last point left there.
uniform real_sampler x;
uniform uint x_width;
flat in uvec4 point_columns;
flat in uvec4 point_words;
flat in uvec4 point_words_2;
layout(location = 0) out real_texel texel;

real x_at(uint c) { return fetch_real(x, x_width, c, 0u); }

#if REAL_IS_DOUBLE
uniform real_sampler y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    precise real sum = packDouble2x32(texelFetch(y, ivec3(at, 0), 0).rg);
    sum += packDouble2x32(point_words.xy) * x_at(point_columns.x);
    sum += packDouble2x32(point_words.zw) * x_at(point_columns.y);
    sum += packDouble2x32(point_words_2.xy) * x_at(point_columns.z);
    sum += packDouble2x32(point_words_2.zw) * x_at(point_columns.w);
    texel = texel_from(sum);
}
#else
void main() {
    precise real sum = uintBitsToFloat(point_words.x) * x_at(point_columns.x);
    sum += uintBitsToFloat(point_words.y) * x_at(point_columns.y);
    sum += uintBitsToFloat(point_words.z) * x_at(point_columns.z);
    sum += uintBitsToFloat(point_words.w) * x_at(point_columns.w);
    texel = texel_from(sum);
}
#endif
