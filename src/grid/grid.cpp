#include "grid/grid.hpp"

#include "core/stop_signal.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// The node that a place beyond a side stands for; -1 where there is none.
int wrapped(int i, int n, bool is_periodic) {
    if (i >= 0 && i < n) return i;
    return is_periodic ? ((i % n) + n) % n : -1;
}

}  // namespace

template <class Real>
Grid<Real>::Grid(const Communicator& comm, Device& device, const GridBlocks& blocks, int level)
    : comm_(comm),
      summing_(comm.size() == 1 || level > blocks.levels() ? Communicator::self() : comm),
      device_(device),
      blocks_(blocks),
      level_(level),
      is_whole_(comm.size() == 1 || level > blocks.levels()) {
    const GridExtents extents = blocks.extents(level);
    layout_ = GridLayout(extents, is_whole_ ? GridBlock{0, 0, extents.nx, extents.ny}
                                            : blocks_.block(level, comm.rank()));
    make_plan();
}

// Every rank goes over the ghosts of all blocks in the same order: what is sent is listed as it is
// received.
template <class Real>
void Grid<Real>::make_plan() {
    const GridExtents& whole = layout_.extents();
    const int ranks = is_whole_ ? 1 : comm_.size(), self = is_whole_ ? 0 : comm_.rank();
    std::vector<std::uint32_t> from, to;
    std::vector<std::vector<Index>> send(ranks), receive(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        const GridBlock block = is_whole_ ? layout_.block() : blocks_.block(level_, rank);
        const GridLayout there(whole, block);
        const auto visit = [&](int i, int j) {
            const int x = wrapped(i, whole.nx, whole.is_periodic_x),
                      y = wrapped(j, whole.ny, whole.is_periodic_y);
            if (x < 0 || y < 0 || block.contains(i, j)) return;
            const bool is_here = layout_.block().contains(x, y);
            if (rank == self && is_here) {
                from.push_back(static_cast<std::uint32_t>(layout_.entry(x, y)));
                to.push_back(static_cast<std::uint32_t>(layout_.entry(i, j)));
            } else if (is_here) {
                send[rank].push_back(layout_.entry(x, y));
            } else if (rank == self) {
                for (int owner = 0; owner < ranks; ++owner)
                    if (blocks_.block(level_, owner).contains(x, y))
                        receive[owner].push_back(there.entry(i, j));
            }
        };
        for (int j = there.first_y(); j <= there.last_y(); ++j) {
            const bool is_inside = j >= block.y && j < block.y + block.height;
            for (int i = there.first_x(); i <= there.last_x(); ++i) {
                if (is_inside && i == block.x) i = block.x + block.width;
                visit(i, j);
            }
        }
    }
    for (int rank = 0; rank < ranks; ++rank) {
        if (send[rank].empty() && receive[rank].empty()) continue;
        plan_.neighbours.push_back(rank);
        plan_.send.insert(plan_.send.end(), send[rank].begin(), send[rank].end());
        plan_.receive.insert(plan_.receive.end(), receive[rank].begin(), receive[rank].end());
        plan_.send_start.push_back(static_cast<Index>(plan_.send.size()));
        plan_.receive_start.push_back(static_cast<Index>(plan_.receive.size()));
    }
    if (from.empty()) return;
    copied_from_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(from));
    copied_to_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(to));
}

template <class Real>
Buffer<Real> Grid<Real>::marker(const std::function<bool(int, int)>& is_in) const {
    return field_of([&](int i, int j) { return !is_in || is_in(i, j) ? 1 : 0; });
}

template <class Real>
Buffer<Real> Grid<Real>::field_of(const std::function<double(int, int)>& value) const {
    const GridBlock& b = layout_.block();
    std::vector<double> values;
    for (int j = b.y; j < b.y + b.height; ++j) {
        break_off_if_overdue();
        for (int i = b.x; i < b.x + b.width; ++i) values.push_back(value(i, j));
    }
    Buffer<Real> result = field();
    from_host(values, result);
    return result;
}

template <class Real>
void Grid<Real>::exchange(Buffer<Real>& field) const {
    if (!is_whole_)
        halos_.try_emplace(field.columns(), comm_, device_, plan_, field.columns())
            .first->second.exchange(field);
    if (!copied_from_) return;
    const Range all{0, copied_from_.size()};
    if (copies_.columns() != field.columns())
        copies_ = device_.buffer<Real>(copied_from_.size(), field.columns());
    for (int c = 0; c < field.columns(); ++c)
        kernels::GridPick<Real>{
            .from = copied_from_, .values = column(field, c), .value = column(copies_, c)}
            .run(device_, all);
    device_.scatter(copies_, copied_to_, field);
}

template <class Real>
void Grid<Real>::from_host(std::span<const double> values, Buffer<Real>& field) const {
    const GridBlock& b = layout_.block();
    std::vector<Real> entries(std::size_t(layout_.size()) * field.columns());
    std::size_t k = 0;
    for (int c = 0; c < field.columns(); ++c)
        for (int j = b.y; j < b.y + b.height; ++j) {
            break_off_if_overdue();
            for (int i = b.x; i < b.x + b.width; ++i)
                entries[std::size_t(c) * layout_.size() + layout_.entry(i, j)] =
                    static_cast<Real>(values[k++]);
        }
    field.upload(entries);
}

template <class Real>
std::vector<double> Grid<Real>::to_host(const Buffer<Real>& field) const {
    const GridBlock& b = layout_.block();
    const std::vector<Real> entries = field.download();
    std::vector<double> values;
    for (int c = 0; c < field.columns(); ++c)
        for (int j = b.y; j < b.y + b.height; ++j) {
            break_off_if_overdue();
            for (int i = b.x; i < b.x + b.width; ++i)
                values.push_back(entries[std::size_t(c) * layout_.size() + layout_.entry(i, j)]);
        }
    return values;
}

template <class Real>
double Grid<Real>::dot(const Buffer<Real>& marker, const Buffer<Real>& x,
                       const Buffer<Real>& y) const {
    return summing_.sum(Over(device_, layout_.nodes()).sum(summing_, product(marker * x, y)));
}

template <class Real>
double Grid<Real>::greatest(const Buffer<Real>& marker, const Buffer<Real>& x) const {
    return summing_.max(Over(device_, layout_.nodes()).greatest(marker * abs(x)));
}

template <class Real>
void Grid<Real>::remove_mean(const Buffer<Real>& marker, Buffer<Real>& x) const {
    const double count = dot(marker, marker, marker);
    if (count == 0) return;
    const double mean = dot(marker, x, marker) / count;
    Over(device_, layout_.nodes())[x] -= mean * marker;
}

template class Grid<float>;
template class Grid<double>;

}  // namespace solenoid
