#include "boussinesq/run/depth_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/joined_words.hpp"

namespace solenoid {
namespace {

constexpr double little_water = 0.02;  // share of the grid's nodes
constexpr double much_outside = 0.01;  // likewise
constexpr double many_negative = 0.5;  // share of the file's cells
constexpr int most_samples = 300;      // nodes of a direction that are looked at first

// West, east, south and north of a rectangle.
struct Extents {
    double west, east, south, north;
    bool has(const Extents& other) const {
        return west <= other.west && other.east <= east && south <= other.south &&
               other.north <= north;
    }
    Extents exchanged() const { return {south, north, west, east}; }
    std::string text() const {
        return fmt::format("x {:.10g} to {:.10g}, y {:.10g} to {:.10g}", west, east, south, north);
    }
};

struct Shares {
    double wet = 0, outside = 0;  // of the grid's nodes
};

Shares shares(const DepthGrid& file, const WaterSettings& water, const GridSettings& grid,
              int most) {
    const auto step = [&](int count) { return std::max(1, count / most); };
    Shares shares;
    double count = 0;
    for (int j = 0; j < grid.rows; j += step(grid.rows))
        for (int i = 0; i < grid.columns; i += step(grid.columns), ++count) {
            const auto at = [](double low, double high, int k, int of) {
                return of > 1 ? low + (high - low) * k / (of - 1) : low;
            };
            const double x = at(grid.low.x, grid.high.x, i, grid.columns) + water.origin.x,
                         y = at(grid.low.y, grid.high.y, j, grid.rows) + water.origin.y;
            shares.wet += file.at(x, y) > 0;
            shares.outside += !file.covers(x, y);
        }
    shares.wet /= count;
    shares.outside /= count;
    return shares;
}

}  // namespace

std::string depth_warning(const DepthGrid& file, const WaterSettings& water,
                          const GridSettings& grid) {
    Shares found = shares(file, water, grid, most_samples);
    if (!(found.wet > 0)) found = shares(file, water, grid, std::max(grid.columns, grid.rows));
    const bool is_elevation = water.depth_sign == "elevation",
               is_mostly_negative = double(file.negative) > many_negative * double(file.with_data),
               has_sign = !water.has_depth_sign && is_mostly_negative && !is_elevation;
    const bool is_outside = found.outside > much_outside, is_dry = found.wet < little_water;
    if (!is_outside && !is_dry && !has_sign) return "";

    const double half = file.cell_size / 2;
    const Extents of_file{file.x - half, file.x - half + file.columns * file.cell_size,
                          file.y - half, file.y - half + file.rows * file.cell_size},
        of_grid{grid.low.x, grid.high.x, grid.low.y, grid.high.y},
        of_grid_there{grid.low.x + water.origin.x, grid.high.x + water.origin.x,
                      grid.low.y + water.origin.y, grid.high.y + water.origin.y};
    std::vector<std::string> remedies;
    if (is_outside) {
        const double x = of_file.west - grid.low.x, y = of_file.south - grid.low.y;
        if (of_file.has(of_grid_there.exchanged()))
            remedies.push_back("write the file with x to the east, since its axes are exchanged");
        else if (std::abs(of_file.west) <= 360 && std::abs(of_file.east) <= 360 &&
                 file.cell_size < 0.05)
            remedies.push_back(
                "project the file from degrees to metres (gdalwarp -t_srs EPSG:NUMBER)");
        else if (of_file.east - of_file.west >= grid.high.x - grid.low.x &&
                 of_file.north - of_file.south >= grid.high.y - grid.low.y)
            remedies.push_back(
                fmt::format("give the place of the grid's (0, 0) in the file, such as boussinesq."
                            "origin = [{:.10g}, {:.10g}]",
                            x, y));
        else
            remedies.push_back("take a grid within the file, by [grid] or boussinesq.origin");
    }
    if (is_mostly_negative && !is_elevation && (has_sign || is_dry))
        remedies.push_back(
            "where they are heights of the bottom, set boussinesq.depth_sign = \"elevation\", "
            "else \"depth\"");
    if (remedies.empty())
        remedies.push_back(
            fmt::format("see to boussinesq.depth_sign, \"{}\" now, and "
                        "boussinesq.water_level, {:g} m now",
                        water.depth_sign, water.water_level));
    const std::string what =
        !(found.wet > 0) ? "the grid has no water"
        : is_dry         ? fmt::format("{:.2g} % of the grid alone is water", 100 * found.wet)
        : is_outside     ? fmt::format(
                               "{:.2g} % of the grid lies outside the file, and is "
                                   "land",
                               100 * found.outside)
                     : "most numbers of the file are negative, and so land";
    const std::string message = fmt::format(
        "[boussinesq] depth_file: {}: the file covers {}; the grid {}{}; {} of {} cells with "
        "data are negative: {}",
        what, of_file.text(), of_grid.text(),
        water.origin == Vec3(0) ? "" : ", in the file " + of_grid_there.text(), file.negative,
        file.with_data, joined_words(remedies, "; "));
    if (!(found.wet > 0)) throw InputError(water.depth_place, message);
    return water.depth_place + ": " + message;
}

}  // namespace solenoid
