#include "io/checkpoint/checksum.hpp"

#include <zlib.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace solenoid {
namespace {

std::uint32_t by_zlib(std::uint32_t before, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#ifdef __x86_64__

constexpr std::size_t block = 64;  // bytes that are folded at once
constexpr std::size_t least_to_fold = 256;

#define SOLENOID_FOLDS __attribute__((target("pclmul,sse4.1")))

// x^a mod P and x^b mod P for the low and the high half of a register, a and b so far apart as the
// halves and the bytes that they meet; P the polynomial of CRC-32, bits reflected.
SOLENOID_FOLDS __m128i moved_on(__m128i x, __m128i powers) {
    return _mm_xor_si128(_mm_clmulepi64_si128(x, powers, 0x00),
                         _mm_clmulepi64_si128(x, powers, 0x11));
}

SOLENOID_FOLDS __m128i sixteen(const std::byte* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

// The checksum of a multiple of 64 bytes, at least 64, by products without carries (Gopal et al.,
// Fast CRC computation for generic polynomials using PCLMULQDQ, Intel 2009; its constants).
SOLENOID_FOLDS std::uint32_t folded(std::span<const std::byte> bytes) {
    const __m128i over_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4),
                  over_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0),
                  over_8 = _mm_set_epi64x(0, 0x0163cd6124),
                  reduction = _mm_set_epi64x(0x01f7011641, 0x01db710641),
                  low_words = _mm_setr_epi32(~0, 0, ~0, 0);
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    __m128i a = _mm_xor_si128(sixteen(at), _mm_cvtsi32_si128(~0)), b = sixteen(at + 16),
            c = sixteen(at + 32), d = sixteen(at + 48);
    for (at += block; at != end; at += block) {
        a = _mm_xor_si128(moved_on(a, over_64), sixteen(at));
        b = _mm_xor_si128(moved_on(b, over_64), sixteen(at + 16));
        c = _mm_xor_si128(moved_on(c, over_64), sixteen(at + 32));
        d = _mm_xor_si128(moved_on(d, over_64), sixteen(at + 48));
    }
    a = _mm_xor_si128(moved_on(a, over_16), b);
    a = _mm_xor_si128(moved_on(a, over_16), c);
    a = _mm_xor_si128(moved_on(a, over_16), d);
    // to 64 bits, then by Barrett's reduction to 32
    a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, over_16, 0x10));
    a = _mm_xor_si128(_mm_srli_si128(a, 4),
                      _mm_clmulepi64_si128(_mm_and_si128(a, low_words), over_8, 0x00));
    b = _mm_clmulepi64_si128(_mm_and_si128(a, low_words), reduction, 0x10);
    b = _mm_clmulepi64_si128(_mm_and_si128(b, low_words), reduction, 0x00);
    return ~static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, b), 1));
}

#undef SOLENOID_FOLDS

bool can_fold() {
    static const bool can = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
    return can;
}

#endif

}  // namespace

std::uint32_t checksum(std::span<const std::byte> bytes) {
#ifdef __x86_64__
    if (bytes.size() >= least_to_fold && can_fold()) {
        const std::size_t whole = bytes.size() / block * block;
        return by_zlib(folded(bytes.first(whole)), bytes.subspan(whole));
    }
#endif
    return by_zlib(0, bytes);
}

}  // namespace solenoid
