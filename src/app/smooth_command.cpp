#include "app/smooth_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "app/output_place.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/threads.hpp"
#include "device/choice/select_device.hpp"
#include "io/surface/surface_file.hpp"
#include "parallel/communicator.hpp"
#include "parallel/thread_share.hpp"
#include "surface/flow/flow_limits.hpp"
#include "surface/flow/mean_curvature_flow.hpp"
#include "view/picture.hpp"
#include "view/scene.hpp"
#include "view/window.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr int usual_steps = 10;
constexpr double good_loss = 0.2;  // of the area in a step, at most

void check(const SmoothOptions& options) {
    check_surface_ending(options.output);
    for (const auto& [name, value] : {std::pair("--time", options.time), {"--step", options.step}})
        if (!std::isfinite(value) || value < 0)
            throw InputError(name, fmt::format("must be a positive number, found {}", value));
    if (options.time > 0 && options.step > 0 && options.steps >= 0)
        throw InputError("--time, --step and --steps",
                         "two of them say how long the flow is: leave one out");
    if (!options.picture.empty() && options.picture.extension() != ".png")
        throw InputError(options.picture.string(), "a picture's name must end in .png");
    check_output_place(options.output, options.overwrite);
    if (!options.picture.empty()) check_output_place(options.picture, options.overwrite);
}

struct Steps {
    int count;
    double size;
    std::vector<bool> fixed_parts = {};  // which the usual time would end
    double time() const { return count * size; }
};

// Sets the usual length, and the parts that stay as they are for it.
void take_usual_size(Steps& steps, const SmoothOptions& options, const CheckedSurface& checked) {
    const std::vector<PartMeasures> parts = measures_of(checked);
    const UsualFlow usual = usual_flow_of(parts);
    const double square = usual.edge * usual.edge;
    steps.size = square;
    if (steps.count > 0) steps.size = std::min(square, usual.time / steps.count);
    if (!(steps.size > 1e-12 * square))
        throw InputError(
            "--step",
            fmt::format("must be given: the closed part of {} has next to no volume, so that "
                        "no usual step spares it; or remove the part",
                        triangle_of(checked, usual.thinnest)));
    Index count = 0, first = none;
    double area = 0, of_fixed = 0;
    steps.fixed_parts.assign(parts.size(), false);
    for (Index k = 0; k < parts.size(); ++k) {
        area += parts[k].area;
        // what keeps its volume bears any time
        const bool bears =
            parts[k].usual_time() >= steps.time() || (options.keeps_volume && has_volume(parts[k]));
        if (!usual.thin[k] || bears) continue;
        steps.fixed_parts[k] = true;
        of_fixed += parts[k].area;
        if (count++ == 0) first = k;
    }
    if (count == 0) return;
    log::warning(
        "{}: {} so thin that the usual time, {:.3g}, would end {}: {} as {} ({:.2g} % of the area; "
        "{}); remove {}, or give a --time of at most {:.2g}",
        options.surface.string(), count == 1 ? "a part is" : fmt::format("{} parts are", count),
        steps.time(), count == 1 ? "it" : "them", count == 1 ? "it stays" : "they stay",
        count == 1 ? "it is" : "they are", 100 * of_fixed / area,
        (count == 1 ? "it has " : "one of them has ") + triangle_of(checked, first),
        count == 1 ? "it" : "them", parts[first].usual_time());
}

Steps steps_of(const SmoothOptions& options, const CheckedSurface& checked) {
    constexpr double most = 1e8;
    Steps steps{options.steps >= 0 ? options.steps : usual_steps, options.step};
    if (options.time > 0 && options.step > 0) {
        // as long as given up to round-off, or shorter
        const double count = std::ceil(options.time / options.step * (1 - 1e-12));
        if (count > most)
            throw InputError("--step",
                             fmt::format("gives {:.3g} steps: at most {:g}", count, most));
        steps.count = std::max(1, static_cast<int>(count));
    }
    if (options.time > 0 && steps.count == 0)
        throw InputError("--steps", "must be above 0 where --time is given");
    if (options.time > 0) steps.size = options.time / steps.count;
    if (steps.size == 0) take_usual_size(steps, options, checked);
    const FlowLimit limit = limit_of(checked, steps.fixed_parts);
    if (options.keeps_volume || steps.time() < limit.time) return steps;
    throw InputError(
        options.time > 0 ? "--time" : "--step",
        fmt::format(
            "in the time {:.6g} a closed part of the surface vanishes: it lies in a ball of "
            "radius {:.6g}, which is gone at {:.6g}, its square over 4; take a shorter time{}",
            steps.time(), limit.radius, limit.time,
            checked.is_closed() ? ", or --keep-volume" : ""));
}

// Points of borders at positions where there is another one.
std::size_t points_of_seams(const CheckedSurface& checked) {
    std::vector<Vec3> positions;
    for (std::size_t i = 0; i < checked.is_border.size(); ++i)
        if (checked.is_border[i]) positions.push_back(checked.surface.points[i]);
    std::ranges::sort(positions, [](const Vec3& a, const Vec3& b) {
        return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
    });
    std::size_t count = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
        count += (i > 0 && positions[i] == positions[i - 1]) ||
                 (i + 1 < positions.size() && positions[i] == positions[i + 1]);
    return count;
}

// What lies on a border stays fixed: seams of triangles that share no points are borders, too.
void check_borders(const fs::path& file, const CheckedSurface& checked) {
    if (checked.is_closed()) return;
    const std::size_t of_seams = points_of_seams(checked);
    const std::string joined =
        "join the triangles there: write the surface as OBJ, whose points of one place are one "
        "(--steps 0 -o NAME.obj), and smooth that";
    if (std::ranges::all_of(checked.is_border, [](bool is_border) { return is_border; }))
        throw InputError(file.string(),
                         "every point lies on a border, which stays fixed: nothing can flow" +
                             (of_seams > 0 ? "; " + joined : std::string()));
    if (of_seams > 0)
        log::warning(
            "{}: {} points of borders lie where other ones do, as on seams: they stay "
            "fixed; {}",
            file.string(), of_seams, joined);
}

// The surface with its curvature in colours, whose range leaves out two per cent at either end.
Scene scene_of(const TriangleSurface& surface, double time) {
    const std::vector<double> curvatures = curvatures_of(surface);
    std::vector<double> sorted = curvatures;
    std::ranges::sort(sorted);
    const std::size_t end = sorted.size() / 50;
    const auto [low, high] = colour_range({sorted[end], sorted[sorted.size() - 1 - end]});
    Scene scene;
    scene.caption = {fmt::format("k1 + k2 [1/length], t = {:.4g}", time), std::nullopt, low, high};
    for (const double curvature : curvatures)
        scene.values.push_back(static_cast<float>((curvature - low) / (high - low)));
    return scene;
}

PictureSettings settings_of(const fs::path& file, std::size_t triangles) {
    PictureSettings settings;
    settings.name = file.stem().string();
    settings.mesh = triangles <= 20000;
    return settings;
}

// The window in which the surface flows.
class FlowWindow {
  public:
    FlowWindow(const TriangleSurface& surface, const std::string& title)
        : surface_(surface_of(surface.points, surface.triangles)),
          window_(surface_, settings_of(title, surface.triangles.size()), title) {
        window_.show(scene_of(surface, 0));
    }
    // Waits while the window says pause.
    void show(const TriangleSurface& surface, double time) {
        if (!window_.is_open()) return;
        move_points(surface_, surface.points);
        window_.show(scene_of(surface, time), true);
        while (window_.requests().is_paused && window_.is_open()) {
        }
    }
    void wait() { window_.wait(); }

  private:
    Surface surface_;
    Window window_;
};

void open(std::optional<FlowWindow>& window, const TriangleSurface& surface,
          const std::string& title) {
    try {
        window.emplace(surface, title);
    } catch (const InputError&) {
        throw InputError(
            "--view",
            "needs a display, and there is none: run it in a graphical session, or take --picture "
            "FILE.png");
    }
}

void tell_step(int k, const Steps& steps, const FlowStep& done, bool is_closed) {
    // up to about twenty lines
    const int every = std::max(1, steps.count / 20);
    if (k % every != 0 && k != steps.count) return;
    log::info("step {:>5}  t {:<10.4g} area {:.6g}{}  {} iterations", k, k * steps.size, done.area,
              is_closed ? fmt::format("  volume {:.6g}", done.volume) : "", done.solve.iterations);
}

// A step that takes much of the area does not follow the flow.
void tell_loss(int k, const Steps& steps, const FlowStep& done) {
    const double loss = 1 - done.area_after;
    const double size = steps.size * good_loss / 2 / loss;
    log::warning(
        "step {} takes {:.0f} % of the area: unless that is noise, the surface is not that of its "
        "time; steps of at most {:.2g} follow it (--step {:.2g})",
        k, 100 * loss, size, size);
}

FlowStep make_step(MeanCurvatureFlow& flow, int k, const Steps& steps) {
    try {
        return flow.step(steps.size);
    } catch (const ComputationError& error) {
        throw ComputationError(fmt::format(
            "step {} of {}, to the time {:.6g}: {}; nothing is written: {}", k, steps.count,
            k * steps.size, error.what(),
            k > 1 ? fmt::format("the flow is good until {:.6g} (--step {:.6g} --steps {})",
                                (k - 1) * steps.size, steps.size, k - 1)
                  : std::string("take a shorter --step")));
    }
}

}  // namespace

int smooth(const SmoothOptions& options) {
    check(options);
    log::configure(false, options.quiet);
    const Communicator alone = Communicator::self();
    set_threads(thread_share(alone));
    const CheckedSurface checked =
        check_surface(read_surface(options.surface), options.surface.string());
    check_surface_fits(checked.surface, options.output);
    log::info("surface  {}: {}", options.surface.string(), words_of(checked));
    if (!checked.surface.left_out.empty())
        log::warning("{}: only points and triangles are kept; left out: {}",
                     options.surface.string(), checked.surface.left_out);
    const Steps steps = steps_of(options, checked);
    if (steps.count > 0) check_borders(options.surface, checked);

    const DeviceChoice choice =
        select_device(options.device, alone.local_rank(), options.precision != "single");
    log::info("device   {}; {} precision", choice.reason, options.precision);
    const auto flow = make_flow(*choice.device, checked,
                                {.precision = options.precision,
                                 .keeps_volume = options.keeps_volume,
                                 .fixed_parts = steps.fixed_parts});
    log::info("flow     {} steps of {:.4g}, to the time {:.6g} [length^2]", steps.count, steps.size,
              steps.time());
    std::optional<FlowWindow> window;
    if (options.view) open(window, checked.surface, options.surface.filename().string());

    const auto now = [&] {
        return steps.count > 0 ? TriangleSurface{flow->points(), checked.surface.triangles}
                               : checked.surface;
    };
    bool is_told = false, is_half_told = false;
    const double area_at_start = flow->area();
    for (int k = 1; k <= steps.count; ++k) {
        const FlowStep done = make_step(*flow, k, steps);
        tell_step(k, steps, done, checked.is_closed());
        if (!is_half_told && !options.keeps_volume && done.area < area_at_start / 2) {
            log::warning(
                "step {}: half of the area is gone: unless that was noise, the shape is not what "
                "it was; a shorter --time than {:.2g} keeps more of it",
                k, k * steps.size);
            is_half_told = true;
        }
        if (!is_told && 1 - done.area_after > good_loss) {
            tell_loss(k, steps, done);
            is_told = true;
        }
        if (window) window->show(now(), k * steps.size);
    }
    const TriangleSurface result = now();
    write_surface(result, options.output);
    log::info("written  {}", options.output.string());
    if (!options.picture.empty()) {
        const Surface drawn = surface_of(result.points, result.triangles);
        draw_picture(drawn, scene_of(result, steps.time()),
                     settings_of(options.picture, result.triangles.size()), options.picture);
        log::info("picture  {}", options.picture.string());
    }
    if (window) window->wait();
    return 0;
}

CLI::App* add_smooth(CLI::App& app, SmoothOptions& options, const CLI::Validator& device) {
    CLI::App* command = app.add_subcommand(
        "smooth", "mean curvature flow of a surface of triangles (.stl, .ply, .obj, .vtp)");
    command->add_option("SURFACE", options.surface, "the file of the surface")
        ->required()
        ->type_name(" ");
    command->add_option("-o,--output", options.output, "the file to write; its ending says which")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--time", options.time,
                     "time of the flow, in the square of the file's unit of length")
        ->check(CLI::PositiveNumber)
        ->type_name("T");
    command
        ->add_option("--step", options.step,
                     "length of a step; without --time too: the mean edge's square, less for thin "
                     "bodies")
        ->check(CLI::PositiveNumber)
        ->type_name("DT");
    command
        ->add_option("--steps", options.steps,
                     fmt::format("number of steps (default: {})", usual_steps))
        ->type_name("N")
        ->check(CLI::Range(0, 100000000));
    command->add_flag("--keep-volume", options.keeps_volume,
                      "scale each part after a step so that it has its volume again; of closed "
                      "surfaces");
    command->add_option("--device", options.device, "auto: a GPU if there is one")
        ->take_last()
        ->check(device)
        ->capture_default_str();
    command
        ->add_option("--precision", options.precision,
                     "precision of the points; mixed: double, and iterations of solves in single")
        ->take_last()
        ->check(CLI::IsMember({"single", "double", "mixed"}))
        ->capture_default_str();
    command->add_option("--picture", options.picture, "draw the surface at the end")
        ->type_name("FILE.png");
    command->add_flag("--overwrite", options.overwrite, "replace files that are there");
    command->add_flag("--quiet", options.quiet, "print warnings and errors only");
    command->add_flag("--view", options.view, "show the surface in a window while it flows");
    return command;
}

}  // namespace solenoid
