// A window on the root that shows a field during the computation.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "case/settings.hpp"
#include "parallel/topology.hpp"
#include "view/controls.hpp"
#include "view/marker.hpp"

namespace solenoid {

class Viewer {
  public:
    // Opens the window. Throws InputError on all ranks where the root has no display. Collective.
    Viewer(const Communicator& comm, const Topology& topology, const PictureSettings& settings,
           const std::string& title);
    ~Viewer();
    Viewer(Viewer&&) noexcept;

    // Shows a state and handles mouse and keys (Controls::lines). heights: of settings.height_of,
    // on a plane mesh without one those of the field; empty elsewhere. markers: alike on all ranks.
    // After the window is closed this does nothing and the run continues. Collective.
    void update(std::span<const double> node_values, std::span<const double> heights,
                std::optional<double> time, const std::vector<Marker>& markers = {});

    // What mouse and keys have asked of the run since the last call; in a pause comes after a
    // moment. The same on all ranks. Collective.
    ViewRequests requests();

    // On the root waits until the window is closed; other ranks return at once.
    void wait();
    bool is_open() const;  // on the root

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace solenoid
