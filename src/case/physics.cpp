#include "case/physics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "case/read_tables.hpp"

namespace solenoid {
namespace {

// The keys that a physics knows in a section; for "[solver]" the names of its solvers.
std::vector<std::string> keys_in(const Physics& physics, const std::string& section) {
    if (section.empty()) return physics.tables();
    if (section == "[boundary.NAME]") return keys_of(physics.conditions());
    const std::string parent = section.substr(0, section.size() - 1) + '.';
    std::vector<std::string> keys;
    for (const KeyTable& table : physics.key_tables()) {
        if (table.title == section)
            for (const Key& key : table.keys) keys.push_back(key.name);
        if (table.title.starts_with(parent))
            keys.push_back(
                table.title.substr(parent.size(), table.title.size() - parent.size() - 1));
    }
    return keys;
}

}  // namespace

void Physics::steer(CaseSettings& settings, const CaseSettings& changed) const {
    settings.time = changed.time;
    settings.output = changed.output;
    settings.checkpoint = changed.checkpoint;
}

const Physics& physics_named(const PhysicsList& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Physics::name);
    if (found == all.end()) throw std::logic_error("no physics \"" + name + '"');
    return **found;
}

std::string Physics::starter(const std::filesystem::path&, const Mesh&) const {
    throw std::logic_error(name() + " takes no mesh");
}
std::string Physics::grid_starter() const { throw std::logic_error(name() + " takes no grid"); }

std::vector<std::string> names_of(const PhysicsList& all) {
    std::vector<std::string> names;
    for (const Physics* physics : all) names.push_back(physics->name());
    return names;
}

std::vector<std::string> picture_fields_of(const CaseSettings& settings) {
    std::vector<std::string> fields;
    for (const QuantityInfo& quantity : settings.physics->quantities(&settings, 0))
        if (quantity.is_drawn) fields.push_back(quantity.name);
    return fields;
}

std::vector<KeyTable> key_tables(const PhysicsList& all) {
    std::vector<KeyTable> tables = mesh_key_tables();
    tables.push_back(grid_key_table());
    for (const KeyTable& table : output_key_tables(all)) tables.push_back(table);
    for (const Physics* physics : all)
        for (const KeyTable& table : physics->key_tables()) tables.push_back(table);
    return tables;
}

void OtherPhysics::refuse_keys(const TableReader& table, const std::string& section,
                               const std::vector<std::string>& also_known) const {
    std::vector<std::string> known = keys_in(own_, section);
    known.insert(known.end(), also_known.begin(), also_known.end());
    std::map<std::string, std::vector<std::string>> owners;  // the physics that know each key
    for (const Physics* other : all_)
        for (const std::string& key : keys_in(*other, section))
            if (std::vector<std::string>& of_key = owners[key];
                of_key.empty() || of_key.back() != other->name())
                of_key.push_back(other->name());
    for (const std::string& key : known) owners.erase(key);
    for (const auto& [key, names] : owners)
        table.refuse(
            key, names.size() == 1
                     ? fmt::format("belongs to a {0} case, one with physics = \"{0}\"", names[0])
                     : fmt::format("belongs to a case with physics = {}", listed(names)));
}

void OtherPhysics::refuse_types(const TableReader& table,
                                const std::vector<std::string>& types) const {
    for (const Physics* other : all_)
        for (const std::string& type : names_of(other->conditions()))
            if (table.is("type", type) && std::ranges::find(types, type) == types.end())
                table.fail("type", fmt::format("\"{}\" belongs to a {} case; here it must be {}",
                                               type, other->name(), listed(types)));
}

}  // namespace solenoid
