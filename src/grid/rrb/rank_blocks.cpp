#include "grid/rrb/rank_blocks.hpp"

#include <algorithm>
#include <limits>

namespace solenoid {
namespace {

// What a rank should have of units of 2^levels nodes, so that blocks differ little in size.
constexpr int units_a_rank = 8;

// `parts` pieces of n nodes, their ends at multiples of `unit`.
std::vector<int> cuts(int n, int parts, int unit) {
    std::vector<int> at;
    for (int k = 0; k < parts; ++k)
        at.push_back(static_cast<int>(std::int64_t(n / unit) * k / parts) * unit);
    at.push_back(n);
    return at;
}

}  // namespace

RankBlocks::RankBlocks(const Communicator& comm, int nx, int ny)
    : nx_(nx), ny_(ny), rank_(comm.rank()), ranks_(comm.size()) {
    // the arrangement with the least cut of those that leave two nodes to each rank
    double least = std::numeric_limits<double>::infinity();
    for (int px = 1; px <= ranks_; ++px) {
        const int py = ranks_ / px;
        const bool is_possible = px * py == ranks_ && nx / 2 >= px && ny / 2 >= py;
        const double cut = double(px - 1) * ny + double(py - 1) * nx;
        if (ranks_ > 1 && is_possible && cut < least) {
            least = cut;
            px_ = px;
            py_ = py;
        }
    }
    if (px_ * py_ != ranks_)
        throw InputError("a grid of " + std::to_string(nx) + " x " + std::to_string(ny) +
                         " nodes has no block of 2 x 2 for each of " + std::to_string(ranks_) +
                         " ranks: run it on fewer");
    if (ranks_ > 1) levels_ = 1;
    while (ranks_ > 1 && (nx >> (levels_ + 1)) >= units_a_rank * px_ &&
           (ny >> (levels_ + 1)) >= units_a_rank * py_)
        ++levels_;
    cuts_x_ = cuts(nx, px_, 1 << levels_);
    cuts_y_ = cuts(ny, py_, 1 << levels_);
}

RankBlocks::Block RankBlocks::block(int level, int rank) const {
    const int halvings = level - 1, bx = rank % px_, by = rank / px_;
    const int x = cuts_x_[bx] >> halvings, y = cuts_y_[by] >> halvings;
    return {x, y, (cuts_x_[bx + 1] >> halvings) - x, (cuts_y_[by + 1] >> halvings) - y};
}

HaloPlan RankBlocks::ring(int level, bool is_quarter, const ArrayShape& shape) const {
    const int bx = rank_ % px_, by = rank_ / px_;
    Block own = block(level, rank_);
    if (is_quarter) own = {0, 0, (own.width + 1) / 2, (own.height + 1) / 2};
    HaloPlan plan;
    // the nodes of a side: of the block where `ghost` is 0, of the ring where it is 1
    const auto add = [&](std::vector<Index>& to, int dx, int dy, int ghost) {
        const auto span = [&](int d, int n) {
            return d < 0   ? std::pair(-ghost, 1 - ghost)
                   : d > 0 ? std::pair(n - 1 + ghost, n + ghost)
                           : std::pair(0, n);
        };
        const auto [x0, x1] = span(dx, own.width);
        const auto [y0, y1] = span(dy, own.height);
        for (int j = y0; j < y1; ++j)
            for (int i = x0; i < x1; ++i) to.push_back(shape.entry(i, j));
    };
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int nx = bx + dx, ny = by + dy;
            if ((!dx && !dy) || nx < 0 || ny < 0 || nx >= px_ || ny >= py_) continue;
            plan.neighbours.push_back(nx + ny * px_);  // ascending
            add(plan.send, dx, dy, 0);
            add(plan.receive, dx, dy, 1);
            plan.send_start.push_back(static_cast<Index>(plan.send.size()));
            plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
        }
    return plan;
}

HaloPlan RankBlocks::replication(int level, const ArrayShape& shape) const {
    HaloPlan plan;
    const auto add = [&](std::vector<Index>& to, const Block& b) {
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i) to.push_back(shape.entry(i, j));
    };
    for (int rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_) continue;
        plan.neighbours.push_back(rank);
        add(plan.send, block(level, rank_));
        add(plan.receive, block(level, rank));
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

}  // namespace solenoid
