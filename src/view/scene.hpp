// What a picture shows of one state: colours, heights, bodies and words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "view/figure_layout.hpp"
#include "view/height_field.hpp"
#include "view/surface_renderer.hpp"

namespace solenoid {

struct Scene {
    Caption caption;
    std::vector<float> values;  // of the surface's points, as of SurfaceGather::gather
    Heights heights;
    std::string height_of;    // the quantity of the heights
    double height_scale = 0;  // z over its value [m over its unit]
    std::vector<Marker> markers;
};

// Values at the nodes of this rank, as of SurfaceGather.
struct SceneFields {
    std::span<const double> colours;
    std::span<const double> heights = {};  // where the surface has a height
    std::string height_of = {};            // their quantity; empty: the surface is flat
};

// The scene of a state, on the root; empty elsewhere. frame: grows with the heights. Collective.
Scene scene_of(const SurfaceGather& gather, const SceneFields& fields,
               const PictureSettings& settings, HeightFrame& frame, std::optional<double> time);

// The heights as a layout draws them.
Heights drawn_heights(const Scene& scene, const FigureLayout& layout);

// A push of the surface by a click reaches so far, in parts of the mesh's longest extent, and is
// drawn so high; in the unit of the heights, and where they have no scale yet, as a length [m].
inline constexpr double push_reach = 0.08, push_rise = 0.05;
double push_height(const Surface& surface, const Scene& scene);

// Draws scenes of one surface in the context that is current.
class SceneRenderer {
  public:
    explicit SceneRenderer(const Surface& surface);  // it must outlive this

    void set(const Scene& scene);
    // Where the surface's points have moved; the camera stays.
    void move() { renderer_.move(surface_); }
    // Lays the picture out; raised: with its heights, `exaggeration` times as high.
    FigureLayout lay_out(const PictureSettings& settings, const Scene& scene, bool raised,
                         double exaggeration = 1) const;
    // Clears the framebuffer, then draws. line_width: [pixels of the framebuffer].
    void draw(const Scene& scene, const FigureLayout& layout, bool mesh, double line_width);

  private:
    const Surface& surface_;
    std::vector<Vec3> points_;  // that the camera must hold
    SurfaceRenderer renderer_;
};

}  // namespace solenoid
