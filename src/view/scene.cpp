#include "view/scene.hpp"

namespace solenoid {

Scene scene_of(const SurfaceGather& gather, const SceneFields& fields,
               const PictureSettings& settings, HeightFrame& frame, std::optional<double> time) {
    Scene scene;
    const auto [low, high] =
        colour_range(settings.range ? *settings.range : gather.range(fields.colours));
    scene.caption = {title_of(settings.field), time, low, high};
    scene.values = gather.gather(fields.colours, low, high);
    if (fields.height_of.empty()) return scene;

    frame.include(gather.range(fields.heights));
    const std::array<double, 2> held = frame.held();
    const auto [least, greatest] = colour_range(held);
    Heights& heights = scene.heights;
    heights.of_points = gather.gather(fields.heights, least, greatest);
    for (std::size_t i = 0; i < heights.of_points.size(); ++i)
        if (!(heights.of_points[i] > -1)) {  // no number
            heights.of_points[i] = 0.5f;
            scene.values[i] = SurfaceGather::not_a_value;
        }
    const double extent = gather.surface().scale();
    scene.height_of = fields.height_of;
    scene.height_scale = frame.scale(extent);
    heights.rise = scene.height_scale * (greatest - least) / extent;
    heights.thickness = scene.height_scale * (held[1] - held[0]) / extent;
    return scene;
}

Heights drawn_heights(const Scene& scene, const FigureLayout& layout) {
    if (!layout.relief) return {};
    return {scene.heights.of_points, layout.relief->rise, layout.relief->thickness};
}

double push_height(const Surface& surface, const Scene& scene) {
    const double rise = push_rise * surface.scale();
    return scene.height_scale > 0 ? rise / scene.height_scale : rise;
}

SceneRenderer::SceneRenderer(const Surface& surface) : surface_(surface), renderer_(surface) {
    if (surface.dimension == 2) {
        points_ = hull_of(surface);
        return;
    }
    for (const Vec3& p : surface.points) points_.push_back(surface.drawn(p));
}

void SceneRenderer::set(const Scene& scene) {
    renderer_.set_values(scene.values);
    if (!scene.heights.of_points.empty()) renderer_.set_heights(scene.heights.of_points);
}

FigureLayout SceneRenderer::lay_out(const PictureSettings& settings, const Scene& scene,
                                    bool raised, double exaggeration) const {
    if (!raised) return solenoid::lay_out(surface_, points_, settings, scene.caption);
    Relief relief{exaggeration * scene.heights.rise, exaggeration * scene.heights.thickness, ""};
    if (scene.height_scale > 0)
        relief.words = height_words(exaggeration * scene.height_scale, scene.height_of);
    return solenoid::lay_out(surface_, points_, settings, scene.caption, relief);
}

void SceneRenderer::draw(const Scene& scene, const FigureLayout& layout, bool mesh,
                         double line_width) {
    const double rise = layout.relief ? layout.relief->rise : 0;
    renderer_.set_bodies(scene.markers.empty()
                             ? std::vector<BodyTriangle>()
                             : bodies_of(scene.markers, surface_, drawn_heights(scene, layout)));
    renderer_.draw(layout.camera, layout.camera.clip(layout.plot, layout.width, layout.height),
                   {.mesh = mesh,
                    .shaded = surface_.dimension == 3,
                    .is_raised = layout.relief.has_value(),
                    .rise = rise,
                    .line_width = line_width});
}

}  // namespace solenoid
