#include "run/sampled_state.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

namespace solenoid {
namespace {

// The part of a cell's height over a side by which it counts on behind this side.
constexpr double margin = 0.25;
constexpr double inside = 1e-9;  // likewise, for rounding

double cross(const Vec3& a, const Vec3& b) { return a.x * b.y - a.y * b.x; }

}  // namespace

SampledState::SampledState(ReadGrid grid, bool extends)
    : grid_(std::move(grid)), extends_(extends) {
    const int corners = grid_.dimension + 1;
    const std::size_t cells = grid_.cell_points.size() / corners;
    Vec3 high(-HUGE_VAL);
    low_ = Vec3(HUGE_VAL);
    for (const Vec3& p : grid_.points) {
        low_ = glm::min(low_, p);
        high = glm::max(high, p);
    }
    // bins as large as a cell on average
    const Vec3 extent = high - low_;
    const double largest = std::max({extent.x, extent.y, extent.z, 1e-300});
    double volume = 1;
    int axes = 0;
    for (int k = 0; k < 3; ++k)
        if (extent[k] > 1e-6 * largest) {
            volume *= extent[k];
            ++axes;
        }
    const double length =
        axes == 0
            ? 1
            : std::pow(volume / static_cast<double>(std::max<std::size_t>(cells, 1)), 1.0 / axes);
    for (int k = 0; k < 3; ++k) {
        bins_[k] = static_cast<int>(std::clamp(std::floor(extent[k] / length), 1.0, 2000.0));
        size_[k] = extent[k] > 0 ? extent[k] / bins_[k] : 1;
    }

    const auto for_bins = [&](std::size_t cell, auto visit) {
        Vec3 least(HUGE_VAL), most(-HUGE_VAL);
        for (int j = 0; j < corners; ++j) {
            const Vec3& p = grid_.points[grid_.cell_points[corners * cell + j]];
            least = glm::min(least, p);
            most = glm::max(most, p);
        }
        const Vec3 grown = margin * (most - least);
        const Bin from = bin_of(least - grown), to = bin_of(most + grown);
        for (int z = from[2]; z <= to[2]; ++z)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int x = from[0]; x <= to[0]; ++x) visit(index_of({x, y, z}));
    };
    const std::size_t all = std::size_t(bins_[0]) * bins_[1] * bins_[2];
    first_cell_.assign(all + 1, 0);
    for (std::size_t c = 0; c < cells; ++c)
        for_bins(c, [&](std::size_t bin) { ++first_cell_[bin + 1]; });
    for (std::size_t b = 0; b < all; ++b) first_cell_[b + 1] += first_cell_[b];
    cells_.resize(first_cell_.back());
    std::vector<std::size_t> next(first_cell_.begin(), first_cell_.end() - 1);
    for (std::size_t c = 0; c < cells; ++c)
        for_bins(c, [&](std::size_t bin) { cells_[next[bin]++] = static_cast<Index>(c); });
    if (!extends_) return;
    first_point_.assign(all + 1, 0);
    for (const Vec3& p : grid_.points) ++first_point_[index_of(bin_of(p)) + 1];
    for (std::size_t b = 0; b < all; ++b) first_point_[b + 1] += first_point_[b];
    points_.resize(grid_.points.size());
    next.assign(first_point_.begin(), first_point_.end() - 1);
    for (std::size_t i = 0; i < grid_.points.size(); ++i)
        points_[next[index_of(bin_of(grid_.points[i]))]++] = static_cast<Index>(i);
}

void SampledState::clear() {
    grid_ = {};
    first_cell_ = first_point_ = {};
    cells_ = points_ = {};
    bins_ = {0, 0, 0};
    extends_ = false;
    last_.reset();
}

// Places outside count to the bins at the sides.
SampledState::Bin SampledState::bin_of(const Vec3& x) const {
    Bin bin;
    for (int k = 0; k < 3; ++k)
        bin[k] = static_cast<int>(
            std::clamp(std::floor((x[k] - low_[k]) / size_[k]), 0.0, double(bins_[k] - 1)));
    return bin;
}

std::size_t SampledState::index_of(const Bin& bin) const {
    return (std::size_t(bin[2]) * bins_[1] + bin[1]) * bins_[0] + bin[0];
}

template <class Visit>
void SampledState::visit_ring(const Bin& middle, int ring, Visit visit) const {
    Bin from, to;
    for (int k = 0; k < 3; ++k) {
        from[k] = std::max(middle[k] - ring, 0);
        to[k] = std::min(middle[k] + ring, bins_[k] - 1);
    }
    for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y) {
            const bool is_side = std::abs(z - middle[2]) == ring || std::abs(y - middle[1]) == ring;
            for (int x = from[0]; x <= to[0]; ++x)
                if (is_side || std::abs(x - middle[0]) == ring) visit(index_of({x, y, z}));
        }
}

// The linear functions of a cell's corners; nothing for a flat cell.
std::optional<std::array<double, 4>> SampledState::weights(std::size_t cell, const Vec3& x) const {
    const int corners = grid_.dimension + 1;
    const Index* at = &grid_.cell_points[corners * cell];
    const Vec3& origin = grid_.points[at[0]];
    const Vec3 a = grid_.points[at[1]] - origin, b = grid_.points[at[2]] - origin, p = x - origin;
    std::array<double, 4> weight{};
    if (grid_.dimension == 2) {
        const double area = cross(a, b);
        if (area == 0) return {};
        weight[1] = cross(p, b) / area;
        weight[2] = cross(a, p) / area;
    } else {
        const Vec3 c = grid_.points[at[3]] - origin;
        const double volume = glm::dot(a, glm::cross(b, c));
        if (volume == 0) return {};
        weight[1] = glm::dot(p, glm::cross(b, c)) / volume;
        weight[2] = glm::dot(a, glm::cross(p, c)) / volume;
        weight[3] = glm::dot(a, glm::cross(b, p)) / volume;
    }
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
    return weight;
}

// In the cell that has the place, of several the first; else in the one that is left by the least
// part of its height.
SampledState::Sample SampledState::in_cell(const Vec3& x) const {
    const int corners = grid_.dimension + 1;
    const std::size_t bin = index_of(bin_of(x));
    double best = -margin;
    Sample sample;
    for (std::size_t i = first_cell_[bin]; i < first_cell_[bin + 1]; ++i) {
        const std::size_t cell = cells_[i];
        const auto weight = weights(cell, x);
        if (!weight) continue;
        const double least = *std::min_element(weight->begin(), weight->begin() + corners);
        if (!(least > best)) continue;
        best = least;
        sample.count = corners;
        sample.cell = cell;
        sample.weight = *weight;
        for (int j = 0; j < corners; ++j) sample.point[j] = grid_.cell_points[corners * cell + j];
        if (best >= -inside) break;
    }
    sample.is_middle = best > 1.0 / corners - inside;
    return sample;
}

SampledState::Sample SampledState::nearest(const Vec3& x) const {
    const Bin middle = bin_of(x);
    double narrowest = HUGE_VAL;
    for (int k = 0; k < 3; ++k)
        if (bins_[k] > 1) narrowest = std::min(narrowest, size_[k]);
    const int last = std::max({bins_[0], bins_[1], bins_[2]});
    double least = HUGE_VAL;
    Sample sample;
    for (int ring = 0; ring < last && !(ring > 1 && (ring - 1) * narrowest > least); ++ring)
        visit_ring(middle, ring, [&](std::size_t bin) {
            for (std::size_t i = first_point_[bin]; i < first_point_[bin + 1]; ++i) {
                const double distance = glm::distance(x, grid_.points[points_[i]]);
                if (distance > least || (distance == least && points_[i] > sample.point[0]))
                    continue;
                least = distance;
                sample.count = 1;
                sample.point[0] = points_[i];
                sample.weight[0] = 1;
            }
        });
    return sample;
}

const SampledState::Sample& SampledState::sample(const Vec3& x) const {
    if (last_ && *last_ == x) return last_sample_;
    Sample found;
    if (!grid_.points.empty()) found = in_cell(x);
    if (found.count == 0 && extends_) found = nearest(x);
    last_ = x;
    last_sample_ = found;
    return last_sample_;
}

bool SampledState::has(const Vec3& x) const { return sample(x).count > 0; }

const ReadField* SampledState::find(const std::string& name, std::size_t columns,
                                    bool is_of_cells) const {
    const auto found = std::ranges::find_if(grid_.fields, [&](const ReadField& field) {
        return field.name == name && field.is_of_cells == is_of_cells &&
               static_cast<std::size_t>(field.columns) == columns;
    });
    return found == grid_.fields.end() ? nullptr : &*found;
}

double SampledState::value(const ReadField& field, const ReadField* of_cells, int column,
                           const Vec3& x) const {
    const Sample& s = sample(x);
    if (s.count == 0) return std::numeric_limits<double>::quiet_NaN();
    if (s.is_middle && of_cells) {
        const std::size_t cells = grid_.cell_points.size() / (grid_.dimension + 1);
        return of_cells->values[column * cells + s.cell];
    }
    const double* values = field.values.data() + column * grid_.points.size();
    double value = 0;
    for (int j = 0; j < s.count; ++j) value += s.weight[j] * values[s.point[j]];
    return value;
}

}  // namespace solenoid
