#include "grid/run/grid_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "parallel/memory_need.hpp"
#include "run/restart.hpp"
#include "run/text.hpp"

namespace solenoid {
namespace {

// What is given relative to the size of the grid counts as equal.
constexpr double closeness = 1e-9;

// What is wrong with the numbers of [grid], at their place.
InputError error_at(const std::string& place, const std::string& message) {
    return {place, "[grid]: " + message};
}

}  // namespace

GridExtents extents_of(const GridSettings& s) {
    return {s.columns, s.rows, s.is_periodic_x, s.is_periodic_y};
}

GridMesh::GridMesh(const Communicator& comm, const GridSettings& settings,
                   std::span<const GridBlock> blocks, const IsLand& is_land)
    : settings_(settings),
      extents_(extents_of(settings)),
      spacing_{(settings.high.x - settings.low.x) / (extents_.nx - !extents_.is_periodic_x),
               (settings.high.y - settings.low.y) / (extents_.ny - !extents_.is_periodic_y)},
      topology_(comm, extents_, blocks, shape(comm, is_land)) {}

Vec3 GridMesh::mapped(double x, double y) const {
    Vec3 at(x, y, 0);
    for (const auto& map : settings_.maps) at = Vec3(map[0].quantity(at), map[1].quantity(at), 0);
    return at;
}

// How far a line of nodes at the high side lies from that at the low one: the same for all nodes.
Vec3 GridMesh::period(int direction) const {
    const Vec3 &low = settings_.low, &high = settings_.high;
    const int count = direction == 0 ? extents_.ny : extents_.nx;
    Vec3 first(0);
    double size = 0;
    for (int k = 0; k < count; ++k) {
        const double along = low[1 - direction] + k * spacing_[1 - direction];
        const Vec3 a = direction == 0 ? mapped(low.x, along) : mapped(along, low.y),
                   b = direction == 0 ? mapped(high.x, along) : mapped(along, high.y),
                   next = direction == 0 ? mapped(low.x + spacing_[0], along)
                                         : mapped(along, low.y + spacing_[1]);
        size =
            std::max(size, glm::distance(a, next) * (direction == 0 ? extents_.nx : extents_.ny));
        if (k == 0) first = b - a;
        if (glm::distance(first, b - a) > closeness * size)
            throw error_at(
                settings_.place,
                fmt::format("periodic in {}, but the sides there do not fit: one node is moved by "
                            "({:.6g}, {:.6g}), another by ({:.6g}, {:.6g}); correct map, low or "
                            "high",
                            "xy"[direction], first.x, first.y, (b - a).x, (b - a).y));
    }
    return glm::length(first) <= closeness * size ? Vec3(0) : first;
}

// Whether positions depend on the column, or on the row, alone.
Topology::Structure::Lines GridMesh::lines() const {
    using Lines = Topology::Structure::Lines;
    if (settings_.maps.empty()) return Lines::uniform;
    for (int j = 0; j < extents_.ny; ++j) {
        break_off_if_overdue();
        for (int i = 0; i < extents_.nx; ++i) {
            const Vec3 at = position(i, j);
            if (at.x != position(i, 0).x || at.y != position(0, j).y) return Lines::curved;
        }
    }
    return Lines::rectilinear;
}

GridShape GridMesh::shape(const Communicator& comm, const IsLand& is_land) {
    GridShape shape{.position = [this](int i, int j) { return position(i, j); }};
    shape.place = settings_.place + ": [grid]";
    comm.agree([&] {
        if (extents_.is_periodic_x) period_[0] = period(0);
        if (extents_.is_periodic_y) period_[1] = period(1);
        shape.lines = lines();
        if (settings_.land || is_land) find_land(is_land);
    });
    shape.period_x = period_[0];
    shape.period_y = period_[1];
    if (!land_.empty()) shape.is_part = [this](int i, int j) { return is_part(i, j); };
    return shape;
}

void GridMesh::find_land(const IsLand& is_land) {
    std::vector<std::uint8_t> land(static_cast<std::size_t>(extents_.nodes()));
    bool is_some = false;
    for (int j = 0; j < extents_.ny; ++j) {
        break_off_if_overdue();
        for (int i = 0; i < extents_.nx; ++i) {
            const Vec3 at = position(i, j);
            const bool is =
                (settings_.land && settings_.land->quantity(at) != 0) || (is_land && is_land(at));
            land[static_cast<std::size_t>(j) * extents_.nx + i] = is;
            is_some = is_some || is;
        }
    }
    if (is_some) land_ = std::move(land);
}

Vec3 GridMesh::position(int i, int j) const {
    const auto wrapped = [](int k, int n) { return (k % n + n) % n; };
    const int x = extents_.is_periodic_x ? wrapped(i, extents_.nx) : i,
              y = extents_.is_periodic_y ? wrapped(j, extents_.ny) : j;
    const auto along = [&](int k, int direction) {
        const int last = (direction == 0 ? extents_.nx : extents_.ny) - 1;
        const bool is_last =
            k == last && !(direction == 0 ? extents_.is_periodic_x : extents_.is_periodic_y);
        return is_last ? settings_.high[direction]
                       : settings_.low[direction] + k * spacing_[direction];
    };
    return mapped(along(x, 0), along(y, 1)) + double((i - x) / extents_.nx) * period_[0] +
           double((j - y) / extents_.ny) * period_[1];
}

// Of the cell with node (i, j) at its south-west corner: none of its nodes is land.
bool GridMesh::is_part(int i, int j) const {
    const int east = (i + 1) % extents_.nx, north = (j + 1) % extents_.ny;
    const auto row = [&](int at) { return land_.begin() + std::ptrdiff_t(at) * extents_.nx; };
    return !row(j)[i] && !row(j)[east] && !row(north)[i] && !row(north)[east];
}

bool GridMesh::is_cell(int i, int j) const {
    const auto wrap = [](int& k, int n, bool is_periodic) {
        if (is_periodic) k = (k % n + n) % n;
        return k >= 0 && k < n - !is_periodic;
    };
    return wrap(i, extents_.nx, extents_.is_periodic_x) &&
           wrap(j, extents_.ny, extents_.is_periodic_y) && (land_.empty() || is_part(i, j));
}

bool GridMesh::is_node(int i, int j) const {
    return is_cell(i, j) || is_cell(i - 1, j) || is_cell(i, j - 1) || is_cell(i - 1, j - 1);
}

MeshNames GridMesh::names(const Communicator&) const {
    MeshNames names;
    names.dimension = 2;
    names.boundaries = topology_.boundaries();
    names.regions = topology_.regions();
    return names;
}

namespace {

// What a node takes on the host at least [bytes]: its place, numbers, cell and neighbours, and the
// coefficients of its equation while they are made. Whole runs on the device `cpu` took 210
// (Poisson in single precision) to 1090 (waves over a bottom, with ships).
constexpr double least_of_node = 150;

// Refuses what no rank can count, or no machine can hold.
void check_size(const Communicator& comm, const GridSettings& settings,
                std::span<const GridBlock> blocks) {
    const double nodes = double(settings.columns) * settings.rows;
    const std::string place = settings.place + ": [grid] nodes",
                      what = fmt::format("{} x {} nodes", settings.columns, settings.rows);
    check_memory(comm, least_of_node * nodes / comm.size(), place, what, "take fewer nodes");
    comm.agree([&] {
        for (const GridBlock& block : blocks) {  // with ghosts
            const double entries = (block.width + 6.0) * (block.height + 6.0);
            if (entries < double(std::numeric_limits<Index>::max())) continue;
            throw InputError(
                place, fmt::format("{} are {:.3g} on one rank, which numbers them with 31 bits: "
                                   "take {} ranks or more, or fewer nodes",
                                   what, double(block.width) * block.height,
                                   static_cast<std::int64_t>(std::ceil(nodes / 2e9))));
        }
    });
}

}  // namespace

std::vector<GridBlock> usual_cut(const GridExtents& extents, int ranks) {
    return GridBlocks(extents, ranks).all();
}

std::unique_ptr<RunMesh> make_grid_mesh(
    Run& run, const std::function<std::vector<GridBlock>(const GridExtents&, int ranks)>& cut,
    const GridMesh::IsLand& is_land) {
    const GridSettings& settings = *run.settings.grid;
    std::unique_ptr<GridMesh> made;
    {
        const PhaseClock::In phase(run.phases, &PhaseSeconds::partition);
        std::vector<GridBlock> blocks;
        run.comm.agree([&] {
            try {
                blocks = cut(extents_of(settings), run.comm.size());
            } catch (const InputError& error) {
                throw error_at(settings.place, error.what());
            }
        });
        check_size(run.comm, settings, blocks);
        made = std::make_unique<GridMesh>(run.comm, settings, blocks, is_land);
    }
    const GridTopology& grid = made->grid();
    const auto whole = std::int64_t(settings.columns - !settings.is_periodic_x) *
                       (settings.rows - !settings.is_periodic_y);
    const std::int64_t cells = grid.count(Kind::cell);
    log::info("grid     {} x {} nodes{}: {}, {}{}, {:.2f} s", settings.columns, settings.rows,
              settings.is_periodic_x && settings.is_periodic_y ? ", periodic"
              : settings.is_periodic_x                         ? ", periodic in x"
              : settings.is_periodic_y                         ? ", periodic in y"
                                                               : "",
              plural(static_cast<std::size_t>(cells), "cell"),
              made->is_mapped()
                  ? "mapped"
                  : fmt::format("{:.4g} x {:.4g} m each", made->spacing(0), made->spacing(1)),
              cells < whole
                  ? fmt::format(", {:.1f} % land", 100.0 * double(whole - cells) / double(whole))
                  : "",
              run.summary.seconds.partition);
    if (run.checkpoint) check_mesh(run, grid);
    const double most = [&] {
        double most = grid.range(Kind::cell).owned;
        run.comm.max(std::span(&most, 1));
        return most;
    }();
    run.summary.imbalance = most * run.comm.size() / double(cells);
    return made;
}

// Single precision as a preconditioner gains little where a cycle is bound by its launches.
void refuse_mixed_precision(const Run& run) {
    run.comm.agree([&] {
        if (run.options.precision == "mixed")
            throw InputError(
                fmt::format("--precision mixed: physics = \"{}\" computes on grids in "
                            "one precision: take double or single",
                            run.settings.physics->name()));
    });
}

const GridMesh& grid_of(const Run& run) { return dynamic_cast<const GridMesh&>(*run.mesh); }

}  // namespace solenoid
