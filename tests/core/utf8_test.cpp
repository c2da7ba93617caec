// UTF-8 against its definition, code point by code point.
#include "core/plain_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace solenoid::utf8_test {
namespace {

// The bytes of a code point, by the table of RFC 3629.
std::string encoded(char32_t c) {
    const auto byte = [](char32_t value) { return static_cast<char>(value); };
    if (c < 0x80) return {byte(c)};
    if (c < 0x800) return {byte(0xC0 + c / 64), byte(0x80 + c % 64)};
    if (c < 0x10000) return {byte(0xE0 + c / 4096), byte(0x80 + c / 64 % 64), byte(0x80 + c % 64)};
    return {byte(0xF0 + c / 262144), byte(0x80 + c / 4096 % 64), byte(0x80 + c / 64 % 64),
            byte(0x80 + c % 64)};
}

TEST(Utf8, EachCodePoint) {
    for (char32_t c = 0; c < 0x110010; c += c < 0x11000 ? 1 : 7) {
        const bool is_one = (c < 0xD800 || c >= 0xE000) && c <= 0x10FFFF;
        const bool is_plain =
            is_one && c >= ' ' && !(c >= 0x7F && c < 0xA0) && c != 0xFFFE && c != 0xFFFF;
        ASSERT_EQ(is_utf8(encoded(c) + "x"), is_one) << std::hex << unsigned(c);
        ASSERT_EQ(is_plain_text("x" + encoded(c)), is_plain) << std::hex << unsigned(c);
    }
}

TEST(Utf8, WhatIsNoUtf8) {
    for (const char* text :
         {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE2\x82",
          "\xE2(\xA1", "\xF0\x80\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xED\xA0\x80", "D\xFCse"})
        EXPECT_FALSE(is_utf8(text)) << text;
    for (const char* text : {"", "nozzle", "D\xC3\xBCse", "\xE5\x8A\xA0", "\xF0\x9F\x98\x80"})
        EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Utf8, OfLatin1) {
    for (int c = 0; c < 256; ++c)
        EXPECT_EQ(utf8_of_latin1(std::string(1, static_cast<char>(c))), encoded(char32_t(c)));
}

}  // namespace
}  // namespace solenoid::utf8_test
