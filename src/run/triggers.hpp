// The triggers of a case: columns of tables that are watched, and what is due where a value passes
// a bound, becomes steady or diverges.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "core/state_values.hpp"
#include "io/files/csv_series.hpp"

namespace solenoid {

class Triggers {
  public:
    // settings: must outlive this.
    explicit Triggers(const std::vector<TriggerSettings>& settings);

    bool is_empty() const { return watched_.empty(); }
    // Throws InputError where a trigger names a column that the table lacks.
    void check(const std::string& table, const std::vector<std::string>& columns) const;
    // A row of the table; the time is its first column. Columns as they were checked.
    void note(const std::string& table, const std::vector<std::string>& columns, const CsvRow& row);

    // For each trigger 1 where its condition holds since the last row, and did not before; until
    // act().
    std::vector<std::int64_t> fired() const;
    // Between two steps: those act that are not 0 here, until the next call. Equal on all ranks.
    void act(std::span<const std::int64_t> fired);
    struct Action {
        const TriggerSettings* trigger;
        std::string what;  // such as "force_x of drag is 1.6 at t = 0.5 s, above 1.5"
    };
    const std::vector<Action>& actions() const { return actions_; }
    // The same of those that would act, which stay as they are.
    std::vector<Action> pending(std::span<const std::int64_t> fired) const;
    // Whether one of this name acts.
    bool act_as(const std::string& name) const;

    // What each has seen. In a loaded state that lacks one, or has it watch something else, that
    // one begins anew.
    void register_state(const StateValues& state);

  private:
    struct Watched {
        const TriggerSettings* settings;
        bool holds = false;
        struct Value {
            double time, value;
        };
        std::optional<Value> fired = {};  // of its row, until it acts
        std::deque<Value> window = {};    // of the last `window` seconds and one before
        // of `diverges`: end of the first window [s], largest magnitude in it
        double first_until = -1, reference = 0;

        std::string told() const;
        std::vector<double> packed() const;
        static void check(const std::vector<double>& numbers);  // throws InputError
        void unpack(const std::vector<double>& numbers);
        void begin_anew();
    };
    static bool holds(Watched& watched, double time, double value);
    static bool is_steady(Watched& watched, double time, double value);
    static bool has_diverged(Watched& watched, double time, double value);

    std::vector<Watched> watched_;
    std::vector<Action> actions_;
};

}  // namespace solenoid
