#include "grid/stencil/whole_lines.hpp"

#include <algorithm>
#include <vector>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

GridBlock block_of(const GridLayout& layout, int direction) {
    GridBlock block = layout.block();
    if (direction)
        block.y = 0, block.height = layout.extents().ny;
    else
        block.x = 0, block.width = layout.extents().nx;
    return block;
}

}  // namespace

// Each rank of a line lists its nodes in the same order: those that one sends are those that the
// others receive, each at its own place.
template <class Real>
WholeLines<Real>::WholeLines(const Grid<Real>& grid, int direction)
    : grid_(&grid), layout_(grid.layout().extents(), block_of(grid.layout(), direction)) {
    const GridExtents& whole = layout_.extents();
    const GridBlock &block = layout_.block(), &own = grid.layout().block();
    const int nodes = direction ? whole.ny : whole.nx, self = grid.comm().rank();
    const int ghosts = (direction ? whole.is_periodic_y : whole.is_periodic_x) ? 1 : 0;
    std::vector<int> owner(static_cast<std::size_t>(nodes));
    for (int rank = 0; rank < grid.comm().size(); ++rank) {
        const GridBlock b = grid.blocks().block(grid.level(), rank);
        if (direction ? b.x != own.x : b.y != own.y) continue;
        const int first = direction ? b.y : b.x, count = direction ? b.height : b.width;
        std::fill_n(owner.begin() + first, count, rank);
    }
    std::vector<std::uint32_t> from, to, back_from, back_to;
    std::vector<std::vector<Index>> receive(static_cast<std::size_t>(grid.comm().size()));
    for (int line = 0; line < (direction ? block.width : block.height); ++line)
        for (int k = -ghosts; k < nodes + ghosts; ++k) {
            const int node = (k + nodes) % nodes;
            const int i = direction ? block.x + line : k, j = direction ? k : block.y + line;
            const int x = direction ? i : node, y = direction ? node : j;
            const Index entry = layout_.entry(i, j);
            if (owner[node] == self) {
                const auto here = static_cast<std::uint32_t>(grid.layout().entry(x, y));
                from.push_back(here);
                to.push_back(static_cast<std::uint32_t>(entry));
                if (k != node) continue;
                back_from.push_back(static_cast<std::uint32_t>(entry));
                back_to.push_back(here);
            } else {
                receive[owner[node]].push_back(entry);
            }
        }
    for (int rank = 0; rank < grid.comm().size(); ++rank) {
        if (rank == self || receive[rank].empty()) continue;
        plan_.neighbours.push_back(rank);
        plan_.send.insert(plan_.send.end(), to.begin(), to.end());
        plan_.receive.insert(plan_.receive.end(), receive[rank].begin(), receive[rank].end());
        plan_.send_start.push_back(static_cast<Index>(plan_.send.size()));
        plan_.receive_start.push_back(static_cast<Index>(plan_.receive.size()));
    }
    const auto list = [&](const std::vector<std::uint32_t>& entries) {
        return grid.device().template buffer<std::uint32_t>(
            std::span<const std::uint32_t>(entries));
    };
    there_ = {list(from), list(to)};
    back_ = {list(back_from), list(back_to)};
}

template <class Real>
Buffer<Real> WholeLines<Real>::marker() const {
    std::vector<Real> values(layout_.size());
    const GridBlock& block = layout_.block();
    for (int j = block.y; j < block.y + block.height; ++j)
        for (int i = block.x; i < block.x + block.width; ++i) values[layout_.entry(i, j)] = 1;
    return grid_->device().template buffer<Real>(std::span<const Real>(values));
}

template <class Real>
void WholeLines<Real>::copy(const Copy& which, const Buffer<Real>& from, Buffer<Real>& to) {
    Device& device = grid_->device();
    Buffer<Real>& values = copies_[&which == &back_][from.columns()];
    if (!values) values = device.buffer<Real>(which.from.size(), from.columns());
    for (int c = 0; c < from.columns(); ++c)
        kernels::GridPick<Real>{
            .from = which.from, .values = column(from, c), .value = column(values, c)}
            .run(device, Range{0, which.from.size()});
    device.scatter(values, which.to, to);
}

template <class Real>
void WholeLines<Real>::bring_own(const Buffer<Real>& from, Buffer<Real>& to) {
    copy(there_, from, to);
}

template <class Real>
void WholeLines<Real>::bring(const Buffer<Real>& from, Buffer<Real>& to) {
    bring_own(from, to);
    halos_.try_emplace(from.columns(), grid_->comm(), grid_->device(), plan_, from.columns())
        .first->second.exchange(to);
}

template <class Real>
void WholeLines<Real>::take_own(const Buffer<Real>& from, Buffer<Real>& to) {
    copy(back_, from, to);
}

template class WholeLines<float>;
template class WholeLines<double>;

}  // namespace solenoid
