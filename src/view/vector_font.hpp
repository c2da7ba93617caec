// A sans-serif font of strokes, so that labels need no font file.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace solenoid {

inline constexpr double cap_height = 10;  // height of a capital letter above the baseline at 0
inline constexpr double stroke_width = 1.25;
inline constexpr double letter_space = 2.4;  // space after each letter

struct Glyph {
    double advance = 0;
    std::vector<std::vector<std::array<double, 2>>> strokes;  // polylines, y upward
};

// A byte for each glyph of a text in UTF-8, as glyph_of() takes them.
std::string letters_of(const std::string& text);
const Glyph& glyph_of(char c);  // an empty box for an unknown letter

}  // namespace solenoid
