#include "view/figure_layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace solenoid {
namespace {

constexpr Colour ink{0.12, 0.12, 0.14};

std::string time_words(const Caption& caption) {
    return caption.time ? fmt::format("t = {:.5g} s", *caption.time) : std::string();
}

double widest(const std::vector<std::string>& labels, double letter) {
    double width = 0;
    for (const std::string& label : labels) width = std::max(width, text_width(label, letter));
    return width;
}

int ticks_on(double length, double letter) {
    return std::clamp(static_cast<int>(length / (4.5 * letter)), 2, 8);
}

// Ticks along a horizontal axis of this length, at distances of at least 1.6 labels.
Ticks horizontal_ticks(double low, double high, double length, double letter) {
    int count = ticks_on(length, letter);
    Ticks ticks = nice_ticks(low, high, count);
    while (count > 2 && widest(ticks.labels, letter) * 1.6 * double(ticks.values.size()) > length)
        ticks = nice_ticks(low, high, --count);
    return ticks;
}

Ticks vertical_ticks(double low, double high, double length, double letter) {
    return nice_ticks(low, high, ticks_on(length, letter));
}

Ticks bar_ticks(const FigureLayout& layout, const Caption& caption) {
    return layout.upright_bar
               ? vertical_ticks(caption.low, caption.high, layout.bar.height, layout.letter)
               : horizontal_ticks(caption.low, caption.high, layout.bar.width, layout.letter);
}

// Draws "x10" with a raised exponent, beginning at `at`.
void draw_power(Canvas& canvas, Pixel at, int exponent, double letter) {
    const double arm = 0.28 * letter, middle = at.y - 0.38 * letter,
                 line = std::max(1.0, 0.12 * letter);
    const double x = at.x + arm;
    canvas.line({x - arm, middle - arm}, {x + arm, middle + arm}, ink, line);
    canvas.line({x - arm, middle + arm}, {x + arm, middle - arm}, ink, line);
    const double ten = x + 2.2 * arm;
    canvas.text({ten, at.y}, "10", letter, ink);
    canvas.text({ten + text_width("10", letter) + 0.2 * letter, at.y - 0.6 * letter},
                std::to_string(exponent), 0.68 * letter, ink);
}
double power_width(int exponent, double letter) {
    return 1.1 * letter + text_width("10", letter) +
           text_width(std::to_string(exponent), 0.68 * letter);
}

// Rounded to whole pixels, so that edges are sharp and colours unmixed.
Rect snapped(const Rect& rect) {
    const double x = std::round(rect.x), y = std::round(rect.y);
    return {x, y, std::round(rect.right()) - x, std::round(rect.bottom()) - y};
}
double snapped(double line) { return std::floor(line) + 0.5; }

// Draws the colours in steps of one pixel along the bar.
void draw_colours(Canvas& canvas, const Rect& bar, bool upright) {
    const int pixels = std::max(1, static_cast<int>(std::lround(upright ? bar.height : bar.width)));
    for (int i = 0; i < pixels; ++i) {
        const Colour colour = colour_of((i + 0.5) / pixels);
        if (upright)
            canvas.fill({bar.x, bar.bottom() - i - 1, bar.width, 1}, colour);
        else
            canvas.fill({bar.x + i, bar.y, 1, bar.height}, colour);
    }
    canvas.outline({bar.x - 0.5, bar.y - 0.5, bar.width + 1, bar.height + 1}, ink, 1);
}

void draw_upright_bar(Canvas& canvas, const FigureLayout& layout, const Caption& caption) {
    const double letter = layout.letter;
    const Rect& bar = layout.bar;
    draw_colours(canvas, bar, true);
    const Ticks ticks = bar_ticks(layout, caption);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        const double y = bar.bottom() - bar.height * (ticks.values[i] - caption.low) /
                                            (caption.high - caption.low);
        canvas.line({bar.right(), snapped(y)}, {bar.right() + 0.35 * letter, snapped(y)}, ink, 1);
        canvas.text({bar.right() + 0.75 * letter, y + 0.5 * letter}, ticks.labels[i], letter, ink);
    }
    if (ticks.exponent) draw_power(canvas, {bar.x, bar.y - 0.8 * letter}, ticks.exponent, letter);

    double baseline = bar.y - (ticks.exponent ? 3.2 : 1.2) * letter;
    const std::string time = time_words(caption);
    if (!time.empty()) {
        canvas.text({bar.x, baseline}, time, letter, ink);
        baseline -= 2.0 * letter;
    }
    canvas.text({bar.x, baseline}, caption.title, letter, ink);
}

void draw_lying_bar(Canvas& canvas, const FigureLayout& layout, const Caption& caption) {
    const double letter = layout.letter;
    const Rect& bar = layout.bar;
    draw_colours(canvas, bar, false);
    const Ticks ticks = bar_ticks(layout, caption);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        const double x =
            bar.x + bar.width * (ticks.values[i] - caption.low) / (caption.high - caption.low);
        canvas.line({snapped(x), bar.bottom()}, {snapped(x), bar.bottom() + 0.35 * letter}, ink, 1);
        canvas.text({x, bar.bottom() + 1.75 * letter}, ticks.labels[i], letter, ink, Align::centre);
    }
    if (ticks.exponent)
        draw_power(canvas, {bar.right() + 0.8 * letter, bar.y + 0.5 * (bar.height + letter)},
                   ticks.exponent, letter);
    canvas.text({bar.x, bar.y - 0.8 * letter}, caption.title, letter, ink);
    canvas.text({bar.right(), bar.y - 0.8 * letter}, time_words(caption), letter, ink,
                Align::right);
}

// The body's bounds in the picture for a camera that looks at the x-y plane.
Rect framed(const FigureLayout& layout, const Surface& surface) {
    const Vec3 low = surface.drawn(surface.low), high = surface.drawn(surface.high);
    const auto& [eye, half] = std::pair(layout.camera.eye, layout.camera.half);
    const double unit = 0.5 * layout.plot.width / half[0];
    const double x = layout.plot.x + 0.5 * layout.plot.width + unit * (low.x - eye.x);
    const double y = layout.plot.y + 0.5 * layout.plot.height - unit * (high.y - eye.y);
    return {x, y, unit * (high.x - low.x), unit * (high.y - low.y)};
}

void draw_axes(Canvas& canvas, const FigureLayout& layout, const Surface& surface) {
    const double letter = layout.letter, gap = 0.5 * letter;
    const Rect body = framed(layout, surface);
    const Rect frame{snapped(body.x - gap), snapped(body.y - gap), std::round(body.width + 2 * gap),
                     std::round(body.height + 2 * gap)};
    canvas.outline(frame, ink, 1);

    const double unit = body.width / std::max(surface.high.x - surface.low.x, 1e-300);
    const Ticks xs = horizontal_ticks(surface.low.x, surface.high.x, frame.width, letter);
    for (std::size_t i = 0; i < xs.values.size(); ++i) {
        const double x = body.x + unit * (xs.values[i] - surface.low.x);
        canvas.line({snapped(x), frame.bottom()}, {snapped(x), frame.bottom() + 0.4 * letter}, ink,
                    1);
        canvas.text({x, frame.bottom() + 1.9 * letter}, xs.labels[i], letter, ink, Align::centre);
    }
    const Ticks ys = vertical_ticks(surface.low.y, surface.high.y, frame.height, letter);
    for (std::size_t i = 0; i < ys.values.size(); ++i) {
        const double y = body.bottom() - unit * (ys.values[i] - surface.low.y);
        canvas.line({frame.x, snapped(y)}, {frame.x - 0.4 * letter, snapped(y)}, ink, 1);
        canvas.text({frame.x - 0.8 * letter, y + 0.5 * letter}, ys.labels[i], letter, ink,
                    Align::right);
    }

    const double under = frame.bottom() + 4.2 * letter, middle = frame.x + 0.5 * frame.width;
    canvas.text({middle, under}, "x [m]", letter, ink, Align::centre);
    if (xs.exponent) draw_power(canvas, {middle + 2.6 * letter, under}, xs.exponent, letter);
    const double over = frame.y - 1.0 * letter;
    canvas.text({frame.x, over}, "y [m]", letter, ink, Align::centre);
    if (ys.exponent) draw_power(canvas, {frame.x + 2.6 * letter, over}, ys.exponent, letter);
}

// Draws the directions of x, y and z in the lower left corner.
void draw_triad(Canvas& canvas, const FigureLayout& layout) {
    const double length = 3.0 * layout.letter;
    const Pixel origin{4.6 * layout.letter, layout.height - 4.6 * layout.letter};
    for (int k = 0; k < 3; ++k) {
        Vec3 axis(0);
        axis[k] = 1;
        const Vec3 seen = layout.camera.orientation.seen(axis);
        if (std::hypot(seen.x, seen.y) < 0.3) continue;
        canvas.line(origin, {origin.x + length * seen.x, origin.y - length * seen.y}, ink,
                    0.12 * layout.letter);
        const double reach = length + 0.9 * layout.letter / std::hypot(seen.x, seen.y);
        canvas.text({origin.x + reach * seen.x, origin.y - reach * seen.y + 0.35 * layout.letter},
                    std::string(1, "xyz"[k]), 0.9 * layout.letter, ink, Align::centre);
    }
}

// A height field is seen from further above than a body: what is behind a wave shows.
constexpr double rise_over_heights = 0.8;

Orientation viewed_from(const Surface& surface, const PictureSettings& settings, bool raised) {
    if (settings.direction) return look_along(*settings.direction);
    if (raised) return three_quarter(surface.high - surface.low, rise_over_heights);
    if (surface.dimension == 2) return Orientation{};
    return three_quarter(surface.high - surface.low);
}

// Below the plot for the words of a relief, in letters.
constexpr double words_room = 2;

// The points at the top and at the bottom of a layer in which heights lie.
std::vector<Vec3> at_both_heights(const std::vector<Vec3>& points, double thickness) {
    std::vector<Vec3> both;
    for (const double z : {-0.5 * thickness, 0.5 * thickness})
        for (const Vec3& p : points) both.push_back(p + Vec3(0, 0, z));
    return both;
}

void place_upright_bar(FigureLayout& layout, const Caption& caption, const Rect& inside) {
    const double letter = layout.letter, thickness = 1.6 * letter;
    layout.bar = {0, 0, thickness, 0.62 * inside.height};
    const Ticks ticks = bar_ticks(layout, caption);
    const double labels = thickness + 0.75 * letter + widest(ticks.labels, letter);
    const double words =
        std::max({text_width(caption.title, letter), text_width(time_words(caption), letter),
                  ticks.exponent ? power_width(ticks.exponent, letter) : 0.0});
    const double column = std::max(labels, words);
    const double heading = (caption.time ? 3.6 : 1.6) * letter;
    layout.bar.x = inside.right() - column;
    layout.bar.y = inside.y + 0.5 * (inside.height - layout.bar.height) + 0.5 * heading;
    layout.plot = {inside.x, inside.y, inside.width - column - 2 * letter, inside.height};
}

void place_lying_bar(FigureLayout& layout, const Rect& inside) {
    const double letter = layout.letter, thickness = 1.3 * letter, length = 0.5 * inside.width;
    const double foot = 2.0 * letter, head = 2.4 * letter;
    layout.bar = {inside.x + 0.5 * (inside.width - length), inside.bottom() - foot - thickness,
                  length, thickness};
    layout.plot = {inside.x, inside.y, inside.width,
                   inside.height - foot - thickness - head - letter};
}

// The space round the plot for ticks and names of the axes.
struct Frame {
    double left = 0, right = 0, above = 0, below = 0;
};
Frame axes_room(const FigureLayout& layout, const Surface& surface) {
    if (!layout.axes) return {};
    const double letter = layout.letter;
    const Ticks ys = vertical_ticks(surface.low.y, surface.high.y, layout.plot.height, letter);
    return {widest(ys.labels, letter) + 1.6 * letter, 1.5 * letter, 2.5 * letter, 5 * letter};
}

// Shrinks the plot to the body, and moves plot and bar together to the middle of the page.
void gather_middle(FigureLayout& layout, const Frame& room, double aspect) {
    Rect& plot = layout.plot;
    plot = {plot.x + room.left, plot.y + room.above,
            std::max(plot.width - room.left - room.right, 1.0),
            std::max(plot.height - room.above - room.below, 1.0)};
    if (layout.upright_bar) {
        const double surplus = std::max(plot.width - 1.1 * aspect * plot.height, 0.0);
        plot.width -= surplus;
        plot.x += 0.5 * surplus;
        layout.bar.x -= 0.5 * surplus;
    } else {
        const double surplus = std::max(plot.height - 1.1 * plot.width / aspect, 0.0);
        plot.height -= surplus;
        plot.y += 0.5 * surplus;
        layout.bar.y -= 0.5 * surplus;
    }
    layout.bar = snapped(layout.bar);
}

}  // namespace

std::string title_of(const std::string& field) {
    static const std::map<std::string, std::string> titles{
        {"temperature", "temperature [K]"},
        {"speed", "speed [m/s]"},
        {"vorticity", "vorticity [1/s]"},
        {"pressure", "pressure [Pa]"},
        {"stream_function", "stream function [m²/s]"},
        {"displacement", "displacement [m]"},
        {"elevation", "elevation [m]"},
        {"velocity", "velocity [m/s]"}};
    const auto found = titles.find(field);
    return found != titles.end() ? found->second : field;
}

std::string height_words(double scale, const std::string& quantity) {
    return fmt::format("height = {:.3g} x {}", scale, quantity);
}

std::array<double, 2> colour_range(std::array<double, 2> range) {
    const auto [low, high] = range;
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low > 1e-6 * size) return range;
    const double middle = 0.5 * (low + high), room = size > 0 ? 0.01 * size : 1;
    return {middle - room, middle + room};
}

FigureLayout lay_out(const Surface& surface, const std::vector<Vec3>& points,
                     const PictureSettings& settings, const Caption& caption,
                     const std::optional<Relief>& relief) {
    FigureLayout layout{};
    layout.relief = relief;
    layout.width = settings.width;
    layout.height = settings.height;
    layout.letter = std::max(6.0, 0.0235 * std::min<double>(settings.width, 1.2 * settings.height));
    layout.axes = surface.dimension == 2 && !settings.direction && !relief;
    const double margin = 1.8 * layout.letter;
    Rect inside{margin, margin, settings.width - 2 * margin, settings.height - 2 * margin};
    if (relief && !relief->words.empty()) inside.height -= words_room * layout.letter;

    const Orientation orientation = viewed_from(surface, settings, relief.has_value());
    const std::vector<Vec3> held = relief ? at_both_heights(points, relief->thickness) : points;
    const double page = double(settings.width) / settings.height;
    const double aspect = seen_aspect(held, orientation);
    layout.upright_bar = aspect < 1.25 * page;
    if (layout.upright_bar)
        place_upright_bar(layout, caption, inside);
    else
        place_lying_bar(layout, inside);
    gather_middle(layout, axes_room(layout, surface), aspect);
    layout.camera = fit(held, orientation, surface.dimension == 3 || relief, layout.plot.width,
                        layout.plot.height);
    return layout;
}

void annotate(Canvas& canvas, const FigureLayout& layout, const Surface& surface,
              const Caption& caption, bool moved) {
    if (layout.axes && !moved) draw_axes(canvas, layout, surface);
    if (!layout.axes) draw_triad(canvas, layout);
    if (layout.relief)
        canvas.text({layout.width - 1.8 * layout.letter, layout.height - 1.8 * layout.letter},
                    layout.relief->words, layout.letter, ink, Align::right);
    if (layout.upright_bar)
        draw_upright_bar(canvas, layout, caption);
    else
        draw_lying_bar(canvas, layout, caption);
}

}  // namespace solenoid
