// A window on the root that shows a field during the computation.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "case/settings.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

class Viewer {
  public:
    // Opens the window. Throws InputError on all ranks where the root has no display. Collective.
    Viewer(const Communicator& comm, const Topology& topology, const PictureSettings& settings,
           const std::string& title);
    ~Viewer();
    Viewer(Viewer&&) noexcept;

    // Shows values and handles mouse and keys: dragging turns a body and moves a plane, dragging
    // with the right button moves, the wheel zooms, R resets. After the window is closed this does
    // nothing and the run continues. Collective.
    void update(std::span<const double> node_values, std::optional<double> time);

    // On the root waits until the window is closed; other ranks return at once.
    void wait();
    bool is_open() const;  // on the root

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace solenoid
