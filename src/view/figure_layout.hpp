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

// Of a surface with heights: in drawn positions, those of 1 over 0, and of all that the camera
// holds.
struct Relief {
    double rise = 0, thickness = 0;
    std::string words;  // what the heights are
};

std::string title_of(const std::string& field);  // with its unit if known

// Such as "height = 1.5 x displacement".
std::string height_words(double scale, const std::string& quantity);

// A range for colours: that of a constant field (up to rounding) is widened to both sides.
std::array<double, 2> colour_range(std::array<double, 2> range);

struct FigureLayout {
    int width, height;
    double letter;  // height of a capital letter [pixels]
    Rect plot, bar;
    bool upright_bar;  // on the right side; else below
    bool axes;         // a frame with x and y, for plane views
    std::optional<Relief> relief;
    Camera camera;
};

FigureLayout lay_out(const Surface& surface, const std::vector<Vec3>& drawn_points,
                     const PictureSettings& settings, const Caption& caption,
                     const std::optional<Relief>& relief = {});

// Draws bar, text and axes. moved: the camera was moved from the layout's; the frame of axes is
// left out.
void annotate(Canvas& canvas, const FigureLayout& layout, const Surface& surface,
              const Caption& caption, bool moved = false);

}  // namespace solenoid
