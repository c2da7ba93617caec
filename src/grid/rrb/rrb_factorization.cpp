#include "grid/rrb/rrb_factorization.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;

// The inverse of a symmetric positive definite matrix of n rows, by its Cholesky factorization
// L L^T. Empty rows stay empty. Throws ComputationError where it is not positive definite.
std::vector<double> dense_inverse(std::vector<double> a, std::size_t n) {
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[i * n + j]; };
    for (std::size_t j = 0; j < n; ++j) {
        double pivot = at(j, j);
        const bool is_empty = pivot == 0;
        for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
        if (!is_empty && !(pivot > 0 && std::isfinite(pivot)))
            throw ComputationError(
                "the matrix is not positive definite: a pivot of its last level is " +
                std::to_string(pivot));
        at(j, j) = is_empty ? 0 : std::sqrt(pivot);
        for (std::size_t i = j + 1; i < n; ++i) {
            double sum = at(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
            at(i, j) = is_empty ? 0 : sum / at(j, j);
        }
    }
    std::vector<double> inverse(n * n), x(n);
    for (std::size_t c = 0; c < n; ++c) {
        const auto divided = [&](double value, std::size_t i) {
            return at(i, i) == 0 ? 0 : value / at(i, i);
        };
        for (std::size_t i = 0; i < n; ++i) {
            double sum = i == c ? 1 : 0;
            for (std::size_t k = 0; k < i; ++k) sum -= at(i, k) * x[k];
            x[i] = divided(sum, i);
        }
        for (std::size_t i = n; i-- > 0;) {
            double sum = x[i];
            for (std::size_t k = i + 1; k < n; ++k) sum -= at(k, i) * x[k];
            x[i] = divided(sum, i);
        }
        std::copy(x.begin(), x.end(), inverse.begin() + static_cast<std::ptrdiff_t>(c * n));
    }
    return inverse;
}

}  // namespace

template <class Real>
void RrbFactorization<Real>::Halos::make(const Communicator& comm, Device& device,
                                         const HaloPlan& plan, std::initializer_list<int> columns) {
    for (const int count : columns) halos_.try_emplace(count, comm, device, plan, count);
}
template <class Real>
void RrbFactorization<Real>::Halos::exchange(Buffer<Real>& values) {
    if (!halos_.empty()) halos_.at(values.columns()).exchange(values);
}

// A level that is split into black and red nodes. Its array is the one in which the level above
// leaves x of its r2-nodes; where the ranks' blocks end, that of the whole level.
template <class Real>
struct RrbFactorization<Real>::Level {
    ArrayShape array, quarter, next;  // next: of the r2-nodes, which lie as the quarter's entries
    int shift_x = 0, shift_y = 0;
    RankBlocks::Block block{};
    bool is_cut = false;       // into blocks of the ranks
    bool is_gathered = false;  // next is not cut, this level is

    Buffer<Real> black, r1;         // factors: 10 and 5 columns
    Buffer<Real> excess, schur;     // S_1: sums of rows, couplings; kept on the finest level
    Buffer<Real> red, solved, z;    // x of r1 and r2, D_b^-1 x of b1 and b2, z of r1 and r2
    Buffer<Real> next_x, next_z;    // r2's, in this level's shape
    Buffer<Real> whole_x, whole_z;  // where is_gathered: of the whole next level
    ArrayShape whole;               // their shape
    Halos ring, replication;        // of a quarter, of the whole next level

    Uint pitch() const { return static_cast<Uint>(quarter.pitch); }
    Uint width() const { return static_cast<Uint>(quarter.width); }
    Uint stride() const { return static_cast<Uint>(array.pitch); }
    // of the array's entry for r1's entry 0: node (2 (column - 1), 2 (row - 3)) less the shift
    Uint start() const {
        return static_cast<Uint>(-1 - shift_x) + static_cast<Uint>(-3 - shift_y) * stride();
    }
    // where the next level looks for its x, and leaves its z
    Buffer<Real>& x_below() { return is_gathered ? whole_x : next_x; }
    Buffer<Real>& z_below() { return is_gathered ? whole_z : next_z; }
    const ArrayShape& shape_below() const { return is_gathered ? whole : next; }

    // The blocks' values as those of the whole next level, on every rank.
    void gather(Device& device, const Buffer<Real>& from, Buffer<Real>& to, int column) const {
        const int x = block.x / 2, y = block.y / 2;
        kernels::RrbWindow<Real>{.source = solenoid::column(from, column),
                                 .value = solenoid::column(to, column),
                                 .pitch = Uint(whole.pitch),
                                 .source_stride = Uint(next.pitch),
                                 .start = Uint(-x) + Uint(-y) * Uint(next.pitch),
                                 .first_column = Uint(x + 1),
                                 .end_column = Uint(x + 1 + next.width),
                                 .first_row = Uint(y + 3),
                                 .end_row = Uint(y + 3 + next.height)}
            .run(device, whole.owned());
    }
    // The part of the whole next level that lies in this rank's block and its ring.
    void take_part(Device& device) {
        const int x = block.x / 2, y = block.y / 2;
        kernels::RrbWindow<Real>{.source = whole_z,
                                 .value = next_z,
                                 .pitch = pitch(),
                                 .source_stride = Uint(whole.pitch),
                                 .start = Uint(x) + Uint(y) * Uint(whole.pitch),
                                 .first_column = 0u,
                                 .end_column = Uint(next.width + 2),
                                 .first_row = 2u,
                                 .end_row = Uint(next.height + 4)}
            .run(device, quarter.with_ring());
    }
};

template <class Real>
RrbFactorization<Real>::RrbFactorization(const Communicator& comm, Device& device,
                                         const RankBlocks& blocks, int last_nodes)
    : comm_(comm), device_(device), blocks_(blocks) {
    make_levels(last_nodes);
}
template <class Real>
RrbFactorization<Real>::~RrbFactorization() = default;

template <class Real>
const ArrayShape& RrbFactorization<Real>::array() const {
    return levels_.front()->array;
}
template <class Real>
const ArrayShape& RrbFactorization<Real>::quarter() const {
    return levels_.front()->quarter;
}
template <class Real>
Buffer<Real> RrbFactorization<Real>::red_vector() const {
    return device_.buffer<Real>(quarter().size(), 2);
}
template <class Real>
int RrbFactorization<Real>::levels() const {
    return static_cast<int>(levels_.size()) + 1;
}

template <class Real>
void RrbFactorization<Real>::make_levels(int last_nodes) {
    const RankBlocks::Block finest = blocks_.block(1);
    int nx = blocks_.nx(), ny = blocks_.ny();  // of the whole level
    ArrayShape array = ArrayShape::of(finest.width, finest.height);
    if (comm_.size() > 1) array_ring_.make(comm_, device_, blocks_.ring(1, false, array), {1, 3});
    while (levels_.empty() || std::int64_t(nx) * ny > last_nodes) {
        auto level = std::make_unique<Level>();
        const int number = static_cast<int>(levels_.size()) + 1;
        level->is_cut = number <= blocks_.levels();
        if (level->is_cut) level->block = blocks_.block(number);
        level->array = array;
        level->shift_x = array.width == 1 && !level->is_cut;
        level->shift_y = array.height == 1 && !level->is_cut;
        level->quarter = array.quarter(level->shift_x, level->shift_y);
        level->next = level->quarter;
        level->next.width = (array.width + level->shift_x) / 2;
        level->next.height = (array.height + level->shift_y) / 2;
        nx = (nx + level->shift_x) / 2;
        ny = (ny + level->shift_y) / 2;
        const Index size = level->quarter.size();
        const auto vector = [&](int columns) {
            break_off_if_overdue();
            return device_.buffer<Real>(size, columns);
        };
        comm_.agree([&] {
            level->black = vector(10);
            level->r1 = vector(5);
            level->solved = vector(2);
            level->next_x = vector(1);
            level->next_z = vector(1);
            if (levels_.empty()) {
                level->excess = vector(2);
                level->schur = vector(8);
                if (comm_.size() > 1) r1_copy_ = vector(1);
            } else {
                level->red = vector(2);
                level->z = vector(2);
            }
        });
        if (level->is_cut) {
            level->ring.make(comm_, device_, blocks_.ring(number, true, level->quarter),
                             {1, 2, 3, 5, 8, 10});
            // the last level is held by all ranks, too
            level->is_gathered = number == blocks_.levels() || std::int64_t(nx) * ny <= last_nodes;
        }
        if (level->is_gathered) {
            level->whole = ArrayShape::of(nx, ny);
            level->whole_x = device_.buffer<Real>(level->whole.size());
            level->whole_z = device_.buffer<Real>(level->whole.size());
            level->replication.make(comm_, device_, blocks_.replication(number + 1, level->whole),
                                    {1, 3});
        }
        array = level->shape_below();
        levels_.push_back(std::move(level));
    }
    last_ = array;
}

template <class Real>
void RrbFactorization<Real>::factorize(Buffer<Real>& matrix) {
    array_ring_.exchange(matrix);
    // Levels have the sums of rows in place of d. Where these are small beside d, and they are,
    // neither the factors nor products suffer from cancellation.
    Buffer<Real> finest_rows = device_.buffer<Real>(array().size(), 3);
    kernels::RrbRowSum<Real>{
        .a = matrix, .value = column(finest_rows, 0), .pitch = Uint(array().pitch)}
        .run(device_, array().owned());
    for (int c = 1; c < 3; ++c)
        Over(device_, array().owned())[column(finest_rows, c)] = column(std::as_const(matrix), c);
    array_ring_.exchange(finest_rows);
    double least = 0, greatest = 0;  // of 1 / d
    Buffer<Real> below;
    const Buffer<Real>* a = &finest_rows;
    for (auto& pointer : levels_) {
        Level& level = *pointer;
        const Index size = level.quarter.size();
        const Range owned = level.quarter.owned();
        // black nodes: b1 one to the east of r1, b2 one to the north
        for (int q = 0; q < 2; ++q)
            kernels::RrbBlackFactors<Real>{.a = *a,
                                           .inverse = column(level.black, 5 * q),
                                           .west = column(level.black, 5 * q + 1),
                                           .east = column(level.black, 5 * q + 2),
                                           .south = column(level.black, 5 * q + 3),
                                           .north = column(level.black, 5 * q + 4),
                                           .pitch = level.pitch(),
                                           .width = level.width(),
                                           .source_stride = level.stride(),
                                           .start = level.start() + (q ? level.stride() : 1u)}
                .run(device_, owned);
        level.ring.exchange(level.black);
        // S_1 = D_r - S_rb D_b^-1 S_br
        const bool is_finest = &level == levels_.front().get();
        Buffer<Real> own_excess, own_schur;
        if (!is_finest) {
            own_excess = device_.buffer<Real>(size, 2);
            own_schur = device_.buffer<Real>(size, 8);
        }
        Buffer<Real>& excess = is_finest ? level.excess : own_excess;
        Buffer<Real>& schur = is_finest ? level.schur : own_schur;
        kernels::RrbSchurStraight<Real>{.a = *a,
                                        .black = level.black,
                                        .excess = column(excess, 0),
                                        .east = column(schur, 0),
                                        .north = column(schur, 1),
                                        .pitch = level.pitch(),
                                        .width = level.width(),
                                        .source_stride = level.stride(),
                                        .start = level.start()}
            .run(device_, owned);
        kernels::RrbSchurDiagonal<Real>{.a = *a,
                                        .black = level.black,
                                        .south_west = column(schur, 2),
                                        .south_east = column(schur, 3),
                                        .north_west = column(schur, 4),
                                        .north_east = column(schur, 5),
                                        .pitch = level.pitch(),
                                        .width = level.width(),
                                        .source_stride = level.stride(),
                                        .start = level.start()}
            .run(device_, owned);
        kernels::RrbSchurR2<Real>{.a = *a,
                                  .black = level.black,
                                  .excess = column(excess, 1),
                                  .east = column(schur, 6),
                                  .north = column(schur, 7),
                                  .pitch = level.pitch(),
                                  .width = level.width(),
                                  .source_stride = level.stride(),
                                  .start = level.start()}
            .run(device_, owned);
        level.ring.exchange(schur);
        level.ring.exchange(excess);
        // r1, its nodes' couplings lumped
        kernels::RrbR1Factors<Real>{.excess = column(excess, 0),
                                    .schur = schur,
                                    .inverse = column(level.r1, 0),
                                    .south_west = column(level.r1, 1),
                                    .south_east = column(level.r1, 2),
                                    .north_west = column(level.r1, 3),
                                    .north_east = column(level.r1, 4)}
            .run(device_, owned);
        level.ring.exchange(level.r1);
        // r2, the next level
        Buffer<Real> next = device_.buffer<Real>(size, 3);
        kernels::RrbNextMatrix<Real>{.excess = excess,
                                     .schur = schur,
                                     .r1 = level.r1,
                                     .sum = column(next, 0),
                                     .e = column(next, 1),
                                     .n = column(next, 2),
                                     .pitch = level.pitch()}
            .run(device_, owned);
        for (const auto& pivots :
             {column(std::as_const(level.black), 0), column(std::as_const(level.black), 5),
              column(std::as_const(level.r1), 0)}) {
            const auto [low, high] =
                Over(device_, owned).reduce(solenoid::least(pivots), solenoid::greatest(pivots));
            least = std::isnan(low) ? low : std::min(least, low);
            greatest = std::isnan(high) ? high : std::max(greatest, high);
        }
        if (level.is_gathered) {
            below = device_.buffer<Real>(level.whole.size(), 3);
            for (int c = 0; c < 3; ++c) level.gather(device_, next, below, c);
            level.replication.exchange(below);
        } else {
            level.ring.exchange(next);
            below = std::move(next);
        }
        a = &below;
    }
    const bool is_positive = least >= 0 && std::isfinite(least) && std::isfinite(greatest);
    comm_.agree([&] {
        if (!is_positive)
            throw ComputationError(
                "the matrix is not positive definite: a pivot of its incomplete factorization is "
                "not positive and finite");
        invert_last(*a);
    });
}

// The last level, which every rank has.
template <class Real>
void RrbFactorization<Real>::invert_last(const Buffer<Real>& a) {
    const std::vector<Real> values = a.download();
    const std::size_t n = std::size_t(last_.width) * last_.height, size = last_.size();
    std::vector<double> dense(n * n);
    for (int j = 0; j < last_.height; ++j)
        for (int i = 0; i < last_.width; ++i) {
            const std::size_t k = i + std::size_t(j) * last_.width, at = last_.entry(i, j);
            const auto couple = [&](std::size_t other, double value) {
                dense[k * n + other] = dense[other * n + k] = value;
                dense[k * n + k] -= value;
                dense[other * n + other] -= value;
            };
            dense[k * n + k] += values[at];
            if (i + 1 < last_.width) couple(k + 1, values[size + at]);
            if (j + 1 < last_.height) couple(k + last_.width, values[2 * size + at]);
        }
    dense = dense_inverse(std::move(dense), n);
    last_inverse_ =
        device_.buffer<Real>(std::span<const Real>(std::vector<Real>(dense.begin(), dense.end())));
}

template <class Real>
void RrbFactorization<Real>::reduce(Buffer<Real>& b, Buffer<Real>& red) {
    array_ring_.exchange(b);
    eliminate_black(finest(), b, red);
}

template <class Real>
void RrbFactorization<Real>::eliminate_black(Level& level, const Buffer<Real>& x,
                                             Buffer<Real>& red) {
    kernels::RrbEliminateBlack<Real>{.source = x,
                                     .black = level.black,
                                     .r1 = column(red, 0),
                                     .r2 = column(red, 1),
                                     .b1 = column(level.solved, 0),
                                     .b2 = column(level.solved, 1),
                                     .pitch = level.pitch(),
                                     .width = level.width(),
                                     .source_stride = level.stride(),
                                     .start = level.start()}
        .run(device_, level.quarter.owned());
}

template <class Real>
void RrbFactorization<Real>::split(const Buffer<Real>& x, Buffer<Real>& red) {
    Level& level = finest();
    kernels::RrbSplit<Real>{.source = x,
                            .r1 = column(red, 0),
                            .r2 = column(red, 1),
                            .pitch = level.pitch(),
                            .width = level.width(),
                            .source_stride = level.stride(),
                            .start = level.start()}
        .run(device_, level.quarter.owned());
}

template <class Real>
void RrbFactorization<Real>::expand(Buffer<Real>& red, Buffer<Real>& x) {
    interleave(finest(), red, x);
}

template <class Real>
void RrbFactorization<Real>::interleave(Level& level, Buffer<Real>& red, Buffer<Real>& x) {
    level.ring.exchange(red);
    kernels::RrbInterleave<Real>{.red = red,
                                 .solved = level.solved,
                                 .black = level.black,
                                 .value = x,
                                 .pitch = level.stride(),
                                 .width = Uint(level.array.width),
                                 .quarter_pitch = level.pitch(),
                                 .shift_x = Uint(level.shift_x),
                                 .shift_y = Uint(level.shift_y)}
        .run(device_, level.array.owned());
}

template <class Real>
double RrbFactorization<Real>::multiply(Buffer<Real>& p, Buffer<Real>& q) {
    Level& level = finest();
    level.ring.exchange(p);
    return kernels::RrbProduct<Real>{.p = p,
                                     .excess = level.excess,
                                     .schur = level.schur,
                                     .q1 = column(q, 0),
                                     .q2 = column(q, 1),
                                     .pitch = level.pitch(),
                                     .width = level.width()}
        .run(comm_, device_, level.quarter.owned())
        .pq;
}

// x of the r2-nodes, which it hands to the next level. x1: of r1, its ring filled; x2: of r2.
template <class Real>
void RrbFactorization<Real>::eliminate_r1(Level& level, const In<Real>& x1, const In<Real>& x2) {
    kernels::RrbEliminateR1<Real>{
        .x1 = x1, .r1 = level.r1, .x2 = x2, .value = level.next_x, .pitch = level.pitch()}
        .run(device_, level.quarter.owned());
    if (level.is_gathered) {
        level.gather(device_, level.next_x, level.whole_x, 0);
        level.replication.exchange(level.whole_x);
    } else {
        level.ring.exchange(level.next_x);
    }
}

// z of the next level has come: its ring, too.
template <class Real>
void RrbFactorization<Real>::take_next(Level& level) {
    if (level.is_gathered)
        level.take_part(device_);
    else
        level.ring.exchange(level.next_z);
}

template <class Real>
double RrbFactorization<Real>::precondition(const Buffer<Real>& r, Buffer<Real>& z) {
    // L x = r from level to level. r . z is summed over entries whose r is zero at ghosts: they
    // are filled in a copy.
    if (r1_copy_) {
        Over(device_, finest().quarter.owned())[r1_copy_] = column(r, 0);
        finest().ring.exchange(r1_copy_);
        eliminate_r1(finest(), r1_copy_, column(r, 1));
    } else {
        eliminate_r1(finest(), column(r, 0), column(r, 1));
    }
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        Level& level = *levels_[l];
        eliminate_black(level, levels_[l - 1]->x_below(), level.red);
        level.ring.exchange(level.red);
        eliminate_r1(level, column(level.red, 0), column(level.red, 1));
    }
    kernels::RrbLastLevel<Real>{.inverse = last_inverse_,
                                .x = levels_.back()->x_below(),
                                .value = levels_.back()->z_below(),
                                .pitch = Uint(last_.pitch),
                                .width = Uint(last_.width),
                                .height = Uint(last_.height)}
        .run(device_, last_.owned());
    // L^T z = D^-1 x, the other way round
    for (std::size_t l = levels_.size() - 1; l > 0; --l) {
        Level& level = *levels_[l];
        take_next(level);
        kernels::RrbSubstituteLevel<Real>{.next = level.next_z,
                                          .r1 = level.r1,
                                          .x1 = column(level.red, 0),
                                          .z1 = column(level.z, 0),
                                          .z2 = column(level.z, 1),
                                          .pitch = level.pitch()}
            .run(device_, level.quarter.owned());
        interleave(level, level.z, levels_[l - 1]->z_below());
    }
    take_next(finest());
    return kernels::RrbSubstituteR1<Real>{.next = finest().next_z,
                                          .r1 = finest().r1,
                                          .x1 = column(r, 0),
                                          .x2 = column(r, 1),
                                          .z1 = column(z, 0),
                                          .z2 = column(z, 1),
                                          .pitch = finest().pitch()}
        .run(comm_, device_, finest().quarter.owned())
        .rz;
}

template <class Real>
RrbFactors<Real> RrbFactorization<Real>::factors(int level) const {
    const Level& l = *levels_.at(level - 1);
    return {l.quarter, l.block.x,          l.block.y,      l.shift_x,
            l.shift_y, l.black.download(), l.r1.download()};
}

template class RrbFactorization<float>;
template class RrbFactorization<double>;

}  // namespace solenoid
