// What a kernel of the CUDA device takes: one parameter, by value. Read by the host's compiler and,
// for PTX, by clang without any header: built-in types alone.
#pragma once

namespace solenoid::cuda {

inline constexpr unsigned group_size = 256;  // threads of a block
// blocks of a reduction, each striding over the range
inline constexpr unsigned max_reduction_groups = 2048;
inline constexpr unsigned row_stride = 32;  // rows whose entries are interleaved

// Numbers that a sum in no order travels as: the highest bin in use, and the four bins' counts
// (core/binned_sum.hpp).
inline constexpr unsigned binned_numbers = 5;

// In host memory that the GPU writes: `sequence` last. A number a reduction, or in a reproducible
// run binned_numbers.
struct Results {
    double values[4 * binned_numbers];
    unsigned sequence;
};

// Reductions that stay on the GPU (device/device_sums.hpp).
inline constexpr unsigned kept_count = 4;
struct Kept {
    double values[kept_count], before[kept_count];
};

struct Reducing {
    double* partials;    // reductions of each block
    unsigned* finished;  // blocks that have finished; zero between launches
    Results* results;
    unsigned sequence;  // of this launch
    // where there is one, they stay there: as the first ones of a `Keeping`, or added up
    Kept* kept;
    unsigned adds;
    // in a reproducible run instead: what each entity gives, one reduction after another
    double* each;
};

// What adds that up in no order.
struct BinnedArguments {
    const double* each;
    double* partials;  // binned_numbers of each reduction of each block
    unsigned* finished;
    Results* results;
    unsigned sequence, count, reductions, operations;  // count: entities
};

// A uniform that the GPU computes: of / over where `over` is there, positive and finite, 0
// elsewhere; or `of` alone.
struct UniformRatio {
    const double *of, *over;
};

struct Arguments {
    void* data[12];  // first column of each buffer
    // elements from column to column; 0: one column for all components
    unsigned long long pitch[12];
    double uniforms[8];
    unsigned begin, end;  // entities
    unsigned lane_bits;   // two to that many threads share a row (device/row_lanes.hpp)
    Reducing reducing;
    UniformRatio ratios[8];  // of uniforms; none: the number in `uniforms`
};

// Moves of elements by lists.
struct MoveArguments {
    const void* from;
    void* to;
    const unsigned* where;
    unsigned long long from_pitch, to_pitch;
    unsigned count, columns;
};

struct DeviceSumArguments {
    Kept* kept;
    double values[kept_count];
};

// Kept sums that the host looks at, in its memory: `sequence` last.
inline constexpr unsigned most_shown = 8;
struct Shown {
    double values[most_shown][kept_count];
    unsigned sequence;
};
struct ShowArguments {
    const Kept* kept[most_shown];
    Shown* shown;
    unsigned count, sequence;
};

// Sums over ranks. Each half of a double travels as one word of 64 bits, the half above the number
// of the sum: a word that bears the number is whole, in whatever order words arrive. Of each rank
// the words of two sums, in turn.
inline constexpr unsigned sum_words = 2 * kept_count;
struct RankSumArguments {
    Kept* kept;
    // of each rank: in its memory, in this one's; 2 sum_words
    unsigned long long *const *send_slots, *const *receive_slots;
    unsigned long long* round;  // of the last sum
    unsigned ranks;
};

// A part of a neighbour's share of an exchange in one direction: consecutive entities of the list.
// A block moves it.
inline constexpr unsigned chunk_entities = 4 * group_size;
struct PeerChunk {
    void* slots[2];              // of messages with even and odd numbers, in the receiver's memory
    unsigned long long* signal;  // the number of the last message in them
    unsigned first, count;       // of the list; none: a signal alone
    unsigned long long pitch;    // elements from column to column of a place
};

struct PeerDirection {
    const unsigned* list;  // entities
    const PeerChunk* chunks;
    unsigned long long* rounds;  // of each chunk: the number of its last message
    unsigned count;              // of chunks
};

struct PeerArguments {
    void* field;
    unsigned long long pitch;
    PeerDirection outgoing, incoming;
    unsigned columns;
};

}  // namespace solenoid::cuda
