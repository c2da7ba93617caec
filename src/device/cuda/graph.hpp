// Calls that the driver keeps as a graph: launched at once, some 1 us a kernel where a launch is 4.
#pragma once

#include "device/cuda/session.hpp"
#include "device/recording.hpp"

namespace solenoid::cuda {

class Graph final : public Recording {
  public:
    explicit Graph(std::shared_ptr<Session> session) : session_(std::move(session)) {}
    ~Graph() override;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    // The first time the calls themselves, which load their kernels; then they are captured, and
    // the graph is launched.
    void run(const RecordedCalls& calls);

  private:
    void capture(const RecordedCalls& calls);

    std::shared_ptr<Session> session_;
    bool is_warm_ = false;
    GraphRunHandle run_ = nullptr;
};

}  // namespace solenoid::cuda
