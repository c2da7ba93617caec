#include "core/binned_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace solenoid {
namespace {

constexpr int bin_bits = 22, infinite = 93;  // the bin of what is infinite, or is no number

int exponent_of(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7FF);
}

// The lowest bin whose half of a unit the rounding of the one above cannot see: |x| < 2^(e - 1022)
// is at most 2^21 of its units.
int bin_of(double magnitude) {
    return std::min((exponent_of(magnitude) + 31 + bin_bits - 1) / bin_bits, infinite);
}

// x + anchor - anchor is x rounded to a multiple of the bin's unit: 1.5 x 2^52 units. Below the
// least number's bin it is all of x.
double anchor_of(int bin) {
    const auto exponent = static_cast<std::uint64_t>(std::clamp(bin_bits * bin + 1, 1, 2045));
    return std::bit_cast<double>(exponent << 52 | std::uint64_t(1) << 51);
}

// As many doubles as a register of the processor holds.
#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
#elif defined(__AVX__)
constexpr std::size_t lanes = 4;
#else
constexpr std::size_t lanes = 2;
#endif
constexpr std::size_t at_once = 2 * lanes;
using Lanes __attribute__((vector_size(lanes * sizeof(double)))) = double;

Lanes loaded(const double* from) {
    Lanes result;
    std::memcpy(&result, from, sizeof(Lanes));
    return result;
}
Lanes magnitudes(const Lanes& values) {
    using Words __attribute__((vector_size(sizeof(Lanes)))) = std::int64_t;
    return Lanes(Words(values) & std::numeric_limits<std::int64_t>::max());
}

}  // namespace

void BinnedSum::raise(int top) {
    if (top <= top_) return;
    const int up = std::min(top - top_, bins);
    for (int k = bins - 1; k >= 0; --k) parts_[k] = k >= up ? parts_[k - up] : 0;
    top_ = top;
}

void BinnedSum::add(double value) {
    raise(bin_of(value));
    if (exponent_of(value) > 1993) {
        parts_[0] += value * 0x1p1023;
        return;
    }
    for (int k = 0; k < bins; ++k) {
        const double anchor = anchor_of(top_ - k), part = (value + anchor) - anchor;
        parts_[k] += part;
        value -= part;
    }
}

void BinnedSum::add(std::span<const double> values) {
    const std::size_t whole = values.size() / at_once * at_once;
    // none of them a NaN; two in turn, so that one need not wait for the other
    Lanes most[2]{};
    for (std::size_t i = 0; i < whole; i += at_once)
        for (int h = 0; h < 2; ++h) {
            const Lanes magnitude = magnitudes(loaded(&values[i + h * lanes]));
            most[h] = magnitude > most[h] ? magnitude : most[h];
        }
    double greatest = 0;
    for (int h = 0; h < 2; ++h)
        for (std::size_t l = 0; l < lanes; ++l) greatest = std::max(greatest, most[h][l]);
    const int bin = bin_of(greatest);
    raise(bin);
    Lanes anchor[bins], parts[2][bins]{};
    for (int k = 0; k < bins; ++k) anchor[k] = anchor_of(top_ - k) - Lanes{};
    for (std::size_t i = 0; i < whole; i += at_once)
        for (int h = 0; h < 2; ++h) {
            Lanes value = loaded(&values[i + h * lanes]);
#pragma GCC unroll 4
            for (int k = 0; k < bins; ++k) {
                const Lanes part = (value + anchor[k]) - anchor[k];
                parts[h][k] += part;
                value -= part;
            }
        }
    const Lanes first = parts[0][0] + parts[1][0];
    double check = 0;  // NaN where a value is, or is infinite
    for (std::size_t l = 0; l < lanes; ++l) check += first[l];
    if (bin == infinite || std::isnan(check)) {
        for (const double value : values) add(value);
        return;
    }
    for (int k = 0; k < bins; ++k) {
        const Lanes both = parts[0][k] + parts[1][k];
        for (std::size_t l = 0; l < lanes; ++l) parts_[k] += both[l];
    }
    for (std::size_t i = whole; i < values.size(); ++i) add(values[i]);
}

void BinnedSum::add(const BinnedSum& other) {
    BinnedSum aligned = other;
    raise(aligned.top_);
    aligned.raise(top_);
    for (int k = 0; k < bins; ++k) parts_[k] += aligned.parts_[k];
}

double BinnedSum::value() const {
    double sum = 0;
    for (int k = bins - 1; k >= 0; --k) sum += parts_[k];
    return std::isnan(sum) ? std::numeric_limits<double>::quiet_NaN() : sum;
}

std::array<double, BinnedSum::numbers> BinnedSum::packed() const {
    return {double(top_), parts_[0], parts_[1], parts_[2], parts_[3]};
}

BinnedSum BinnedSum::unpacked(std::span<const double, numbers> from) {
    BinnedSum result;
    result.top_ = static_cast<int>(from[0]);
    std::copy_n(from.begin() + 1, bins, result.parts_.begin());
    return result;
}

}  // namespace solenoid
