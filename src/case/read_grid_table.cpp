// Reading of [grid] of a case file.
#include <fmt/format.h>

#include "case/keys.hpp"
#include "case/read_tables.hpp"

namespace solenoid {
namespace {

constexpr int most_nodes = 1 << 20;  // of a direction

const Keys<GridSettings>& grid_keys() {
    static const auto keys =
        Keys<GridSettings>()
            .other("nodes", "integers", "required",
                   "number of nodes along x and along y; in a periodic direction the last line of "
                   "nodes, which is the first one, is not counted")
            .other("low", "point", "`[0, 0]`", "corner of smallest coordinates [m]")
            .other("high", "point", "`[1, 1]`", "corner of largest coordinates [m]")
            .other("periodic", "strings", "none",
                   "periodic directions: `[\"x\"]`, `[\"y\"]` or both")
            .other("map", "vector", "none",
                   "where the node at x, y of the rectangle lies [m], two formulas: "
                   "`[\"y*cos(x)\", \"-y*sin(x)\"]`; cells must not be folded")
            .other("then", "vector", "none",
                   "where the node that `map` gives as x, y lies [m]: a second map behind it")
            .other("land", "formula", "none",
                   "nodes where it is not 0 are no part of the grid: `\"(x - 1)^2 + y^2 < 0.04\"`, "
                   "of x, y [m] behind the maps");
    return keys;
}

int node_count(const TableReader& table, double value, bool is_periodic) {
    const int least = is_periodic ? 3 : 2;
    if (!(value >= least && value <= most_nodes && value == static_cast<int>(value)))
        table.fail("nodes", fmt::format("must be whole numbers from {} to {}, found {}",
                                        is_periodic ? "3 (in a periodic direction)" : "2",
                                        most_nodes, value));
    return static_cast<int>(value);
}

// A formula of x and y alone.
Formula in_plane(const TableReader& table, const std::string& key, const Formula& formula) {
    if (formula.depends_on_time()) table.fail(key, "may depend on x and y, not on t");
    return formula;
}

}  // namespace

GridSettings read_grid_table(const TableReader& table) {
    grid_keys().allow(table);
    GridSettings grid;
    grid.place = table.place();
    if (table.has("periodic"))
        for (const std::string& direction : table.texts("periodic")) {
            if (direction != "x" && direction != "y")
                table.fail("periodic",
                           fmt::format("must be of \"x\" and \"y\", found \"{}\"", direction));
            (direction == "x" ? grid.is_periodic_x : grid.is_periodic_y) = true;
        }
    const std::vector<double> nodes = table.numbers("nodes", 2, 2);
    grid.columns = node_count(table, nodes[0], grid.is_periodic_x);
    grid.rows = node_count(table, nodes[1], grid.is_periodic_y);
    for (const char* key : {"low", "high"}) {
        if (!table.has(key)) continue;
        const Vec3 corner = table.point(key);
        if (corner.z != 0) table.fail(key, "has a third coordinate: a grid is in two dimensions");
        (key[0] == 'l' ? grid.low : grid.high) = corner;
    }
    for (int i = 0; i < 2; ++i)
        if (!(grid.low[i] < grid.high[i]))
            table.fail(table.has("high") ? "high" : "low",
                       fmt::format("is empty in {}: low {} is not below high {}", "xy"[i],
                                   grid.low[i], grid.high[i]));
    if (!table.has("map")) table.refuse("then", "follows \"map\": give that, too");
    for (const char* key : {"map", "then"}) {
        if (!table.has(key)) continue;
        const auto map = table.vector_formula(key);
        if (!map[2].is_constant() || map[2](Vec3{0}) != 0)
            table.fail(key, "has a third component: a grid is in two dimensions");
        grid.maps.push_back({in_plane(table, key, map[0]), in_plane(table, key, map[1])});
    }
    if (table.has("land")) grid.land = in_plane(table, "land", table.formula("land"));
    return grid;
}

void refuse_periodic_type(const TableReader& table) {
    if (table.is("type", "periodic"))
        table.fail("type",
                   "\"periodic\" is of unstructured meshes: name the direction in [grid] "
                   "periodic, and leave the table out");
}

KeyTable grid_key_table() { return {"[grid]", "", grid_keys().declared()}; }

}  // namespace solenoid
