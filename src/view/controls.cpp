#include "view/controls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace solenoid {

std::vector<double> ViewRequests::packed() const {
    std::vector<double> numbers{double(is_paused), double(resets), turning, faster};
    for (const Push& p : pushes)
        numbers.insert(numbers.end(), {p.at.x, p.at.y, p.at.z, p.radius, p.height});
    return numbers;
}

ViewRequests ViewRequests::of(const std::vector<double>& numbers) {
    ViewRequests requests;
    if (numbers.size() < 4) return requests;
    requests.is_paused = numbers[0] != 0;
    requests.resets = numbers[1] != 0;
    requests.turning = numbers[2];
    requests.faster = numbers[3];
    for (std::size_t i = 4; i + 4 < numbers.size(); i += 5)
        requests.pushes.push_back(
            {{numbers[i], numbers[i + 1], numbers[i + 2]}, numbers[i + 3], numbers[i + 4]});
    return requests;
}

const std::vector<Controls::Line>& Controls::lines() {
    static const std::vector<Line> lines{
        {"Space", "pause, go on"},
        {"I", "back to the initial state"},
        {"H", "flat, or with heights (2D)"},
        {"+  -", "higher, lower"},
        {"click", "push the surface up"},
        {"Shift click", "push it down"},
        {"arrows", "steer: turn, faster, slower"},
        {"drag", "turn; with the right button move"},
        {"wheel", "zoom"},
        {"R", "the view as it was"},
        {"F1", "this list"},
        {"Esc", "close; the run goes on"},
    };
    return lines;
}

void Controls::press(Key key) {
    constexpr double step = 1.25;
    switch (key) {
        case Key::pause:
            is_paused_ = !is_paused_;
            break;
        case Key::initial:
            resets_ = true;
            break;
        case Key::heights:
            is_raised_ = has_heights_ && !is_raised_;
            break;
        case Key::higher:
            exaggeration_ = std::min(exaggeration_ * step, 1e3);
            break;
        case Key::lower:
            exaggeration_ = std::max(exaggeration_ / step, 1e-3);
            break;
        case Key::view:
            yaw_ = pitch_ = across_ = up_ = 0, zoom_ = exaggeration_ = 1;
            break;
        case Key::help:
            shows_help_ = !shows_help_;
            break;
    }
}

void Controls::move(double across, double down, bool left, bool other, bool turns) {
    if (left && turns) {
        yaw_ += 4 * across;
        pitch_ = std::clamp(pitch_ + 4 * down, -1.5, 1.5);
    } else if (left || other) {
        across_ += 2 * across;
        up_ -= 2 * down;
    }
}

void Controls::scroll(double steps) {
    zoom_ = std::clamp(zoom_ * std::pow(1.1, steps), 0.05, 200.0);
}

Camera Controls::moved(const Camera& fitted) const {
    Camera camera = fitted;
    camera.orientation = is_raised_ ? camera.orientation.turned_upright(yaw_, pitch_)
                                    : camera.orientation.turned(yaw_, pitch_);
    for (double& half : camera.half) half /= zoom_;
    const double depth = camera.perspective ? camera.eye.z : 1;
    camera.eye.x -= across_ * camera.half[0] * depth;
    camera.eye.y -= up_ * camera.half[1] * depth;
    return camera;
}

ViewRequests Controls::take() {
    const auto held = [this](Arrow arrow) { return held_[static_cast<int>(arrow)] ? 1.0 : 0.0; };
    ViewRequests requests{is_paused_, std::exchange(resets_, false),
                          held(Arrow::left) - held(Arrow::right),
                          held(Arrow::up) - held(Arrow::down), std::exchange(pushes_, {})};
    return requests;
}

void draw_pause(Canvas& canvas, double letter) {
    canvas.text({0.5 * canvas.width(), 2.8 * letter}, "paused (Space: go on)", letter,
                Colour{0.6, 0.1, 0.1}, Align::centre);
}

void draw_help(Canvas& canvas, double letter) {
    constexpr Colour ink{0.12, 0.12, 0.14}, paper{1, 1, 1};
    const double row = 2 * letter, margin = 3 * letter;
    double keys = 0, meanings = 0;
    for (const Controls::Line& line : Controls::lines()) {
        keys = std::max(keys, text_width(line.keys, letter));
        meanings = std::max(meanings, text_width(line.meaning, letter));
    }
    const Rect box{margin, margin + 2 * letter, keys + meanings + 4 * letter,
                   row * double(Controls::lines().size()) + 1.6 * letter};
    canvas.fill(box, paper);
    canvas.outline(box, ink, 1);
    double y = box.y + 2.3 * letter;
    for (const Controls::Line& line : Controls::lines()) {
        canvas.text({box.x + letter, y}, line.keys, letter, ink);
        canvas.text({box.x + keys + 3 * letter, y}, line.meaning, letter, ink);
        y += row;
    }
}

}  // namespace solenoid
