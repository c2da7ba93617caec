#include "case/physics.hpp"

#include <fmt/format.h>

#include <algorithm>


namespace solenoid {

Physics heat_physics();
Physics flow_physics();

const std::vector<Physics>& all_physics() {
    static const std::vector<Physics> all{heat_physics(), flow_physics()};
    return all;
}

const Physics& physics_named(const std::string& name) { return kind_of(all_physics(), name); }

std::vector<std::string> physics_names() { return names_of(all_physics()); }

std::vector<KeyTable> key_tables() {
    std::vector<KeyTable> all = common_key_tables();
    for (const Physics& physics : all_physics())
        for (const KeyTable& table : physics.key_tables()) all.push_back(table);
    return all;
}

namespace {

// "[solver]" has what stands behind the dot of "[solver.NAME]".
std::vector<std::string> keys_in(const Physics& physics, const std::string& section) {
    if (section.empty()) return physics.tables;
    if (section == "[boundary.NAME]") return keys_of(physics.conditions());
    const std::string parent = section.substr(0, section.size() - 1) + '.';
    std::vector<std::string> keys;
    for (const KeyTable& table : physics.key_tables()) {
        if (table.title == section)
            for (const Key& key : table.keys) keys.push_back(key.name);
        if (table.title.starts_with(parent)) keys.push_back(table.title.substr(parent.size(), table.title.size() - parent.size() - 1));
    }
    return keys;
}

}  // namespace

void refuse_keys_of_other_physics(const TableReader& table, const std::string& section, const std::string& own, const std::vector<std::string>& also_known) {
    std::vector<std::string> known = keys_in(physics_named(own), section);
    known.insert(known.end(), also_known.begin(), also_known.end());
    for (const Physics& other : all_physics())
        for (const std::string& key : keys_in(other, section))
            if (std::ranges::find(known, key) == known.end())
                table.refuse(key, fmt::format("belongs to a {0} case, one with physics = \"{0}\"", other.name));
}

}  // namespace solenoid
