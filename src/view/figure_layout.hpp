// A picture's page: where the body, the colour bar, the axes and the words lie.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "view/camera.hpp"
#include "view/surface.hpp"
#include "view/ticks.hpp"

namespace solenoid {

struct Caption {
    std::string title;
    std::optional<double> time;  // [s]
    double low = 0, high = 1;    // of the colours
};

std::string title_of(const std::string& field);  // with its unit, where it is known

// A range that colours can be spread over: a constant field (up to rounding) gets room on both
// sides.
std::array<double, 2> colour_range(std::array<double, 2> range);

struct FigureLayout {
    int width, height;
    double letter;  // height of a capital [pixels]
    Rect plot, bar;
    bool upright_bar;  // at the right; else below
    bool axes;         // a frame with x and y, for plane views
    Camera camera;
};

FigureLayout lay_out(const Surface& surface, const std::vector<Vec3>& drawn_points,
                     const PictureSettings& settings, const Caption& caption);

// The bar, the words and the axes; `moved`: the camera no longer fits the sheet, the axes' frame is
// left out.
void annotate(Canvas& canvas, const FigureLayout& layout, const Surface& surface,
              const Caption& caption, bool moved = false);

}  // namespace solenoid
