// A window on the root that shows a field while it is computed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "case/settings.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class Viewer {
  public:
    // Opens the window; every rank throws InputError where the root has no display. Collective.
    Viewer(const Communicator& comm, const DistributedMesh& mesh, const PictureSettings& settings,
           const std::string& title);
    ~Viewer();
    Viewer(Viewer&&) noexcept;

    // Shows these values and answers the mouse: drag turns (2D: moves), right drag moves, the wheel
    // zooms, R resets. A window that was closed stays closed, and the run goes on. Collective.
    void update(std::span<const double> node_values, std::optional<double> time);

    // Keeps the window alive, on the root, until it is closed; the other ranks return at once.
    void wait();
    bool is_open() const;  // on the root

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace solenoid
