// States that are saved and loaded in memory, and what a run that is continued from one must be.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <regex>
#include <set>

#include "core/state_registry.hpp"
#include "parallel/bytes.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::test {

// The arrays of all ranks, by name.
class SavedState {
  public:
    // Collective.
    SavedState(const Communicator& comm, const std::vector<StateArray>& arrays) {
        for (const StateArray& array : arrays) {
            names_.push_back(array.name);
            Whole& whole = whole_[array.name];
            whole.array = array;
            if (array.of == StateArray::Of::numbers) continue;
            const std::vector<GlobalIndex> entity = gathered(comm, array.entity);
            for (std::size_t i = 0; i < entity.size(); ++i)
                EXPECT_TRUE(whole.place.emplace(entity[i], i).second)
                    << array.name << ": an entity of two ranks";
            whole.array.entity = entity;
            std::visit([&](auto& values) { gather(comm, array, values); }, whole.array.values);
        }
    }
    const std::vector<std::string>& names() const { return names_; }
    // All values of an entry.
    const StateArray& whole(const std::string& name) const { return whole_.at(name).array; }
    StateArray read(const StateArray& wanted) const {
        const Whole& whole = whole_.at(wanted.name);
        EXPECT_EQ(whole.array.of, wanted.of) << wanted.name;
        EXPECT_EQ(whole.array.columns, wanted.columns) << wanted.name;
        if (wanted.of == StateArray::Of::numbers) return whole.array;
        StateArray found = wanted;
        std::visit([&](const auto& values) { found.values = whole.picked(wanted, values); },
                   whole.array.values);
        return found;
    }

  private:
    struct Whole {
        StateArray array;
        std::map<GlobalIndex, std::size_t> place;

        template <class Values>
        Values picked(const StateArray& wanted, const Values& values) const {
            Values found;
            for (int j = 0; j < wanted.columns; ++j)
                for (const GlobalIndex entity : wanted.entity)
                    found.push_back(values[j * place.size() + place.at(entity)]);
            return found;
        }
    };
    template <class Values>
    static void gather(const Communicator& comm, const StateArray& array, Values& values) {
        if constexpr (!std::is_same_v<Values, std::string>) {
            const Values own = values;
            values.clear();
            const std::size_t n = array.entity.size();
            for (int j = 0; j < array.columns; ++j) {
                const Values column =
                    gathered(comm, Values(own.begin() + j * n, own.begin() + (j + 1) * n));
                values.insert(values.end(), column.begin(), column.end());
            }
        }
    }

    std::vector<std::string> names_;
    std::map<std::string, Whole> whole_;
};

using Results = std::vector<std::vector<double>>;

// What a test continues: a solver on the ranks of `comm`.
class Continued {
  public:
    virtual ~Continued() = default;
    virtual const Communicator& comm() const = 0;
    virtual StateRegistry& state() = 0;
    virtual void step(int number) = 0;  // from 1 on
    // All that is told of the state; of the last step, too, where it was made since a load.
    virtual Results results(bool of_step) = 0;
};
using MakeContinued = std::function<std::unique_ptr<Continued>()>;

// Whether lists have the same bits on all ranks. Collective.
inline bool are_same(const Communicator& comm, const Results& a, const Results& b) {
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    bool same = a.size() == b.size();
    for (std::size_t k = 0; same && k < a.size(); ++k)
        same = std::ranges::equal(a[k], b[k], {}, bits, bits);
    return !comm.any(!same);
}

// Entries that were met, and those of them whose omission changed something.
struct Omissions {
    std::set<std::string> met, mattered;
    // but: entries that count in other cases.
    void expect_none_idle(const std::set<std::string>& but = {}) const {
        for (const std::string& name : met)
            EXPECT_NE(mattered.contains(name), but.contains(name))
                << name << ": whether anything depends on this entry";
    }
};

// Makes n steps and `further` ones, these twice: once on, once from the state that was saved, in a
// solver made anew. Both must tell the same bits at once and after each step. Without one of its
// entries the state must not give them (on one rank; noted in `omissions`, null: not tried).
inline void expect_continues(const MakeContinued& make, int n, int further, Omissions* omissions) {
    const auto on = make();
    const Communicator& comm = on->comm();
    for (int k = 1; k <= n; ++k) {
        on->step(k);
        if (k < n || n % 4 == 0) on->results(true);  // told before and behind a save, or behind it
    }
    const SavedState saved(comm, on->state().save());
    std::vector<Results> expected{on->results(false)};
    for (int k = n + 1; k <= n + further; ++k) {
        on->step(k);
        expected.push_back(on->results(true));
    }
    const auto first_difference = [&](const std::vector<std::string>& names) -> int {
        const auto loaded = make();
        const auto unknown = loaded->state().load(
            names, [&](const StateArray& wanted) { return saved.read(wanted); });
        if (!unknown.empty()) return 0;  // refused
        for (int k = 0; k <= further; ++k) {
            if (k > 0) loaded->step(n + k);
            if (!are_same(comm, loaded->results(k > 0), expected[k])) return k;
        }
        return -1;
    };
    EXPECT_TRUE(make()->state().missing(saved.names()).empty());
    EXPECT_EQ(first_difference(saved.names()), -1) << "the step behind the load that differs";
    if (!omissions || comm.size() > 1 || testing::Test::HasFailure()) return;
    for (const std::string& name : saved.names()) {
        // the scalars of a flow are alike
        const std::string kind = std::regex_replace(name, std::regex("scalar_[^/]*"), "scalar");
        omissions->met.insert(kind);
        if (omissions->mattered.contains(kind)) continue;
        std::vector<std::string> names = saved.names();
        std::erase(names, name);
        bool matters = true;
        try {
            matters = first_difference(names) >= 0;
        } catch (const AgreedError&) {  // refused
        }
        if (matters) omissions->mattered.insert(kind);
    }
}

// Makes n steps with one solver, and continues with another one, on other ranks: the entries
// `told` of both states, double fields, must be within `tolerance` of the largest number in each,
// at once and after each of n further steps.
inline void expect_continues_on(const MakeContinued& make, const MakeContinued& make_other, int n,
                                const std::vector<std::string>& told, double tolerance) {
    const auto on = make(), other = make_other();
    for (int k = 1; k <= n; ++k) on->step(k);
    const SavedState saved(on->comm(), on->state().save());
    other->state().load(saved.names(),
                        [&](const StateArray& wanted) { return saved.read(wanted); });
    for (int k = 0; k <= n; ++k) {
        if (k > 0) on->step(n + k);
        if (k > 0) other->step(n + k);
        const SavedState expected(on->comm(), on->state().save()),
            found(other->comm(), other->state().save());
        for (const std::string& name : told) {
            const StateArray& whole = expected.whole(name);
            const auto &a = std::get<std::vector<double>>(whole.values),
                       b = std::get<std::vector<double>>(found.read(whole).values);
            double largest = 0, apart = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                largest = std::max(largest, std::abs(a[i]));
                apart = std::max(apart, std::abs(a[i] - b[i]));
            }
            EXPECT_GT(largest, 0) << name;
            EXPECT_LE(apart, tolerance * largest) << name << ", " << k << " steps behind the load";
        }
    }
}

}  // namespace solenoid::test
