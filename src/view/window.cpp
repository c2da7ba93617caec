#include "view/window.hpp"

#define EGL_NO_X11
#include <EGL/egl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/gl/context.hpp"

namespace solenoid {
namespace {

// Makes the window's context current, and restores the previous one at the end (for example the EGL
// context of a compute device).
class CurrentWindow {
  public:
    explicit CurrentWindow(GLFWwindow* window) {
        if (context_ != EGL_NO_CONTEXT)
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (window) glfwMakeContextCurrent(window);
    }
    ~CurrentWindow() {
        glfwMakeContextCurrent(nullptr);
        if (context_ == EGL_NO_CONTEXT) return;
        eglBindAPI(EGL_OPENGL_API);
        eglMakeCurrent(display_, drawn_, read_, context_);
    }
    CurrentWindow(const CurrentWindow&) = delete;

  private:
    EGLDisplay display_ = eglGetCurrentDisplay();
    EGLContext context_ = eglGetCurrentContext();
    EGLSurface drawn_ = eglGetCurrentSurface(EGL_DRAW), read_ = eglGetCurrentSurface(EGL_READ);
};

[[noreturn]] void refuse() {
    const char* reason = nullptr;
    glfwGetError(&reason);
    const std::string words = reason ? std::string(" (") + reason + ")" : std::string();
    glfwTerminate();
    throw InputError("--view needs a display; the root rank has none" + words +
                     ": run it in a graphical session, or write pictures with [[picture]] instead");
}

GLFWwindow* open_window(const PictureSettings& settings, const std::string& title) {
    gl::draw_in_calling_thread();
    if (!glfwInit()) refuse();
    for (const int api : {GLFW_EGL_CONTEXT_API, GLFW_NATIVE_CONTEXT_API}) {
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_CONTEXT_CREATION_API, api);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_SAMPLES, 4);
        if (GLFWwindow* window =
                glfwCreateWindow(settings.width, settings.height, title.c_str(), nullptr, nullptr))
            return window;
    }
    refuse();
}

// Loads OpenGL's functions. GLEW reports a missing GLX display where the window's context is EGL's,
// but only after it has loaded them.
void load_functions() {
    glewExperimental = GL_TRUE;
    const GLenum status = glewInit();
    if (status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY) refuse();
}

Window& owner(GLFWwindow* window) {
    return *static_cast<Window*>(glfwGetWindowUserPointer(window));
}

}  // namespace

Window::Window(const Surface& surface, const PictureSettings& settings, const std::string& title)
    : surface_(surface), settings_(settings) {
    for (const Vec3& p : surface.points) points_.push_back(surface.drawn(p));
    const CurrentWindow none_yet(nullptr);
    window_ = open_window(settings, title);
    glfwMakeContextCurrent(window_);
    load_functions();
    glfwSwapInterval(0);  // do not wait for the screen
    drawing_ = std::make_unique<Drawing>(surface);
    listen();
}

Window::~Window() { close(); }

void Window::close() {
    if (!window_) return;
    {
        const CurrentWindow current(window_);
        drawing_.reset();
    }
    glfwDestroyWindow(window_);
    glfwTerminate();
    window_ = nullptr;
}

void Window::listen() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetCursorPosCallback(window_,
                             [](GLFWwindow* w, double x, double y) { owner(w).drag(x, y); });
    glfwSetFramebufferSizeCallback(window_,
                                   [](GLFWwindow* w, int, int) { owner(w).changed_ = true; });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { owner(w).changed_ = true; });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double steps) {
        Movement& m = owner(w).movement_;
        m.zoom = std::clamp(m.zoom * std::pow(1.1, steps), 0.05, 200.0);
        owner(w).changed_ = true;
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
        if (action != GLFW_PRESS) return;
        if (key == GLFW_KEY_R) owner(w).movement_ = Movement{};
        if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(w, GLFW_TRUE);
        owner(w).changed_ = true;
    });
}

// The left button turns a body; other buttons move it. A plane is only moved.
void Window::drag(double x, double y) {
    int width = 1, height = 1;
    glfwGetWindowSize(window_, &width, &height);
    const double dx = (x - mouse_x_) / std::max(width, 1),
                 dy = (y - mouse_y_) / std::max(height, 1);
    mouse_x_ = x;
    mouse_y_ = y;
    const auto pressed = [&](int button) {
        return glfwGetMouseButton(window_, button) == GLFW_PRESS;
    };
    const bool left = pressed(GLFW_MOUSE_BUTTON_LEFT);
    const bool other = pressed(GLFW_MOUSE_BUTTON_RIGHT) || pressed(GLFW_MOUSE_BUTTON_MIDDLE);
    if (!left && !other) return;
    if (left && !(surface_.dimension == 2 && !settings_.direction)) {
        movement_.yaw += 4 * dx;
        movement_.pitch = std::clamp(movement_.pitch + 4 * dy, -1.5, 1.5);
    } else {
        movement_.across += 2 * dx;
        movement_.up -= 2 * dy;
    }
    changed_ = true;
}

Camera Window::moved(const FigureLayout& layout) const {
    Camera camera = layout.camera;
    camera.orientation = camera.orientation.turned(movement_.yaw, movement_.pitch);
    for (double& half : camera.half) half /= movement_.zoom;
    const double depth = camera.perspective ? camera.eye.z : 1;
    camera.eye.x -= movement_.across * camera.half[0] * depth;
    camera.eye.y -= movement_.up * camera.half[1] * depth;
    return camera;
}

void Window::draw() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    changed_ = false;
    if (width < 1 || height < 1) return;  // minimized
    settings_.width = width;
    settings_.height = height;
    FigureLayout layout = lay_out(surface_, points_, settings_, caption_);
    const bool is_moved = movement_.zoom != 1 || movement_.across != 0 || movement_.up != 0;
    layout.camera = moved(layout);
    Canvas canvas(width, height);
    annotate(canvas, layout, surface_, caption_, is_moved);

    glViewport(0, 0, width, height);
    drawing_->renderer.draw(layout.camera, layout.camera.clip(layout.plot, width, height),
                            {settings_.mesh, surface_.dimension == 3, layout.letter / 18});
    drawing_->overlay.draw(canvas);
    glfwSwapBuffers(window_);
}

void Window::answer() {
    glfwPollEvents();
    if (glfwWindowShouldClose(window_)) close();
}

void Window::show(std::span<const float> point_values, const Caption& caption) {
    if (!is_open()) return;
    answer();
    if (!is_open()) return;
    caption_ = caption;
    const CurrentWindow current(window_);
    drawing_->renderer.set_values(point_values);
    draw();
}

void Window::wait() {
    while (is_open()) {
        if (changed_) {
            const CurrentWindow current(window_);
            draw();
        }
        glfwWaitEventsTimeout(0.1);
        if (glfwWindowShouldClose(window_)) close();
    }
}

}  // namespace solenoid
