#include "view/viewer.hpp"

#include "view/window.hpp"

namespace solenoid {

struct Viewer::Implementation {
    Communicator comm;
    PictureSettings settings;
    SurfaceGather gather;
    std::unique_ptr<Window> window;  // on the root
    bool is_shown = true;            // equal on all ranks
};

Viewer::Viewer(const Communicator& comm, const Topology& topology, const PictureSettings& settings,
               const std::string& title)
    : implementation_(
          new Implementation{comm, settings, SurfaceGather(comm, topology), nullptr, true}) {
    Implementation& v = *implementation_;
    comm.agree([&] {
        if (comm.is_root())
            v.window = std::make_unique<Window>(v.gather.surface(), settings, title);
    });
}

Viewer::~Viewer() = default;
Viewer::Viewer(Viewer&&) noexcept = default;

void Viewer::update(std::span<const double> node_values, std::optional<double> time) {
    Implementation& v = *implementation_;
    if (v.is_shown) v.is_shown = v.comm.any(is_open());
    if (!v.is_shown) return;
    const auto [low, high] =
        colour_range(v.settings.range ? *v.settings.range : v.gather.range(node_values));
    const std::vector<float> values = v.gather.gather(node_values, low, high);
    if (v.window) v.window->show(values, {title_of(v.settings.field), time, low, high});
}

void Viewer::wait() {
    if (is_open()) implementation_->window->wait();
}

bool Viewer::is_open() const {
    return implementation_->window && implementation_->window->is_open();
}

}  // namespace solenoid
