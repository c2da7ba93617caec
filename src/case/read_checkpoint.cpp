// Reading of [checkpoint].
#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

constexpr int most_kept = 1000;
const std::vector<std::string> ways_to_repeat{"interval", "every", "wall_interval"};

const Keys<WhenSettings>& frequency_keys() {
    static const auto keys =
        Keys<WhenSettings>()
            .key("interval", &WhenSettings::interval, value::optional(value::positive()), "none",
                 "time between two checkpoints [s]; steps end at its multiples")
            .key("every", &WhenSettings::every, value::optional(value::count(1, most_steps)),
                 "none", "steps between two checkpoints")
            .key("wall_interval", &WhenSettings::wall_interval, value::optional(value::positive()),
                 "`1800`", "wall-clock time between two checkpoints [s], at the next end of a step")
            .one_of(ways_to_repeat)
            .steerable(ways_to_repeat);
    return keys;
}

const Keys<CheckpointSettings>& own_keys() {
    static const auto keys = Keys<CheckpointSettings>().key(
        "keep", &CheckpointSettings::keep, value::integer(0, most_kept), "`2`",
        "the last so many stay, each of them whole; `0`: no checkpoint at all");
    return keys;
}

}  // namespace

std::vector<Key> checkpoint_keys() {
    std::vector<Key> keys = frequency_keys().declared();
    for (const Key& key : own_keys().declared()) keys.push_back(key);
    return keys;
}

CheckpointSettings read_checkpoint(const TableReader& table, const CaseSettings& settings) {
    table.allow(names_of(checkpoint_keys()));
    if (settings.time.steady)
        throw InputError(table.place(),
                         "[checkpoint] belongs to a case with [time]: a steady one has no steps");
    refuse_two_of(table, ways_to_repeat);
    CheckpointSettings checkpoint = own_keys().read(table);
    const WhenSettings when = frequency_keys().read(table);
    if (when.interval) check_is_felt(table, "interval", *when.interval, settings);
    if (when.has_frequency()) static_cast<WhenSettings&>(checkpoint) = when;
    return checkpoint;
}

}  // namespace solenoid
