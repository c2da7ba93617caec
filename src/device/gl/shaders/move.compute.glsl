// Moves elements between buffers without arithmetic: fields, their staging and the boundary write.
// Defined before: ELEMENT (uint, or uvec2 for doubles) and one of FILL, COPY, GATHER, SCATTER.
layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = 0) readonly restrict buffer from_block { ELEMENT from[]; };
layout(std430, binding = 1) writeonly restrict buffer to_block { ELEMENT to[]; };
layout(std430, binding = 2) readonly restrict buffer where_block { uint where[]; };

uniform uint count;
uniform uint columns;
uniform uvec2 first;  // of from and of to
uniform uvec2 pitch;  // from column to column

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint k = group * uint(GROUP_SIZE) + gl_LocalInvocationID.x;
    if (k >= count) return;
#if defined(GATHER)
    uvec2 at = first + uvec2(where[k], k);
#elif defined(SCATTER)
    uvec2 at = first + uvec2(k, where[k]);
#else
    uvec2 at = first + uvec2(k);
#endif
    for (uint j = 0u; j < columns; ++j, at += pitch) {
#if defined(FILL)
        to[at.y] = ELEMENT(0u);
#else
        to[at.y] = from[at.x];
#endif
    }
}
