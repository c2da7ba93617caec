// Steps that fail: each is taken back and repeated at half its length, up to `time.retries` times,
// before the run ends with the error. docs/numerics.md, "Steps that fail".
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "run/run.hpp"

namespace solenoid {

// An error that no shorter step would spare.
class FinalError : public AgreedError {
  public:
    explicit FinalError(const AgreedError& error) : AgreedError(error) {}
};

// A state is kept every few steps alone, since a copy of all fields takes about a twentieth of a
// flow's step. From it the steps behind it are made again, with the same bits.
class StepRepeats {
  public:
    // run: must outlive this.
    explicit StepRepeats(Run& run) : run_(run) {}

    // A step of `length` from the time `from` [s] has failed, which the run's step was halved for
    // `halvings` times. Returns whether it is to be taken back and repeated at half its length;
    // then says so, and counts it in the summary. Alike on all ranks.
    bool repeats(const AgreedError& error, int halvings, double from, double length);

    // Tries a step of `length` [s] by step(length). Where it fails and is to be repeated the state
    // is as before, and the result false. solver: has time(), keep_state(), take_back() and
    // let_go(). Collective, as all below.
    template <class Solver, class Step>
    bool makes(Solver& solver, double length, int halvings, const Step& step) {
        if (!is_asked()) {
            step(length);
            return true;
        }
        if (is_kept_ && behind_.size() == most_behind) forget(solver);
        if (!is_kept_) solver.keep_state();
        is_kept_ = true;
        const double from = solver.time();
        try {
            step(length);
        } catch (const AgreedError& error) {
            if (!repeats(error, halvings, from, length)) throw;
            is_kept_ = false;
            solver.take_back();
            for (const double made : std::exchange(behind_, {})) step(made);
            return false;
        }
        behind_.push_back(length);
        return true;
    }
    // Makes the step of `length` [s], or, where that fails, shorter ones that end where it would
    // have ended: at `target` [s] if it reaches that. Returns the length of the last one.
    template <class Solver, class Step>
    double make(Solver& solver, double length, double target, const Step& step) {
        const bool lands = length == target - solver.time();
        int halvings = 0;
        for (std::int64_t left = 1; left > 0;) {  // steps of `length`
            if (left == 1 && lands) length = target - solver.time();
            if (makes(solver, length, halvings, step)) {
                --left;
            } else {
                ++halvings;
                left *= 2;
                length /= 2;
            }
        }
        if (halvings > 0) forget(solver);  // so that a next failure is near
        return length;
    }
    // The solver's state is changed by something else than steps: none before is gone back to.
    template <class Solver>
    void forget(Solver& solver) {
        if (is_kept_) solver.let_go();
        is_kept_ = false;
        behind_.clear();
    }

  private:
    static constexpr std::size_t most_behind = 8;

    bool is_asked() const { return run_.settings.time.retries > 0; }

    Run& run_;
    bool is_kept_ = false;        // a state
    std::vector<double> behind_;  // lengths of the steps since then [s]
};

}  // namespace solenoid
