// The compute shader round a kernel: entities are shared out over a grid of groups of GROUP_SIZE.
layout(local_size_x = GROUP_SIZE) in;

uniform uvec2 launch_range;  // first entity, and one past the last

uint first_item()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * uint(GROUP_SIZE) + gl_LocalInvocationID.x;
}

// What is `reduced`: a float where a real is a double, else a bfloat16, two in a word.
#if REAL_IS_DOUBLE
#define reduced_word float
#define reduced_at(data, at) data[at]
#else
#define reduced_word uint
#define reduced_at(data, at) half_of(data[(at) >> 1], at)
float half_of(uint word, uint at)
{
    return uintBitsToFloat((at & 1u) == 0u ? word << 16 : word & 0xFFFF0000u);
}
#endif

#ifdef SHARES_ROWS

// Two to lane_bits invocations, neighbours in a group, share a row (device/row_lanes.hpp).
uniform uint lane_bits;
uint lane, lanes;
shared real lane_parts[GROUP_SIZE];

// The sum of what the lanes of a row have. All invocations of the group call it.
real added_over_lanes(real part)
{
    if (lanes == 1u) return part;
    uint own = gl_LocalInvocationID.x;
    lane_parts[own] = part;
    barrier();
    for (uint reach = lanes / 2u; reach > 0u; reach /= 2u) {
        if (lane < reach) lane_parts[own] += lane_parts[own + reach];
        barrier();
    }
    real total = lane_parts[own - lane];
    barrier();
    return total;
}
vec added_over_lanes(vec part)
{
#if DIMENSION == 2
    return vec(added_over_lanes(part.x), added_over_lanes(part.y));
#else
    return vec(added_over_lanes(part.x), added_over_lanes(part.y), added_over_lanes(part.z));
#endif
}

#endif
#if REDUCTIONS > 0

// Partial results of the groups; the last group to finish reduces them, always in the same order.
layout(std430, binding = 12) coherent restrict buffer partial_block
{
    uint finished_groups;
    uint unused_word;
    uvec2 partial_data[];
};
layout(std430, binding = 13) writeonly restrict buffer result_block { uvec2 result_data[]; };

shared accumulator group_tree[GROUP_SIZE];
shared bool is_last_group;

accumulator reduce_group(int operation, accumulator value)
{
    uint own = gl_LocalInvocationID.x;
    group_tree[own] = value;
    barrier();
    for (uint reach = uint(GROUP_SIZE) / 2u; reach > 0u; reach /= 2u) {
        if (own < reach)
            group_tree[own] = reduce(operation, group_tree[own], group_tree[own + reach]);
        barrier();
    }
    accumulator total = group_tree[0];
    barrier();
    return total;
}

void keep_partial(int operation, uint n, accumulator value)
{
    accumulator total = reduce_group(operation, value);
    if (gl_LocalInvocationID.x == 0u)
        partial_data[gl_WorkGroupID.x * uint(REDUCTIONS) + n] = words_of(total);
}

// True in the group that finishes last, where all partial results are visible.
bool all_partials_are_there()
{
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationID.x == 0u)
        is_last_group = atomicAdd(finished_groups, 1u) == gl_NumWorkGroups.x - 1u;
    barrier();
    memoryBarrierBuffer();
    return is_last_group;
}

void reduce_partials(int operation, uint n)
{
    accumulator total = identity_of(operation);
    for (uint first = gl_LocalInvocationID.x; first < gl_NumWorkGroups.x;
         first += 8u * uint(GROUP_SIZE)) {
        uvec2 some[8];  // read before the first is combined
        for (uint k = 0u; k < 8u; ++k) {
            uint group = first + k * uint(GROUP_SIZE);
            some[k] = group < gl_NumWorkGroups.x ? partial_data[group * uint(REDUCTIONS) + n]
                                                 : words_of(identity_of(operation));
        }
        for (uint k = 0u; k < 8u; ++k) total = reduce(operation, total, accumulator_of(some[k]));
    }
    total = reduce_group(operation, total);
    if (gl_LocalInvocationID.x == 0u) {
        result_data[n] = words_of(total);
        finished_groups = 0u;
    }
}

#endif
