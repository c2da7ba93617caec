#include "parallel/checks/random_plan.hpp"

#include <numeric>
#include <utility>

#include "parallel/checks/draws.hpp"

namespace solenoid {
namespace {

enum class PlanOf { pairs, lengths, lists, positions, ranks };

struct Lottery {
    int ranks;
    std::uint64_t seed;
    Index most;

    bool are_neighbours(int a, int b) const {
        return hash_of(seed, PlanOf::pairs, std::min(a, b), std::max(a, b)) %
                   std::max(1, ranks - 1) <
               6;
    }
    Index owned(int rank) const { return log_uniform(hash_of(seed, PlanOf::ranks, rank), 1, most); }
    Index length(int from, int to) const {
        const std::uint64_t hash = hash_of(seed, PlanOf::lengths, from, to);
        return hash % 5 == 0 ? 0 : log_uniform(mixed(hash), 1, most);
    }
    std::vector<Index> list(int from, int to) const {
        Draws draws(hash_of(seed, PlanOf::lists, from, to));
        std::vector<Index> entities(length(from, to));
        for (Index& entity : entities) entity = draws.below(owned(from));
        return entities;
    }
};

}  // namespace

RandomPlan random_plan(int rank, int ranks, std::uint64_t seed, Index most_entities) {
    const Lottery lottery{ranks, seed, most_entities};
    RandomPlan result;
    HaloPlan& plan = result.plan;
    result.owned = lottery.owned(rank);
    std::vector<RandomPlan::Origin> received_entities;  // in the order of messages
    for (int other = 0; other < ranks; ++other) {
        if (other == rank || !lottery.are_neighbours(rank, other)) continue;
        const std::vector<Index> sent = lottery.list(rank, other),
                                 received = lottery.list(other, rank);
        if (sent.empty() && received.empty()) continue;
        plan.neighbours.push_back(other);
        plan.send.insert(plan.send.end(), sent.begin(), sent.end());
        for (Index entity : received) received_entities.push_back({other, entity});
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(received_entities.size()));
    }
    plan.receive.resize(received_entities.size());
    std::iota(plan.receive.begin(), plan.receive.end(), result.owned);
    Draws draws(hash_of(seed, PlanOf::positions, rank));
    for (Index n = static_cast<Index>(plan.receive.size()); n > 1; --n)
        std::swap(plan.receive[n - 1], plan.receive[draws.below(n)]);
    result.all = result.owned + static_cast<Index>(received_entities.size());
    result.origins.resize(received_entities.size());
    for (std::size_t k = 0; k < received_entities.size(); ++k)
        result.origins[plan.receive[k] - result.owned] = received_entities[k];
    return result;
}

}  // namespace solenoid
