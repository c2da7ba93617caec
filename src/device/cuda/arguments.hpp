// What a kernel of the CUDA device takes: one parameter, by value. Read by the host's compiler and, for PTX, by clang without
// any header: built-in types alone.
#pragma once

namespace solenoid::cuda {

inline constexpr unsigned group_size = 256;           // threads of a block
inline constexpr unsigned max_reduction_groups = 2048;  // blocks of a reduction, each striding over the range
inline constexpr unsigned row_stride = 32;              // rows whose entries are interleaved

// In host memory that the GPU writes: `sequence` last.
struct Results {
    double values[4];
    unsigned sequence;
};

struct Reducing {
    double* partials;    // reductions of each block
    unsigned* finished;  // blocks that have finished; zero between launches
    Results* results;
    unsigned sequence;   // of this launch
};

struct Arguments {
    void* data[12];                // first column of each buffer
    unsigned long long pitch[12];  // elements from column to column; 0: one column for all components
    double uniforms[8];
    unsigned begin, end;           // entities
    unsigned lane_bits;            // two to that many threads share a row (device/row_lanes.hpp)
    Reducing reducing;
};

// Moves of elements by lists.
struct MoveArguments {
    const void* from;
    void* to;
    const unsigned* where;
    unsigned long long from_pitch, to_pitch;
    unsigned count, columns;
};

}  // namespace solenoid::cuda
