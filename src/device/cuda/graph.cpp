#include "device/cuda/graph.hpp"

namespace solenoid::cuda {

Graph::~Graph() {
    if (!run_) return;
    session_->settle();
    session_->driver().destroy_run(run_);
}

void Graph::run(const RecordedCalls& calls) {
    session_->make_current();
    if (!is_warm_ || !session_->driver().has_graphs()) {
        is_warm_ = true;
        return calls();
    }
    if (!run_) capture(calls);
    session_->check(session_->driver().launch_graph(run_, session_->stream()), "cuGraphLaunch");
}

void Graph::capture(const RecordedCalls& calls) {
    const Driver& driver = session_->driver();
    GraphHandle graph = nullptr;
    session_->check(driver.begin_capture(session_->stream(), capture_of_thread),
                    "cuStreamBeginCapture");
    try {
        calls();
    } catch (...) {
        driver.end_capture(session_->stream(), &graph);
        if (graph) driver.destroy_graph(graph);
        throw;
    }
    session_->check(driver.end_capture(session_->stream(), &graph), "cuStreamEndCapture");
    const Status status = driver.instantiate(&run_, graph, 0);
    driver.destroy_graph(graph);
    session_->check(status, "cuGraphInstantiateWithFlags");
}

}  // namespace solenoid::cuda
