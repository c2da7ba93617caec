#include "solvers/multigrid/smoother.hpp"

#include <stdexcept>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// x moves on by keep (x - x_before) + gain / lambda D^-1 (b - A x) such that the last residual is
// Lottes' polynomial with optimal weights. That one's own recurrence needs two vectors, x and the
// residual of the unweighted iterate. This one ends with the same polynomial p: the ones before it
// are p'/p'(0) and what Euclid's algorithm leaves of the two.
struct Recurrence {
    double keep[Smoother<double>::most_steps], gain[Smoother<double>::most_steps];
};
constexpr Recurrence recurrences[Smoother<double>::most_steps] = {
    {{0}, {1.5}},
    {{0, 0.386271242968681}, {1.708203932499368, 2.368033988749886}},
    {{0, 0.198328500045945, 0.796801187591997},
     {1.651624923067511, 2.314314820435845, 3.199278226348186}},
    {{0, 0.182111957589932, 0.354383023741843, 1.206804197638562},
     {1.630414938191833, 2.241325190086721, 2.676987715364838, 4.020429684690777}}};

// A matrix that single or less precision can hold, as symmetric as the exact one and with the same
// row sums: of diffusion it is the operator of slightly different conductances, and has the
// constants in its null space too. computed: rows; of others the diagonal.
struct RoundedMatrix {
    HostMatrix couplings;         // of free rows, without the diagonal
    std::vector<float> diagonal;  // 0 on fixed rows
};
template <class Entry>
RoundedMatrix rounded(const HostMatrix& matrix, const std::vector<double>& diagonal,
                      Index computed) {
    std::vector<float> all(diagonal.size());
    HostMatrix couplings = joined(pieces_of(diagonal.size(), [&](Index begin, Index end) {
        HostMatrix piece;
        const Index last = std::max(begin, std::min(end, computed));
        piece.reserve(last - begin, matrix.rows.start[last] - matrix.rows.start[begin]);
        for (Index i = begin; i < end; ++i) {
            double lost = 0;
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1] && diagonal[i] > 0;
                 ++k) {
                if (matrix.rows.index[k] == i) continue;
                const double entry =
                    static_cast<float>(Entry(static_cast<float>(matrix.entries[k])));
                lost += matrix.entries[k] - entry;
                if (i < computed) piece.append(matrix.rows.index[k], entry);
            }
            if (i < computed) piece.end_row();
            all[i] = static_cast<float>(diagonal[i] + lost);
        }
        return piece;
    }));
    return {std::move(couplings), std::move(all)};
}

// The first rows of n, as far as they have no columns of ghosts.
Index rows_before_the_border(const Rows& rows, Index n) {
    for (Index i = 0; i < n; ++i)
        for (const Index* column = rows.begin(i); column != rows.end(i); ++column)
            if (*column >= n) return i;
    return n;
}

}  // namespace

template <class Real>
Smoother<Real>::Smoother(Device& device, Halo<Real>& halo, const SmoothedMatrix& host, int steps,
                         int columns)
    : device_(device),
      halo_(halo),
      steps_(steps),
      columns_(columns),
      rows_(host.layers.empty() ? static_cast<Index>(host.matrix.rows.rows())
                                : host.layers.front()),
      layers_(host.layers) {
    if (steps < 1 || steps > most_steps) throw std::logic_error("a smoother has 1 to 4 steps");
    if (!layers_.empty() && layers_.size() != std::size_t(steps) + 2)
        throw std::logic_error("a smoother takes a layer of ghosts a step, and one");
    const Recurrence& recurrence = recurrences[steps - 1];
    for (int k = 0; k < steps; ++k) {
        keep_[k] = static_cast<Real>(recurrence.keep[k]);
        gain_[k] = static_cast<Real>(recurrence.gain[k] / host.largest_eigenvalue);
    }
    const RoundedMatrix matrix = rounded<Reduced<Real>>(host.matrix, host.diagonal, end(steps));
    diagonal_ = device.buffer<float>(std::span<const float>(matrix.diagonal));
    couplings_ = SplitRows<Real, Reduced<Real>>(device, matrix.couplings, layers_.empty(), columns);
    if (!couplings_.is_cut()) inside_ = rows_before_the_border(host.matrix.rows, rows_);
    for (auto& x : x_) x = device.buffer<Real>(host.size, columns);
    if (!layers_.empty()) wide_b_ = device.buffer<Real>(host.size, columns);
}

// Rows [0, end) of a pass that reads neighbours of x().
template <class Real>
SplitRange Smoother<Real>::rows(Index end, bool exchanges) const {
    return exchanges ? SplitRange({0, inside_}, {inside_, end}) : SplitRange({0, end});
}

// What such a pass gathers: x(), whose ghosts are exchanged or are computed here.
template <class Real>
Gathered<Real> Smoother<Real>::neighbours(bool exchanges) {
    return couplings_.gathered(device_, exchanges ? halo_.ghosts_of(x()) : complete(x()));
}

// x() moves on by step k, the first after `start` steps, in so many layers of ghosts too.
template <class Real>
void Smoother<Real>::step(int k, int start, int layers, bool exchanges) {
    const auto& a = couplings_;
    if (k == start)
        kernels::ChebyshevFirst<Real>{.dimension = columns_,
                                      .rows = a.rows,
                                      .column = a.index,
                                      .entry = a.entry,
                                      .from = neighbours(exchanges),
                                      .diagonal = diagonal_,
                                      .b = *b_,
                                      .x = x(),
                                      .value = other(),
                                      .keep = keep_[k],
                                      .gain = gain_[k]}
            .run(device_, rows(end(layers), exchanges));
    else
        kernels::ChebyshevStep<Real>{.dimension = columns_,
                                     .rows = a.rows,
                                     .column = a.index,
                                     .entry = a.entry,
                                     .from = neighbours(exchanges),
                                     .diagonal = diagonal_,
                                     .b = *b_,
                                     .x = x(),
                                     .before = other(),
                                     .keep = keep_[k],
                                     .gain = gain_[k]}
            .run(device_, rows(end(layers), exchanges));
    now_ = 1 - now_;
}

// The first step, from zero: in a range of rows, and with all layers.
template <class Real>
void Smoother<Real>::start(const Buffer<Real>& b, Range range) {
    b_ = &b;
    if (range.size())
        kernels::ChebyshevStart<Real>{
            .dimension = columns_, .diagonal = diagonal_, .b = b, .value = x(), .gain = gain_[0]}
            .run(device_, range);
}

template <class Real>
void Smoother<Real>::exchange_start(const Buffer<Real>& b) {
    if (rows_) Over(device_, {0, rows_})[wide_b_] = b;
    if (halo_.is_quick()) {
        halo_.exchange(wide_b_);
        return start(wide_b_, {0, layers_.back()});
    }
    auto ghosts = halo_.start(wide_b_);
    start(wide_b_, {0, rows_});
    ghosts.finish();
    start(wide_b_, {rows_, layers_.back()});
}

template <class Real>
void Smoother<Real>::before(const Buffer<Real>& b) {
    now_ = 0;  // the same buffers every time: Device::repeat
    fills_ghosts() ? exchange_start(b) : start(b, {0, rows_});
    for (int k = 1; k < steps_; ++k) step(k, 1, steps_ + 1 - k, !fills_ghosts());
}

template <class Real>
Buffer<Real>& Smoother<Real>::defect() {
    const auto& a = couplings_;
    kernels::ChebyshevDefect<Real>{.dimension = columns_,
                                   .rows = a.rows,
                                   .column = a.index,
                                   .entry = a.entry,
                                   .from = neighbours(!fills_ghosts()),
                                   .diagonal = diagonal_,
                                   .b = *b_,
                                   .x = x(),
                                   .value = other()}
        .run(device_, rows(end(1), !fills_ghosts()));
    return other();
}

template <class Real>
void Smoother<Real>::after() {
    for (int k = 0; k < steps_; ++k) step(k, 0, steps_ - k, k == 0 || !fills_ghosts());
}

template <class Real>
double Smoother<Real>::finish(const SummingRanks& ranks, Buffer<Real>& z) {
    const int last = steps_ - 1;
    for (int k = 0; k < last; ++k) step(k, 0, last - k, k == 0 || !fills_ghosts());
    const auto& a = couplings_;
    const bool exchanges = last == 0 || !fills_ghosts();
    return kernels::ChebyshevLast<Real>{.rows = a.rows,
                                        .column = a.index,
                                        .entry = a.entry,
                                        .from = neighbours(exchanges),
                                        .diagonal = diagonal_,
                                        .b = *b_,
                                        .x = x(),
                                        .before = last == 0 ? x() : other(),
                                        .value = z,
                                        .keep = keep_[last],
                                        .gain = gain_[last]}
        .start(ranks, device_, rows(rows_, exchanges))
        .get()
        .bz;
}

template class Smoother<float>;
template class Smoother<double>;

}  // namespace solenoid
