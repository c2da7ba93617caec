// The formulas of t in a case, sampled before a run so that steps resolve them: steps end where a
// formula jumps, and steps chosen by the run are short enough to follow all of them.
// docs/numerics.md, "Data that depend on time".
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "core/state_values.hpp"
#include "parallel/communicator.hpp"
#include "run/time_trace.hpp"

namespace solenoid {

// A formula of the case, and representative points of where it holds.
struct TimeDatum {
    std::string key;  // "boundary.inlet.velocity"
    Formula formula;
    std::vector<Vec3> points;
    bool is_integrated = false;  // over each step, by the solver
};

class TimeData {
  public:
    // Samples the formulas that depend on t from 0 to the end. Warns, with the key, of those that
    // change too fast for this or for a fixed step. Throws InputError where a value is not finite.
    // data: equal on all ranks. followed: the largest departure of a datum, within a step, from the
    // line between its values at the step's ends, relative to its range. Collective.
    TimeData(const Communicator& comm, const std::vector<TimeDatum>& data, const TimeSettings& time,
             double followed);

    // A jump of data at `instant`: values up to `before` are those before it, from `after` on those
    // after it [s].
    struct Break {
        double before, instant, after;
    };
    const std::vector<Break>& breaks() const { return breaks_; }
    bool is_empty() const { return data_.empty(); }  // no datum depends on time
    bool has_integrated() const;                     // one that depends on time
    // `before` of the first jump after t; infinite without one.
    double next_stop(double t) const;
    // The jump with t between `before` and `after`; null without one.
    const Break* break_at(double t) const;
    // From when on no datum changes, up to the end; infinite where one changes up to the end.
    double last_change() const;
    // Times at which data are least and greatest, two for each datum [s].
    std::vector<double> extremes() const;
    // The longest step from t, at most `wanted`, in which every datum is followed and none jumps.
    // Also samples the data within the step. Collective.
    double longest_step(double t, double wanted);
    // A time with short pulses of data that are not integrated: steps in it should be equal.
    struct Span {
        double from, to;
        bool operator==(const Span&) const = default;
    };
    // That with t in it, but not at its end; of several the union.
    std::optional<Span> pulse_at(double t) const;
    // The ends of the parts of [from, to], which contains no jump, in each of which all integrated
    // data are nearly linear; the last is `to`. During a short pulse they are as long as its steps.
    std::vector<double> parts(double from, double to) const;
    // What longest_step() has found within steps.
    void register_state(const StateValues& state);

  private:
    struct Datum {
        std::string key;
        Formula formula;
        ValueRange range;
        std::vector<TimeTrace> traces;
        int cells = 0;
        bool is_integrated = false;
        bool is_told = false;    // a warning was given
        bool has_grown = false;  // by samples within steps
    };
    void add(const TimeDatum& datum);
    void find_breaks();
    void warn_of_sampling(Datum& datum);
    void warn_of_fixed_step(Datum& datum);
    double found_step(double t, double wanted) const;
    bool observe(double t, double span);

    const Communicator& comm_;
    const TimeSettings time_;
    const double followed_;
    std::deque<Datum> data_;  // a deque: references to ranges stay valid
    std::vector<Break> breaks_;
};

}  // namespace solenoid
