// UTF-8 against its definition, and what a terminal is spared.
#include "core/text.hpp"

#include <gtest/gtest.h>

namespace solenoid {
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

TEST(Text, EachCodePointIsReadBack) {
    for (char32_t c = 0; c < 0x110010; c += c < 0x11000 ? 1 : 7) {
        const std::string text = encoded(c) + "x";
        std::size_t position = 0;
        const auto found = next_code_point(text, position);
        if ((c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) {
            ASSERT_FALSE(found) << std::hex << unsigned(c);
            continue;
        }
        ASSERT_TRUE(found) << std::hex << unsigned(c);
        ASSERT_EQ(*found, c);
        ASSERT_EQ(position, text.size() - 1);
    }
}

TEST(Text, WhatIsNoUtf8) {
    for (const char* text :
         {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE2\x82",
          "\xE2(\xA1", "\xF0\x80\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xED\xA0\x80", "D\xFCse"})
        EXPECT_FALSE(is_utf8(text)) << text;
    for (const char* text : {"", "nozzle", "D\xC3\xBCse", "\xE5\x8A\xA0", "\xF0\x9F\x98\x80"})
        EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Text, Latin1) {
    EXPECT_EQ(utf8_of_latin1("D\xFCse \xA0\xFF"), "D\xC3\xBCse \xC2\xA0\xC3\xBF");
    std::string all;
    for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
    const std::string text = utf8_of_latin1(all);
    std::size_t position = 0;
    for (char32_t c = 0; c < 256; ++c) EXPECT_EQ(next_code_point(text, position), c);
    EXPECT_EQ(position, text.size());
}

TEST(Text, ATerminalIsNotCommanded) {
    EXPECT_EQ(for_terminal("plain\tD\xC3\xBCse\nnext"), "plain\tD\xC3\xBCse\nnext");
    EXPECT_EQ(for_terminal("a\x1B[31mb\x07\x7F\r"), "a?[31mb???");
    EXPECT_EQ(for_terminal("a\xC2\x9B"
                           "31mb"),
              "a?31mb");  // the same command in one character
    EXPECT_EQ(for_terminal("D\xFCse \xE2\x82"), "D?se ??");
    EXPECT_EQ(for_terminal(std::string("a\0b", 3)), "a?b");
}

}  // namespace
}  // namespace solenoid
