#include "view/window.hpp"

#define EGL_NO_X11
#include <EGL/egl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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
    : surface_(surface),
      settings_(settings),
      controls_(surface.dimension == 2, !settings.height_of.empty()) {
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
                             [](GLFWwindow* w, double x, double y) { owner(w).move_mouse(x, y); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        if (action == GLFW_PRESS)
            owner(w).dragged_ = 0;
        else
            owner(w).release_left(mods & GLFW_MOD_SHIFT);
    });
    glfwSetFramebufferSizeCallback(window_,
                                   [](GLFWwindow* w, int, int) { owner(w).changed_ = true; });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { owner(w).changed_ = true; });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double steps) {
        owner(w).controls_.scroll(steps);
        owner(w).changed_ = true;
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
        if (action != GLFW_REPEAT) owner(w).press(key, action == GLFW_PRESS);
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned letter) {  // on any keyboard
        if (letter == '+' || letter == '-')
            owner(w).controls_.press(letter == '+' ? Controls::Key::higher : Controls::Key::lower);
        owner(w).changed_ = true;
    });
}

void Window::press(int key, bool is_down) {
    using Key = Controls::Key;
    using Arrow = Controls::Arrow;
    static const std::map<int, Key> keys{{GLFW_KEY_SPACE, Key::pause},
                                         {GLFW_KEY_I, Key::initial},
                                         {GLFW_KEY_H, Key::heights},
                                         {GLFW_KEY_R, Key::view},
                                         {GLFW_KEY_F1, Key::help}};
    static const std::map<int, Arrow> arrows{{GLFW_KEY_LEFT, Arrow::left},
                                             {GLFW_KEY_RIGHT, Arrow::right},
                                             {GLFW_KEY_UP, Arrow::up},
                                             {GLFW_KEY_DOWN, Arrow::down}};
    if (const auto arrow = arrows.find(key); arrow != arrows.end())
        controls_.set_held(arrow->second, is_down);
    if (!is_down) return;
    if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(window_, GLFW_TRUE);
    if (const auto found = keys.find(key); found != keys.end()) controls_.press(found->second);
    changed_ = true;
}

// A plane is only moved.
bool Window::turns() const {
    return surface_.dimension == 3 || settings_.direction || controls_.is_raised();
}

void Window::move_mouse(double x, double y) {
    int width = 1, height = 1;
    glfwGetWindowSize(window_, &width, &height);
    const double dx = x - mouse_x_, dy = y - mouse_y_;
    mouse_x_ = x;
    mouse_y_ = y;
    dragged_ += std::abs(dx) + std::abs(dy);
    const auto pressed = [&](int button) {
        return glfwGetMouseButton(window_, button) == GLFW_PRESS;
    };
    const bool left = pressed(GLFW_MOUSE_BUTTON_LEFT);
    const bool other = pressed(GLFW_MOUSE_BUTTON_RIGHT) || pressed(GLFW_MOUSE_BUTTON_MIDDLE);
    if (!left && !other) return;
    controls_.move(dx / std::max(width, 1), dy / std::max(height, 1), left, other, turns());
    changed_ = true;
}

// A click, during which the mouse rests, pushes the surface.
void Window::release_left(bool with_shift) {
    constexpr double rest = 4;  // [pixels]
    if (dragged_ > rest || surface_.dimension != 2) return;
    int width = 1, height = 1;
    glfwGetWindowSize(window_, &width, &height);
    if (width < 1 || height < 1) return;
    const FigureLayout now = layout(width, height);
    const auto at =
        point_under(surface_, drawn_heights(scene_, now), now.camera.clip(now.plot, width, height),
                    2 * mouse_x_ / width - 1, 1 - 2 * mouse_y_ / height);
    if (!at) return;
    controls_.click({*at, push_reach * surface_.scale(),
                     (with_shift ? -1 : 1) * push_height(surface_, scene_)});
}

// With the camera as it is moved.
FigureLayout Window::layout(int width, int height) {
    settings_.width = width;
    settings_.height = height;
    FigureLayout layout = drawing_->renderer.lay_out(settings_, scene_, controls_.is_raised(),
                                                     controls_.exaggeration());
    layout.camera = controls_.moved(layout.camera);
    return layout;
}

void Window::draw() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    changed_ = false;
    if (width < 1 || height < 1) return;  // minimized
    const FigureLayout now = layout(width, height);
    Canvas canvas(width, height);
    annotate(canvas, now, surface_, scene_.caption, controls_.is_moved());
    if (controls_.is_paused()) draw_pause(canvas, now.letter);
    if (controls_.shows_help()) draw_help(canvas, 0.75 * now.letter);

    glViewport(0, 0, width, height);
    drawing_->renderer.draw(scene_, now, settings_.mesh, now.letter / 18);
    drawing_->overlay.draw(canvas);
    glfwSwapBuffers(window_);
}

void Window::answer() {
    glfwPollEvents();
    if (glfwWindowShouldClose(window_)) close();
}

void Window::show(Scene scene, bool moved) {
    if (!is_open()) return;
    answer();
    if (!is_open()) return;
    scene_ = std::move(scene);
    const CurrentWindow current(window_);
    if (moved) drawing_->renderer.move();
    drawing_->renderer.set(scene_);
    draw();
}

ViewRequests Window::requests() {
    constexpr double moment = 0.05;  // [s]
    if (!is_open()) return {};
    if (controls_.is_paused()) glfwWaitEventsTimeout(moment);
    answer();
    if (!is_open()) return {};
    if (changed_) {
        const CurrentWindow current(window_);
        draw();
    }
    return controls_.take();
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
