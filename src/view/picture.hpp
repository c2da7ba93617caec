// Pictures of fields on the surface of the mesh, drawn off screen by the root and written as PNG.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "core/state_values.hpp"
#include "parallel/topology.hpp"
#include "view/marker.hpp"

namespace solenoid {

struct Scene;
struct Surface;

// Draws one state of a surface off screen and writes it. Throws where there is no OpenGL context,
// and where the file cannot be written.
void draw_picture(const Surface& surface, const Scene& scene, const PictureSettings& settings,
                  const std::filesystem::path& file);

class Pictures {
  public:
    // Draws into folder/pictures. Where the root has no OpenGL context, warns, and draw() does
    // nothing. Collective.
    Pictures(const Communicator& comm, const Topology& topology,
             std::vector<PictureSettings> settings, std::filesystem::path folder);
    ~Pictures();
    Pictures(Pictures&&) noexcept;

    // Draws those pictures that are due: NAME.png for the final state, else NAME_0000.png,
    // NAME_0001.png, ... node_values: of a field at the nodes of this rank, valid in [0, shared),
    // asked for where a picture needs them. time: absent for a steady field. Frames of films are
    // always numbered. markers:
    // alike on all ranks. Collective.
    void draw(const std::vector<bool>& is_due,
              const std::function<std::span<const double>(const std::string& field)>& node_values,
              std::optional<double> time, bool final, const std::vector<Marker>& markers = {});

    // Joins the frames of each film into NAME.mp4, on the root.
    void make_videos();

    // The files written so far; empty on other ranks than the root.
    std::vector<std::filesystem::path> files() const;

    // The number of each picture's next state, and the range of its heights. After a load resume()
    // removes the pictures of later states, and the final ones. Collective.
    void register_state(const StateValues& state);
    void resume();

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace solenoid
