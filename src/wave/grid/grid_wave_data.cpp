#include "wave/grid/grid_wave_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "grid/stencil/mapped_grid.hpp"

namespace solenoid {
namespace {

double finite(const GridWaveFunction& f, double x, double y, double t, const char* what) {
    if (!f.value) return 0;
    const double value = f.value(x, y, t);
    if (!std::isfinite(value))
        throw InputError(
            fmt::format("waves on a grid: the {} at ({:g}, {:g}) and t = {:g} s is {:g}: it must "
                        "be finite",
                        what, x, y, t, value));
    return value;
}

bool varies(const GridWaveFunction& f) { return f.value && f.depends_on_time; }

// Neither a value nor absorption: the stencil of all nodes, whatever is given.
std::array<SideCondition, 4> natural(const std::array<GridWaveSide, 4>& sides, bool has_cells) {
    std::array<SideCondition, 4> result;
    for (std::size_t s = 0; s < 4; ++s) {
        const bool is_free = sides[s].is_absorbing || (sides[s].beta == 0 && !has_cells);
        result[s] = {is_free ? 0 : sides[s].alpha, is_free ? 1 : sides[s].beta, nullptr};
    }
    return result;
}

}  // namespace

template <class Real>
GridWaveData<Real>::GridWaveData(const Grid<Real>& grid, const GridWaveProblem& problem)
    : grid_(grid), problem_(problem) {
    const GridExtents& whole = grid.layout().extents();
    std::array<SideCondition, 4> conditions;
    for (const GridSide side : {west, east, south, north}) {
        const GridWaveSide& s = problem_.sides[side];
        const bool is_periodic = side < south ? whole.is_periodic_x : whole.is_periodic_y;
        conditions[side] = {s.alpha, s.is_absorbing ? 1 : s.beta, nullptr};
        if (is_periodic) continue;
        absorbs_ |= s.is_absorbing;
        loads_depend_on_time_ |= varies(s.gamma) && (s.beta != 0 || problem_.has_cells);
        given_depends_on_time_ |= varies(s.gamma) && s.beta == 0;
        if (s.is_absorbing && problem_.has_cells)
            throw InputError("an absorbing side takes nodes as unknowns, not cells");
        if (s.is_absorbing) conditions[side] = {0, 1, nullptr};
    }
    check_sides(whole, conditions);
    if (problem_.position && problem_.has_cells)
        throw InputError("waves on a mapped grid have nodes as unknowns, not cells");
    const GridWaveSide& land = problem_.land;
    if (land.is_absorbing || (land.beta == 0 ? land.alpha == 0 : land.alpha != 0))
        throw InputError("the shores of land are free, or U is given there");
    loads_depend_on_time_ |= varies(problem_.source);
    given_depends_on_time_ |= problem_.is_part && land.beta == 0 && varies(land.gamma);
    grid.comm().agree([&] {
        areas_ = problem_.has_cells ? node_areas(grid.layout(), cell_problem())
                                    : node_areas(grid.layout(), node_problem());
        find_givers();
        add_sides();
        add_given();
    });
    check_speeds();
}

template <class Real>
std::array<double, 2> GridWaveData<Real>::place(int i, int j) const {
    if (problem_.position) return problem_.position(i, j);
    return {problem_.x0 + i * problem_.hx, problem_.y0 + j * problem_.hy};
}

template <class Real>
void GridWaveData<Real>::find_givers() {
    if (!problem_.has_cells) {
        MappedBoundaryValues problem = node_problem();
        const auto gives = [](const GridWaveSide& s) { return !s.is_absorbing && s.beta == 0; };
        for (std::size_t s = 0; s < 4; ++s)
            if (gives(problem_.sides[s])) problem.sides[s] = {1, 0, nullptr};
        if (gives(problem_.land)) problem.land = {1, 0, nullptr};
        givers_ = givers(grid_.layout(), problem);
        return;
    }
    const GridBlock& b = grid_.layout().block();
    for (int j = b.y; j < b.y + b.height; ++j) {
        break_off_if_overdue();
        for (int i = b.x; i < b.x + b.width; ++i)
            givers_.push_back(problem_.is_part && !problem_.is_part(i, j) && problem_.land.beta == 0
                                  ? given_by_land
                                  : not_given);
    }
}

template <class Real>
const GridWaveSide& GridWaveData<Real>::giving(std::size_t node) const {
    const int giver = givers_[node];
    return giver == given_by_land ? problem_.land : problem_.sides[static_cast<std::size_t>(giver)];
}

template <class Real>
double GridWaveData<Real>::square_of_speed(double x, double y) const {
    const double c = problem_.speed ? problem_.speed(x, y) : 1;
    if (c > 0 && std::isfinite(c)) return c * c;
    if (bad_speed_.empty())
        bad_speed_ = fmt::format(
            "waves on a grid: their speed at ({:g}, {:g}) is {:g}: it must be positive", x, y, c);
    return 1;
}

template <class Real>
void GridWaveData<Real>::check_speeds() const {
    grid_.comm().agree([&] {
        if (!bad_speed_.empty()) throw InputError(bad_speed_);
    });
}

template <class Real>
BoundaryValues GridWaveData<Real>::cell_problem() const {
    BoundaryValues result;
    result.x0 = problem_.x0;
    result.y0 = problem_.y0;
    result.hx = problem_.hx;
    result.hy = problem_.hy;
    result.has_cells = true;
    result.conductivity = [this](double x, double y) { return square_of_speed(x, y); };
    result.sides = natural(problem_.sides, true);
    if (problem_.is_part && problem_.land.beta != 0)
        result.is_land = [this](int i, int j) { return !problem_.is_part(i, j); };
    return result;
}

template <class Real>
MappedBoundaryValues GridWaveData<Real>::node_problem() const {
    MappedBoundaryValues result;
    result.position = [this](int i, int j) { return place(i, j); };
    result.conductivity = [this](double x, double y) { return square_of_speed(x, y); };
    result.sides = natural(problem_.sides, false);
    result.is_part = problem_.is_part;
    return result;
}

template <class Real>
void GridWaveData<Real>::add_sides() {
    const GridBlock& block = grid_.layout().block();
    damping_.assign(areas_.size(), 0);
    for (const GridSide side : {west, east, south, north}) {
        const GridWaveSide& s = problem_.sides[side];
        const bool takes_load =
            s.gamma.value && (s.is_absorbing || s.beta != 0 || problem_.has_cells);
        if (!s.is_absorbing && !takes_load) continue;
        const std::vector<SidePart> parts = problem_.has_cells
                                                ? side_parts(grid_.layout(), cell_problem(), side)
                                                : side_parts(grid_.layout(), node_problem(), side);
        for (const SidePart& part : parts) {
            if (problem_.has_cells && problem_.is_part && !problem_.is_part(part.i, part.j))
                continue;
            const std::size_t node = std::size_t(part.j - block.y) * block.width + part.i - block.x;
            const double c = std::sqrt(part.conductivity);
            if (s.is_absorbing) damping_[node] += c * part.length;
            if (!takes_load) continue;
            const double per_slope =
                part.conductivity * part.length / (s.beta + s.alpha * part.distance);
            side_loads_.push_back({node,
                                   part.place,
                                   {c * part.outward[0], c * part.outward[1]},
                                   s.is_absorbing ? c * part.length : per_slope,
                                   s.is_absorbing ? 1e-3 * part.length / c : 0,
                                   &s.gamma});
        }
    }
    if (varies(problem_.source)) return;
    std::map<std::size_t, std::uint32_t> varying;  // by node: its entry
    for (const SideLoad& part : side_loads_)
        if (varies(*part.gamma))
            varying[part.node] = static_cast<std::uint32_t>(
                grid_.layout().entry(block.x + static_cast<int>(part.node % block.width),
                                     block.y + static_cast<int>(part.node / block.width)));
    std::vector<std::uint32_t> entries;
    for (const auto& [node, entry] : varying) {
        load_nodes_.push_back(node);
        entries.push_back(entry);
    }
    if (entries.empty()) return;
    load_entries_ =
        grid_.device().template buffer<std::uint32_t>(std::span<const std::uint32_t>(entries));
    load_values_ = grid_.device().template buffer<Real>(static_cast<Index>(entries.size()));
}

template <class Real>
void GridWaveData<Real>::add_given() {
    const GridBlock& b = grid_.layout().block();
    std::vector<std::uint32_t> entries;
    std::size_t node = 0;
    for (int j = b.y; j < b.y + b.height; ++j) {
        break_off_if_overdue();
        for (int i = b.x; i < b.x + b.width; ++i, ++node) {
            if (!is_given(node)) continue;
            const auto [x, y] = place(i, j);
            const GridWaveSide& giver = giving(node);
            given_.push_back({x, y, 1 / giver.alpha, &giver.gamma});
            entries.push_back(static_cast<std::uint32_t>(grid_.layout().entry(i, j)));
        }
    }
    if (entries.empty()) return;
    given_entries_ =
        grid_.device().template buffer<std::uint32_t>(std::span<const std::uint32_t>(entries));
    given_values_ = grid_.device().template buffer<Real>(static_cast<Index>(entries.size()));
}

// Of an incident wave (d/dt + c d/dn) gamma, of second order: taken along the characteristic that
// leaves through the side, at earlier times inside the domain, near the start at later ones
// outside.
template <class Real>
double GridWaveData<Real>::value_of(const SideLoad& part, double t) const {
    const auto [x, y] = part.place;
    if (part.span == 0) return finite(*part.gamma, x, y, t, "value of a side");
    const double back = t < 2 * part.span ? -part.span : part.span;
    const auto at = [&](int k) {
        return finite(*part.gamma, x - k * back * part.direction[0],
                      y - k * back * part.direction[1], t - k * back, "incident wave");
    };
    return (3 * at(0) - 4 * at(1) + at(2)) / (2 * back);
}

template <class Real>
void GridWaveData<Real>::update_load(double t, Buffer<Real>& load, bool is_made) const {
    if (is_made && !loads_depend_on_time_) return;
    if (is_made && !varies(problem_.source)) {
        std::vector<double> values(areas_.size());
        grid_.comm().agree([&] {
            for (const SideLoad& part : side_loads_)
                if (varies(*part.gamma)) values[part.node] += part.weight * value_of(part, t);
        });
        if (!load_entries_) return;
        std::vector<Real> listed;
        for (std::size_t k = 0; k < load_nodes_.size(); ++k)
            listed.push_back(static_cast<Real>(steady_[k] + values[load_nodes_[k]]));
        load_values_.upload(listed);
        grid_.device().scatter(load_values_, load_entries_, load);
        return;
    }
    const GridBlock& b = grid_.layout().block();
    std::vector<double> values(areas_.size()), varying(areas_.size());
    grid_.comm().agree([&] {
        std::size_t k = 0;
        for (int j = b.y; problem_.source.value && j < b.y + b.height; ++j) {
            break_off_if_overdue();
            for (int i = b.x; i < b.x + b.width; ++i, ++k) {
                const auto [x, y] = place(i, j);
                values[k] = areas_[k] * finite(problem_.source, x, y, t, "source");
            }
        }
        for (const SideLoad& part : side_loads_)
            (varies(*part.gamma) ? varying : values)[part.node] += part.weight * value_of(part, t);
    });
    steady_.clear();
    for (const std::size_t node : load_nodes_) steady_.push_back(values[node]);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += varying[k];
    grid_.from_host(values, load);
}

template <class Real>
std::vector<double> GridWaveData<Real>::given(double t) const {
    std::vector<double> values;
    grid_.comm().agree([&] {
        for (const Given& g : given_)
            values.push_back(g.per_value * finite(*g.gamma, g.x, g.y, t, "given value"));
    });
    return values;
}

template <class Real>
void GridWaveData<Real>::write_given(const std::vector<double>& values, Buffer<Real>& field) const {
    if (!given_entries_) return;
    given_values_.upload(std::vector<Real>(values.begin(), values.end()));
    grid_.device().scatter(given_values_, given_entries_, field);
}

template class GridWaveData<float>;
template class GridWaveData<double>;

}  // namespace solenoid
