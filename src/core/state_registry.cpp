#include "core/state_registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace solenoid {

void StateRegistry::add(Entry entry) {
    if (std::ranges::find(entries_, entry.name, &Entry::name) != entries_.end())
        throw std::logic_error("two entries of a state have the name " + entry.name);
    entries_.push_back(std::move(entry));
}

void StateRegistry::add(Stacked part) {
    const std::string group = part.group;
    parts_[group].push_back(std::move(part));
    levels_.try_emplace(group, 0);
}

void StateRegistry::remade(const std::string& group, When when, std::function<void()> action) {
    actions_.push_back({group, when, std::move(action)});
}

void StateRegistry::run_actions(const std::string* group, When when) const {
    for (const Action& action : actions_)
        if ((!group || action.group == *group) &&
            (when == When::loaded || action.when == When::restored_or_loaded))
            action.run();
}

// ---- saved states

std::vector<StateArray> StateRegistry::save() const {
    std::vector<StateArray> arrays;
    save([&](const StateArray& array) { arrays.push_back(array); });
    return arrays;
}

void StateRegistry::save(const std::function<void(const StateArray&)>& write) const {
    for (const Entry& entry : entries_) {
        if (entry.is_there && !entry.is_there()) continue;
        StateArray array = entry.save();
        array.belongs_to = entry.belongs_to;
        write(array);
    }
}

std::vector<std::string> StateRegistry::owners() const {
    std::vector<std::string> owners;
    for (const Entry& entry : entries_)
        if (!entry.belongs_to.empty() && !std::ranges::count(owners, entry.belongs_to))
            owners.push_back(entry.belongs_to);
    return owners;
}

std::vector<std::string> StateRegistry::missing(const std::vector<std::string>& names) const {
    std::vector<std::string> found;
    for (const Entry& entry : entries_)
        if (!entry.is_there && std::ranges::find(names, entry.name) == names.end())
            found.push_back(entry.name);
    return found;
}

std::vector<std::string> StateRegistry::load(
    const std::vector<std::string>& names,
    const std::function<StateArray(const StateArray& wanted)>& read) {
    std::vector<std::string> unknown = names;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        if (std::erase(unknown, entry.name))
            entry.load(read(entry.wanted()));
        else if (entry.remove)
            entry.remove();
    }
    run_actions(nullptr, When::loaded);
    return unknown;
}

const StateRegistry::Entry& StateRegistry::entry(const std::string& name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found == entries_.end()) throw std::logic_error("a state has no entry " + name);
    return *found;
}

// ---- the stack

void StateRegistry::take(const std::string& group) {
    for (const Stacked& part : parts_[group]) part.take(levels_[group]);
    ++levels_[group];
}

void StateRegistry::drop(const std::string& group) {
    const std::size_t level = --levels_[group];
    for (const Stacked& part : parts_[group]) part.shrink(level + 1);
}

void StateRegistry::restore(const std::string& group) {
    drop(group);
    for (const Stacked& part : parts_[group]) part.restore(levels_[group]);
    run_actions(&group, When::restored_or_loaded);
}

void StateRegistry::take() {
    for (const auto& [group, parts] : parts_) take(group);
}

void StateRegistry::drop() {
    for (const auto& [group, parts] : parts_) drop(group);
}

// All values come before what follows from them.
void StateRegistry::restore() {
    for (const auto& [group, parts] : parts_) {
        drop(group);
        for (const Stacked& part : parts) part.restore(levels_[group]);
    }
    run_actions(nullptr, When::restored_or_loaded);
}

}  // namespace solenoid
