#include "grid/multigrid/multigrid_cycle.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/reproducible.hpp"
#include "device/any_above.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "grid/grid.hpp"
#include "parallel/halo.hpp"
#include "solvers/matrix/host_matrix.hpp"
#include "solvers/multigrid/dense_inverse.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;

// Weights with which a coarse node I of a direction enters the nodes 2 I - 1 and 2 I + 1 among n.
// A last node without a coarse node behind it takes `last` times the value of the one before. Where
// n is odd and the direction periodic, the last node and the first are neighbours, both of them
// coarse: the place between them stands for a ghost, which is the node across the side.
struct Weights {
    double before, after;

    static Weights of(int coarse, int n, bool is_periodic, double last) {
        const int count = (n + 1) / 2;
        if (is_periodic && n % 2 == 0) return {0.5, 0.5};
        if (is_periodic) {
            const int inside = ((coarse % count) + count) % count;
            return {coarse >= count ? 1
                    : inside == 0   ? 0
                                    : 0.5,
                    coarse < 0            ? 1
                    : inside == count - 1 ? 0
                                          : 0.5};
        }
        if (coarse < 0 || coarse >= count) return {0, 0};
        const int next = 2 * coarse + 1;
        return {coarse == 0 ? 0 : 0.5, next >= n ? 0 : next == n - 1 ? last : 0.5};
    }
};

}  // namespace

// A grid of the hierarchy, and what lies between it and the next coarser one. "Coarser nodes" are
// values that lie as the entries of this grid's quarter 0.
template <class Real>
struct GridMultigrid<Real>::Level {
    std::unique_ptr<Grid<Real>> own_grid;  // of coarser levels
    std::unique_ptr<Stencil<Real>> own_matrix;
    const Grid<Real>* grid = nullptr;
    Stencil<Real>* matrix = nullptr;
    Buffer<Real> u, b, r, kept;

    const Grid<Real>* coarser = nullptr;
    Buffer<Real> weight, nodes;  // coarser nodes
    HaloPlan plan;               // brings the coarse nodes of each rank to all; of none: not cut
    std::map<int, Halo<Real>> all;

    // of this rank's coarser nodes
    int first_x() const { return grid->layout().block().x / 2; }
    int first_y() const { return grid->layout().block().y / 2; }
    Uint pitch() const { return static_cast<Uint>(grid->layout().pitch()); }
    Uint quarter() const { return static_cast<Uint>(grid->layout().quarter_size()); }
    bool gathers() const { return coarser->is_whole() && !grid->is_whole(); }

    // The weight of the last nodes of a direction: what the operator interpolates (Alcouffe et al.
    // 1981), on average over the side, where their values along it are equal; 1 where it keeps
    // constants.
    double last_weight(bool is_y, const Buffer<Real>& straight, const Buffer<Real>& diagonal) {
        const GridLayout& layout = grid->layout();
        const GridExtents& whole = layout.extents();
        const int n = is_y ? whole.ny : whole.nx;
        if (n % 2 == 1 || (is_y ? whole.is_periodic_y : whole.is_periodic_x)) return 1;
        const int last = (n / 2 - 1) - (is_y ? first_y() : first_x()) + 1;
        const bool is_here = is_y ? layout.block().y + layout.block().height == n
                                  : layout.block().x + layout.block().width == n;
        const auto result =
            kernels::MultigridLastLine<Real>{.straight = straight,
                                             .diagonal = diagonal,
                                             .marker = matrix->marker(),
                                             .pitch = pitch(),
                                             .quarter = quarter(),
                                             .last = static_cast<Uint>(last),
                                             .is_y = is_y ? 1u : 0u,
                                             .has_nine = has_nine() ? 1u : 0u}
                .run(grid->summing(), grid->device(), is_here ? layout.nodes(0) : Range{0, 0});
        std::array<double, 2> sums{result.before, result.rest};
        grid->summing().sum(std::span<double>(sums));
        return sums[1] > 0 ? std::clamp(-sums[0] / sums[1], 0.0, 1.0) : 1;
    }
    bool has_nine() const { return matrix->kind() == StencilKind::nine; }
    void make_weights(const Buffer<Real>& straight, const Buffer<Real>& diagonal) {
        const GridLayout& layout = grid->layout();
        const GridExtents& whole = layout.extents();
        const double last_x = last_weight(false, straight, diagonal),
                     last_y = last_weight(true, straight, diagonal);
        std::vector<Real> values(4 * std::size_t(layout.quarter_size()));
        for (int row = 0; row < layout.rows(); ++row)
            for (int k = 0; k < layout.pitch(); ++k) {
                const Weights x = Weights::of(first_x() + k - 1, whole.nx, whole.is_periodic_x,
                                              last_x),
                              y = Weights::of(first_y() + row - 1, whole.ny, whole.is_periodic_y,
                                              last_y);
                const std::size_t at = std::size_t(row) * layout.pitch() + k;
                const double four[] = {x.before, x.after, y.before, y.after};
                for (std::size_t c = 0; c < 4; ++c)
                    values[c * layout.quarter_size() + at] = static_cast<Real>(four[c]);
            }
        weight = grid->device().template buffer<Real>(std::span<const Real>(values), 4);
        nodes = grid->device().template buffer<Real>(layout.quarter_size());
    }
    void make_gathering(const GridBlocks& blocks) {
        const int ranks = grid->comm().size(), self = grid->comm().rank();
        const auto list = [&](std::vector<Index>& to, int rank) {
            const GridBlock b = blocks.block(grid->level(), rank);
            for (int j = b.y / 2; 2 * j < b.y + b.height; ++j)
                for (int i = b.x / 2; 2 * i < b.x + b.width; ++i)
                    to.push_back(coarser->layout().entry(i, j));
        };
        for (int rank = 0; rank < ranks; ++rank) {
            if (rank == self) continue;
            plan.neighbours.push_back(rank);
            list(plan.send, self);
            list(plan.receive, rank);
            plan.send_start.push_back(static_cast<Index>(plan.send.size()));
            plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
        }
    }
    // `nodes` as a column of a field of the coarser grid, on this rank's nodes.
    void split(Buffer<Real>& to, int to_column) {
        const GridLayout& layout = coarser->layout();
        const GridBlock& block = grid->layout().block();
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int x = layout.block().x + (quarter & 1) - 2 - first_x(),
                      y = layout.block().y + (quarter >> 1) - 2 - first_y();
            kernels::MultigridSplit<Real>{
                .values = nodes,
                .value = column(to, to_column),
                .start = static_cast<Uint>(quarter * layout.quarter_size()),
                .coarse_pitch = static_cast<Uint>(layout.pitch()),
                .pitch = pitch(),
                .offset_x = static_cast<Uint>(x),
                .offset_y = static_cast<Uint>(y),
                .width = static_cast<Uint>((block.width + 1) / 2),
                .height = static_cast<Uint>((block.height + 1) / 2)}
                .run(grid->device(), layout.nodes(quarter));
        }
    }
    void gather(Buffer<Real>& values) {
        if (!gathers()) return;
        all.try_emplace(values.columns(), grid->comm(), grid->device(), plan, values.columns())
            .first->second.exchange(values);
    }
    // A field of the coarser grid, with its ghosts, as `nodes`.
    void join(const Buffer<Real>& coarse) {
        const GridLayout& layout = coarser->layout();
        kernels::MultigridJoin<Real>{
            .values = coarse,
            .value = nodes,
            .pitch = pitch(),
            .coarse_pitch = static_cast<Uint>(layout.pitch()),
            .coarse_quarter = static_cast<Uint>(layout.quarter_size()),
            .offset_x = static_cast<Uint>(first_x() + 1 - layout.block().x),
            .offset_y = static_cast<Uint>(first_y() + 1 - layout.block().y)}
            .run(grid->device(), Range{0, grid->layout().quarter_size()});
    }
};

template <class Real>
GridMultigrid<Real>::GridMultigrid(Stencil<Real>& matrix, const Buffer<Real>* kept,
                                   const Rediscretization<Real>& rediscretized,
                                   int coarsest_nodes) {
    auto level = std::make_unique<Level>();
    level->grid = &matrix.grid();
    level->matrix = &matrix;
    level->r = level->grid->field();
    level->kept = level->grid->field();
    level->grid->device().copy(kept ? *kept : matrix.marker(), level->kept);
    level->grid->exchange(level->kept);
    levels_.push_back(std::move(level));
    const GridBlocks& blocks = matrix.grid().blocks();
    // On several ranks the finest grid is cut, so that there is a coarser one, however few nodes it
    // has. In a reproducible run one rank has it, too.
    const bool has_coarser =
        is_reproducible() && GridBlocks::may_be_cut(matrix.grid().layout().extents());
    while (!levels_.back()->grid->is_whole() || (has_coarser && levels() == 1) ||
           levels_.back()->grid->layout().extents().nodes() > coarsest_nodes)
        make_coarser(blocks, rediscretized);
    make_coarsest();
}
template <class Real>
GridMultigrid<Real>::~GridMultigrid() = default;

template <class Real>
int GridMultigrid<Real>::levels() const {
    return static_cast<int>(levels_.size());
}
template <class Real>
Stencil<Real>& GridMultigrid<Real>::matrix(int level) {
    return *levels_[level]->matrix;
}

template <class Real>
void GridMultigrid<Real>::make_coarser(const GridBlocks& blocks,
                                       const Rediscretization<Real>& rediscretized) {
    Level& fine = *levels_.back();
    const Grid<Real>& grid = *fine.grid;
    Device& device = grid.device();
    auto level = std::make_unique<Level>();
    level->own_grid = std::make_unique<Grid<Real>>(grid.comm(), device, blocks, grid.level() + 1);
    level->grid = level->own_grid.get();
    fine.coarser = level->grid;
    for (Buffer<Real>* const vector : {&level->u, &level->b, &level->r, &level->kept})
        *vector = level->grid->field();
    Buffer<Real> made;
    const Buffer<Real> none = device.buffer<Real>(1, 2);
    const Buffer<Real>& straight = fine.matrix->stored_straight(made);
    const Buffer<Real>& diagonal = fine.has_nine() ? fine.matrix->diagonal() : none;
    fine.make_weights(straight, diagonal);
    if (fine.gathers()) fine.make_gathering(blocks);

    // of quarter 0, as it lies
    const Over coarser_nodes(device, Range{0, grid.layout().quarter_size()});
    coarser_nodes[fine.nodes] = fine.kept;
    fine.split(level->kept, 0);
    fine.gather(level->kept);
    level->grid->exchange(level->kept);
    std::optional<Stencil<Real>> again;
    if (rediscretized) again = rediscretized(*level->grid, level->grid->level());
    level->own_matrix = std::make_unique<Stencil<Real>>(again ? std::move(*again)
                                                              : combine(fine, straight, diagonal));
    level->matrix = level->own_matrix.get();
    levels_.push_back(std::move(level));
}

template <class Real>
Stencil<Real> GridMultigrid<Real>::combine(Level& fine, const Buffer<Real>& straight,
                                           const Buffer<Real>& diagonal) {
    const Grid<Real>& coarser = *fine.coarser;
    Device& device = coarser.device();
    Buffer<Real> coarse_straight = coarser.field(3), coarse_diagonal = coarser.field(2);
    constexpr Uint to[5][2] = {{2, 2}, {4, 2}, {2, 4}, {4, 4}, {0, 4}};
    for (int c = 0; c < 5; ++c) {
        kernels::MultigridCombine<Real>{.straight = straight,
                                        .diagonal = diagonal,
                                        .weight = fine.weight,
                                        .kept = fine.kept,
                                        .value = fine.nodes,
                                        .pitch = fine.pitch(),
                                        .quarter = fine.quarter(),
                                        .to_x = to[c][0],
                                        .to_y = to[c][1],
                                        .has_nine = fine.has_nine() ? 1u : 0u}
            .run(device, fine.grid->layout().nodes(0));
        if (c < 3)
            fine.split(coarse_straight, c);
        else
            fine.split(coarse_diagonal, c - 3);
    }
    fine.gather(coarse_straight);
    fine.gather(coarse_diagonal);
    Buffer<Real> marker = coarser.marker();
    const Buffer<Real> own = coarser.marker();
    Over(device, coarser.layout().nodes())[marker] =
        where(column(std::as_const(coarse_straight), 0) > 0.0, own, 0.0 * own);
    return Stencil<Real>(coarser, std::move(marker), std::move(coarse_straight),
                         std::move(coarse_diagonal));
}

template <class Real>
void GridMultigrid<Real>::make_coarsest() {
    const Level& level = *levels_.back();
    const Stencil<Real>& a = *level.matrix;
    const GridLayout& layout = level.grid->layout();
    const GridExtents& whole = layout.extents();
    const std::vector<double> marker = level.grid->to_host(a.marker());
    std::vector<double> coefficients(5 * marker.size());
    if (a.kind() == StencilKind::constant) {
        const double three[] = {a.constants().d, a.constants().e, a.constants().n};
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t k = 0; k < marker.size(); ++k)
                coefficients[c * marker.size() + k] = three[c] * marker[k];
    } else {
        const std::vector<double> straight = level.grid->to_host(a.straight());
        std::copy(straight.begin(), straight.end(), coefficients.begin());
        if (a.diagonal()) {
            const std::vector<double> diagonal = level.grid->to_host(a.diagonal());
            std::copy(diagonal.begin(), diagonal.end(),
                      coefficients.begin() + static_cast<std::ptrdiff_t>(3 * marker.size()));
        }
    }
    std::vector<Uint> entries;
    std::vector<int> row(marker.size(), -1);
    for (int j = 0; j < whole.ny; ++j)
        for (int i = 0; i < whole.nx; ++i) {
            const std::size_t k = std::size_t(j) * whole.nx + i;
            if (marker[k] == 0) continue;
            row[k] = static_cast<int>(entries.size());
            entries.push_back(static_cast<Uint>(layout.entry(i, j)));
        }
    const std::size_t n = entries.size();
    if (n == 0) return;
    std::vector<double> dense(n * n);
    constexpr int steps[5][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (int j = 0; j < whole.ny; ++j)
        for (int i = 0; i < whole.nx; ++i)
            for (std::size_t c = 0; c < 5; ++c) {
                int x = i + steps[c][0], y = j + steps[c][1];
                if (whole.is_periodic_x) x = (x + whole.nx) % whole.nx;
                if (whole.is_periodic_y) y = (y + whole.ny) % whole.ny;
                if (x < 0 || y < 0 || x >= whole.nx || y >= whole.ny) continue;
                const std::size_t k = std::size_t(j) * whole.nx + i;
                const int from = row[k], to = row[std::size_t(y) * whole.nx + x];
                if (from < 0 || to < 0) continue;
                const double value = coefficients[c * marker.size() + k];
                dense[from * n + to] += value;
                if (c > 0) dense[to * n + from] += value;
            }
    HostMatrix matrix;
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c < n; ++c)
            if (dense[r * n + c] != 0) matrix.append(static_cast<Index>(c), dense[r * n + c]);
        matrix.end_row();
    }
    // Constants are found by sums that are zero up to what Real rounds.
    double trace = 0;
    for (std::size_t r = 0; r < n; ++r) trace += dense[r * n + r];
    const double rounding =
        levels_.size() > 1 ? 10 * std::numeric_limits<Real>::epsilon() * trace : 0;
    const HostMatrix inverse = dense_inverse(matrix, rounding);
    std::vector<Real> values(n * n);
    for (std::size_t r = 0; r < n; ++r)
        for (Index k = inverse.rows.start[r]; k < inverse.rows.start[r + 1]; ++k)
            values[r * n + inverse.rows.index[k]] = static_cast<Real>(inverse.entries[k]);
    Device& device = level.grid->device();
    inverse_ = device.buffer<Real>(std::span<const Real>(values));
    unknowns_ = device.buffer<Uint>(std::span<const Uint>(entries));
    answer_ = device.buffer<Real>(static_cast<Index>(n));
}

template <class Real>
void GridMultigrid<Real>::solve_coarsest(const Buffer<Real>& b, Buffer<Real>& u) {
    if (!unknowns_) return;
    Device& device = levels_.back()->grid->device();
    kernels::MultigridCoarsest<Real>{.inverse = inverse_,
                                     .entry = unknowns_,
                                     .b = b,
                                     .value = answer_,
                                     .size = static_cast<Uint>(unknowns_.size())}
        .run(device, Range{0, unknowns_.size()});
    device.scatter(answer_, unknowns_, u);
}

// The coarser level's b.
template <class Real>
void GridMultigrid<Real>::restrict_to_coarser(Level& fine, Buffer<Real>& values) {
    fine.grid->exchange(values);
    kernels::MultigridRestrict<Real>{.weight = fine.weight,
                                     .residual = values,
                                     .value = fine.nodes,
                                     .pitch = fine.pitch(),
                                     .quarter = fine.quarter()}
        .run(fine.grid->device(), fine.grid->layout().nodes(0));
}

// u += P of `nodes`.
template <class Real>
void GridMultigrid<Real>::correct(Level& fine, Buffer<Real>& u) {
    const GridLayout& layout = fine.grid->layout();
    for (int quarter = 0; quarter < 4; ++quarter)
        kernels::MultigridCorrect<Real>{.u = u,
                                        .marker = fine.matrix->marker(),
                                        .weight = fine.weight,
                                        .coarse = fine.nodes,
                                        .start = static_cast<Uint>(quarter * layout.quarter_size()),
                                        .pitch = fine.pitch(),
                                        .is_odd_x = static_cast<Uint>(quarter & 1),
                                        .is_odd_y = static_cast<Uint>(quarter >> 1)}
            .run(fine.grid->device(), layout.nodes(quarter));
}

template <class Real>
void GridMultigrid<Real>::relax(Level& level, const Buffer<Real>& b, Buffer<Real>& u,
                                const GridCycle& settings, bool backwards) {
    using Lines = typename Stencil<Real>::Lines;
    Stencil<Real>& a = *level.matrix;
    switch (settings.smoother) {
        case GridSmoother::colours:
            return a.relax(b, u, level.r, backwards);
        case GridSmoother::jacobi:
            return a.relax_jacobi(b, u, level.r, settings.damping);
        case GridSmoother::lines_x:
            return a.relax_lines(Lines::along_x, b, u, level.r, backwards);
        case GridSmoother::lines_y:
            return a.relax_lines(Lines::along_y, b, u, level.r, backwards);
        case GridSmoother::lines:
            a.relax_lines(backwards ? Lines::along_y : Lines::along_x, b, u, level.r, backwards);
            a.relax_lines(backwards ? Lines::along_x : Lines::along_y, b, u, level.r, backwards);
    }
}

// What the next coarser grid gives for its b, from nothing.
template <class Real>
void GridMultigrid<Real>::solve_below(std::size_t n, const GridCycle& settings) {
    Level& below = *levels_[n + 1];
    Over(below.grid->device(), Range{0, below.u.size()})[below.u] = 0.0 * below.matrix->marker();
    const bool is_last = n + 2 == levels_.size();
    for (int k = 0; k < (is_last ? 1 : settings.coarse_cycles); ++k)
        cycle(n + 1, below.b, below.u, settings);
    if (settings.is_full && !is_last) {
        GridCycle plain = settings;
        plain.is_full = false;
        cycle(n + 1, below.b, below.u, plain);
    }
    below.grid->exchange(below.u);
}

// The finest one from which on there are no messages, and not too many calls.
template <class Real>
std::size_t GridMultigrid<Real>::recorded_level(const GridCycle& settings) const {
    constexpr std::size_t most_calls_at_the_coarsest = 64;
    std::size_t level = levels_.size(), calls = 1;
    while (level > 1 && levels_[level - 1]->grid->is_whole() &&
           calls <= most_calls_at_the_coarsest) {
        --level;
        calls *= static_cast<std::size_t>(settings.coarse_cycles);
    }
    return level;
}

template <class Real>
void GridMultigrid<Real>::cycle(std::size_t n, const Buffer<Real>& b, Buffer<Real>& u,
                                const GridCycle& settings) {
    Level& level = *levels_[n];
    if (n + 1 == levels_.size()) return solve_coarsest(b, u);
    for (int k = 0; k < settings.before; ++k) relax(level, b, u, settings, false);
    level.matrix->subtract_from(b, u, level.r);
    Level& below = *levels_[n + 1];
    restrict_to_coarser(level, level.r);
    level.split(below.b, 0);
    level.gather(below.b);
    if (n + 1 == recorded_level(settings)) {
        const auto found = std::find_if(recorded_.begin(), recorded_.end(),
                                        [&](const Recorded& r) { return r.settings == settings; });
        if (found != recorded_.end()) {
            level.grid->device().repeat(found->calls, [&] { solve_below(n, settings); });
        } else {
            solve_below(n, settings);  // allocates
            recorded_.push_back({settings, nullptr});
        }
    } else {
        solve_below(n, settings);
    }
    level.join(below.u);
    correct(level, u);
    for (int k = 0; k < settings.after; ++k) relax(level, b, u, settings, settings.is_reversed);
}

template <class Real>
void GridMultigrid<Real>::cycle(const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings) {
    cycle(0, b, u, settings);
}

template <class Real>
GridCycleReport GridMultigrid<Real>::solve(const Buffer<Real>& b, Buffer<Real>& u,
                                           const GridCycle& settings, double target,
                                           int max_cycles) {
    Level& finest = *levels_.front();
    GridCycleReport report;
    for (;; ++report.cycles) {
        finest.matrix->subtract_from(b, u, finest.r);
        report.residuals.push_back(finest.grid->greatest(finest.matrix->marker(), finest.r));
        report.has_converged = report.residuals.back() <= target;
        if (report.has_converged || report.cycles == max_cycles) return report;
        cycle(0, b, u, settings);
    }
}

template <class Real>
GridCycleReport GridMultigrid<Real>::solve_until(const Buffer<Real>& b, Buffer<Real>& u,
                                                 const GridCycle& settings, double target,
                                                 int max_cycles, int cycles_a_test) {
    Level& finest = *levels_.front();
    const Grid<Real>& grid = *finest.grid;
    GridCycleReport report;
    for (;;) {
        finest.matrix->subtract_from(b, u, finest.r);
        // quarter by quarter, which are zero at what is no unknown: between them are ghosts, with
        // what a restriction has brought there
        bool is_above = false;
        for (int quarter = 0; quarter < 4 && !is_above; ++quarter)
            is_above = any_above(grid.device(), finest.r, grid.layout().nodes(quarter), target);
        report.has_converged = !grid.summing().any(is_above);
        if (report.has_converged || report.cycles >= max_cycles) return report;
        for (int k = 0; k < cycles_a_test && report.cycles < max_cycles; ++k, ++report.cycles)
            cycle(0, b, u, settings);
    }
}

template <class Real>
void GridMultigrid<Real>::solve_full(const Buffer<Real>& b, Buffer<Real>& u,
                                     const GridCycle& settings, int cycles_a_level) {
    // right-hand sides of all levels; a cycle uses those below its own
    std::vector<Buffer<Real>> right;
    for (const auto& level : levels_) right.push_back(level->grid->field());
    Device& device = levels_.front()->grid->device();
    device.copy(b, right.front());
    for (std::size_t n = 0; n + 1 < levels_.size(); ++n) {
        restrict_to_coarser(*levels_[n], right[n]);
        levels_[n]->split(right[n + 1], 0);
        levels_[n]->gather(right[n + 1]);
    }
    std::vector<Buffer<Real>> answer;
    for (const auto& level : levels_) answer.push_back(level->grid->field());
    solve_coarsest(right.back(), answer.back());
    for (std::size_t n = levels_.size() - 1; n-- > 0;) {
        levels_[n + 1]->grid->exchange(answer[n + 1]);
        levels_[n]->join(answer[n + 1]);
        correct(*levels_[n], answer[n]);
        for (int k = 0; k < cycles_a_level; ++k) cycle(n, right[n], answer[n], settings);
    }
    device.copy(answer.front(), u);
}

template <class Real>
GridPreconditioner<Real>::GridPreconditioner(GridMultigrid<Real>& multigrid, GridCycle settings)
    : multigrid_(multigrid), settings_(settings) {
    if (settings.is_full) throw std::logic_error("an F cycle is not symmetric");
    settings_.is_reversed = true;
}

template <class Real>
double GridPreconditioner<Real>::apply(const Buffer<Real>& r, Buffer<Real>& z) {
    Stencil<Real>& matrix = multigrid_.matrix(0);
    Over(matrix.device(), Range{0, z.size()})[z] = 0.0 * matrix.marker();
    multigrid_.cycle(r, z, settings_);
    return Over(matrix.device(), matrix.range()).dot(matrix.grid().summing(), r, z);
}

template class GridMultigrid<float>;
template class GridMultigrid<double>;
template class GridPreconditioner<float>;
template class GridPreconditioner<double>;

}  // namespace solenoid
