// What is UTF-8, what may stand in XML, and what may reach a terminal.
#include "core/plain_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace solenoid::plain_text_test {
namespace {

TEST(PlainText, Utf8IsToldFromOtherBytes) {
    for (const char* good : {"", "plain", "K\xc3\xbchl", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                             "\xef\xbf\xbf", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(good)) << good;
    // Latin-1, cut off, overlong, a surrogate, beyond the last character, a stray byte
    for (const char* bad : {"K\xfchl", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\x80", "\xff"})
        EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(PlainText, HasNoControlsAndNoNonCharacters) {
    EXPECT_TRUE(is_plain_text("K\xc3\xbchlk\xc3\xb6rper \"1\" & <2>"));
    for (const char* bad :
         {"a\nb", "a\x1b[2J", "\x7f", "\xc2\x9b", "\xef\xbf\xbe", "\xef\xbf\xbf", "K\xfchl"})
        EXPECT_FALSE(is_plain_text(bad)) << bad;
}

TEST(PlainText, Latin1BecomesUtf8) {
    EXPECT_EQ(utf8_of_latin1("Einla\xdf \xa0"), "Einla\xc3\x9f \xc2\xa0");
}

TEST(PlainText, ControlsDoNotReachATerminal) {
    EXPECT_EQ(without_controls("a\x1b[2J\nb\xc2\x9bK\xc3\xbc\r\xfc"), "a?[2J\nb?K\xc3\xbc?\xfc");
}

// The shell itself gives each word back.
TEST(PlainText, WordsOfACommandAreOneWordForTheShell) {
    EXPECT_EQ(for_shell("out/my-film_%04d.png"), "out/my-film_%04d.png");
    for (const char* word : {"two words", "it's", "$(touch x)", "a;b", "a\"b", "~", "*", "", "#a",
                             "a\nb", "'\\''", "K\xc3\xbchl", "`date`"}) {
        const std::string command = "printf %s " + for_shell(word);
        FILE* const shell = popen(command.c_str(), "r");
        ASSERT_TRUE(shell);
        std::string printed(100, '\0');
        printed.resize(std::fread(printed.data(), 1, printed.size(), shell));
        EXPECT_EQ(pclose(shell), 0) << command;
        EXPECT_EQ(printed, word) << command;
    }
}

}  // namespace
}  // namespace solenoid::plain_text_test
