// Fragments stay, to be counted, where |value| of an entity of the range is above a bound, or NaN.
uniform real_sampler values;
uniform uint width;
uniform real bound;

void main() {
    uvec2 at = uvec2(gl_FragCoord.xy);
    uint entity = at.y * width + at.x;
    if (entity < launch_range.x || entity >= launch_range.y) discard;
    if (abs(fetch_real(values, width, entity, 0u)) <= bound) discard;
}
