#include "view/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "view/vector_font.hpp"

namespace solenoid {
namespace {

double distance_to_segment(Pixel p, Pixel a, Pixel b) {
    const double ux = b.x - a.x, uy = b.y - a.y, vx = p.x - a.x, vy = p.y - a.y;
    const double squared = ux * ux + uy * uy;
    const double t = squared > 0 ? std::clamp((ux * vx + uy * vy) / squared, 0.0, 1.0) : 0;
    return std::hypot(vx - t * ux, vy - t * uy);
}

// The part of pixel [i, i + 1] covered by [from, to].
double overlap(int i, double from, double to) {
    return std::max(0.0, std::min(i + 1.0, to) - std::max(double(i), from));
}

}  // namespace

Canvas::Canvas(int width, int height)
    : Canvas(width, height, std::vector<std::uint8_t>(std::size_t(4) * width * height)) {}

Canvas::Canvas(int width, int height, std::vector<std::uint8_t> rgba)
    : width_(width), height_(height), rgba_(std::move(rgba)) {}

void Canvas::blend(int x, int y, const Colour& colour, double coverage) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || coverage <= 0) return;
    std::uint8_t* pixel = rgba_.data() + 4 * (std::size_t(y) * width_ + x);
    for (int k = 0; k < 4; ++k) {
        const double source = k == 3 ? 255 : 255 * colour[k];
        pixel[k] = static_cast<std::uint8_t>(
            std::lround(pixel[k] + std::min(coverage, 1.0) * (source - pixel[k])));
    }
}

void Canvas::fill(const Rect& rect, const Colour& colour) {
    for (int y = std::max(0, int(rect.y)); y < std::min<double>(height_, rect.bottom()); ++y)
        for (int x = std::max(0, int(rect.x)); x < std::min<double>(width_, rect.right()); ++x)
            blend(x, y, colour,
                  overlap(x, rect.x, rect.right()) * overlap(y, rect.y, rect.bottom()));
}

void Canvas::outline(const Rect& rect, const Colour& colour, double line_width) {
    const Pixel corners[] = {{rect.x, rect.y},
                             {rect.right(), rect.y},
                             {rect.right(), rect.bottom()},
                             {rect.x, rect.bottom()},
                             {rect.x, rect.y}};
    polyline(corners, colour, line_width);
}

void Canvas::line(Pixel from, Pixel to, const Colour& colour, double line_width) {
    polyline(std::array{from, to}, colour, line_width);
}

// Coverage of a pixel: half the width less the distance of its centre from the nearest segment,
// from 0 to 1.
void Canvas::polyline(std::span<const Pixel> points, const Colour& colour, double line_width) {
    if (points.empty()) return;
    Pixel low = points[0], high = points[0];
    for (const Pixel& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double reach = 0.5 * line_width + 0.5;
    const int x0 = std::max(0, int(low.x - reach)), x1 = std::min(width_ - 1, int(high.x + reach));
    const int y0 = std::max(0, int(low.y - reach)), y1 = std::min(height_ - 1, int(high.y + reach));
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            double nearest = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < points.size(); ++i)
                nearest = std::min(nearest, distance_to_segment({x + 0.5, y + 0.5},
                                                                points[i ? i - 1 : 0], points[i]));
            blend(x, y, colour, reach - nearest);
        }
}

void Canvas::text(Pixel at, const std::string& text, double size, const Colour& colour,
                  Align align) {
    const double width = text_width(text, size);
    double x = at.x - (align == Align::centre ? 0.5 * width : align == Align::right ? width : 0);
    const double unit = size / cap_height;
    for (const char c : letters_of(text)) {
        const Glyph& glyph = glyph_of(c);
        for (const auto& stroke : glyph.strokes) {
            std::vector<Pixel> points;
            for (const auto& p : stroke) points.push_back({x + unit * p[0], at.y - unit * p[1]});
            polyline(points, colour, std::max(1.0, unit * stroke_width));
        }
        x += unit * glyph.advance;
    }
}

double text_width(const std::string& text, double size) {
    double width = 0;
    for (const char c : letters_of(text)) width += glyph_of(c).advance;
    return text.empty() ? 0 : (width - letter_space) * size / cap_height;
}

}  // namespace solenoid
