#include "grid/stencil/line_solver.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;

// The inverse of a small matrix, by rows.
std::vector<double> inverse_of(std::vector<double> a, std::size_t n) {
    std::vector<double> result(n * n);
    for (std::size_t k = 0; k < n; ++k) result[k * n + k] = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t r = k + 1; r < n; ++r)
            if (std::abs(a[r * n + k]) > std::abs(a[pivot * n + k])) pivot = r;
        for (std::size_t c = 0; c < n; ++c) {
            std::swap(a[k * n + c], a[pivot * n + c]);
            std::swap(result[k * n + c], result[pivot * n + c]);
        }
        const double scale = a[k * n + k] == 0 ? 0 : 1 / a[k * n + k];
        for (std::size_t c = 0; c < n; ++c) a[k * n + c] *= scale, result[k * n + c] *= scale;
        for (std::size_t r = 0; r < n; ++r) {
            if (r == k) continue;
            const double factor = a[r * n + k];
            for (std::size_t c = 0; c < n; ++c) {
                a[r * n + c] -= factor * a[k * n + c];
                result[r * n + c] -= factor * result[k * n + c];
            }
        }
    }
    return result;
}

std::vector<std::byte> bytes_of(const std::vector<double>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(double));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

}  // namespace

template <class Real>
LineSolver<Real>::LineSolver(const Grid<Real>& grid, const Buffer<Real>& straight, int direction)
    : grid_(&grid), layout_(grid.layout()), direction_(direction) {
    const GridExtents& whole = grid.layout().extents();
    if (!grid.is_whole()) {
        const int across = grid.blocks().across(), rank = grid.comm().rank();
        ranks_ = direction ? grid.comm().size() / across : across;
        place_ = direction ? rank / across : rank % across;
    }
    if (ranks_ > 1 && is_reproducible()) {
        whole_.emplace(grid, direction);
        layout_ = whole_->layout();
        right_ = whole_->field();
        u_ = whole_->field();
        ranks_ = 1;
        place_ = 0;
    }
    const int nodes = direction ? whole.ny : whole.nx;
    const bool is_periodic = direction ? whole.is_periodic_y : whole.is_periodic_x;
    is_closed_ = ranks_ > 1 || (is_periodic && nodes > 2);
    for (Buffer<Real>& reduced : reduced_) reduced = field(3);
    const Buffer<Real> own = whole_ ? whole_->marker() : grid.marker();
    Buffer<Real> brought;
    if (whole_) {
        brought = field(3);
        whole_->bring(straight, brought);
    }
    const Buffer<Real>& of_lines = whole_ ? brought : straight;
    couplings_ = couplings(of_lines, own);
    if (!is_closed_) return;
    Buffer<Real> beyond = grid.marker();
    if (whole_) {
        const Buffer<Real> nodes = grid.marker();
        beyond = field(1);
        whole_->bring(nodes, beyond);
    } else {
        grid.exchange(beyond);
    }
    Over(grid.device(), Range{0, beyond.size()})[beyond] = beyond - own;
    const Buffer<Real> of_ends = couplings(of_lines, beyond);
    answers_ = field(2);
    for (int parity = 0; parity < 2; ++parity)
        for (int c = 0; c < 2; ++c) {
            const ConstColumn solved = reduce(parity, {&of_ends, c});
            for (const int quarter : quarters(parity))
                Over(grid.device(), layout_.nodes(quarter))[column(answers_, c)] =
                    column(*solved.buffer, solved.column);
        }
    make_plan();
    for (int parity = 0; parity < 2; ++parity) make_closing(parity);
}

template <class Real>
std::array<int, 2> LineSolver<Real>::quarters(int parity) const {
    if (direction_) return {parity, parity + 2};
    return {2 * parity, 2 * parity + 1};
}

template <class Real>
Buffer<Real> LineSolver<Real>::field(int columns) const {
    return grid_->device().template buffer<Real>(layout_.size(), columns);
}

// Places for lines of a parity: ghosts have one, too.
template <class Real>
Index LineSolver<Real>::lines() const {
    return static_cast<Index>(direction_ ? layout_.pitch() : layout_.rows());
}

// Over the diagonal, with the nodes before and after, where `others` is 1 there.
template <class Real>
Buffer<Real> LineSolver<Real>::couplings(const Buffer<Real>& straight,
                                         const Buffer<Real>& others) const {
    Buffer<Real> result = field(2);
    for (int quarter = 0; quarter < 4; ++quarter) {
        const auto [east, west, north, south] = layout_.shifts(quarter);
        const Uint before = direction_ ? south : west, after = direction_ ? north : east;
        for (int c = 0; c < 2; ++c)
            kernels::StencilLineCoupling<Real>{.diagonal = column(straight, 0),
                                               .coupling = column(straight, 1 + direction_),
                                               .own = others,
                                               .value = column(result, c),
                                               .stored = c ? 0 : before,
                                               .other = c ? after : before}
                .run(grid_->device(), layout_.nodes(quarter));
    }
    return result;
}

// The solution of this rank's parts of lines, as if they were alone.
template <class Real>
typename LineSolver<Real>::ConstColumn LineSolver<Real>::reduce(int parity, ConstColumn right) {
    const GridLayout& layout = layout_;
    const int length = direction_ ? layout.block().height : layout.block().width;
    const Buffer<Real>* system = &couplings_;
    int to = 0;
    for (int step = 1; step < length; step *= 2, to = 1 - to) {
        for (const int quarter : quarters(parity)) {
            const auto [east, west, north, south] = layout.shifts(quarter);
            Uint before = direction_ ? south : west, after = direction_ ? north : east;
            if (step > 1) {
                after = static_cast<Uint>(step / 2 * (direction_ ? layout.pitch() : 1));
                before = 0 - after;
            }
            kernels::StencilLineReduce<Real>{.lower = column(*system, 0),
                                             .upper = column(*system, 1),
                                             .right = column(*right.buffer, right.column),
                                             .next_lower = column(reduced_[to], 0),
                                             .next_upper = column(reduced_[to], 1),
                                             .next_right = column(reduced_[to], 2),
                                             .before = before,
                                             .after = after}
                .run(grid_->device(), layout.nodes(quarter));
        }
        system = &reduced_[to];
        right = {system, 2};
    }
    return right;
}

// First nodes of all lines, then last ones.
template <class Real>
std::vector<Uint> LineSolver<Real>::ends_of_lines(int parity) const {
    const GridLayout& layout = layout_;
    const int length = direction_ ? layout.block().height : layout.block().width;
    const auto pitch = static_cast<Uint>(layout.pitch()),
               size = static_cast<Uint>(layout.quarter_size());
    std::vector<Uint> result;
    for (const int node : {0, length - 1})
        for (Index line = 0; line < lines(); ++line) {
            const auto at = static_cast<Uint>(node / 2 + 1);
            const auto quarter = static_cast<Uint>(quarters(parity)[node % 2]);
            result.push_back(quarter * size + (direction_ ? at * pitch + line : line * pitch + at));
        }
    return result;
}

// Brings the values at the ends of a line to all ranks that it is on.
template <class Real>
void LineSolver<Real>::make_plan() {
    if (ranks_ == 1) return;
    HaloPlan plan;
    const int across = grid_->blocks().across(), self = grid_->comm().rank();
    const Index mine = 2 * lines();
    for (int place = 0; place < ranks_; ++place) {
        if (place == place_) continue;
        plan.neighbours.push_back(direction_ ? place * across + self % across
                                             : self / across * across + place);
        for (Index k = 0; k < mine; ++k) {
            plan.send.push_back(static_cast<Index>(place_) * mine + k);
            plan.receive.push_back(static_cast<Index>(place) * mine + k);
        }
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    halo_.emplace(grid_->comm(), grid_->device(), plan, 1);
}

// With f and l the values at a part's ends, g those of its solution alone, and the answers' values
// there: f + answer_first l_before + answer_last f_behind = g_f, and so for l. The inverse of this
// system, of all parts of a line, tells l_before and f_behind.
template <class Real>
void LineSolver<Real>::make_closing(int parity) {
    Device& device = grid_->device();
    Closing& closing = closing_[parity];
    const std::size_t lines = this->lines(), unknowns = 2 * static_cast<std::size_t>(ranks_);
    const std::vector<Uint> ends = ends_of_lines(parity);
    std::vector<Uint> listed(unknowns * lines);
    std::copy(ends.begin(), ends.end(),
              listed.begin() + static_cast<std::ptrdiff_t>(place_ * ends.size()));
    closing.ends = device.buffer<Uint>(std::span<const Uint>(listed));
    closing.values = device.buffer<Real>(static_cast<Index>(listed.size()));
    closing.beyond = device.buffer<Real>(static_cast<Index>(2 * lines));

    // at first and last nodes: the answer for the first's coupling, then for the last's
    const std::vector<Real> answers = answers_.download();
    std::vector<double> mine;
    for (std::size_t c = 0; c < 2; ++c)
        for (const Uint entry : ends)
            mine.push_back(answers[c * static_cast<std::size_t>(answers_.size()) + entry]);
    std::vector<std::vector<double>> of_ranks(static_cast<std::size_t>(ranks_));
    of_ranks[place_] = mine;
    if (ranks_ > 1) {
        const int across = grid_->blocks().across(), self = grid_->comm().rank();
        const auto rank_at = [&](int place) {
            return direction_ ? place * across + self % across : self / across * across + place;
        };
        std::map<int, std::vector<std::byte>> outgoing;
        for (int place = 0; place < ranks_; ++place)
            if (place != place_) outgoing[rank_at(place)] = bytes_of(mine);
        const auto incoming = grid_->comm().exchange(outgoing);
        for (int place = 0; place < ranks_; ++place) {
            if (place == place_) continue;
            of_ranks[place].resize(mine.size());
            std::memcpy(of_ranks[place].data(), incoming.at(rank_at(place)).data(),
                        mine.size() * sizeof(double));
        }
    }
    std::vector<Real> weights(2 * unknowns * lines);
    for (std::size_t line = 0; line < lines; ++line) {
        std::vector<double> system(unknowns * unknowns);
        const auto before = [&](int place) { return 2 * ((place + ranks_ - 1) % ranks_) + 1; };
        const auto behind = [&](int place) { return 2 * ((place + 1) % ranks_); };
        for (int place = 0; place < ranks_; ++place)
            for (std::size_t end = 0; end < 2; ++end) {
                const std::size_t row = (2 * static_cast<std::size_t>(place) + end) * unknowns;
                system[row + 2 * static_cast<std::size_t>(place) + end] += 1;
                system[row + before(place)] += of_ranks[place][end * lines + line];
                system[row + behind(place)] += of_ranks[place][(2 + end) * lines + line];
            }
        const std::vector<double> inverse = inverse_of(system, unknowns);
        const std::size_t rows[] = {static_cast<std::size_t>(before(place_)),
                                    static_cast<std::size_t>(behind(place_))};
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t n = 0; n < unknowns; ++n)
                weights[(side * unknowns + n) * lines + line] =
                    static_cast<Real>(inverse[rows[side] * unknowns + n]);
    }
    closing.weights = device.buffer<Real>(std::span<const Real>(weights));
}

template <class Real>
void LineSolver<Real>::add_solution(int parity, const Buffer<Real>& right, Buffer<Real>& u) {
    if (!whole_) return add_here(parity, right, u);
    whole_->bring(right, right_);
    whole_->bring_own(u, u_);
    add_here(parity, right_, u_);
    whole_->take_own(u_, u);
}

template <class Real>
void LineSolver<Real>::add_here(int parity, const Buffer<Real>& right, Buffer<Real>& u) {
    const GridLayout& layout = layout_;
    Device& device = grid_->device();
    const ConstColumn alone = reduce(parity, {&right, 0});
    if (!is_closed_) {
        for (const int quarter : quarters(parity))
            Over(device, layout.nodes(quarter))[u] += column(*alone.buffer, alone.column);
        return;
    }
    Closing& closing = closing_[parity];
    const Index mine = 2 * lines(), first = static_cast<Index>(place_) * mine;
    kernels::GridPick<Real>{.from = closing.ends,
                            .values = column(*alone.buffer, alone.column),
                            .value = closing.values}
        .run(device, Range{first, first + mine});
    if (halo_) halo_->exchange(closing.values);
    kernels::StencilLineBeyond<Real>{.weight = closing.weights,
                                     .ends = closing.values,
                                     .value = closing.beyond,
                                     .lines = static_cast<Uint>(lines()),
                                     .count = static_cast<Uint>(2 * ranks_)}
        .run(device, Range{0, mine});
    for (const int quarter : quarters(parity))
        kernels::StencilLineClose<Real>{
            .u = u,
            .alone = column(*alone.buffer, alone.column),
            .answer = answers_,
            .beyond = closing.beyond,
            .start = static_cast<Uint>(quarter) * static_cast<Uint>(layout.quarter_size()),
            .pitch = static_cast<Uint>(layout.pitch()),
            .lines = static_cast<Uint>(lines()),
            .is_y = static_cast<Uint>(direction_)}
            .run(device, layout.nodes(quarter));
}

template class LineSolver<float>;
template class LineSolver<double>;

}  // namespace solenoid
