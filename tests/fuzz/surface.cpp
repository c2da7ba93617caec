// Surfaces: lines "v X Y Z" and "f A B C" by the reader of OBJ files, and by one that takes any
// number and point, as VTK's readers of other files do, for the check behind them. What that
// accepts is made of parts of one orientation, each edge of one or two triangles, each border
// closed.
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "fuzz/target.hpp"
#include "io/surface/obj_file.hpp"
#include "surface/checked_surface.hpp"

namespace solenoid::fuzz {
namespace {

TriangleSurface surface_in(std::string_view bytes) {
    TriangleSurface surface;
    while (!bytes.empty()) {
        const auto end = std::min(bytes.find('\n'), bytes.size());
        const std::string line(bytes.substr(0, end));
        bytes.remove_prefix(std::min(bytes.size(), end + 1));
        if (line.size() < 2) continue;
        const char* at = line.c_str() + 1;
        std::array<double, 3> numbers{};
        for (double& number : numbers) {
            char* next = nullptr;
            number = std::strtod(at, &next);
            at = next;
        }
        if (line[0] == 'v') surface.points.emplace_back(numbers[0], numbers[1], numbers[2]);
        if (line[0] != 'f') continue;
        std::array<Index, 3> triangle;
        for (std::size_t k = 0; k < 3; ++k)
            triangle[k] =
                numbers[k] >= 1 && numbers[k] < 4e9 ? static_cast<Index>(numbers[k]) - 1 : none;
        surface.triangles.push_back(triangle);
    }
    return surface;
}

// What is read is finite and within its points, and the same when written and read again.
void read_as_obj(std::string_view bytes) {
    TriangleSurface surface;
    if (!accepts("body.obj:", [&] { surface = surface_of_obj(bytes, "body.obj"); })) return;
    for (const Vec3& p : surface.points)
        for (int k = 0; k < 3; ++k)
            if (!std::isfinite(p[k])) finding("a coordinate that is not finite");
    for (const auto& t : surface.triangles)
        for (const Index corner : t)
            if (corner >= surface.points.size()) finding("a corner that is no point");
    const TriangleSurface again = surface_of_obj(obj_text(surface), "again.obj");
    if (again.points != surface.points || again.triangles != surface.triangles)
        finding("another surface when written and read again");
}

}  // namespace

void read_input(std::string_view bytes) {
    read_as_obj(bytes);
    TriangleSurface surface = surface_in(bytes);
    if (bytes.size() % 2 == 1) merge_equal_points(surface);
    const std::size_t triangles = surface.triangles.size();
    CheckedSurface checked;
    if (!accepts("body.obj: ", [&] { checked = check_surface(surface, "body.obj"); })) return;
    if (checked.surface.triangles.size() != triangles) finding("triangles got lost");
    std::map<std::array<Index, 2>, int> sides;  // with their direction
    for (const auto& t : checked.surface.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            if (++sides[{t[k], t[(k + 1) % 3]}] > 1) finding("an edge with one direction twice");
    std::size_t on_border = 0;
    std::map<Index, int> begin, end;
    for (const auto& [side, count] : sides)
        if (!sides.contains({side[1], side[0]})) {
            ++on_border;
            if (++begin[side[0]] > 1 || ++end[side[1]] > 1) finding("borders that meet");
            if (!checked.is_border[side[0]]) finding("a border whose points are not");
        }
    if (2 * checked.edges.size() != 3 * triangles + on_border) finding("edges are miscounted");
    if ((on_border == 0) != checked.is_closed()) finding("closed, and with a border");
    if (checked.is_closed() && checked.surface.points.size() + triangles < checked.edges.size() &&
        (checked.edges.size() - checked.surface.points.size() - triangles) % 2 != 0)
        finding("Euler's number of closed oriented surfaces is even");
    for (const double curvature : curvatures_of(checked.surface))
        if (std::isnan(curvature)) finding("a curvature that is no number");
    words_of(checked);
}

}  // namespace solenoid::fuzz
