// What a run is asked for from outside while it goes on: by signals, control.toml, --wall-time and
// the triggers of the case. All ranks agree on it between two steps, by one sum over the ranks.
// docs/steering.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "run/control_file.hpp"
#include "run/run.hpp"
#include "run/simulation.hpp"
#include "run/triggers.hpp"
#include "run/wall_time.hpp"

namespace solenoid {

struct ControlRequest;

// What control.toml asked for and still holds: named state of a run.
struct SteeringState {
    std::vector<std::string> changes;  // of keys, as --set takes them
    std::optional<std::int64_t> stop_at_step;
    std::optional<double> stop_at_time;  // [s]

    std::string text() const;                          // a line for each
    static SteeringState of(const std::string& text);  // throws InputError
};

class Steering {
  public:
    // All must outlive this. waits: whether a checkpoint is due by the clock of the root, which
    // alone asks.
    Steering(Run& run, Simulation& simulation, Triggers& triggers, std::function<bool()> waits);

    struct Orders {
        bool records = false;      // there is something to record now
        bool writes = false;       // the present state, too
        bool checkpoints = false;  // a checkpoint, of the state to go on from
        std::string stop;          // why to stop, such as "SIGTERM"; empty: go on
        bool is_end = false;       // the case asked for this end: the run is done
    };
    // Between two steps: what to do before the next one. Changes keys of the run's settings.
    // Throws ComputationError where a trigger says so. Collective.
    Orders orders();
    // Behind the last step of a run that ends by itself: says which triggers have fired in it, once
    // each. Nothing is done by them, and a run that goes on from here has them yet. Throws
    // ComputationError as orders() does. Collective.
    void tell_last();
    // A step ends at this time [s]; infinite without one.
    double stop_time() const;

    // What a step, and a write, took [s].
    void note_step(double seconds);
    void note_write(double seconds);
    void note_checkpoint(double seconds);

    const SteeringState& state() const { return state_; }
    // What was asked for and still holds; a load changes the keys of the run's settings, too.
    void register_state(const StateValues& state);

  private:
    void take_request(Orders& orders);
    void check_now(const ControlRequest& request) const;
    void carry_out(const ControlRequest& request, Orders& orders);
    std::vector<std::string> overrides() const;
    void obey_triggers(Orders& orders);
    std::string when() const;

    Run& run_;
    Simulation& simulation_;
    Triggers& triggers_;
    const std::function<bool()> waits_;
    SteeringState state_;
    std::vector<const TriggerSettings*> told_;  // by tell_last()
    std::optional<ControlFile> control_;        // of the root
    std::optional<WallTime> wall_time_;
};

}  // namespace solenoid
