// Reductions of what each entity of a launch gave: sums in no order (core/binned_sum.hpp), extrema
// as they are. Defined before: HAS_FP64, REDUCE_SUM and its like.
layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = 0) readonly restrict buffer each_block { uvec2 each_data[]; };
layout(std430, binding = 1) coherent restrict buffer partial_block {
    uint finished_groups;
    uint unused_word;
    uvec2 partial_data[];
};
layout(std430, binding = 2) writeonly restrict buffer result_block { uvec2 result_data[]; };

uniform uint count;       // entities
uniform uint reductions;  // numbers of each, one after another
uniform uint operations;  // two bits a reduction

const int BIN_BITS = 22;
const int INFINITE = 93;  // the bin of what is infinite, or is no number
const uint NUMBERS = 5u;  // that a sum travels as

// The highest bin in use, and what it and the three below hold.
struct binned {
    int top;
    dvec4 parts;
};

int exponent_of(double value) { return int((unpackDouble2x32(value).y >> 20) & 0x7FFu); }

double anchor_of(int bin) {
    uint exponent = uint(clamp(BIN_BITS * bin + 1, 1, 2045));
    return packDouble2x32(uvec2(0u, (exponent << 20) | 0x80000u));
}

binned raised(binned sum, int top) {
    int up = top - sum.top;
    if (up <= 0) return sum;
    sum.top = top;
    if (up >= 4) sum.parts = dvec4(0);
    for (; up > 0 && up < 4; --up) sum.parts = dvec4(0, sum.parts.xyz);
    return sum;
}

double rounded_to(double value, double anchor) {
    precise double sum = value + anchor;
    precise double part = sum - anchor;
    return part;
}

binned with(binned sum, double value) {
    int exponent = exponent_of(value);
    sum = raised(sum, min((exponent + 31 + BIN_BITS - 1) / BIN_BITS, INFINITE));
    if (exponent > 1993) {
        sum.parts.x += value * packDouble2x32(uvec2(0u, 0x7FE00000u));
        return sum;
    }
    precise double rest = value;
    double part = rounded_to(rest, anchor_of(sum.top));
    sum.parts.x += part;
    rest = rest - part;
    part = rounded_to(rest, anchor_of(sum.top - 1));
    sum.parts.y += part;
    rest = rest - part;
    part = rounded_to(rest, anchor_of(sum.top - 2));
    sum.parts.z += part;
    rest = rest - part;
    sum.parts.w += rounded_to(rest, anchor_of(sum.top - 3));
    return sum;
}

binned together(int operation, binned a, binned b) {
    if (operation != REDUCE_SUM) {
        a.parts.x = reduce(operation, a.parts.x, b.parts.x);
        return a;
    }
    a = raised(a, b.top);
    b = raised(b, a.top);
    a.parts += b.parts;
    return a;
}

binned nothing_of(int operation) { return binned(2, dvec4(identity_of(operation), 0, 0, 0)); }

shared int tops[GROUP_SIZE];
shared double parts[4][GROUP_SIZE];
shared bool is_last_group;

binned of_invocation(uint k) {
    return binned(tops[k], dvec4(parts[0][k], parts[1][k], parts[2][k], parts[3][k]));
}

void keep(uint k, binned sum) {
    tops[k] = sum.top;
    parts[0][k] = sum.parts.x;
    parts[1][k] = sum.parts.y;
    parts[2][k] = sum.parts.z;
    parts[3][k] = sum.parts.w;
}

binned of_group(int operation, binned sum) {
    uint own = gl_LocalInvocationID.x;
    keep(own, sum);
    barrier();
    for (uint reach = uint(GROUP_SIZE) / 2u; reach > 0u; reach /= 2u) {
        if (own < reach)
            keep(own, together(operation, of_invocation(own), of_invocation(own + reach)));
        barrier();
    }
    binned total = of_invocation(0u);
    barrier();
    return total;
}

uint place_of(uint group, uint n) { return (group * reductions + n) * NUMBERS; }

void main() {
    uint own = gl_LocalInvocationID.x, groups = gl_NumWorkGroups.x;
    for (uint n = 0u; n < reductions; ++n) {
        int operation = int((operations >> (2u * n)) & 3u);
        binned sum = nothing_of(operation);
        for (uint k = gl_WorkGroupID.x * uint(GROUP_SIZE) + own; k < count;
             k += groups * uint(GROUP_SIZE)) {
            double value = packDouble2x32(each_data[n * count + k]);
            if (operation == REDUCE_SUM)
                sum = with(sum, value);
            else
                sum.parts.x = reduce(operation, sum.parts.x, value);
        }
        sum = of_group(operation, sum);
        if (own == 0u) {
            uint at = place_of(gl_WorkGroupID.x, n);
            partial_data[at] = unpackDouble2x32(double(sum.top));
            partial_data[at + 1u] = unpackDouble2x32(sum.parts.x);
            partial_data[at + 2u] = unpackDouble2x32(sum.parts.y);
            partial_data[at + 3u] = unpackDouble2x32(sum.parts.z);
            partial_data[at + 4u] = unpackDouble2x32(sum.parts.w);
        }
    }
    memoryBarrierBuffer();
    barrier();
    if (own == 0u) is_last_group = atomicAdd(finished_groups, 1u) == groups - 1u;
    barrier();
    memoryBarrierBuffer();
    if (!is_last_group) return;
    for (uint n = 0u; n < reductions; ++n) {
        int operation = int((operations >> (2u * n)) & 3u);
        binned sum = nothing_of(operation);
        for (uint group = own; group < groups; group += uint(GROUP_SIZE)) {
            uint at = place_of(group, n);
            sum = together(operation, sum,
                           binned(int(packDouble2x32(partial_data[at])),
                                  dvec4(packDouble2x32(partial_data[at + 1u]),
                                        packDouble2x32(partial_data[at + 2u]),
                                        packDouble2x32(partial_data[at + 3u]),
                                        packDouble2x32(partial_data[at + 4u]))));
        }
        sum = of_group(operation, sum);
        if (own == 0u) {
            uint at = n * NUMBERS;
            result_data[at] = unpackDouble2x32(double(sum.top));
            result_data[at + 1u] = unpackDouble2x32(sum.parts.x);
            result_data[at + 2u] = unpackDouble2x32(sum.parts.y);
            result_data[at + 3u] = unpackDouble2x32(sum.parts.z);
            result_data[at + 4u] = unpackDouble2x32(sum.parts.w);
        }
    }
    if (own == 0u) finished_groups = 0u;
}
