#include "view/vector_font.hpp"

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace solenoid {
namespace {

constexpr char square = '\xb2';  // a raised 2

// A letter as a path of commands, y upward: m x y (move), l x y ... (lines), c x1 y1 x2 y2 x y
// (cubic from the current point), a cx cy rx ry from to (arc in degrees, joined to the current
// stroke by a line).
struct Letter {
    char name;
    double width;
    const char* path;
};

const Letter letters[] = {
    {' ', 2.0, ""},
    {'!', 0.0, "m 0 10 l 0 3 m 0 0 l 0 0.2"},
    {'"', 2.4, "m 0 10 l 0 7 m 2.4 10 l 2.4 7"},
    {'#', 6.6, "m 1.4 0 l 2.8 10 m 4 0 l 5.4 10 m 0.2 3.2 l 6.2 3.2 m 0.6 6.8 l 6.6 6.8"},
    {'$', 6.6,
     "m 6.1 8.2 c 5 10 0.6 9.8 0.6 7.3 c 0.6 4.3 6.4 5.8 6.4 2.8 c 6.4 0 1 -0.1 0.1 1.9 m 3.3 11 l "
     "3.3 -1"},
    {'%', 9.0, "m 1.6 0 l 7.4 10 m 4 7.8 a 2 7.8 2 2.1 0 360 m 9 2.2 a 7 2.2 2 2.1 0 360"},
    {'&', 7.6,
     "m 7.4 0 l 1.7 6.8 c 0.2 8.8 1.6 10 3 10 c 5.6 10 5.5 7 3.6 6 c -1.5 3.6 0 0 2.8 0 c 5.6 0 "
     "6.6 2.4 6.8 "
     "4.6"},
    {'\'', 0.0, "m 0 10 l 0 7"},
    {'(', 2.4, "m 2.4 11 c -0.8 7.6 -0.8 1.4 2.4 -2"},
    {')', 2.4, "m 0 11 c 3.2 7.6 3.2 1.4 0 -2"},
    {'*', 4.4, "m 2.2 10 l 2.2 5.4 m 0.2 8.9 l 4.2 6.5 m 4.2 8.9 l 0.2 6.5"},
    {'+', 6.0, "m 3 7 l 3 1 m 0 4 l 6 4"},
    {',', 0.6, "m 0.5 0.2 l 0.5 -0.2 0 -1.8"},
    {'-', 5.0, "m 0 4 l 5 4"},
    {'.', 0.2, "m 0.1 0 l 0.1 0.2"},
    {'/', 4.4, "m 0 -1 l 4.4 10.6"},
    {'0', 6.4, "a 3.2 5 3.1 5 0 360"},
    {'1', 6.4, "m 1 8 l 3.7 10 3.7 0"},
    {'2', 6.4, "a 3.2 6.95 2.9 3.05 165 -38 l 0.3 0 6.3 0"},
    {'3', 6.4, "a 3.1 7.55 2.6 2.45 155 -90 a 3.1 2.55 3.1 2.55 90 -152"},
    {'4', 6.4, "m 4.8 0 l 4.8 10 0 2.8 6.5 2.8"},
    {'5', 6.4, "m 5.7 10 l 1.2 10 0.8 5.5 a 3 3.2 3.2 3.2 132 -148"},
    {'6', 6.4, "m 5.5 9.2 c 4.2 10.6 0.1 10.4 0.1 3.6 a 3.2 3.1 3.1 3.1 180 540"},
    {'7', 6.4, "m 0.2 10 l 6.3 10 2.2 0"},
    {'8', 6.4, "m 5.7 7.6 a 3.2 7.6 2.5 2.4 0 360 m 6.3 2.6 a 3.2 2.6 3.1 2.6 0 360"},
    {'9', 6.4, "m 0.9 0.8 c 2.2 -0.6 6.3 -0.4 6.3 6.4 a 3.2 6.9 3.1 3.1 0 360"},
    {':', 0.2, "m 0.1 0 l 0.1 0.2 m 0.1 6.6 l 0.1 6.8"},
    {';', 0.6, "m 0.5 0.2 l 0.5 -0.2 0 -1.8 m 0.4 6.6 l 0.4 6.8"},
    {'<', 5.6, "m 5.6 7.4 l 0 4 5.6 0.6"},
    {'=', 6.0, "m 0 5.5 l 6 5.5 m 0 2.5 l 6 2.5"},
    {'>', 5.6, "m 0 7.4 l 5.6 4 0 0.6"},
    {'?', 5.2, "m 0 8 c 0.4 10.8 5.2 10.7 5.2 7.6 c 5.2 5.4 2.4 5.4 2.4 3 m 2.4 0 l 2.4 0.2"},
    {'@', 9.6,
     "m 6.8 5.6 a 4.7 4 2.1 2.2 40 360 m 6.8 6.2 l 6.8 3 c 6.8 1.4 9.6 1.6 9.6 4.6 a 4.8 4.2 4.8 "
     "4.8 0 310"},
    {'A', 7.6, "m 0 0 l 3.8 10 7.6 0 m 1.3 3.3 l 6.3 3.3"},
    {'B', 6.4,
     "m 0 5.3 l 3.4 5.3 c 7.4 5.3 7.4 0 3.4 0 l 0 0 0 10 3.2 10 c 6.6 10 6.6 5.3 3.2 5.3"},
    {'C', 7.4, "a 4.4 5 4.4 5.1 46 314"},
    {'D', 7.4, "m 0 0 l 0 10 2.8 10 c 9.1 10 9.1 0 2.8 0 l 0 0"},
    {'E', 5.8, "m 5.6 10 l 0 10 0 0 5.8 0 m 0 5.3 l 5 5.3"},
    {'F', 5.4, "m 5.4 10 l 0 10 0 0 m 0 5.2 l 4.8 5.2"},
    {'G', 8.0, "a 4.4 5 4.4 5.1 48 324 l 8 4.7 4.9 4.7"},
    {'H', 7.0, "m 0 0 l 0 10 m 7 0 l 7 10 m 0 5.3 l 7 5.3"},
    {'I', 0.0, "m 0 0 l 0 10"},
    {'J', 4.0, "m 4 10 l 4 2.7 c 4 -0.7 0.6 -0.8 0 1.4"},
    {'K', 6.6, "m 0 0 l 0 10 m 6.2 10 l 0 3.8 m 2.3 6.1 l 6.6 0"},
    {'L', 5.2, "m 0 10 l 0 0 5.2 0"},
    {'M', 8.4, "m 0 0 l 0 10 4.2 2.5 8.4 10 8.4 0"},
    {'N', 7.0, "m 0 0 l 0 10 7 0 7 10"},
    {'O', 9.0, "m 9 5 a 4.5 5 4.5 5.1 0 360"},
    {'P', 6.2, "m 0 0 l 0 10 3.2 10 c 7.2 10 7.2 4.5 3.2 4.5 l 0 4.5"},
    {'Q', 9.0, "m 9 5 a 4.5 5 4.5 5.1 0 360 m 5.6 2.4 l 8.6 -0.9"},
    {'R', 6.6, "m 0 0 l 0 10 3.2 10 c 7.2 10 7.2 4.7 3.2 4.7 l 0 4.7 m 3.5 4.7 l 6.6 0"},
    {'S', 6.6,
     "m 6.1 8.5 c 5 10.8 0.4 10.6 0.4 7.5 c 0.4 4.2 6.6 5.9 6.6 2.6 c 6.6 -0.7 1 -0.9 0 1.7"},
    {'T', 7.0, "m 0 10 l 7 10 m 3.5 10 l 3.5 0"},
    {'U', 7.0, "m 0 10 l 0 3.5 c 0 -1.2 7 -1.2 7 3.5 l 7 10"},
    {'V', 7.4, "m 0 10 l 3.7 0 7.4 10"},
    {'W', 10.8, "m 0 10 l 2.7 0 5.4 10 8.1 0 10.8 10"},
    {'X', 6.8, "m 0 10 l 6.8 0 m 6.8 10 l 0 0"},
    {'Y', 7.2, "m 0 10 l 3.6 5 7.2 10 m 3.6 5 l 3.6 0"},
    {'Z', 6.6, "m 0.2 10 l 6.4 10 0 0 6.6 0"},
    {'[', 2.0, "m 2 11 l 0 11 0 -2 2 -2"},
    {'\\', 4.4, "m 0 10.6 l 4.4 -1"},
    {']', 2.0, "m 0 11 l 2 11 2 -2 0 -2"},
    {'^', 5.0, "m 0 6 l 2.5 10 5 6"},
    {'_', 6.0, "m 0 -1.4 l 6 -1.4"},
    {'`', 1.6, "m 0 10.6 l 1.6 8.6"},
    {'a', 5.2,
     "m 0.6 6.2 c 1.8 7.5 5.2 7.8 5.2 4.6 l 5.2 0 m 5.2 4.1 c 2.4 4.2 0 3.9 0 1.9 c 0 -0.6 4.3 "
     "-0.8 5.2 2"},
    {'b', 5.7, "m 0 10.6 l 0 0 m 5.7 3.5 a 2.85 3.5 2.85 3.6 0 360"},
    {'c', 5.1, "a 3 3.5 3 3.6 46 314"},
    {'d', 5.7, "m 5.7 10.6 l 5.7 0 m 5.7 3.5 a 2.85 3.5 2.85 3.6 0 360"},
    {'e', 5.8, "m 0.1 3.8 l 5.8 3.8 a 2.95 3.5 2.9 3.6 5 318"},
    {'f', 3.6, "m 3.8 10.4 c 2 10.8 1.4 10 1.4 8.4 l 1.4 0 m 0 7 l 3.5 7"},
    {'g', 5.7,
     "m 5.7 3.5 a 2.85 3.5 2.85 3.6 0 360 m 5.7 7 l 5.7 0.2 c 5.7 -3.6 1.8 -3.6 0.6 -2.2"},
    {'h', 5.2, "m 0 10.6 l 0 0 m 0 4 c 0 6 1.2 7.1 2.8 7.1 c 4.4 7.1 5.2 6 5.2 4.2 l 5.2 0"},
    {'i', 0.0, "m 0 7 l 0 0 m 0 9.7 l 0 9.9"},
    {'j', 1.3, "m 1.3 7 l 1.3 -1.2 c 1.3 -2.8 0.6 -3.1 -0.4 -3 m 1.3 9.7 l 1.3 9.9"},
    {'k', 5.0, "m 0 10.6 l 0 0 m 4.7 7 l 0 2.6 m 1.8 4.4 l 5 0"},
    {'l', 0.0, "m 0 10.6 l 0 0"},
    {'m', 8.8,
     "m 0 7 l 0 0 m 0 4.3 c 0 6.1 1 7.1 2.3 7.1 c 3.7 7.1 4.4 6.1 4.4 4.4 l 4.4 0 "
     "m 4.4 4.3 c 4.4 6.1 5.4 7.1 6.7 7.1 c 8.1 7.1 8.8 6.1 8.8 4.4 l 8.8 0"},
    {'n', 5.2, "m 0 7 l 0 0 m 0 4 c 0 6 1.2 7.1 2.8 7.1 c 4.4 7.1 5.2 6 5.2 4.2 l 5.2 0"},
    {'o', 5.9, "m 5.9 3.5 a 2.95 3.5 2.95 3.6 0 360"},
    {'p', 5.7, "m 0 7 l 0 -3.1 m 5.7 3.5 a 2.85 3.5 2.85 3.6 0 360"},
    {'q', 5.7, "m 5.7 7 l 5.7 -3.1 m 5.7 3.5 a 2.85 3.5 2.85 3.6 0 360"},
    {'r', 3.2, "m 0 7 l 0 0 m 0 3.8 c 0 6 1.2 7.3 3.2 6.9"},
    {'s', 4.8,
     "m 4.6 5.9 c 3.9 7.5 0.3 7.6 0.3 5.3 c 0.3 3 4.8 4.2 4.8 1.8 c 4.8 -0.6 0.8 -0.6 0 1.1"},
    {'t', 3.6, "m 1.4 9.2 l 1.4 1.9 c 1.4 0.1 2.3 -0.3 3.6 0.1 m 0 7 l 3.4 7"},
    {'u', 5.2, "m 0 7 l 0 2.8 c 0 1 0.8 -0.1 2.4 -0.1 c 4 -0.1 5.2 1 5.2 3 m 5.2 7 l 5.2 0"},
    {'v', 5.4, "m 0 7 l 2.7 0 5.4 7"},
    {'w', 8.2, "m 0 7 l 2 0 4.1 7 6.2 0 8.2 7"},
    {'x', 5.2, "m 0 7 l 5.2 0 m 5.2 7 l 0 0"},
    {'y', 5.4, "m 0 7 l 2.8 0 m 5.4 7 l 2.5 -1.2 c 1.9 -2.9 1.2 -3.1 0.2 -3"},
    {'z', 5.0, "m 0.2 7 l 4.9 7 0 0 5 0"},
    {'{', 2.8, "m 2.8 11 c 0.4 11 1.9 4.5 0 4.5 c 1.9 4.5 0.4 -2 2.8 -2"},
    {'|', 0.0, "m 0 11 l 0 -2"},
    {'}', 2.8, "m 0 11 c 2.4 11 0.9 4.5 2.8 4.5 c 0.9 4.5 2.4 -2 0 -2"},
    {'~', 6.0, "m 0 3.4 c 1.4 5.6 2.4 4.8 3 4.2 c 3.6 3.6 4.6 2.6 6 4.8"},
    {square, 3.5, "a 1.76 8.42 1.6 1.68 165 -38 l 0.17 4.6 3.47 4.6"},
};
const Letter box = {'\0', 5.0, "m 0 0 l 5 0 5 9 0 9 0 0"};

using Point = std::array<double, 2>;

void add_arc(std::vector<Point>& stroke, double cx, double cy, double rx, double ry, double from,
             double to) {
    constexpr int pieces = 32;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (from + (to - from) * i / pieces) * std::acos(-1.0) / 180;
        stroke.push_back({cx + rx * std::cos(angle), cy + ry * std::sin(angle)});
    }
}

void add_cubic(std::vector<Point>& stroke, const Point& b, const Point& c, const Point& d) {
    constexpr int pieces = 16;
    const Point a = stroke.back();
    for (int i = 1; i <= pieces; ++i) {
        const double t = double(i) / pieces, s = 1 - t;
        const auto at = [&](int k) {
            return s * s * s * a[k] + 3 * s * s * t * b[k] + 3 * s * t * t * c[k] +
                   t * t * t * d[k];
        };
        stroke.push_back({at(0), at(1)});
    }
}

Glyph read_letter(const Letter& letter) {
    Glyph glyph;
    glyph.advance = letter.width + letter_space;
    std::istringstream path(letter.path);
    const auto number = [&] {
        double x = 0;
        path >> x;
        return x;
    };
    const auto point = [&] {
        const double x = number();
        return Point{x, number()};
    };
    for (char command; path >> command;) {
        if (command == 'm') {
            glyph.strokes.push_back({point()});
            continue;
        }
        if (glyph.strokes.empty()) glyph.strokes.emplace_back();
        auto& stroke = glyph.strokes.back();
        if (command == 'l') {
            while (path >> std::ws && !std::isalpha(path.peek()) && path.peek() != EOF)
                stroke.push_back(point());
        } else if (command == 'c') {
            const Point b = point(), c = point(), d = point();
            add_cubic(stroke, b, c, d);
        } else {
            const Point centre = point(), radius = point();
            const double from = number();
            add_arc(stroke, centre[0], centre[1], radius[0], radius[1], from, number());
        }
    }
    return glyph;
}

}  // namespace

std::string letters_of(const std::string& text) {
    constexpr std::string_view as_utf8 = "\u00b2";
    std::string letters = text;
    for (std::size_t at = 0; (at = letters.find(as_utf8, at)) != letters.npos; ++at)
        letters.replace(at, as_utf8.size(), 1, square);
    return letters;
}

const Glyph& glyph_of(char c) {
    static const std::map<char, Glyph> alphabet = [] {
        std::map<char, Glyph> all{{'\0', read_letter(box)}};
        for (const Letter& letter : letters) all[letter.name] = read_letter(letter);
        return all;
    }();
    const auto found = alphabet.find(c);
    return found == alphabet.end() ? alphabet.at('\0') : found->second;
}

}  // namespace solenoid
