// What a case gives as formulas of t, looked through before a run so that no step leaps over what
// they do: steps end where one of them jumps, and steps of the run's own choice are short enough to
// follow all of them. docs/numerics.md, "Data that depend on time".
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "parallel/communicator.hpp"
#include "run/time_trace.hpp"

namespace solenoid {

// A formula of the case, and the points that stand for where it holds.
struct TimeDatum {
    std::string key;  // "boundary.inlet.velocity"
    Formula formula;
    std::vector<Vec3> points;
    bool is_integrated = false;  // over every fixed step, by who computes
};

class TimeData {
  public:
    // Keeps those that depend on t, and looks them through from 0 to the end. Warns, naming the
    // key, of those that change too fast for that, or for a fixed step. Throws InputError where a
    // value is not finite. data: the same on all ranks. followed: the part of its range by which a
    // datum may depart, within a step, from the line between its values at the ends. Collective.
    TimeData(const Communicator& comm, const std::vector<TimeDatum>& data, const TimeSettings& time,
             double followed);

    // An instant at which data jump: they have the values of before up to `before`, of after from
    // `after` on [s].
    struct Break {
        double before, instant, after;
    };
    const std::vector<Break>& breaks() const { return breaks_; }
    // `before` of the first break later than t; none: infinite
    double next_stop(double t) const;
    // where t lies between `before` and `after`; else null
    const Break* break_at(double t) const;
    // Instants at which data are least and greatest, two of each.
    std::vector<double> extremes() const;
    // The longest step from t, of `wanted` at most, in which every datum is followed and none
    // jumps. Looks at the data within the step, too. Collective.
    double longest_step(double t, double wanted);
    // Of [from, to], between breaks: ends of the parts in which all data that are integrated follow
    // lines; the last is `to`.
    std::vector<double> parts(double from, double to) const;

  private:
    struct Datum {
        std::string key;
        Formula formula;
        ValueRange range;
        std::vector<TimeTrace> traces;
        int cells = 0;
        bool is_integrated = false;
        bool is_told = false;  // that it cannot be followed
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
    std::deque<Datum> data_;  // in which ranges keep their places
    std::vector<Break> breaks_;
};

}  // namespace solenoid
