// Depth files: values at places worked out by hand, and refusals with file and line.
#include "io/depth/depth_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::depth_file_test {
namespace {

class DepthFile : public testing::Test {
  protected:
    DepthGrid read(const std::string& text) const {
        std::ofstream(file_) << text;
        return read_depth_file(file_);
    }
    // The message of a refusal behind the file's name.
    std::string refusal(const std::string& text) const {
        try {
            read(text);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            const std::string message = error.what(), name = file_.string();
            EXPECT_TRUE(message.starts_with(name)) << message;
            return message.substr(std::min(name.size(), message.size()));
        }
        return "accepted";
    }
    const ScratchFolder folder_{Communicator::self()};
    const std::filesystem::path file_ = folder_.path() / "harbour.asc";
    const std::string header_ = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n";
};

TEST_F(DepthFile, HasRowsFromTheNorth) {
    const DepthGrid grid = read(header_ + "NODATA_value -1\n1 2 3\n4 5 6\n");
    EXPECT_EQ(grid.columns, 3);
    EXPECT_EQ(grid.rows, 2);
    EXPECT_DOUBLE_EQ(grid.at(105, 205), 4);  // the middle of the south-west cell
    EXPECT_DOUBLE_EQ(grid.at(125, 215), 3);
    EXPECT_DOUBLE_EQ(grid.at(110, 210), (1 + 2 + 4 + 5) / 4.0);
    EXPECT_DOUBLE_EQ(grid.at(107, 205), 4.2);
    EXPECT_DOUBLE_EQ(grid.at(100, 200), 4);  // the outer half of a cell
    EXPECT_DOUBLE_EQ(grid.at(130, 220), 3);
    EXPECT_EQ(grid.at(99, 205), 0);
    EXPECT_FALSE(grid.covers(99, 205));
    EXPECT_TRUE(grid.covers(130, 220));
}

TEST_F(DepthFile, TakesMiddlesAndAnyCaseAndOrder) {
    const DepthGrid grid =
        read("CELLSIZE 10\nXLLCENTER 105\nYllCenter 205\nNrows 2\nNCOLS 3\r\n1 2 3 4\n5\n6");
    EXPECT_DOUBLE_EQ(grid.at(105, 205), 4);
    EXPECT_DOUBLE_EQ(grid.at(110, 210), 3);
}

// Nodes on the outer edge have depths, too, wherever that rounds to: corner and end of each row and
// column are decimal numbers, as in a case. A thousandth of a cell beyond it there is none.
TEST_F(DepthFile, CoversItsOuterEdge) {
    for (const int corner : {0, 1, 7, -33, 1003, 48211, 52345678})  // in tenths
        for (const int size : {1, 3, 7, 301})
            for (const int count : {1, 3, 7, 12}) {
                std::string text = fmt::format(
                    "ncols {0}\nnrows {0}\nxllcorner {1}\nyllcorner {1}\ncellsize {2}\n", count,
                    corner / 10.0, size / 10.0);
                for (int k = 0; k < count * count; ++k) text += "2 ";
                const DepthGrid grid = read(text);
                const double low = corner / 10.0, high = (corner + count * size) / 10.0,
                             beyond = size / 1e4;
                EXPECT_EQ(grid.at(low, low), 2) << text;
                EXPECT_EQ(grid.at(high, high), 2) << text;
                EXPECT_EQ(grid.at(low, high), 2) << text;
                EXPECT_EQ(grid.at(high, low), 2) << text;
                EXPECT_FALSE(grid.covers(low - beyond, high)) << text;
                EXPECT_FALSE(grid.covers(high + beyond, low)) << text;
                EXPECT_FALSE(grid.covers(low, low - beyond)) << text;
                EXPECT_FALSE(grid.covers(high, high + beyond)) << text;
            }
    std::string text = "ncols 7\nnrows 7\nxllcorner 0\nyllcorner 0\ncellsize 0.3\n";
    for (int k = 1; k <= 49; ++k) text += fmt::format("{} ", k);
    EXPECT_DOUBLE_EQ(read(text).at(2.1, 2.1), 7);  // the first row, at the north, ends with 7
}

// Cells without data and of depth 0 or less; between them water keeps the depth of water.
TEST_F(DepthFile, HasLand) {
    const DepthGrid grid = read(header_ + "NODATA_value 99\n1 99 3\n4 -5 0\n");
    EXPECT_EQ(grid.at(115, 215), 0);
    EXPECT_EQ(grid.at(115, 205), 0);
    EXPECT_EQ(grid.at(125, 205), 0);
    EXPECT_EQ(grid.at(111, 214), 0);
    EXPECT_DOUBLE_EQ(grid.at(109, 205), 4);
    EXPECT_DOUBLE_EQ(grid.at(109, 209), 4 * 0.6 + 1 * 0.4);
    EXPECT_EQ(read(header_ + "1 2 3 4 5 -9999").at(125, 205), 0);
}

// Heights of the bottom, and a water level above the file's zero; -9999 stays a cell without data.
TEST_F(DepthFile, HasElevationsAndAWaterLevel) {
    const auto with = [&](const DepthReading& reading) {
        std::ofstream(file_) << header_ + "-1 -2 3\n-4 -9999 0\n";
        return read_depth_file(file_, reading);
    };
    const DepthGrid bottom = with({.is_elevation = true});
    EXPECT_DOUBLE_EQ(bottom.at(105, 215), 1);
    EXPECT_EQ(bottom.at(125, 215), 0);
    EXPECT_EQ(bottom.at(115, 205), 0);
    EXPECT_EQ(bottom.at(125, 205), 0);
    EXPECT_EQ(bottom.with_data, 5);
    EXPECT_EQ(bottom.negative, 3);
    const DepthGrid flood = with({.is_elevation = true, .water_level = 3.5});
    EXPECT_DOUBLE_EQ(flood.at(105, 215), 4.5);
    EXPECT_DOUBLE_EQ(flood.at(125, 215), 0.5);
    EXPECT_EQ(flood.at(115, 205), 0);
    const DepthGrid ebb = with({.water_level = -2});
    EXPECT_DOUBLE_EQ(ebb.at(125, 215), 1);
    EXPECT_EQ(ebb.at(105, 215), 0);
}

TEST_F(DepthFile, TellsHowOtherFilesAreConverted) {
    const std::string none("\0", 1);
    EXPECT_EQ(refusal("II*" + none + "abc"),
              ": an ESRI ASCII grid (.asc) was expected, and it is a GeoTIFF: GDAL makes an ESRI "
              "ASCII grid of it, gdal_translate -of AAIGrid \"harbour.asc\" \"harbour.asc\"");
    for (const char* magic : {"CDF\x01 ", "\x89HDF\r\n"})
        EXPECT_NE(refusal(magic).find("gdal_translate -of AAIGrid 'NETCDF:\"harbour.asc\":"),
                  std::string::npos);
    for (const char* points :
         {"1 2 3\n1 3 4\n", "1.5,2,-3\n", "1;2;3\r\n2;2;3\r\n4;2;3\r\n5", "X,Y,Z\n1,2,3\n"})
        EXPECT_NE(refusal(points).find("a list of points x, y, z"), std::string::npos) << points;
    EXPECT_EQ(refusal("1 2 3 4\n").find("a list of points"), std::string::npos);
}

TEST_F(DepthFile, RefusesWhatIsNoGrid) {
    const std::string values = "1 2 3 4 5 6\n";
    const auto edited = [&](const std::string& from, const std::string& to) {
        std::string text = header_ + values;
        text.replace(text.find(from), from.size(), to);
        return refusal(text);
    };
    EXPECT_EQ(edited("ncols 3", "ncols 0"), ":1: ncols is 0: it must be above 0");
    EXPECT_EQ(edited("nrows 2", "nrows x"), ":2: expected nrows (an integer), found 'x'");
    EXPECT_EQ(edited("nrows 2", "nrows"), ":2: the line ends where nrows was expected");
    EXPECT_EQ(edited("nrows 2", "ncols 2"), ":2: a second ncols");
    EXPECT_EQ(edited("nrows 2", "nrows 2 2"),
              ":2: '2' is too much: the line of nrows ends before it");
    EXPECT_EQ(edited("yllcorner", "xllcenter"),
              ":4: xllcenter beside xllcorner: leave one of them");
    EXPECT_EQ(edited("cellsize 10", "cellsize -1"), ":5: cellsize is -1: it must be above 0 [m]");
    EXPECT_EQ(edited("cellsize 10\n", ""),
              ":5: cellsize is missing before the depths: an ESRI ASCII grid has a line of it");
    EXPECT_TRUE(edited("cellsize", "dx").starts_with(":5: dx: cells must be square"));
    EXPECT_TRUE(
        edited("cellsize", "size").starts_with(":5: expected an entry of an ESRI ASCII grid"));
    EXPECT_EQ(edited(" 6\n", ""), ":6: the file ends where a depth was expected");
    EXPECT_EQ(edited(" 5", " five"), ":6: expected a depth (a number), found 'five'");
    EXPECT_EQ(edited(" 5", " nan"), ":6: a depth is not finite (nan)");
    EXPECT_EQ(edited(" 5", " 1e39"), ":6: a depth of 1e+39 m");
    EXPECT_TRUE(edited(" 6", " 6 7").starts_with(":6: more than 6 depths (ncols 3 times nrows 2)"));
    EXPECT_TRUE(edited("ncols 3", "ncols 2000000000")
                    .starts_with(":6: 4000000000 depths (ncols times nrows) are announced"));
    EXPECT_EQ(refusal(""), ": the file is empty");
    std::filesystem::remove(file_);
    std::filesystem::create_directory(file_);
    try {
        read_depth_file(file_);
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("an ESRI ASCII grid (.asc) was expected"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace solenoid::depth_file_test
