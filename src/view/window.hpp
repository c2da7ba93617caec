// The root's window: a picture that can be turned, moved and zoomed, and pushed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "view/controls.hpp"
#include "view/overlay.hpp"
#include "view/scene.hpp"

struct GLFWwindow;

namespace solenoid {

class Window {
  public:
    // Throws InputError without a display. The surface must outlive the window.
    Window(const Surface& surface, const PictureSettings& settings, const std::string& title);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    bool is_open() const { return window_ != nullptr; }
    // Shows a state and handles pending events. moved: the surface's points are elsewhere since.
    void show(Scene scene, bool moved = false);
    // What mouse and keys have asked for; in a pause waits for it, for a moment.
    ViewRequests requests();
    void wait();  // until it is closed

  private:
    struct Drawing {  // objects of the window's context
        SceneRenderer renderer;
        Overlay overlay;
        explicit Drawing(const Surface& surface) : renderer(surface) {}
    };

    void answer();  // handles pending events
    void draw();
    void close();
    bool turns() const;
    FigureLayout layout(int width, int height);
    void move_mouse(double x, double y);
    void release_left(bool with_shift);
    void press(int key, bool is_down);
    void listen();

    const Surface& surface_;
    PictureSettings settings_;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Drawing> drawing_;
    Scene scene_;
    Controls controls_;
    double mouse_x_ = 0, mouse_y_ = 0;
    double dragged_ = 0;  // since the left button went down [pixels]
    bool changed_ = true;
};

}  // namespace solenoid
