// The root's window: a picture that can be turned, moved and zoomed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "view/figure_layout.hpp"
#include "view/overlay.hpp"
#include "view/surface_renderer.hpp"

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
    // Shows values and handles pending events.
    void show(std::span<const float> point_values, const Caption& caption);
    void wait();  // until it is closed

  private:
    struct Movement {
        double yaw = 0, pitch = 0, zoom = 1;
        double across = 0, up = 0;  // shift of the body, in halves of the plot
    };
    struct Drawing {  // objects of the window's context
        SurfaceRenderer renderer;
        Overlay overlay;
        explicit Drawing(const Surface& surface) : renderer(surface) {}
    };

    void answer();  // handles pending events
    void draw();
    void close();
    Camera moved(const FigureLayout& layout) const;
    void drag(double x, double y);
    void listen();

    const Surface& surface_;
    PictureSettings settings_;
    std::vector<Vec3> points_;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Drawing> drawing_;
    Caption caption_;
    Movement movement_;
    double mouse_x_ = 0, mouse_y_ = 0;
    bool changed_ = true;
};

}  // namespace solenoid
