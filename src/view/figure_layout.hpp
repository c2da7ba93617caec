// The layout of a picture: body, colour bar, axes and text.
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
    double low = 0, high = 1;    // range of the colours
};

std::string title_of(const std::string& field);  // with its unit if known

// A range for colours: that of a constant field (up to rounding) is widened to both sides.
std::array<double, 2> colour_range(std::array<double, 2> range);

struct FigureLayout {
    int width, height;
    double letter;  // height of a capital letter [pixels]
    Rect plot, bar;
    bool upright_bar;  // on the right side; else below
    bool axes;         // a frame with x and y, for plane views
    Camera camera;
};

FigureLayout lay_out(const Surface& surface, const std::vector<Vec3>& drawn_points,
                     const PictureSettings& settings, const Caption& caption);

// Draws bar, text and axes. moved: the camera was moved from the layout's; the frame of axes is
// left out.
void annotate(Canvas& canvas, const FigureLayout& layout, const Surface& surface,
              const Caption& caption, bool moved = false);

}  // namespace solenoid
