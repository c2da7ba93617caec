#include "ptx_computations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace solenoid::test::ptx {
namespace {

using Table = std::map<std::string, Compute>;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;

template <class T>
bool unordered(const Bits* o) {
    return std::isnan(as<T>(o[0])) || std::isnan(as<T>(o[1]));
}

template <class T>
void add_comparisons(Table& t, const std::string& type) {
    t["setp.eq" + type] = [](const Bits* o) { return Bits(as<T>(o[0]) == as<T>(o[1])); };
    t["setp.lt" + type] = [](const Bits* o) { return Bits(as<T>(o[0]) < as<T>(o[1])); };
    t["setp.le" + type] = [](const Bits* o) { return Bits(as<T>(o[0]) <= as<T>(o[1])); };
    t["setp.gt" + type] = [](const Bits* o) { return Bits(as<T>(o[0]) > as<T>(o[1])); };
    t["setp.ge" + type] = [](const Bits* o) { return Bits(as<T>(o[0]) >= as<T>(o[1])); };
}

template <class T>
void add_floating(Table& t, const std::string& type) {
    t["add.rn" + type] = [](const Bits* o) { return of(as<T>(o[0]) + as<T>(o[1])); };
    t["sub.rn" + type] = [](const Bits* o) { return of(as<T>(o[0]) - as<T>(o[1])); };
    t["mul.rn" + type] = [](const Bits* o) { return of(as<T>(o[0]) * as<T>(o[1])); };
    t["div.rn" + type] = [](const Bits* o) { return of(as<T>(o[0]) / as<T>(o[1])); };
    t["sqrt.rn" + type] = [](const Bits* o) { return of(std::sqrt(as<T>(o[0]))); };
    t["rcp.rn" + type] = [](const Bits* o) { return of(T(1) / as<T>(o[0])); };
    t["min" + type] = [](const Bits* o) { return of(std::fmin(as<T>(o[0]), as<T>(o[1]))); };
    t["max" + type] = [](const Bits* o) { return of(std::fmax(as<T>(o[0]), as<T>(o[1]))); };
    t["cvt.rmi" + type + type] = [](const Bits* o) { return of(std::floor(as<T>(o[0]))); };
    t["neg" + type] = [](const Bits* o) { return of(-as<T>(o[0])); };
    t["abs" + type] = [](const Bits* o) { return of(std::abs(as<T>(o[0]))); };
    t["mov" + type] = [](const Bits* o) { return o[0]; };
    t["selp" + type] = [](const Bits* o) { return o[2] ? o[0] : o[1]; };
    t["setp.nan" + type] = [](const Bits* o) { return Bits(unordered<T>(o)); };
    t["setp.num" + type] = [](const Bits* o) { return Bits(!unordered<T>(o)); };
    add_comparisons<T>(t, type);
    t["setp.ne" + type] = [](const Bits* o) {
        return Bits(!unordered<T>(o) && as<T>(o[0]) != as<T>(o[1]));
    };
    t["setp.equ" + type] = [](const Bits* o) {
        return Bits(unordered<T>(o) || as<T>(o[0]) == as<T>(o[1]));
    };
    t["setp.neu" + type] = [](const Bits* o) { return Bits(!(as<T>(o[0]) == as<T>(o[1]))); };
    t["setp.ltu" + type] = [](const Bits* o) { return Bits(!(as<T>(o[0]) >= as<T>(o[1]))); };
    t["setp.leu" + type] = [](const Bits* o) { return Bits(!(as<T>(o[0]) > as<T>(o[1]))); };
    t["setp.gtu" + type] = [](const Bits* o) { return Bits(!(as<T>(o[0]) <= as<T>(o[1]))); };
    t["setp.geu" + type] = [](const Bits* o) { return Bits(!(as<T>(o[0]) < as<T>(o[1]))); };
}

// T: a signed or an unsigned number of 32 or 64 bits.
template <class T>
void add_whole(Table& t, const std::string& type) {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned bits = 8 * sizeof(T);
    t["add" + type] = [](const Bits* o) { return Bits(U(o[0] + o[1])); };
    t["sub" + type] = [](const Bits* o) { return Bits(U(o[0] - o[1])); };
    t["neg" + type] = [](const Bits* o) { return Bits(U(-o[0])); };
    t["mul.lo" + type] = [](const Bits* o) { return Bits(U(o[0] * o[1])); };
    t["mad.lo" + type] = [](const Bits* o) { return Bits(U(o[0] * o[1] + o[2])); };
    t["min" + type] = [](const Bits* o) { return Bits(U(std::min(T(o[0]), T(o[1])))); };
    t["max" + type] = [](const Bits* o) { return Bits(U(std::max(T(o[0]), T(o[1])))); };
    t["shr" + type] = [](const Bits* o) {
        return Bits(U(U32(o[1]) < bits ? T(o[0]) >> U32(o[1]) : T(o[0]) < 0 ? T(-1) : T(0)));
    };
    t["mov" + type] = [](const Bits* o) { return Bits(U(o[0])); };
    t["selp" + type] = [](const Bits* o) { return Bits(U(o[2] ? o[0] : o[1])); };
    t["setp.ne" + type] = [](const Bits* o) { return Bits(T(o[0]) != T(o[1])); };
    add_comparisons<T>(t, type);
}

template <class T>
void add_words(Table& t, const std::string& type) {
    constexpr unsigned bits = 8 * sizeof(T);
    t["and" + type] = [](const Bits* o) { return Bits(T(o[0] & o[1])); };
    t["or" + type] = [](const Bits* o) { return Bits(T(o[0] | o[1])); };
    t["xor" + type] = [](const Bits* o) { return Bits(T(o[0] ^ o[1])); };
    t["not" + type] = [](const Bits* o) { return Bits(T(~o[0])); };
    t["shl" + type] = [](const Bits* o) {
        return Bits(U32(o[1]) < bits ? T(T(o[0]) << U32(o[1])) : T(0));
    };
    t["mov" + type] = [](const Bits* o) { return Bits(T(o[0])); };
    t["selp" + type] = [](const Bits* o) { return Bits(T(o[2] ? o[0] : o[1])); };
    t["setp.eq" + type] = [](const Bits* o) { return Bits(T(o[0]) == T(o[1])); };
    t["setp.ne" + type] = [](const Bits* o) { return Bits(T(o[0]) != T(o[1])); };
}

// Bits of the first operand, from the second on, as many as the third says.
template <class T>
Bits field(const Bits* o) {
    const Bits from = std::min<Bits>(o[1] & 255, 8 * sizeof(T)),
               length = std::min<Bits>(o[2] & 255, 8 * sizeof(T));
    const Bits rest = from < 64 ? Bits(T(o[0])) >> from : 0;
    return length < 64 ? rest & ((Bits(1) << length) - 1) : rest;
}

void add_predicates(Table& t) {
    t["and.pred"] = [](const Bits* o) { return o[0] & o[1] & 1; };
    t["or.pred"] = [](const Bits* o) { return (o[0] | o[1]) & 1; };
    t["xor.pred"] = [](const Bits* o) { return (o[0] ^ o[1]) & 1; };
    t["not.pred"] = [](const Bits* o) { return ~o[0] & 1; };
    t["mov.pred"] = [](const Bits* o) { return Bits(o[0] != 0); };
}

// Towards zero; what the type cannot hold becomes the nearest that it can, NaN becomes 0.
template <class T, class From>
Bits truncated(const Bits* o) {
    const From value = std::trunc(as<From>(o[0]));
    if (std::isnan(value)) return 0;
    if (value >= From(std::numeric_limits<T>::max()))
        return std::make_unsigned_t<T>(std::numeric_limits<T>::max());
    if (value <= From(std::numeric_limits<T>::min()))
        return std::make_unsigned_t<T>(std::numeric_limits<T>::min());
    return std::make_unsigned_t<T>(static_cast<T>(value));
}

void add_conversions(Table& t) {
    t["cvt.rn.f32.f64"] = [](const Bits* o) { return of(static_cast<float>(as<double>(o[0]))); };
    t["cvt.f64.f32"] = [](const Bits* o) { return of(static_cast<double>(as<float>(o[0]))); };
    t["cvt.rn.f64.u32"] = [](const Bits* o) { return of(static_cast<double>(U32(o[0]))); };
    t["cvt.rn.f64.s32"] = [](const Bits* o) { return of(static_cast<double>(S32(o[0]))); };
    t["cvt.rn.f32.u32"] = [](const Bits* o) { return of(static_cast<float>(U32(o[0]))); };
    t["cvt.rn.f32.s32"] = [](const Bits* o) { return of(static_cast<float>(S32(o[0]))); };
    t["cvt.rzi.u32.f64"] = truncated<U32, double>;
    t["cvt.rzi.s32.f64"] = truncated<S32, double>;
    t["cvt.rzi.u32.f32"] = truncated<U32, float>;
    t["cvt.rzi.s32.f32"] = truncated<S32, float>;
    t["cvt.u64.u32"] = [](const Bits* o) { return Bits(U32(o[0])); };
    t["cvt.s64.s32"] = [](const Bits* o) { return Bits(S64(S32(o[0]))); };
    t["cvt.u32.u64"] = [](const Bits* o) { return Bits(U32(o[0])); };
    t["bfe.u32"] = field<U32>;
    t["bfe.u64"] = field<U64>;
    t["mul.hi.u32"] = [](const Bits* o) {
        return Bits((std::uint64_t(U32(o[0])) * U32(o[1])) >> 32);
    };
    // by zero: of no use to a kernel, and told by no GPU
    t["div.u32"] = [](const Bits* o) { return Bits(U32(o[1]) ? U32(o[0]) / U32(o[1]) : ~U32(0)); };
    t["rem.u32"] = [](const Bits* o) {
        return Bits(U32(o[1]) ? U32(o[0]) % U32(o[1]) : U32(o[0]));
    };
    using U16 = std::uint16_t;
    t["cvt.u16.u32"] = t["cvt.u32.u16"] = [](const Bits* o) { return Bits(U16(o[0])); };
    t["add.s16"] = [](const Bits* o) { return Bits(U16(o[0] + o[1])); };
    t["shr.u16"] = [](const Bits* o) { return Bits(U32(o[1]) < 16 ? U16(o[0]) >> U32(o[1]) : 0); };
    t["mul.hi.u16"] = [](const Bits* o) { return Bits(U32(U16(o[0])) * U16(o[1]) >> 16); };
    t["mul.wide.u32"] = [](const Bits* o) { return Bits(U32(o[0])) * U32(o[1]); };
    t["mul.wide.s32"] = [](const Bits* o) { return Bits(S64(S32(o[0])) * S32(o[1])); };
    t["mad.wide.u32"] = [](const Bits* o) { return Bits(U32(o[0])) * U32(o[1]) + o[2]; };
    for (const char* space : {"global", "shared", "local"}) {
        t[std::string("cvta.to.") + space + ".u64"] = [](const Bits* o) { return o[0]; };
        t[std::string("cvta.") + space + ".u64"] = [](const Bits* o) { return o[0]; };
    }
}

}  // namespace

const std::map<std::string, Compute>& computations() {
    static const Table all = [] {
        Table t;
        add_floating<float>(t, ".f32");
        add_floating<double>(t, ".f64");
        add_whole<U32>(t, ".u32");
        add_whole<S32>(t, ".s32");
        add_whole<U64>(t, ".u64");
        add_whole<S64>(t, ".s64");
        add_words<U32>(t, ".b32");
        add_words<U64>(t, ".b64");
        add_predicates(t);
        add_conversions(t);
        return t;
    }();
    return all;
}

}  // namespace solenoid::test::ptx
