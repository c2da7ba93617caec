// Reading of [[monitor]]: the part common to all kinds.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

using Names = std::vector<std::string>;

// The kinds that every physics has, and those of one alone.
std::vector<MonitorKind> common_kinds(const PhysicsList& all) {
    std::vector<MonitorKind> kinds = all.front()->monitor_kinds();
    std::erase_if(kinds, [](const MonitorKind& kind) { return !kind.is_common; });
    return kinds;
}
std::vector<MonitorKind> own_kinds(const Physics& physics) {
    std::vector<MonitorKind> kinds = physics.monitor_kinds();
    std::erase_if(kinds, &MonitorKind::is_common);
    return kinds;
}

// Such as "`"line"`: values along a line; `"point"`: ...; of a flow case `"force"`: ...".
std::string described_kinds(const PhysicsList& all) {
    std::string text;
    const auto add = [&](const std::string& before, const MonitorKind& kind) {
        text +=
            fmt::format("{}{}`\"{}\"`: {}", text.empty() ? "" : "; ", before, kind.name, kind.help);
    };
    for (const MonitorKind& kind : common_kinds(all)) add("", kind);
    for (const Physics* physics : all)
        for (const MonitorKind& kind : own_kinds(*physics))
            add(fmt::format("in a {} case ", physics->name()), kind);
    return text;
}

std::vector<Key> monitor_keys(const PhysicsList& all) {
    std::vector<Key> keys = Keys<MonitorSettings>()
                                .other("type", "string", "required", described_kinds(all))
                                .other("name", "string", "required",
                                       "name of the file; different for every monitor, and not "
                                       "that of a table which every "
                                       "run of the physics writes, such as `boundaries`")
                                .declared();
    for (const Key& key : when_keys("by its type")) keys.push_back(key);
    return keys;
}

Names known_keys(const PhysicsList& all) {
    Names keys = names_of(monitor_keys(all));
    for (const Physics* physics : all)
        for (const std::string& key : keys_of(physics->monitor_kinds())) keys.push_back(key);
    return keys;
}

// Refuses keys that only other kinds of monitors have; those of lines and points come first.
void refuse_keys_of_others(const TableReader& table, const PhysicsList& all,
                           const MonitorKind& own) {
    Names known = names_of(own.keys);
    for (const Key& key : monitor_keys(all)) known.push_back(key.name);
    const std::vector<MonitorKind> placed = common_kinds(all);
    const bool is_placed = contains(names_of(placed), own.name);
    for (const std::string& key : keys_of(placed))
        if (!is_placed && !contains(known, key)) table.refuse(key, "belongs to a line or a point");
    for (const Physics* physics : all)
        for (const MonitorKind& other : own_kinds(*physics))
            for (const Key& key : other.keys)
                if (!contains(known, key.name))
                    table.refuse(key.name,
                                 fmt::format("belongs to a monitor of type \"{}\"", other.name));
}

void check_not_reserved(const TableReader& table, const CaseSettings& settings,
                        const std::string& name) {
    for (const auto& [file, content] : settings.physics->monitor_files(settings))
        if (name == file)
            table.fail("name",
                       fmt::format("\"{}\" is the file of {}: take another", name, content));
}

}  // namespace

MonitorSettings read_monitor(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings) {
    table.allow(known_keys(all));
    std::vector<MonitorKind> kinds = settings.physics->monitor_kinds();
    std::erase_if(kinds, [&](const MonitorKind& kind) { return !kind.is_offered(settings); });
    MonitorSettings monitor;
    monitor.place = table.place();
    monitor.type = table.choice("type", names_of(kinds));
    monitor.name = file_name(table, "name");
    check_not_reserved(table, settings, monitor.name);
    check_unique(settings.monitors, monitor.name, table);
    const MonitorKind& kind = kind_of(kinds, monitor.type);
    refuse_keys_of_others(table, all, kind);
    kind.read(table, settings, monitor);
    // the ends of a line have the names of the times
    const std::string suffix = contains(names_of(kind.keys), "from_time") ? "_time" : "";
    monitor.when = read_when(table, settings, suffix);
    refuse_when_steady(table, settings, suffix);
    return monitor;
}

void check_monitors(const CaseSettings& settings, const MeshNames& mesh) {
    const std::vector<MonitorKind> kinds = settings.physics->monitor_kinds();
    for (const MonitorSettings& monitor : settings.monitors)
        kind_of(kinds, monitor.type).check(monitor, settings, mesh);
}

void refuse_out_of_plane(const MonitorSettings& monitor, const std::vector<Vec3>& points,
                         const MeshNames& mesh) {
    if (mesh.dimension == 2 && std::ranges::any_of(points, [](const Vec3& x) { return x.z != 0; }))
        throw InputError(
            monitor.place,
            fmt::format(
                "the monitor \"{}\" leaves the plane z = 0 of the mesh: give two coordinates",
                monitor.name));
}

void refuse_unknown_boundaries(const MonitorSettings& monitor, const Names& names,
                               const MeshNames& mesh) {
    for (const std::string& name : names)
        if (!contains(mesh.boundaries, name))
            throw InputError(
                monitor.place,
                fmt::format("the monitor \"{}\": the mesh has no boundary \"{}\"; it has: {}",
                            monitor.name, name, enumerated(mesh.boundaries)));
}

std::vector<KeyTable> monitor_key_tables(const PhysicsList& all) {
    std::vector<KeyTable> tables{{"[[monitor]]", "", monitor_keys(all)}};
    const auto add = [&](const MonitorKind& kind, const std::string& physics) {
        if (!kind.keys.empty())
            tables.push_back(
                {fmt::format("[[monitor]] of type \"{}\"", kind.name), physics, kind.keys});
    };
    for (const MonitorKind& kind : common_kinds(all)) add(kind, "");
    for (const Physics* physics : all)
        for (const MonitorKind& kind : own_kinds(*physics)) add(kind, physics->name());
    return tables;
}

}  // namespace solenoid
