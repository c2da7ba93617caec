#include "io/depth/depth_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "io/mesh/cursor.hpp"
#include "io/mesh/file_content.hpp"

namespace solenoid {
namespace {

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

struct Header {
    std::optional<std::int64_t> columns, rows;
    std::optional<double> x_corner, x_middle, y_corner, y_middle, cell_size, no_data;
};

// Sets the entry of a header that a word names; false where it names none.
bool read_entry(Cursor& cursor, const std::string& name, std::size_t place, Header& header) {
    const auto once = [&](bool is_there) {
        if (is_there) cursor.fail_at(place, fmt::format("a second {}", name));
    };
    const auto count = [&](std::optional<std::int64_t>& entry) {
        once(entry.has_value());
        const std::size_t at = cursor.position();
        entry = cursor.integer_in_line(name.c_str());
        if (*entry < 1)
            cursor.fail_at(at, fmt::format("{} is {}: it must be above 0", name, *entry));
    };
    const auto real = [&](std::optional<double>& entry) {
        once(entry.has_value());
        entry = cursor.real_in_line(name.c_str());
    };
    const auto either = [&](std::optional<double>& entry, const std::optional<double>& other,
                            const char* other_name) {
        if (other)
            cursor.fail_at(place, fmt::format("{} beside {}: leave one of them", name, other_name));
        real(entry);
    };
    if (name == "ncols")
        count(header.columns);
    else if (name == "nrows")
        count(header.rows);
    else if (name == "xllcorner")
        either(header.x_corner, header.x_middle, "xllcenter");
    else if (name == "xllcenter")
        either(header.x_middle, header.x_corner, "xllcorner");
    else if (name == "yllcorner")
        either(header.y_corner, header.y_middle, "yllcenter");
    else if (name == "yllcenter")
        either(header.y_middle, header.y_corner, "yllcorner");
    else if (name == "cellsize") {
        const std::size_t at = cursor.position();
        real(header.cell_size);
        if (!(*header.cell_size > 0))
            cursor.fail_at(
                at, fmt::format("cellsize is {:g}: it must be above 0 [m]", *header.cell_size));
    } else if (name == "nodata_value")
        real(header.no_data);
    else
        return false;
    cursor.end_of_record(name.c_str());
    return true;
}

Header read_header(Cursor& cursor) {
    Header header;
    while (true) {
        cursor.skip_blanks();
        const std::size_t place = cursor.position();
        const std::string_view word = cursor.word();
        // the first value
        if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-' ||
            word[0] == '+' || word[0] == '.') {
            cursor.move_to(place);
            break;
        }
        const std::string name = lower(word);
        if (name == "dx" || name == "dy")
            cursor.fail_at(place, fmt::format("{}: cells must be square, with one cellsize: "
                                              "resample the file (gdalwarp -tr SIZE SIZE)",
                                              name));
        if (!read_entry(cursor, name, place, header))
            cursor.fail_at(place,
                           fmt::format("expected an entry of an ESRI ASCII grid (ncols, nrows, "
                                       "xllcorner, yllcorner, cellsize, NODATA_value) or the first "
                                       "depth, found '{}'",
                                       printable(word)));
    }
    const auto need = [&](bool is_there, const char* what) {
        if (!is_there)
            cursor.fail(
                fmt::format("{} is missing before the depths: an ESRI ASCII grid has a line "
                            "of it",
                            what));
    };
    need(header.columns.has_value(), "ncols");
    need(header.rows.has_value(), "nrows");
    need(header.x_corner || header.x_middle, "xllcorner (or xllcenter)");
    need(header.y_corner || header.y_middle, "yllcorner (or yllcenter)");
    need(header.cell_size.has_value(), "cellsize");
    return header;
}

// Whether a text begins with lines of three numbers, as a list of points does: x, y, z, perhaps
// behind a line of their names.
bool is_list_of_points(std::string_view text) {
    if (const std::string first = lower(text.substr(0, 2));
        first == "x," || first == "x;" || first == "x ")
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    int lines = 0;
    for (; lines < 3 && !text.empty(); ++lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        for (char& c : line)
            if (c == ',' || c == ';') c = ' ';
        text.remove_prefix(std::min(end + 1, text.size()));
        std::istringstream words(line);
        words.imbue(std::locale::classic());
        double x, y, z;
        std::string rest;
        if (!(words >> x >> y >> z) || words >> rest) return false;
    }
    return lines > 0;
}

std::string quoted_path(const std::filesystem::path& path) { return '"' + path.string() + '"'; }

// For a file of another kind that is told by its content: what it is, and the command that makes an
// ESRI ASCII grid of it. Empty: none of them.
std::string conversion(const std::filesystem::path& file, std::string_view content) {
    const auto begins = [&](std::string_view with) { return content.starts_with(with); };
    const std::string from = quoted_path(file.filename()),
                      to = quoted_path(file.stem().string() + ".asc");
    const auto command = [&](const char* what, const std::string& line) {
        return fmt::format("it is {}: GDAL makes an ESRI ASCII grid of it, {}", what, line);
    };
    if (begins(std::string_view("II*\0", 4)) || begins(std::string_view("MM\0*", 4)) ||
        begins(std::string_view("II+\0", 4)) || begins(std::string_view("MM\0+", 4)))
        return command("a GeoTIFF", fmt::format("gdal_translate -of AAIGrid {} {}", from, to));
    if (begins("CDF\x01") || begins("CDF\x02") || begins("CDF\x05") || begins("\x89HDF"))
        return command("NetCDF",
                       fmt::format("gdal_translate -of AAIGrid 'NETCDF:{}:VARIABLE' {} (gdalinfo "
                                   "{} lists its variables)",
                                   from, to, from));
    if (is_list_of_points(content))
        return command(
            "a list of points x, y, z",
            fmt::format("where they are on a grid: gdal_translate -of AAIGrid {0} {1}; where they "
                        "are scattered, with a first line x,y,z and the name points.csv: gdal_grid "
                        "-a linear -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -zfield z -tr "
                        "SIZE SIZE points.csv points.tif, then gdal_translate -of AAIGrid "
                        "points.tif {1}",
                        from, to));
    return "";
}

}  // namespace

bool DepthGrid::covers(double at_x, double at_y) const {
    // Nodes of a grid on the outer edge are covered, however their coordinates are rounded.
    const auto is_within = [&](double at, double first, int count) {
        constexpr double ulps = 8 * std::numeric_limits<double>::epsilon();
        const double i = (at - first) / cell_size + 0.5,
                     slack = 1e-9 * count + ulps * std::abs(first) / cell_size;
        return i >= -slack && i <= count + slack;
    };
    return is_within(at_x, x, columns) && is_within(at_y, y, rows);
}

double DepthGrid::at(double at_x, double at_y) const {
    if (!covers(at_x, at_y)) return 0;
    const double i = std::clamp((at_x - x) / cell_size, 0.0, columns - 1.0),
                 j = std::clamp((at_y - y) / cell_size, 0.0, rows - 1.0);
    const auto value = [&](int column, int row) -> double {
        return depth[static_cast<std::size_t>(row) * columns + column];
    };
    if (value(static_cast<int>(i + 0.5), static_cast<int>(j + 0.5)) <= 0) return 0;
    const int west = static_cast<int>(i), south = static_cast<int>(j),
              east = std::min(west + 1, columns - 1), north = std::min(south + 1, rows - 1);
    double sum = 0, weights = 0;
    const auto add = [&](int column, int row, double weight) {
        if (value(column, row) <= 0) return;
        sum += weight * value(column, row);
        weights += weight;
    };
    const double to_east = i - west, to_north = j - south;
    add(west, south, (1 - to_east) * (1 - to_north));
    add(east, south, to_east * (1 - to_north));
    add(west, north, (1 - to_east) * to_north);
    add(east, north, to_east * to_north);
    return sum / weights;
}

DepthGrid read_depth_file(const std::filesystem::path& file, const DepthReading& reading) {
    const FileContent content = read_whole(file, "an ESRI ASCII grid (.asc)");
    if (const std::string how = conversion(file, content.view()); !how.empty())
        throw InputError(file.string(), "an ESRI ASCII grid (.asc) was expected, and " + how);
    Cursor cursor(file.string(), content.view());
    const Header header = read_header(cursor);
    // no overflow: both have 32 bits
    const std::int64_t count = *header.columns * *header.rows;
    cursor.require(count, 1, 8, "depths (ncols times nrows)");
    DepthGrid grid;
    grid.columns = static_cast<int>(*header.columns);
    grid.rows = static_cast<int>(*header.rows);
    grid.cell_size = *header.cell_size;
    grid.x = header.x_middle ? *header.x_middle : *header.x_corner + grid.cell_size / 2;
    grid.y = header.y_middle ? *header.y_middle : *header.y_corner + grid.cell_size / 2;
    grid.depth.resize(static_cast<std::size_t>(count));
    const double no_data = header.no_data.value_or(-9999);
    for (int row = grid.rows - 1; row >= 0; --row) {
        break_off_if_overdue();
        for (int column = 0; column < grid.columns; ++column) {
            const double number = cursor.real("a depth");
            if (number == no_data) continue;
            const double depth = (reading.is_elevation ? -number : number) + reading.water_level;
            if (depth > std::numeric_limits<float>::max())
                cursor.fail(fmt::format("a depth of {:g} m", depth));
            ++grid.with_data;
            if (number < 0) ++grid.negative;
            if (depth > 0)
                grid.depth[static_cast<std::size_t>(row) * grid.columns + column] =
                    static_cast<float>(depth);
        }
    }
    if (!cursor.at_end())
        cursor.fail(
            fmt::format("more than {} depths (ncols {} times nrows {}): correct the header or "
                        "take out the rest",
                        count, grid.columns, grid.rows));
    return grid;
}

}  // namespace solenoid
