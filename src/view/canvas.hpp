// An image in memory with the drawing functions of a legend. All are antialiased and give equal
// results on all machines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "view/colour_map.hpp"

namespace solenoid {

// A rectangle in pixels, x to the right and y downward from the top left corner.
struct Rect {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

struct Pixel {
    double x, y;
};

enum class Align { left, centre, right };

class Canvas {
  public:
    Canvas(int width, int height);  // transparent
    Canvas(int width, int height, std::vector<std::uint8_t> rgba);

    int width() const { return width_; }
    int height() const { return height_; }
    // Premultiplied, in rows from the top.
    const std::vector<std::uint8_t>& rgba() const { return rgba_; }

    void fill(const Rect& rect, const Colour& colour);
    void outline(const Rect& rect, const Colour& colour, double line_width);
    void line(Pixel from, Pixel to, const Colour& colour, double line_width);
    void polyline(std::span<const Pixel> points, const Colour& colour, double line_width);

    // at: the left end, middle or right end of the baseline. size: the height of a capital letter
    // [pixels].
    void text(Pixel at, const std::string& text, double size, const Colour& colour,
              Align align = Align::left);

  private:
    void blend(int x, int y, const Colour& colour, double coverage);

    int width_, height_;
    std::vector<std::uint8_t> rgba_;
};

double text_width(const std::string& text, double size);  // [pixels]

}  // namespace solenoid
