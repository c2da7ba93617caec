#include "grid/grid_layout.hpp"

#include <limits>
#include <string>

#include "core/error.hpp"

namespace solenoid {
namespace {

// What a rank should have of units of 2^(levels + 1) nodes, so that blocks differ little in size.
constexpr int units_a_rank = 8;

int half(int n) { return n >> 1; }  // rounded down, of negative numbers too
int coarse(int n, int level) { return level == 0 ? n : coarse((n + 1) / 2, level - 1); }

// `parts` pieces of n nodes, their ends at multiples of `unit`.
std::vector<int> cuts(int n, int parts, int unit) {
    std::vector<int> at;
    for (int k = 0; k < parts; ++k)
        at.push_back(static_cast<int>(std::int64_t(n / unit) * k / parts) * unit);
    at.push_back(n);
    return at;
}

}  // namespace

GridLayout::GridLayout(const GridExtents& extents, const GridBlock& block)
    : extents_(extents),
      block_(block),
      columns_((block.width + 1) / 2),
      rows_((block.height + 1) / 2) {}

Index GridLayout::entry(int i, int j) const {
    const int x = i - block_.x, y = j - block_.y;
    const int quarter = (x & 1) + 2 * (y & 1);
    return quarter * quarter_size() + (half(y) + 1) * static_cast<Index>(pitch()) + half(x) + 1;
}

Range GridLayout::nodes(int quarter) const {
    const Index start = quarter * quarter_size(), row = static_cast<Index>(pitch());
    return {start + row + 1, start + rows_ * row + columns_ + 1};
}

GridLayout::Shifts GridLayout::shifts(int quarter) const {
    const auto q = static_cast<std::uint32_t>(quarter_size());
    const auto row = static_cast<std::uint32_t>(pitch());
    Shifts result{q, q - 1, 2 * q, 2 * q - row};
    if (quarter & 1) result.east = 1 - q, result.west = 0 - q;
    if (quarter & 2) result.north = row - 2 * q, result.south = 0 - 2 * q;
    return result;
}

GridBlocks::GridBlocks(const GridExtents& extents, int ranks, Uncut uncut) : extents_(extents) {
    const int nx = extents.nx, ny = extents.ny;
    const std::string name =
        "a grid of " + std::to_string(nx) + " x " + std::to_string(ny) + " nodes";
    if (nx < 1 || ny < 1) throw InputError(name + ": each direction needs one node at least");
    double least = std::numeric_limits<double>::infinity();
    for (int px = 1; px <= ranks; ++px) {
        const int py = ranks / px;
        const bool is_possible = px * py == ranks && (px == 1 || nx / 2 >= px) &&
                                 (py == 1 || ny / 2 >= py) && (px == 1 || uncut != Uncut::x) &&
                                 (py == 1 || uncut != Uncut::y);
        const double cut = double(px - 1) * ny + double(py - 1) * nx;
        if (is_possible && cut < least) {
            least = cut;
            px_ = px;
            py_ = py;
        }
    }
    if (px_ * py_ != ranks)
        throw InputError(name + " has no block of 2 x 2 for each of " + std::to_string(ranks) +
                         " ranks: run it on fewer");
    while (ranks > 1 && this->extents(levels_ + 1).nodes() > small &&
           (px_ == 1 || (nx >> (levels_ + 2)) >= units_a_rank * px_) &&
           (py_ == 1 || (ny >> (levels_ + 2)) >= units_a_rank * py_))
        ++levels_;
    cuts_x_ = cuts(nx, px_, 2 << levels_);
    cuts_y_ = cuts(ny, py_, 2 << levels_);
}

GridExtents GridBlocks::extents(int level) const {
    GridExtents result = extents_;
    result.nx = coarse(result.nx, level);
    result.ny = coarse(result.ny, level);
    return result;
}

GridBlock GridBlocks::block(int level, int rank) const {
    const GridExtents whole = extents(level);
    const int bx = rank % px_, by = rank / px_;
    const int x = cuts_x_[bx] >> level, y = cuts_y_[by] >> level;
    return {x, y, (bx + 1 == px_ ? whole.nx : cuts_x_[bx + 1] >> level) - x,
            (by + 1 == py_ ? whole.ny : cuts_y_[by + 1] >> level) - y};
}

std::vector<GridBlock> GridBlocks::all() const {
    std::vector<GridBlock> blocks;
    for (int rank = 0; rank < ranks(); ++rank) blocks.push_back(block(0, rank));
    return blocks;
}

}  // namespace solenoid
