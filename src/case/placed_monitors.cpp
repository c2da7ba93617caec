// The monitors of every case: values along a line, and at a point.
#include "case/monitor_kinds.hpp"

namespace solenoid {
namespace {

constexpr int most_points = 1'000'000;

struct Line {
    Vec3 from{0}, to{0};
    int points = MonitorSettings{}.points;
};

struct Point {
    Vec3 at{0};
};

void check_placed(const MonitorSettings& monitor, const CaseSettings&, const MeshNames& mesh) {
    refuse_out_of_plane(monitor, {monitor.from, monitor.to}, mesh);
}

MonitorKind line_kind() {
    static const auto keys =
        Keys<Line>()
            .key("from", &Line::from, value::point(), "required", "where the line begins [m]")
            .key("to", &Line::to, value::point(), "required", "where it ends [m]")
            .key("points", &Line::points, value::integer(2, most_points), "`101`",
                 "points on it, both ends included, at least 2");
    return {"line", keys.declared(), "values along a line",
            [](const TableReader& table, const CaseSettings&, MonitorSettings& monitor) {
                table.refuse(
                    "at", "belongs to type \"point\"; a line goes \"from\" a point \"to\" another");
                const Line line = keys.read(table);
                if (line.from == line.to)
                    table.fail("to", "equals \"from\": the line has no length");
                monitor.from = line.from;
                monitor.to = line.to;
                monitor.points = line.points;
            },
            check_placed};
}

MonitorKind point_kind() {
    static const auto keys =
        Keys<Point>().key("at", &Point::at, value::point(), "required", "where it is [m]");
    return {"point", keys.declared(), "values at a point, a row for each written state",
            [](const TableReader& table, const CaseSettings&, MonitorSettings& monitor) {
                for (const char* key : {"from", "to", "points"})
                    table.refuse(key, "belongs to type \"line\"; a point is \"at\" one");
                monitor.from = monitor.to = keys.read(table).at;
                monitor.points = 1;
            },
            check_placed};
}

}  // namespace

std::vector<MonitorKind> common_monitor_kinds() { return {line_kind(), point_kind()}; }

}  // namespace solenoid
