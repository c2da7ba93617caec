// Waves on a membrane held at its border, as in Krueger & Westermann (2005), section 44.4:
//   d2y/dt2 = c^2 (d2y/dx2 + d2y/dz2)
// explicit, next = A now - before; or implicit, the average of now and next in space: a system for
// each step. waves [explicit|implicit] [DEVICE] [NODES A SIDE] [STEPS] [COURANT NUMBER]
#include <solenoid/algebra.hpp>
#include <solenoid/session.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#ifdef HAS_WINDOW
#include <GLFW/glfw3.h>
#endif

using namespace solenoid::algebra;

// s0 + s1 times the sum over the four neighbours, on n x n nodes, row by row.
Matrix five_points(const Context& algebra, std::int64_t n, double s0, double s1) {
    return algebra.banded(n * n, n * n,
                          {{0, [=](std::int64_t) { return s0; }},
                           {-1, [=](std::int64_t i) { return i % n > 0 ? s1 : 0; }},
                           {1, [=](std::int64_t i) { return i % n < n - 1 ? s1 : 0; }},
                           {-n, [=](std::int64_t) { return s1; }},
                           {n, [=](std::int64_t) { return s1; }}});
}

// The height from above, lit from the left: red, green and blue of each node, the last row first.
std::vector<unsigned char> picture_of(const std::vector<double>& y, std::int64_t n) {
    std::vector<unsigned char> pixels;
    for (std::int64_t k = 0; k < n * n; ++k) {
        const double left = k % n > 0 ? y[k - 1] : 0, light = 0.6 + 12 * (y[k] - left);
        for (const double colour : {0.35, 0.65, 1.0})
            pixels.push_back(static_cast<unsigned char>(
                255 * std::fmin(std::fmax(colour * light + 0.8 * y[k], 0.0), 1.0)));
    }
    return pixels;
}

int run(const solenoid::Session& session, int argc, char** argv) {
    const auto word = [&](int k, const char* other) { return argc > k ? argv[k] : other; };
    const std::string scheme = word(1, "implicit");
    const bool is_implicit = scheme == "implicit";
    const std::int64_t n = std::atoll(word(3, "256"));
    const int steps = std::atoi(word(4, "120"));
    const double courant = std::atof(word(5, is_implicit ? "1" : "0.7")), r = courant * courant;
    if ((!is_implicit && scheme != "explicit") || n < 2 || n > 16384 || steps < 0 || !(courant > 0))
        throw solenoid::InputError(
            "usage: waves [explicit|implicit] [DEVICE] [NODES A SIDE] [STEPS] [COURANT NUMBER], "
            "2 to 16384 nodes, numbers not negative");

    const Context algebra(session, {.device = word(2, "auto"), .precision = "single"});
    const auto drop = [&](double x, double z) {
        return algebra.vector(n * n, [=](std::int64_t i) {
            const double dx = double(i % n) / double(n) - x, dz = double(i / n) / double(n) - z;
            return std::exp(-(dx * dx + dz * dz) / 0.0008);
        });
    };
    Vector now = drop(0.35, 0.4), before = now, next = now, right = now;
    const Matrix explicit_step = five_points(algebra, n, 2 - 4 * r, r),
                 implicit_step = five_points(algebra, n, 1 + 2 * r, -r / 2),
                 right_side = five_points(algebra, n, 2 - 2 * r, r / 2);
    int iterations = 0;
    const auto step = [&] {
        if (is_implicit) {
            right = right_side * now - before;
            next = 2 * now - before;
            iterations +=
                conjugate_gradients(implicit_step, right, next, {1e-5, 1000, 4}).iterations;
        } else {
            next = explicit_step * now - before;
        }
        std::swap(before, now);
        std::swap(now, next);
    };

#ifdef HAS_WINDOW
    GLFWwindow* window = nullptr;  // on the first rank, where there is a display
    if (session.rank() == 0 && (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")) &&
        glfwInit()) {
        glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);  // as the devices' are
        window =
            glfwCreateWindow(static_cast<int>(n), static_cast<int>(n), "waves", nullptr, nullptr);
    }
    if (session.max(window ? 1 : 0) > 0) {
        bool was_pressed = false;
        for (bool is_open = true; is_open; step()) {
            const std::vector<unsigned char> pixels = picture_of(now.unpack_all(), n);
            double x = -1, z = -1;
            if (window) {
                glfwMakeContextCurrent(window);
                glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
                glDrawPixels(static_cast<int>(n), static_cast<int>(n), GL_RGB, GL_UNSIGNED_BYTE,
                             pixels.data());
                glfwSwapBuffers(window);
                glfwPollEvents();
                const bool is_pressed = glfwGetMouseButton(window, 0) == GLFW_PRESS;
                if (is_pressed && !was_pressed) glfwGetCursorPos(window, &x, &z);
                was_pressed = is_pressed;
                is_open = !glfwWindowShouldClose(window);
                glfwMakeContextCurrent(nullptr);
            }
            is_open = session.min(is_open ? 1 : 0) > 0;
            x = session.max(x) / double(n), z = session.max(z) / double(n);
            if (x >= 0) now += 0.5 * drop(x, 1 - z);  // where the mouse is
        }
        if (window) glfwTerminate();
        return 0;
    }
#endif
    for (int k = 0; k < steps; ++k) step();
    const double highest = greatest_magnitude(now).value();
    const std::vector<unsigned char> pixels = picture_of(now.unpack_all(), n);
    if (session.rank() != 0) return 0;
    std::printf("%d steps on %s, %d iterations, greatest height %.4f\n", steps,
                algebra.device().c_str(), iterations, highest);
    std::FILE* file = std::fopen("waves.ppm", "wb");
    if (!file) throw solenoid::InputError("waves.ppm: cannot be written");
    std::fprintf(file, "P6\n%lld %lld\n255\n", static_cast<long long>(n),
                 static_cast<long long>(n));
    std::fwrite(pixels.data(), 1, pixels.size(), file);
    return std::fclose(file) ? 1 : 0;
}

int main(int argc, char** argv) {
    solenoid::Session session(argc, argv);
    return session.reported("waves", [&] { return run(session, argc, argv); });
}
