// What a kernel's text finds when clang compiles it as C++ for NVIDIA's GPUs, or the host's
// compiler for the stand-in of tests: the counterpart of src/device/cpu/prologue.hpp and of the
// other prologues here. Read after device/cuda/arguments.hpp.
#pragma once

#if defined(__CUDA__)

#pragma clang force_cuda_host_device begin
#define SOLENOID_ENTRY(name, Parameter) \
    extern "C" __attribute__((global, launch_bounds(256))) void name(const Parameter arguments)
#define SOLENOID_FUNCTION extern "C" __attribute__((device))
#define SOLENOID_SHARED static __attribute__((shared))
#define SOLENOID_INLINED static inline __attribute__((always_inline))
// Statements of the block's every thread; what they leave for others in shared memory is there
// behind a barrier.
#define EACH_THREAD(thread) if (const uint thread = __nvvm_read_ptx_sreg_tid_x(); true)

namespace solenoid::cuda {

using uint = unsigned;
using Size = unsigned long long;

inline uint block_index() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline uint block_count() { return __nvvm_read_ptx_sreg_nctaid_x(); }
inline void barrier() { __syncthreads(); }
inline void fence_of_device() { __nvvm_membar_gl(); }
inline void fence_of_system() { __nvvm_membar_sys(); }
inline void wait_a_little() {}
// Of memory that other GPUs read and write. What is stored before a release, by threads of the
// block that a barrier has joined, is there for whoever acquires the value.
inline void store_release(Size* to, Size value)
{
    asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
inline Size load_acquire(const Size* from)
{
    Size value;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}
inline void store_relaxed(Size* to, Size value)
{
    asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
inline Size load_relaxed(const Size* from)
{
    Size value;
    asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}
inline uint add_atomically(uint* to, uint value)
{
    return uint(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(to), int(value)));
}
inline float root(float value) { return __nvvm_sqrt_rn_f(value); }
inline double root(double value) { return __nvvm_sqrt_rn_d(value); }

// The words of a value in the thread whose number in its warp differs by the bits of `apart`, among
// those of `mask`.
template <class T>
inline T of_other_thread(uint mask, T value, uint apart)
{
    static_assert(sizeof(T) % sizeof(int) == 0);
    int words[sizeof(T) / sizeof(int)];
    __builtin_memcpy(words, &value, sizeof(T));
    for (int& word : words) word = __nvvm_shfl_sync_bfly_i32(mask, word, apart, 31);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
}

// The sum of the parts that the lanes of a row have: two to some power, neighbours in a warp.
template <class T>
inline T added_over_lanes(T part, uint lanes)
{
    const uint first = __nvvm_read_ptx_sreg_tid_x() & 31u & ~(lanes - 1u),
               mask = (~0u >> (32u - lanes)) << first;
    for (uint reach = lanes / 2u; reach > 0u; reach /= 2u)
        part += of_other_thread(mask, part, reach);
    return part;
}

}  // namespace solenoid::cuda

#else  // one block after the other, its threads in a loop between two barriers

#define SOLENOID_ENTRY(name, Parameter) extern "C" void name(const Parameter arguments)
#define SOLENOID_FUNCTION extern "C"
#define SOLENOID_SHARED static
#define SOLENOID_INLINED static inline
#define EACH_THREAD(thread) for (uint thread = 0; thread < group_size; ++thread)

extern "C" int sched_yield(void) noexcept;

namespace solenoid::cuda {

using uint = unsigned;
using Size = unsigned long long;

struct HostBlock {
    uint index, count;
};
inline HostBlock host_block{0, 1};

inline uint block_index() { return host_block.index; }
inline uint block_count() { return host_block.count; }
inline void barrier() {}
inline void fence_of_device() {}
inline void fence_of_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void wait_a_little() { sched_yield(); }
inline void store_release(Size* to, Size value) { __atomic_store_n(to, value, __ATOMIC_RELEASE); }
inline Size load_acquire(const Size* from) { return __atomic_load_n(from, __ATOMIC_ACQUIRE); }
inline void store_relaxed(Size* to, Size value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
inline Size load_relaxed(const Size* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline uint add_atomically(uint* to, uint value) { return (*to += value) - value; }
inline float root(float value) { return __builtin_sqrtf(value); }
inline double root(double value) { return __builtin_sqrt(value); }

}  // namespace solenoid::cuda

#endif

namespace solenoid::cuda {

using single = float;

// A vec: d numbers.
template <class T, int d>
struct Vector {
    T component[d];

    Vector() = default;
    explicit Vector(T same)
    {
        for (int k = 0; k < d; ++k) component[k] = same;
    }
    Vector(T x, T y) requires(d == 2) : component{x, y} {}
    Vector(T x, T y, T z) requires(d == 3) : component{x, y, z} {}
    template <class Value>
    static Vector of(const Value& value)
    {
        Vector result;
        for (int k = 0; k < d; ++k) result[k] = value(k);
        return result;
    }

    T& operator[](int k) { return component[k]; }
    const T& operator[](int k) const { return component[k]; }
    Vector& operator+=(const Vector& b) { return *this = *this + b; }
    Vector& operator-=(const Vector& b) { return *this = *this - b; }
    Vector& operator*=(const Vector& b) { return *this = *this * b; }
    Vector& operator*=(T b) { return *this = *this * b; }
    Vector& operator/=(T b) { return *this = *this / b; }
    friend Vector operator-(const Vector& a)
    {
        return of([&](int k) { return -a[k]; });
    }
    friend Vector operator+(const Vector& a, const Vector& b)
    {
        return of([&](int k) { return a[k] + b[k]; });
    }
    friend Vector operator-(const Vector& a, const Vector& b)
    {
        return of([&](int k) { return a[k] - b[k]; });
    }
    friend Vector operator*(const Vector& a, const Vector& b)
    {
        return of([&](int k) { return a[k] * b[k]; });
    }
    friend Vector operator/(const Vector& a, const Vector& b)
    {
        return of([&](int k) { return a[k] / b[k]; });
    }
    friend Vector operator*(T a, const Vector& b)
    {
        return of([&](int k) { return a * b[k]; });
    }
    friend Vector operator*(const Vector& a, T b)
    {
        return of([&](int k) { return a[k] * b; });
    }
    friend Vector operator+(const Vector& a, T b)
    {
        return of([&](int k) { return a[k] + b; });
    }
    friend Vector operator-(const Vector& a, T b)
    {
        return of([&](int k) { return a[k] - b; });
    }
    friend Vector operator/(const Vector& a, T b)
    {
        return of([&](int k) { return a[k] / b; });
    }
};

// What is `reduced`: a float where a real is a double, else a bfloat16, a float's upper half.
struct Bfloat16 {
    unsigned short bits;
    explicit operator float() const { return __builtin_bit_cast(float, uint(bits) << 16); }
};
template <class T>
struct ReducedOf {
    using Type = Bfloat16;
};
template <>
struct ReducedOf<double> {
    using Type = float;
};
template <class T>
using Reduced = typename ReducedOf<T>::Type;

template <class T>
struct Functions;  // device/cuda/functions.hpp, for kernels that call them

// ---- reductions: sums and extrema in double, and a NaN wins

inline constexpr uint reduce_sum = 0, reduce_min = 1, reduce_max = 2;  // two bits a reduction

inline double combine(uint operation, double a, double b)
{
    if (operation == reduce_sum) return a + b;
    const bool takes_b = b != b || (operation == reduce_min ? b < a : b > a);
    return takes_b ? b : a;
}
inline double identity_of(uint operation)
{
    return operation == reduce_sum   ? 0.0
           : operation == reduce_min ? __builtin_inf()
                                     : -__builtin_inf();
}
inline uint operation_of(uint operations, uint n) { return operations >> (2 * n) & 3; }

// Uniform n.
inline double uniform_of(const Arguments& a, uint n)
{
    const UniformRatio ratio = a.ratios[n];
    if (!ratio.of) return a.uniforms[n];
    if (!ratio.over) return *ratio.of;
    const double over = *ratio.over;
    return over > 0 && over < __builtin_inf() ? *ratio.of / over : 0.0;
}

// A block's totals, a thread a number, a row a reduction. Volatile, as all that threads share: LLVM
// takes it that no barrier changes a variable whose address stays in the module, and moves what
// reads it before the barrier.
using Tree = volatile double[4][group_size];
static inline Tree& group_tree()
{
    SOLENOID_SHARED Tree tree;
    return tree;
}

inline void fold(uint operation, volatile double* totals)
{
    for (uint reach = group_size / 2; reach > 0; reach /= 2) {
        barrier();
        EACH_THREAD(thread)
        {
            if (thread < reach)
                totals[thread] = combine(operation, totals[thread], totals[thread + reach]);
        }
    }
    barrier();
}

inline void keep(uint count, uint operations, const Tree& tree, const Reducing& r)
{
    volatile Kept* const kept = r.kept;
    for (uint n = 0; n < count; ++n) {
        if (!r.adds) kept->before[n] = kept->values[n];
        kept->values[n] =
            r.adds ? combine(operation_of(operations, n), kept->values[n], tree[n][0]) : tree[n][0];
    }
}

// Behind the threads' totals in the tree: the block's, and in the block that finishes last, always
// in the same order, all blocks'.
SOLENOID_INLINED void finish_reductions(uint count, uint operations, const Reducing& r)
{
    SOLENOID_SHARED volatile uint is_last;
    Tree& tree = group_tree();
    volatile double* const partials = r.partials;
    for (uint n = 0; n < count; ++n) fold(operation_of(operations, n), tree[n]);
    EACH_THREAD(thread)
    {
        if (thread == 0) {
            for (uint n = 0; n < count; ++n) partials[block_index() * count + n] = tree[n][0];
            fence_of_device();
            const bool last = add_atomically(r.finished, 1) == block_count() - 1;
            if (last)
                fence_of_device();  // behind the count, before the barrier: the other blocks'
                                    // numbers are there for all threads
            is_last = last;
        }
    }
    barrier();
    if (!is_last) return;
    for (uint n = 0; n < count; ++n) {
        const uint operation = operation_of(operations, n);
        EACH_THREAD(thread)
        {
            constexpr uint at_a_time = 8;  // read before the first is combined: one after the other
                                           // they take longer than all else here
            double total = identity_of(operation);
            for (uint first = thread; first < block_count(); first += at_a_time * group_size) {
                double some[at_a_time];
                for (uint k = 0; k < at_a_time; ++k) {
                    const uint block = first + k * group_size;
                    some[k] = block < block_count() ? partials[block * count + n]
                                                    : identity_of(operation);
                }
                for (uint k = 0; k < at_a_time; ++k) total = combine(operation, total, some[k]);
            }
            tree[n][thread] = total;
        }
        fold(operation, tree[n]);
    }
    EACH_THREAD(thread)
    {
        if (thread == 0) {
            *r.finished = 0;
            if (r.kept) return keep(count, operations, tree, r);
            volatile Results* const results = r.results;
            for (uint n = 0; n < count; ++n) results->values[n] = tree[n][0];
            fence_of_system();
            results->sequence = r.sequence;
        }
    }
}

// Adds a lane's terms, of j = first, first + lanes, ... < count, to a sum in order. Four at a time
// are read before the first is added: a thread that waits for memory then waits for four.
#define ADD_LANE_OF(type, sum, first, count, j, term)         \
    for (uint added = (first), all = (count); added < all;) { \
        if (added + 3u * lanes < all) {                       \
            type terms_0, terms_1, terms_2, terms_3;          \
            {                                                 \
                const uint j = added;                         \
                terms_0 = term;                               \
            }                                                 \
            {                                                 \
                const uint j = added + lanes;                 \
                terms_1 = term;                               \
            }                                                 \
            {                                                 \
                const uint j = added + 2u * lanes;            \
                terms_2 = term;                               \
            }                                                 \
            {                                                 \
                const uint j = added + 3u * lanes;            \
                terms_3 = term;                               \
            }                                                 \
            sum += terms_0;                                   \
            sum += terms_1;                                   \
            sum += terms_2;                                   \
            sum += terms_3;                                   \
            added += 4u * lanes;                              \
        } else {                                              \
            const uint j = added;                             \
            sum += term;                                      \
            added += lanes;                                   \
        }                                                     \
    }
// Adds a term for each j < count to a sum: a lane in order, then lanes with those half as far away
// each time. The sum is every lane's.
#if defined(__CUDA__)
#define ADD_ROW_OF(type, sum, count, j, term)              \
    {                                                      \
        type lane_part = lane == 0u ? sum : type{};        \
        ADD_LANE_OF(type, lane_part, lane, count, j, term) \
        sum = added_over_lanes(lane_part, lanes);          \
    }
#else
#define ADD_ROW_OF(type, sum, count, j, term)                                                   \
    {                                                                                           \
        type lane_parts[32]{};                                                                  \
        lane_parts[0] = sum;                                                                    \
        for (uint one = 0u; one < lanes; ++one)                                                 \
            ADD_LANE_OF(type, lane_parts[one], one, count, j, term)                             \
        for (uint reach = lanes / 2u; reach > 0u; reach /= 2u)                                  \
            for (uint one = 0u; one < reach; ++one) lane_parts[one] += lane_parts[one + reach]; \
        sum = lane_parts[0];                                                                    \
    }
#endif
#define ADD_ROW(sum, count, j, term) ADD_ROW_OF(real, sum, count, j, term)

#define precise

// Members of every kernel functor; `real` and DIMENSION are its template parameters.
#define SOLENOID_KERNEL_PROLOGUE                                                                \
    using scalar = real;                                                                        \
    using vec = Vector<real, DIMENSION>;                                                        \
    using single = float;                                                                       \
    using accumulator = double;                                                                 \
    static constexpr uint FACES_PER_CELL = DIMENSION + 1, NODES_PER_CELL = DIMENSION + 1;       \
    static constexpr uint NODES_PER_FACE = DIMENSION, CODIM2_PER_FACE = DIMENSION;              \
    static constexpr uint TANGENTS_PER_FACE = DIMENSION - 1;                                    \
    static constexpr uint EDGES_PER_CELL = DIMENSION == 2 ? 3 : 6,                              \
                          CODIM2_PER_CELL = EDGES_PER_CELL;                                     \
    static constexpr uint NONE = 0xFFFFFFFFu;                                                   \
    static uint entity_of(uint oriented) { return oriented & 0x7FFFFFFFu; }                     \
    static real orientation_of(uint oriented) { return (oriented >> 31) ? real(-1) : real(1); } \
    static real abs(real value) { return value < real(0) ? -value : value; }                    \
    static real sqrt(real value) { return root(value); }                                        \
    static real exp(real x) { return Functions<real>().exp(x); }                                \
    static real log(real x) { return Functions<real>().log(x); }                                \
    static real pow(real x, real y) { return Functions<real>().pow(x, y); }                     \
    static real min(real a, real b) { return b < a ? b : a; }                                   \
    static real max(real a, real b) { return a < b ? b : a; }                                   \
    static vec min(const vec& a, const vec& b)                                                  \
    {                                                                                           \
        return vec::of([&](int k) { return min(a[k], b[k]); });                                 \
    }                                                                                           \
    static vec max(const vec& a, const vec& b)                                                  \
    {                                                                                           \
        return vec::of([&](int k) { return max(a[k], b[k]); });                                 \
    }                                                                                           \
    static real dot(real a, real b) { return a * b; }                                           \
    static real dot(const vec& a, const vec& b)                                                 \
    {                                                                                           \
        if constexpr (DIMENSION == 2)                                                           \
            return a[0] * b[0] + a[1] * b[1];                                                   \
        else                                                                                    \
            return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];                                     \
    }                                                                                           \
    static real quotient(real a, real b) { return b == real(0) ? real(0) : a / b; }             \
    static vec quotient(const vec& a, real b) { return b == real(0) ? vec(0) : a / b; }         \
    static accumulator wide(real value) { return value; }                                       \
    static accumulator product(real a, real b) { return accumulator(a) * accumulator(b); }      \
    static accumulator add(accumulator a, accumulator b) { return a + b; }                      \
    static real narrow(accumulator value) { return static_cast<real>(value); }                  \
    static real component_of(const vec& v, uint i) { return v[i]; }                             \
    static vec with_component(vec v, uint i, real x)                                            \
    {                                                                                           \
        v[i] = x;                                                                               \
        return v;                                                                               \
    }                                                                                           \
    static vec turned(vec w, vec u)                                                             \
    {                                                                                           \
        if constexpr (DIMENSION == 2)                                                           \
            return w[0] * vec(-u[1], u[0]);                                                     \
        else                                                                                    \
            return vec(w[1] * u[2] - u[1] * w[2], w[2] * u[0] - u[2] * w[0],                    \
                       w[0] * u[1] - u[0] * w[1]);                                              \
    }

}  // namespace solenoid::cuda
