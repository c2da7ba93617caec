// Depth files. What is accepted has a finite depth everywhere, not negative.
#include "io/depth/depth_file.hpp"

#include <cmath>

#include "fuzz/target.hpp"

namespace solenoid::fuzz {

void read_input(std::string_view bytes) {
    const std::filesystem::path file = scratch_file("depth.asc", bytes);
    for (const DepthReading& reading :
         {DepthReading{}, DepthReading{.is_elevation = true, .water_level = 0.5}}) {
        DepthGrid grid;
        if (!accepts(file.string(), [&] { grid = read_depth_file(file, reading); })) continue;
        for (const double u : {-0.1, 0.0, 0.3, 0.5, 0.99, 1.0, 1.1})
            for (const double v : {-0.1, 0.0, 0.3, 0.5, 0.99, 1.0, 1.1}) {
                const double depth = grid.at(grid.x + (u * grid.columns - 0.5) * grid.cell_size,
                                             grid.y + (v * grid.rows - 0.5) * grid.cell_size);
                if (!std::isfinite(depth) || depth < 0) finding("a depth that cannot be");
            }
    }
}

}  // namespace solenoid::fuzz
