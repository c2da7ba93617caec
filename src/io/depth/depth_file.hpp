// Depth files: ESRI ASCII grids (.asc) of the depth of water [m].
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace solenoid {

// Square cells, row by row from the south, west to east. Land has depth 0.
struct DepthGrid {
    int columns = 0, rows = 0;
    double x = 0, y = 0;                       // of the middle of the south-west cell [m]
    double cell_size = 0;                      // [m]
    std::vector<float> depth;                  // [m]
    std::int64_t with_data = 0, negative = 0;  // cells with a number; those whose number is below 0

    // Whether a place lies in one of the cells, or on the outer edge but for rounding.
    bool covers(double x, double y) const;
    // The depth at a place: bilinear between the middles of the cells round it that have water, the
    // nearest ones along the border of the grid; 0 where the cell that the place lies in is land,
    // and outside the grid.
    double at(double x, double y) const;
};

// What the numbers of a file mean. The depth is the number, or with is_elevation its negative (of a
// bottom below the file's zero), and the water level above that zero [m].
struct DepthReading {
    bool is_elevation = false;
    double water_level = 0;
};

// The header has one line each of ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter,
// cellsize and, if cells have no data, NODATA_value, in any order and any case; then follow the
// rows from the north. Cells without data (NODATA_value, -9999 where there is no such line) and
// depths that are not above 0 are land. Throws InputError with file and line; for GeoTIFF, NetCDF
// and lists of points with the command that converts them.
DepthGrid read_depth_file(const std::filesystem::path& file, const DepthReading& reading = {});

}  // namespace solenoid
