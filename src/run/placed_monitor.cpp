// The monitors of every case: values along a line, and at a point.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "case/monitor_kinds.hpp"
#include "case/named.hpp"
#include "case/physics.hpp"
#include "io/monitors/monitors.hpp"
#include "run/run.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

constexpr int most_points = 1'000'000;
// Values at points are found without those at all nodes for so few points, recorded as often
// [steps]; more share what the values at all nodes cost.
constexpr std::ptrdiff_t most_watched = 16;
constexpr std::int64_t most_steps_apart = 10;

struct Line {
    Vec3 from{0}, to{0};
    int points = MonitorSettings{}.points;
};

struct Point {
    Vec3 at{0};
};

using Names = std::vector<std::string>;  // MonitorSettings::own: of quantities; empty: all

class PlacedMonitor final : public Monitor {
  public:
    PlacedMonitor(const MonitorSettings& settings, const MonitorParts& parts)
        : quantities_(parts.simulation.quantities()),
          names_(settings_of<Names>(settings)),
          name_(settings.name),
          is_line_(settings.type == "line"),
          table_(parts.run.comm, parts.run.topology(), {settings}, parts.output.monitors_folder(),
                 series_of(parts, settings)) {
        if (!is_line_ && !table_.is_inside())
            point_ = Quantities::Point{.is_outside = true};
        else if (!is_line_ && are_few(parts.run.settings.monitors) && is_frequent(settings))
            point_ = {table_.weights(false), table_.weights(true)};
    }

    void append(const Moment& now) override {
        table_.record(now.time, quantities_.in_tables(names_, point_ ? &*point_ : nullptr));
    }
    bool is_each_step() const override { return false; }
    bool has_start() const override { return true; }
    std::string table() const override { return name_; }
    Names columns() const override { return is_line_ ? Names() : table_.columns(); }
    CsvRow last_row() const override { return table_.last_row(); }
    void register_state(const StateValues& state) override { table_.register_state(state); }
    void resume() override { table_.resume(); }

  private:
    // The table of a point is there from the start: a run that is continued takes its rows up.
    Monitors::MakeSeries series_of(const MonitorParts& parts, const MonitorSettings& settings) {
        if (is_line_) return {};
        Names columns{"time", "x", "y", "z"};
        for (std::string& name : quantities_.columns_in_tables(names_))
            columns.push_back(std::move(name));
        return [series = parts.output.series(settings.name, columns)](const auto&, const auto&) {
            return series;
        };
    }
    // Whether what is found once for a point pays: it costs a solve, memory and a node's search.
    static bool is_frequent(const MonitorSettings& settings) {
        return settings.when.every && *settings.when.every <= most_steps_apart;
    }
    static bool are_few(const std::vector<MonitorSettings>& all) {
        return std::ranges::count_if(all, [](const MonitorSettings& m) {
                   return m.type == "point" && is_frequent(m);
               }) <= most_watched;
    }

    Quantities& quantities_;
    const Names names_;
    const std::string name_;
    const bool is_line_;
    std::optional<Quantities::Point> point_;  // where quantities are watched
    Monitors table_;
};

std::unique_ptr<Monitor> make(const MonitorSettings& settings, MonitorParts& parts) {
    for (const std::string& name : settings_of<Names>(settings))
        check_field(parts.run.comm, parts.simulation.quantities(), name, settings.place);
    return std::make_unique<PlacedMonitor>(settings, parts);
}

Names read_fields(const TableReader& table, const CaseSettings& settings) {
    if (!table.has("fields")) return {};
    Names known;
    for (const QuantityInfo& quantity : settings.physics->quantities(&settings, 0))
        if (quantity.of == QuantityInfo::Of::nodes && !quantity.table_columns.empty())
            known.push_back(quantity.name);
    Names fields = table.texts("fields");
    for (const std::string& field : fields)
        if (std::ranges::count(fields, field) > 1 || !contains(known, field))
            table.fail("fields",
                       fmt::format("has \"{}\": it takes {}, each once", field, listed(known)));
    return fields;
}

void check_placed(const MonitorSettings& monitor, const CaseSettings&, const MeshNames& mesh) {
    refuse_out_of_plane(monitor, {monitor.from, monitor.to}, mesh);
}

const char* const help_of_fields =
    "the quantities to record, by their names in the files ([output.md](output.md)); recording a "
    "flow's pressure costs a solve each time, except at few points at every step";

MonitorKind line_kind() {
    static const auto keys =
        Keys<Line>()
            .key("from", &Line::from, value::point(), "required", "where the line begins [m]")
            .key("to", &Line::to, value::point(), "required", "where it ends [m]")
            .key("points", &Line::points, value::integer(2, most_points), "`101`",
                 "points on it, both ends included, at least 2")
            .other("fields", "list of strings", "all", help_of_fields)
            .other("from_time", "number", "`0`", "in place of `from` [s], which is a point here")
            .other("to_time", "number", "`time.end`",
                   "in place of `to` [s], which is a point here");
    return {
        .name = "line",
        .keys = keys.declared(),
        .help = "values along a line, of the last recorded state",
        .read =
            [](const TableReader& table, const CaseSettings& settings, MonitorSettings& monitor) {
                table.refuse("at",
                             "belongs to type \"point\"; a line goes \"from\" a point \"to\" "
                             "another");
                const Line line = keys.read(table);
                if (line.from == line.to)
                    table.fail("to", "equals \"from\": the line has no length");
                monitor.from = line.from;
                monitor.to = line.to;
                monitor.points = line.points;
                monitor.own = read_fields(table, settings);
            },
        .check = check_placed,
        .make = make,
        .is_common = true};
}

MonitorKind point_kind() {
    static const auto keys =
        Keys<Point>()
            .key("at", &Point::at, value::point(), "required", "where it is [m]")
            .other("fields", "list of strings", "all", help_of_fields);
    return {
        .name = "point",
        .keys = keys.declared(),
        .help = "values at a point, a row for each written state",
        .read =
            [](const TableReader& table, const CaseSettings& settings, MonitorSettings& monitor) {
                for (const char* key : {"points", "from_time", "to_time"})
                    table.refuse(key, "belongs to type \"line\"; a point is \"at\" one");
                monitor.from = monitor.to = keys.read(table).at;
                monitor.points = 1;
                monitor.own = read_fields(table, settings);
            },
        .check = check_placed,
        .make = make,
        .is_common = true};
}

}  // namespace

std::vector<MonitorKind> placed_monitor_kinds() { return {line_kind(), point_kind()}; }

}  // namespace solenoid
