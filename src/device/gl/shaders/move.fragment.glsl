// Where a moved value comes from: item k of a packed field for a scatter; entity where[k] of a
// field for a gather; the same entity of a field of another width for a relocation. Defined before:
// FIELD_SAMPLER, and one of SCATTER, GATHER, RELOCATE.
uniform FIELD_SAMPLER field;
uniform uint field_width;
uniform int first_layer;

#if defined(SCATTER)

flat in uint item;
uint source() { return item; }

#else

uniform uint output_width;
uniform uvec2 launch_range;
#if defined(GATHER)
uniform usampler2DArray where;
uniform uint where_width;
#endif

uint source() {
    uint item = uint(gl_FragCoord.y) * output_width + uint(gl_FragCoord.x);
    if (item < launch_range.x || item >= launch_range.y) discard;
#if defined(GATHER)
    item = texelFetch(where, ivec3(item % where_width, item / where_width, 0), 0).r;
#endif
    return item;
}

#endif

ivec2 source_texel() {
    uint entity = source();
    return ivec2(entity % field_width, entity / field_width);
}
