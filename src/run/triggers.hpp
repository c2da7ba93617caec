// The triggers of a case: columns of tables that are watched, and what is done where one passes a
// bound, becomes steady or diverges. Rank 0 alone has the rows.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "io/files/csv_series.hpp"

namespace solenoid {

class TriggerWatch final : public RowListener {
  public:
    explicit TriggerWatch(const std::vector<TriggerSettings>& settings);

    // Throws InputError where a trigger names a column that the table lacks.
    void begin(const std::string& table, const std::vector<std::string>& columns) override;
    void row(const std::string& table, const CsvRow& row) override;

    // A condition that holds since the last row and did not before.
    struct Fired {
        const TriggerSettings* trigger;
        std::string what;  // such as "force_x of drag is 1.6 at t = 0.5 s, above 1.5"
    };
    bool has_fired() const { return !fired_.empty(); }
    std::vector<Fired> fired();  // since the last call

  private:
    struct Watched {
        const TriggerSettings* settings;
        std::size_t time = 0, column = 0;  // in the table
        bool holds = false;
        struct Value {
            double time, value;
        };
        std::deque<Value> window;  // of the last `window` seconds and one before
        // of `diverges`: end of the first window [s], largest magnitude in it
        double first_until = -1, reference = 0;
    };
    static bool holds(Watched& watched, double time, double value);
    static bool is_steady(Watched& watched, double time, double value);
    static bool has_diverged(Watched& watched, double time, double value);

    std::vector<Watched> watched_;
    std::vector<Fired> fired_;
};

}  // namespace solenoid
