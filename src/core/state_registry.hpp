// What a run carries from one step to the next, by names. Each class registers what it keeps where
// it keeps it. A registry saves all of it, loads it, and keeps states on a stack in memory, so that
// steps can be taken back.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/state_array.hpp"

namespace solenoid {

class StateRegistry {
  public:
    StateRegistry() = default;
    StateRegistry(const StateRegistry&) = delete;
    StateRegistry& operator=(const StateRegistry&) = delete;

    // One name of a saved state. Functions are collective.
    struct Entry {
        std::string name;
        // The array without values: entities are all that this rank reads, some of them perhaps
        // other ranks' own.
        std::function<StateArray()> wanted;
        std::function<StateArray()> save;             // each entity on one rank alone
        std::function<void(const StateArray&)> load;  // the values of the entities wanted
        // Of what is not always there: whether it is, on all ranks alike, and what removes it. Else
        // null.
        std::function<bool()> is_there = nullptr;
        std::function<void()> remove = nullptr;
        // Throws InputError where the values that were read are none that this entry can have; on
        // any rank, without communication. Null: all are.
        std::function<void(const StateArray&)> check = nullptr;
        std::string belongs_to = {};  // StateArray::belongs_to
    };
    // Throws std::logic_error where the name is taken.
    void add(Entry entry);

    // A part of the states on the stack. level: their number before take(), or after restore().
    struct Stacked {
        std::string group;  // parts of a group are taken and restored together
        std::function<void(std::size_t level)> take, restore;
        std::function<void(std::size_t levels)> shrink;  // keeps memory for so many
    };
    void add(Stacked part);

    // Computes what follows from values that were restored or loaded, in the order of the calls.
    enum class When { restored_or_loaded, loaded };
    void remade(const std::string& group, When when, std::function<void()> action);

    // ---- saved states

    std::vector<StateArray> save() const;  // of the entries that are there
    // Calls `write` with each of them, one in memory at a time.
    void save(const std::function<void(const StateArray&)>& write) const;
    // The entries that are always there but not among these names: a state that lacks one is not
    // one of this registry.
    std::vector<std::string> missing(const std::vector<std::string>& names) const;
    // What of the case has entries: each once, in their order.
    std::vector<std::string> owners() const;
    // Loads every entry whose name is among `names` and removes the others; `read` gives the values
    // of an array that is wanted. Then everything that follows is made anew. Returns the names that
    // no entry has.
    std::vector<std::string> load(const std::vector<std::string>& names,
                                  const std::function<StateArray(const StateArray& wanted)>& read);
    // Throws std::logic_error where there is none of the name.
    const Entry& entry(const std::string& name) const;

    // ---- the stack

    void take();     // pushes the present state
    void restore();  // restores the last state pushed, and pops it
    void drop();     // pops the last state pushed
    // The same of one group.
    void take(const std::string& group);
    void restore(const std::string& group);
    void drop(const std::string& group);

  private:
    void run_actions(const std::string* group, When when) const;

    struct Action {
        std::string group;
        When when;
        std::function<void()> run;
    };
    std::deque<Entry> entries_;  // a load may make objects that add further ones
    std::vector<Action> actions_;
    std::map<std::string, std::vector<Stacked>> parts_;  // by group
    std::map<std::string, std::size_t> levels_;
};

}  // namespace solenoid
