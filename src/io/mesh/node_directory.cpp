#include "io/mesh/node_directory.hpp"

#include <limits>

#include "parallel/slices/requests.hpp"

namespace solenoid {

NodeDirectory::NodeDirectory(const Communicator& comm, const RowPartition& nodes,
                             std::vector<GlobalIndex>&& numbers)
    : comm_(comm), count_(nodes.count()) {
    const GlobalIndex first = nodes.first(comm.rank());
    std::vector<GlobalIndex> bounds = gathered(
        comm, numbers.empty() ? std::vector<GlobalIndex>{}
                              : std::vector{*std::min_element(numbers.begin(), numbers.end()),
                                            *std::max_element(numbers.begin(), numbers.end())});
    if (bounds.empty()) return;
    const auto [least, largest] = std::minmax_element(bounds.begin(), bounds.end());
    least_ = *least;
    bool is_ascending = true;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        is_ascending &= numbers[i] - least_ == first + static_cast<GlobalIndex>(i);
    is_ascending_ = !comm.any(!is_ascending);
    if (is_ascending_) return;

    std::map<int, std::vector<Entry>> out;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        out[keeper(numbers[i])].push_back({numbers[i], first + static_cast<GlobalIndex>(i)});
    numbers = {};
    for (auto& [rank, entries] : exchange_values(comm, std::move(out))) {
        entries_.insert(entries_.end(), entries.begin(), entries.end());
        entries = {};
    }
    std::sort(entries_.begin(), entries_.end());
    find_repeated(static_cast<std::uint64_t>(*largest - least_) <
                  2 * static_cast<std::uint64_t>(count_));
}

// The rank that keeps a number: a hash spreads numbers evenly over the ranks, with any gaps (mixer
// of splitmix64).
int NodeDirectory::keeper(GlobalIndex number) const {
    auto x = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    return static_cast<int>((x >> 32) % static_cast<std::uint64_t>(comm_.size()));
}

// Finds a repeated number: in a dense numbering the first that is repeated in the file, else the
// lowest.
void NodeDirectory::find_repeated(bool is_dense) {
    constexpr GlobalIndex none_of_all = std::numeric_limits<GlobalIndex>::max();
    Entry best{-1, none_of_all};  // number, and its rank in the choice
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        const bool is_second = entries_[i].number == entries_[i - 1].number &&
                               (i == 1 || entries_[i - 2].number != entries_[i].number);
        const GlobalIndex order = is_dense ? entries_[i].place : entries_[i].number;
        if (is_second && order < best.place) best = {entries_[i].number, order};
    }
    for (const Entry& other : gathered(comm_, std::vector{best}))
        if (other.place < best.place) best = other;
    if (best.place != none_of_all) twice_ = best.number;
}

GlobalIndex NodeDirectory::find(GlobalIndex number) const {
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{number, 0});
    return found != entries_.end() && found->number == number ? found->place : -1;
}

void NodeDirectory::replace(std::vector<GlobalIndex>& numbers) const {
    if (is_ascending_) {
        for (GlobalIndex& number : numbers)
            number = number >= least_ && number - least_ < count_ ? number - least_ : -1;
        return;
    }
    const NumberSet wanted(numbers);
    std::map<int, std::vector<GlobalIndex>> questions;
    std::vector<int> keepers;
    for (const GlobalIndex number : wanted.sorted())
        questions[keepers.emplace_back(keeper(number))].push_back(number);
    std::map<int, std::vector<GlobalIndex>> answers = exchange_values(comm_, std::move(questions));
    for (auto& [rank, list] : answers)
        for (GlobalIndex& number : list) number = find(number);
    answers = exchange_values(comm_, std::move(answers));
    std::vector<GlobalIndex> positions;
    std::map<int, std::size_t> taken;
    for (const int rank : keepers) positions.push_back(answers.at(rank)[taken[rank]++]);
    for (GlobalIndex& number : numbers) number = positions[wanted.place(number)];
}

}  // namespace solenoid
