#include "mesh/box.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace solenoid {
namespace {

using Counts = std::array<Index, 3>;

// A body-centred lattice: boxes with a node at every corner and every centre. A box face between
// two centres gives four tets (in 2D two triangles). On the surface a node in the box face replaces
// the missing centre.
struct BoxLattice {
    int dimension;
    Vec3 low, high;
    Counts n{1, 1, 1};  // boxes in each direction

    // Spacings in these proportions make all cells alike: corners of cubes, or equilateral
    // triangles.
    Vec3 proportion() const { return dimension == 3 ? Vec3(1) : Vec3(1, std::sqrt(3.0), 1); }
    double spacing(int i) const { return (high[i] - low[i]) / n[i] / proportion()[i]; }

    std::size_t corner(Index i, Index j, Index k) const {
        return i + (n[0] + std::size_t{1}) * (j + (n[1] + std::size_t{1}) * k);
    }
    std::size_t centre(Index i, Index j, Index k) const {
        return corners() + i + n[0] * (j + std::size_t{n[1]} * k);
    }
    std::size_t corners() const {
        return (n[0] + std::size_t{1}) * (n[1] + std::size_t{1}) *
               (dimension == 3 ? n[2] + std::size_t{1} : 1);
    }
    std::size_t blocks() const { return std::size_t{n[0]} * n[1] * n[2]; }
};

// The number of cells:
//   3D: 4 (faces of all boxes) = 12 nx ny nz + 4 (ny nz + nz nx + nx ny)
//   2D: 4 nx ny + 2 ny
double cell_count(int dimension, double nx, double ny, double nz) {
    return dimension == 3 ? 12 * nx * ny * nz + 4 * (ny * nz + nz * nx + nx * ny)
                          : 4 * nx * ny + 2 * ny;
}
double cell_count(const BoxLattice& box) {
    return cell_count(box.dimension, box.n[0], box.n[1], box.n[2]);
}

// The spacing that gives the wanted number of cells if fractions of a box were possible.
double ideal_spacing(const BoxLattice& box, double cells) {
    const Vec3 extent = (box.high - box.low) / box.proportion();
    const auto blocks = [&](int i, double h) { return std::max(1.0, extent[i] / h); };
    double large = std::max({extent.x, extent.y, box.dimension == 3 ? extent.z : 0.0}),
           small = large * 1e-12;
    for (int step = 0; step < 100; ++step) {
        const double h = std::sqrt(small * large);
        const double nz = box.dimension == 3 ? blocks(2, h) : 1;
        (cell_count(box.dimension, blocks(0, h), blocks(1, h), nz) > cells ? small : large) = h;
    }
    return large;
}

// How far a lattice is from the wanted number of cells and shape. In small meshes both cannot be
// met; in large ones they are.
double misfit(const BoxLattice& box, double cells) {
    double least = box.spacing(0), most = least;
    for (int i = 1; i < box.dimension; ++i) {
        least = std::min(least, box.spacing(i));
        most = std::max(most, box.spacing(i));
    }
    const double stretch = std::log(most / least);
    return std::abs(std::log(cell_count(box) / cells)) + 0.2 * stretch * stretch;
}

void choose_counts(BoxLattice& box, double cells) {
    const double h = ideal_spacing(box, cells);
    Counts base{1, 1, 1};
    for (int i = 0; i < box.dimension; ++i)
        base[i] = static_cast<Index>(std::max(1.0, std::floor(box.spacing(i) * box.n[i] / h)));
    const auto candidates = [&](int i) {
        return i < box.dimension ? std::pair{base[i] - std::min(base[i] - 1, 2u), base[i] + 3}
                                 : std::pair{1u, 1u};
    };
    Counts best = base;
    double least = HUGE_VAL;
    const auto [x0, x1] = candidates(0);
    const auto [y0, y1] = candidates(1);
    const auto [z0, z1] = candidates(2);
    for (Index x = x0; x <= x1; ++x)
        for (Index y = y0; y <= y1; ++y)
            for (Index z = z0; z <= z1; ++z) {
                box.n = {x, y, z};
                const double found = misfit(box, cells);
                if (found < least) least = found, best = box.n;
            }
    box.n = best;
}

// A number in [-1, 1] from the node and the direction alone (mixer of splitmix64).
double scatter(std::size_t node, int direction) {
    std::uint64_t x = (3 * node + direction + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

// A range of entity numbers to build: [begin, end).
struct Window {
    std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();
    bool holds(std::size_t number) const { return number >= begin && number < end; }
};
struct Windows {
    Window nodes, cells, sides;
};

// The numbers of nodes, cells and sides of the whole box.
struct Totals {
    explicit Totals(const BoxLattice& box) {
        const Counts& n = box.n;
        const std::size_t x = std::size_t{n[1]} * n[2], y = std::size_t{n[2]} * n[0],
                          z = std::size_t{n[0]} * n[1];
        const bool solid = box.dimension == 3;
        const std::size_t surface =
            solid ? 2 * (x + y + z) : 2 * x;  // additional nodes on the surface
        nodes = box.corners() + box.blocks() + surface;
        cells = static_cast<std::size_t>(cell_count(box));
        sides = solid ? 4 * surface : 2 * n[0] + 4 * n[1];
    }
    std::size_t nodes, cells, sides;
};

// Counts through the whole box and builds the entities in the windows, with their numbers in the
// whole box.
class Builder {
  public:
    Builder(const BoxLattice& box, double jitter, const Windows& windows = {})
        : box_(box), windows_(windows) {
        mesh_.dimension = box.dimension;
        mesh_.regions = {"box"};
        mesh_.boundaries = {"xmin", "xmax", "ymin", "ymax"};
        if (box.dimension == 3) mesh_.boundaries.insert(mesh_.boundaries.end(), {"zmin", "zmax"});
        step_ = std::min(box.spacing(0), box.spacing(1));
        if (box.dimension == 3) step_ = std::min(step_, box.spacing(2));
        step_ *= jitter / std::sqrt(box.dimension);
        reserve();
        add_lattice_nodes();
    }

    SimplexMesh build() {
        const Counts& n = box_.n;
        if (box_.dimension == 3) {
            for (Index k = 0; k <= n[2]; ++k)
                for (Index j = 0; j <= n[1]; ++j)
                    for (Index i = 0; i <= n[0]; ++i)
                        for (int d = 0; d < 3; ++d) add_tets({i, j, k}, d);
        } else {
            for (Index j = 0; j <= n[1]; ++j)
                for (Index i = 0; i <= n[0]; ++i) {
                    add_triangles_across_row(i, j);
                    add_triangles_along_row(i, j);
                }
        }
        mesh_.cell_region.assign(mesh_.cell_count(), 0);
        return std::move(mesh_);
    }

  private:
    void reserve() {
        const Totals all(box_);
        const auto size = [](const Window& window, std::size_t count) {
            return std::min(window.end, count) - window.begin;
        };
        mesh_.points.reserve(size(windows_.nodes, all.nodes));
        mesh_.cells.reserve(size(windows_.cells, all.cells) * (box_.dimension + 1));
        mesh_.sides.reserve(size(windows_.sides, all.sides) * box_.dimension);
        mesh_.side_group.reserve(size(windows_.sides, all.sides));
    }

    // A node at half-steps (i, j, k) of the lattice. A surface node is displaced only within the
    // surface, and opposite sides get equal displacements.
    Index add_node(const Counts& half_steps) {
        const std::size_t number = nodes_++;
        if (!windows_.nodes.holds(number)) return static_cast<Index>(number);
        Vec3 x(0);
        const std::size_t seed = seed_of(half_steps, number);
        for (int i = 0; i < box_.dimension; ++i) {
            const double t = half_steps[i] / (2.0 * box_.n[i]);
            x[i] = (1 - t) * box_.low[i] + t * box_.high[i];
            if (half_steps[i] != 0 && half_steps[i] != 2 * box_.n[i])
                x[i] += step_ * scatter(seed, i);
        }
        mesh_.points.push_back(x);
        return static_cast<Index>(number);
    }

    // The seed of a node's displacement: its number, on the surface a number of its position that
    // opposite sides share.
    std::size_t seed_of(const Counts& half_steps, std::size_t number) const {
        Counts near = half_steps;
        for (int i = 0; i < box_.dimension; ++i)
            if (near[i] == 2 * box_.n[i]) near[i] = 0;
        if (std::all_of(near.begin(), near.begin() + box_.dimension, [](Index h) { return h > 0; }))
            return number;
        constexpr std::size_t beyond_nodes = std::size_t{1} << 40;
        return beyond_nodes + near[0] +
               std::size_t{2} * box_.n[0] * (near[1] + std::size_t{2} * box_.n[1] * near[2]);
    }

    void add_lattice_nodes() {
        const Counts& n = box_.n;
        const Index layers = box_.dimension == 3 ? n[2] + 1 : 1;
        for (Index k = 0; k < layers; ++k)
            for (Index j = 0; j <= n[1]; ++j)
                for (Index i = 0; i <= n[0]; ++i) add_node({2 * i, 2 * j, 2 * k});
        for (Index k = 0; k < n[2]; ++k)
            for (Index j = 0; j < n[1]; ++j)
                for (Index i = 0; i < n[0]; ++i) add_node({2 * i + 1, 2 * j + 1, 2 * k + 1});
    }

    Index corner(const Counts& at) const {
        return static_cast<Index>(box_.corner(at[0], at[1], at[2]));
    }
    Index centre(const Counts& at) const {
        return static_cast<Index>(box_.centre(at[0], at[1], at[2]));
    }

    // The four tets round the lower face, in direction d, of the box at `at`. They share the axis
    // from the centre below the face to the centre above; each has an edge a-b of the face,
    // right-handed about d.
    void add_tets(const Counts& at, int d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        if (at[e] == box_.n[e] || at[f] == box_.n[f]) return;
        Index ring[4];
        for (int c = 0; c < 4; ++c) {
            Counts p = at;
            p[e] += c == 1 || c == 2;
            p[f] += c >= 2;
            ring[c] = corner(p);
        }
        const bool first = at[d] == 0, last = at[d] == box_.n[d];
        Counts before = at;
        --before[d];
        Index on_surface = none;
        if (first || last) {
            Counts half{2 * at[0], 2 * at[1], 2 * at[2]};
            ++half[e];
            ++half[f];
            on_surface = add_node(half);
        }
        const Index below = first ? on_surface : centre(before),
                    above = last ? on_surface : centre(at);
        for (int c = 0; c < 4; ++c) {
            const Index a = ring[c], b = ring[(c + 1) % 4];
            add_cell({below, above, a, b});
            if (first || last) add_side({on_surface, a, b}, 2 * d + last);
        }
    }

    // The triangles above and below the lower edge a-b of a box.
    void add_triangles_across_row(Index i, Index j) {
        if (i == box_.n[0]) return;
        const Index a = corner({i, j, 0}), b = corner({i + 1, j, 0});
        if (j < box_.n[1]) add_cell({a, b, centre({i, j, 0})});
        if (j > 0) add_cell({b, a, centre({i, j - 1, 0})});
        if (j == 0 || j == box_.n[1]) add_side({a, b}, j == 0 ? 2 : 3);
    }

    // The triangles above and below the line between the centres left and right of a box's left
    // edge a-b. At the ends of a row that edge is itself a side, halved by a node.
    void add_triangles_along_row(Index i, Index j) {
        if (j == box_.n[1]) return;
        const bool first = i == 0, last = i == box_.n[0];
        const Index a = corner({i, j, 0}), b = corner({i, j + 1, 0});
        const Index middle = first || last ? add_node({2 * i, 2 * j + 1, 0}) : none;
        const Index left = first ? middle : centre({i - 1, j, 0}),
                    right = last ? middle : centre({i, j, 0});
        add_cell({left, right, b});
        add_cell({left, a, right});
        if (first || last) {
            add_side({a, middle}, last);
            add_side({middle, b}, last);
        }
    }

    void add_cell(std::initializer_list<Index> nodes) {
        if (windows_.cells.holds(cells_++)) mesh_.cells.insert(mesh_.cells.end(), nodes);
    }

    void add_side(std::initializer_list<Index> nodes, int group) {
        if (!windows_.sides.holds(sides_++)) return;
        mesh_.sides.insert(mesh_.sides.end(), nodes);
        mesh_.side_group.push_back(static_cast<std::uint16_t>(group));
    }

    BoxLattice box_;
    Windows windows_;
    std::size_t nodes_ = 0, cells_ = 0, sides_ = 0;  // counted so far
    double step_ = 0;                                // largest displacement in each direction [m]
    SimplexMesh mesh_;
};

// Half the least height of a cell, in lattice spacings: displacements below it keep all cells
// positive. The least height is sqrt(2)/4 in 3D, of the corner tets on the surface, and sqrt(3)/4
// in 2D, of the half triangles.
double safe_jitter(int dimension) {
    return dimension == 3 ? std::sqrt(2.0) / 8 : std::sqrt(3.0) / 8;
}

void check(const BoxSettings& box) {
    if (box.dimension != 2 && box.dimension != 3)
        throw InputError(fmt::format("a box has 2 or 3 dimensions, not {}", box.dimension));
    for (int i = 0; i < box.dimension; ++i)
        if (!std::isfinite(box.high[i] - box.low[i]) || !(box.high[i] > box.low[i]))
            throw InputError(fmt::format("a box from {} to {} in {} has no size", box.low[i],
                                         box.high[i], "xyz"[i]));
    if (box.cells == 0 || box.cells > 1'000'000'000)
        throw InputError(fmt::format("a box has 1 to 1 000 000 000 cells, not {}", box.cells));
    const double safe = safe_jitter(box.dimension);
    if (!(box.jitter >= 0 && box.jitter < safe))
        throw InputError(
            fmt::format("jitter {}: must be from 0 to below {:.3g} spacings, or cells are inverted",
                        box.jitter, safe));
}

BoxLattice lattice_of(const BoxSettings& settings) {
    check(settings);
    BoxLattice box{settings.dimension, settings.low, settings.high};
    choose_counts(box, static_cast<double>(settings.cells));
    if (cell_count(box) >
        1e9)  // face numbers must fit 31 bits: there are twice as many faces as cells
        throw InputError(fmt::format(
            "the smallest box of these proportions has {:.3g} cells: too many", cell_count(box)));
    return box;
}

}  // namespace

SimplexMesh box_mesh(const BoxSettings& settings) {
    return Builder(lattice_of(settings), settings.jitter).build();
}

MeshSlice box_slice(const BoxSettings& settings, int rank, int ranks) {
    const BoxLattice box = lattice_of(settings);
    const Totals all(box);
    MeshSlice slice;
    const auto window = [&](std::size_t count, RowPartition& ranges) {
        ranges = RowPartition::even(static_cast<GlobalIndex>(count), ranks);
        return Window{static_cast<std::size_t>(ranges.first(rank)),
                      static_cast<std::size_t>(ranges.first(rank + 1))};
    };
    const Windows windows{window(all.nodes, slice.node_ranges),
                          window(all.cells, slice.cell_ranges),
                          window(all.sides, slice.side_ranges)};
    SimplexMesh part = Builder(box, settings.jitter, windows).build();
    slice.dimension = part.dimension;
    slice.points = std::move(part.points);
    slice.cells.assign(part.cells.begin(), part.cells.end());
    slice.cell_region = std::move(part.cell_region);
    slice.regions = std::move(part.regions);
    slice.sides.assign(part.sides.begin(), part.sides.end());
    slice.side_group = std::move(part.side_group);
    slice.boundaries = std::move(part.boundaries);
    return slice;
}

}  // namespace solenoid
