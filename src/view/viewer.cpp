#include "view/viewer.hpp"

#include "core/log.hpp"
#include "parallel/bytes.hpp"
#include "view/window.hpp"

namespace solenoid {

struct Viewer::Implementation {
    Communicator comm;
    PictureSettings settings;
    SurfaceGather gather;
    std::unique_ptr<Window> window;  // on the root
    bool is_plane = false;
    HeightFrame frame;
    bool is_shown = true;  // equal on all ranks
};

Viewer::Viewer(const Communicator& comm, const Topology& topology, const PictureSettings& settings,
               const std::string& title)
    : implementation_(new Implementation{comm, settings, SurfaceGather(comm, topology), nullptr,
                                         topology.dimension() == 2,
                                         HeightFrame(settings.height_scale)}) {
    Implementation& v = *implementation_;
    comm.agree([&] {
        if (comm.is_root())
            v.window = std::make_unique<Window>(v.gather.surface(), settings, title);
    });
    log::info("view     in a window; F1 lists what its keys and the mouse do");
}

Viewer::~Viewer() = default;
Viewer::Viewer(Viewer&&) noexcept = default;

void Viewer::update(std::span<const double> node_values, std::span<const double> heights,
                    std::optional<double> time, const std::vector<Marker>& markers) {
    Implementation& v = *implementation_;
    if (v.is_shown) v.is_shown = v.comm.any(is_open());
    if (!v.is_shown) return;
    SceneFields fields{node_values};
    if (v.is_plane) {
        fields.heights = heights;
        fields.height_of = v.settings.height_of.empty() ? v.settings.field : v.settings.height_of;
    }
    Scene scene = scene_of(v.gather, fields, v.settings, v.frame, time);
    scene.markers = markers;
    if (v.window) v.window->show(std::move(scene));
}

ViewRequests Viewer::requests() {
    Implementation& v = *implementation_;
    if (!v.is_shown) return {};
    std::vector<double> numbers;
    if (v.window) numbers = v.window->requests().packed();
    const auto bytes = bytes_of(numbers);
    std::vector<std::byte> shared(bytes.begin(), bytes.end());
    v.comm.broadcast(shared);
    return ViewRequests::of(values_in<double>(shared));
}

void Viewer::wait() {
    if (is_open()) implementation_->window->wait();
}

bool Viewer::is_open() const {
    return implementation_->window && implementation_->window->is_open();
}

}  // namespace solenoid
