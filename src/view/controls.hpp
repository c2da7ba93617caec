// What mouse and keys do to the window, and what they ask of the run; apart from any window system.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "view/figure_layout.hpp"

namespace solenoid {

// What the window asks of the run between two steps; plain numbers, for messages.
struct ViewRequests {
    struct Push {
        Vec3 at;  // [m]
        double radius;
        double height;  // in the unit of what is drawn as height; negative: a hollow
    };
    bool is_paused = false, resets = false;
    double turning = 0, faster = 0;  // while keys are held, as of Simulation::steer
    std::vector<Push> pushes = {};

    bool is_empty() const {
        return !is_paused && !resets && turning == 0 && faster == 0 && pushes.empty();
    }
    std::vector<double> packed() const;
    static ViewRequests of(const std::vector<double>& numbers);
};

class Controls {
  public:
    enum class Key { pause, initial, heights, higher, lower, view, help };
    enum class Arrow { left, right, up, down };
    struct Line {
        const char *keys, *meaning;
    };
    static const std::vector<Line>& lines();  // of the help

    // has_heights: whether the surface is plane and can be drawn with heights; is_raised: whether
    // it is so at first.
    Controls(bool has_heights, bool is_raised)
        : has_heights_(has_heights), is_raised_(has_heights && is_raised) {}

    void press(Key key);
    void set_held(Arrow arrow, bool is_down) { held_[static_cast<int>(arrow)] = is_down; }
    // The mouse, in parts of the window's width and height. turns: the left button turns what is
    // shown; it moves it otherwise, as other buttons do.
    void move(double across, double down, bool left, bool other, bool turns);
    void scroll(double steps);
    void click(const ViewRequests::Push& push) { pushes_.push_back(push); }

    bool is_raised() const { return is_raised_; }
    double exaggeration() const { return exaggeration_; }  // of the heights
    bool is_paused() const { return is_paused_; }
    bool shows_help() const { return shows_help_; }
    bool is_moved() const { return zoom_ != 1 || across_ != 0 || up_ != 0; }
    Camera moved(const Camera& camera) const;

    ViewRequests take();  // what was asked for since the last call; keys that are held stay

  private:
    const bool has_heights_;
    bool is_raised_, is_paused_ = false, shows_help_ = false, resets_ = false;
    double exaggeration_ = 1;
    double yaw_ = 0, pitch_ = 0, zoom_ = 1;
    double across_ = 0, up_ = 0;  // shift of the body, in halves of the plot
    std::array<bool, 4> held_{};
    std::vector<ViewRequests::Push> pushes_;
};

// Draws the list of keys; the word for a pause. letter: as of FigureLayout.
void draw_help(Canvas& canvas, double letter);
void draw_pause(Canvas& canvas, double letter);

}  // namespace solenoid
