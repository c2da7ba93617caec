// Mutated case files and overrides end in a case or an error.
#include <random>

#include "app/case/case_files.hpp"

namespace solenoid::case_mutations_test {
namespace {

using CaseFiles = test::CaseFiles;

// One random edit: of a byte, a line, or a word put in.
std::string mutated(std::string text, std::mt19937& random) {
    static const std::vector<std::string> words{"[",
                                                "]",
                                                "[[",
                                                "=",
                                                "\"",
                                                "'''",
                                                "\"\"\"",
                                                "{",
                                                "}",
                                                ",",
                                                ".",
                                                "\n",
                                                "#",
                                                "1e999",
                                                "nan",
                                                "-",
                                                "0x",
                                                "1979-05-27T07:32:00Z",
                                                "true",
                                                "[mesh]\n",
                                                "\\u0000",
                                                "\\",
                                                "a.b.c.d = 1\n",
                                                "(((",
                                                "x=3",
                                                "[[monitor]]\n",
                                                "\xC3"};
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::size_t at = below(text.size()), length = 1 + below(20);
    switch (below(6)) {
        case 0:
            text[at] = static_cast<char>(below(256));
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(below(text.size()), length));
            break;
        case 3:
            text.insert(at, words[below(words.size())]);
            break;
        case 4: {
            const std::size_t begin = text.rfind('\n', at) + 1,
                              end = std::min(text.find('\n', at), text.size() - 1) + 1;
            if (begin >= end) break;
            const std::string line = text.substr(begin, end - begin);
            if (below(2)) text.erase(begin, end - begin);
            if (below(2)) text.insert(text.find('\n', below(text.size() - 1)) + 1, line);
            break;
        }
        default:
            std::swap(text[at], text[below(text.size())]);
    }
    return text.empty() ? "x" : text;
}

TEST_F(CaseFiles, mutations_end_in_a_case_or_an_error) {
    std::mt19937 random(20240229);
    int accepted = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = full;
        for (int edits = 1 + i % 4; edits > 0; --edits) text = mutated(text, random);
        const std::string message = refusal(text);
        ++(message == "accepted" ? accepted : refused);
    }
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 1000);
}

TEST_F(CaseFiles, mutated_overrides_end_in_a_case_or_an_error) {
    std::mt19937 random(4711);
    const std::vector<std::string> valid{"time.end=20", "boundary.\"outer wall\".h=[1, {a = 2}]",
                                         "picture.0.range=[1, 2]", "monitor.1.at.2=3",
                                         "material.steel.conductivity=1 + y*sin(x)"};
    for (int i = 0; i < 1000; ++i) {
        std::string text = valid[i % valid.size()];
        for (int edits = 1 + i % 3; edits > 0; --edits) text = mutated(text, random);
        refusal(full, {text});
    }
}

}  // namespace
}  // namespace solenoid::case_mutations_test
