#include "device/kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/reproducible.hpp"
#include "device/device.hpp"

namespace solenoid {
namespace {

// Rows inside that take as long as a second launch costs. Of reductions, whose bits depend on the
// parts, the parts are always two. Exchanges between GPUs tell by their bytes (Ghosts::is_quick).
constexpr Index least_inside = 2048;

[[noreturn]] void fail(const Launch& launch, std::string_view argument, const std::string& what) {
    throw std::logic_error("kernel " + std::string(launch.kernel->name) + ", argument " +
                           std::string(argument) + ": " + what);
}

#ifdef SOLENOID_CHECKED
// An exchange for each gathered argument of a launch: too slow beside sanitizers, unless it is
// asked for.
bool compares_ghosts() {
#ifdef SOLENOID_CHECKED_CALLS
    return true;
#else
    return std::getenv("SOLENOID_CHECK_GHOSTS") != nullptr;
#endif
}
#endif

// What a reduction of nothing is.
double neutral(Reduction operation) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return operation == Reduction::sum ? 0 : operation == Reduction::min ? infinity : -infinity;
}

double combined(Reduction operation, double a, double b) {
    return operation == Reduction::sum   ? a + b
           : operation == Reduction::min ? std::min(a, b)
                                         : std::max(a, b);
}

bool is_sum(const KernelReduction& r) { return r.operation == Reduction::sum; }

// Calls part(range) for the rows inside while the ghosts of the last argument that lacks them
// travel, then for those on the border; once for all where nothing travels or it does not pay.
template <class Part>
void in_parts(const Launch& launch, const SplitRange& rows, Reach reach, const Part& part) {
    const auto arguments = launch.kernel->arguments;
    // As far as an argument has to be current; one that is read at the launch's own entities: as
    // far as these go.
    const auto needed = [&](std::size_t n) {
        return arguments[n].entities.empty() ? reach : arguments[n].reach;
    };
    std::array<std::size_t, max_buffers> stale{};
    std::size_t count = 0;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
        const Ghosts* const ghosts = launch.ghosts[n];
        if (!ghosts || needed(n) == Reach::own || ghosts->are_current(needed(n))) continue;
        const auto is_same = [&](std::size_t m) { return launch.buffers[m] == launch.buffers[n]; };
        if (std::none_of(stale.begin(), stale.begin() + count, is_same)) stale[count++] = n;
    }
    for (std::size_t k = 0; k + 1 < count; ++k)
        launch.ghosts[stale[k]]->exchange_ghosts(*launch.buffers[stale[k]]);
    const auto run = [&](Range range) {
        if (range.size()) part(range);
    };
    const Ghosts* last = count ? launch.ghosts[stale[count - 1]] : nullptr;
    const bool is_small = launch.kernel->reductions.empty() && rows.inside.size() < least_inside;
    if (last && (last->is_quick() || is_small)) {
        last->exchange_ghosts(*launch.buffers[stale[count - 1]]);
        last = nullptr;
    }
#ifdef SOLENOID_CHECKED
    for (std::size_t n = 0; n < arguments.size() && compares_ghosts(); ++n)
        if (launch.ghosts[n] && launch.ghosts[n] != last && needed(n) != Reach::own)
            launch.ghosts[n]->verify(
                *launch.buffers[n], needed(n),
                std::string(launch.kernel->name) + ", argument " + std::string(arguments[n].name));
#endif
    if (!last) return run(rows.whole());
    last->start_exchange(*launch.buffers[stale[count - 1]]);
    run(rows.inside);
    last->finish_exchange(*launch.buffers[stale[count - 1]]);
    run(rows.border);
}

// The reductions of a launch's parts together.
class Reductions {
  public:
    explicit Reductions(std::span<const KernelReduction> operations) : operations_(operations) {
        for (std::size_t n = 0; n < operations.size(); ++n)
            values_[n] = neutral(operations[n].operation);
    }
    void add(const ReductionTicket& part) {
        for (std::size_t n = 0; n < operations_.size(); ++n) {
            values_[n] = count_ ? combined(operations_[n].operation, values_[n], part.values[n])
                                : part.values[n];
            if (is_reproducible()) sums_[n].add(part.sums[n]);
        }
        ++count_;
    }
    // In a reproducible run the first rank has the sums of all ranks, the others have none: so the
    // ranks add up to the same, however entities are dealt out. Collective there where there are
    // sums, and `ranks` are not null.
    const std::array<double, max_reductions>& total(const SummingRanks* ranks) {
        if (!is_reproducible() || !ranks) return values_;
        ranks->add_to_first(std::span(sums_).first(operations_.size()));
        for (std::size_t n = 0; n < operations_.size(); ++n)
            if (is_sum(operations_[n])) values_[n] = sums_[n].value();
        return values_;
    }

  private:
    const std::span<const KernelReduction> operations_;
    std::array<double, max_reductions> values_{};
    std::array<BinnedSum, max_reductions> sums_;
    int count_ = 0;
};

// Those who make a launch with sums; null where it has none.
const SummingRanks* begun(const KernelInfo& kernel, const SummingRanks* ranks) {
    if (!has_sums(kernel)) return nullptr;
    if (!ranks)
        throw std::logic_error("kernel " + std::string(kernel.name) +
                               " has sums, and is launched without the ranks that make it");
    ranks->begin_sums(kernel.name);
    return ranks;
}

void mark_written(const Launch& launch, Reach reach) {
    for (FieldGhosts* field : launch.written)
        if (field) field->set_written(reach);
}

}  // namespace

int column_count(const KernelArgument& argument, int dimension) {
    const int components = argument.type == ValueType::vec ? dimension : 1;
    if (argument.is_row_table) return 2;
    if (argument.columns.empty()) return components;
    if (argument.columns == "FACES_PER_CELL" || argument.columns == "NODES_PER_CELL")
        return components * (dimension + 1);
    if (argument.columns == "TANGENTS_PER_FACE") return components * (dimension - 1);
    if (argument.columns == "DIMENSION" || argument.columns == "NODES_PER_FACE" ||
        argument.columns == "CODIM2_PER_FACE")
        return components * dimension;
    if (argument.columns == "EDGES_PER_CELL" || argument.columns == "CODIM2_PER_CELL")
        return components * (dimension == 2 ? 3 : 6);
    return components * std::stoi(std::string(argument.columns));
}

void check(const Launch& launch, Range range) {
    const auto arguments = launch.kernel->arguments;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
        const KernelArgument& argument = arguments[n];
        const Storage& storage = *launch.buffers[n];
        const int columns = column_count(argument, launch.dimension);
        const int given = launch.columns[n] ? launch.columns[n] : storage.columns;
        if (!launch.kernel->is_expression && given != columns && !(argument.or_one && given == 1))
            fail(
                launch, argument.name,
                std::to_string(columns) + " columns expected, " + std::to_string(given) + " given");
        if (!argument.entities.empty() && launch.ghosts[n] &&
            !launch.ghosts[n]->are_of(argument.entities))
            fail(launch, argument.name,
                 "a field of " + std::string(argument.entities) + " expected, of others given");
        if (argument.access == Access::in) continue;
        if (storage.size < range.end) fail(launch, argument.name, "smaller than the range");
        for (std::size_t m = 0; m < arguments.size(); ++m) {
            if (m == n || launch.buffers[m] != &storage || arguments[m].is_output_again) continue;
            const int first = launch.first_column[n], other = launch.first_column[m];
            const bool is_apart = other + column_count(arguments[m], launch.dimension) <= first ||
                                  first + columns <= other;
            if (!is_apart) fail(launch, argument.name, "is an input as well");
        }
    }
}

bool has_sums(const KernelInfo& kernel) { return std::ranges::any_of(kernel.reductions, is_sum); }

void run_launch(Device& device, const Launch& launch, const SplitRange& rows, Reach reach,
                const Reducing& reductions) {
    check(launch, rows.whole());
    const SummingRanks* const ranks = begun(*launch.kernel, reductions.ranks);
    const std::span<double> results = reductions.results;
    Reductions parts(launch.kernel->reductions);
    in_parts(launch, rows, reach, [&](Range range) {
        ReductionTicket part;
        if (is_reproducible() && !results.empty()) {
            part = device.launch_ahead(launch, range);
            device.collect(part);
        } else {
            device.launch(launch, range, std::span(part.values).first(results.size()));
        }
        parts.add(part);
    });
    mark_written(launch, reach);
    if (!results.empty()) std::copy_n(parts.total(ranks).begin(), results.size(), results.begin());
}

void run_launch(const Launch& launch, const Reducing& reductions) {
    const auto first = std::find_if(launch.written.begin(), launch.written.end(),
                                    [](const FieldGhosts* field) { return field != nullptr; });
    if (first == launch.written.end())
        throw std::logic_error("kernel " + std::string(launch.kernel->name) +
                               " writes no field that says over which entities it goes");
    const FieldGhosts& field = **first;
    if (launch.kernel->reductions.empty())
        run_launch(field.device(), launch, field.closure(), Reach::closure, reductions);
    else
        run_launch(field.device(), launch, SplitRange(field.owned()), Reach::own, reductions);
}

PendingLaunch::PendingLaunch(const SummingRanks* ranks, Device& device, const Launch& launch,
                             const SplitRange& rows)
    : device_(device), kernel_(*launch.kernel) {
    check(launch, rows.whole());
    ranks_ = begun(kernel_, ranks);
    in_parts(launch, rows, Reach::own,
             [&](Range range) { tickets_[count_++] = device.launch_ahead(launch, range); });
    mark_written(launch, Reach::own);
}

std::array<double, max_reductions> PendingLaunch::get() {
    Reductions parts(kernel_.reductions);
    for (int k = 0; k < count_; ++k) {
        device_.collect(tickets_[k]);
        parts.add(tickets_[k]);
    }
    return parts.total(ranks_);
}

}  // namespace solenoid
