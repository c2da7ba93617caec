#include "io/files/summary.hpp"

#include <sys/resource.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "io/files/atomic_file.hpp"
#include "io/files/regular_file.hpp"

namespace solenoid {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const PhaseSeconds& s) {
    return {{"start", s.start},   {"read", s.read},         {"partition", s.partition},
            {"setup", s.setup},   {"solve", s.solve},       {"monitors", s.monitors},
            {"output", s.output}, {"pictures", s.pictures}, {"checkpoints", s.checkpoints},
            {"view", s.view},     {"other", s.other},       {"total", s.total}};
}

Json to_json(const std::vector<SolveSummary>& solves) {
    Json list = Json::array();
    for (const auto& s : solves)
        list.push_back(Json{{"name", s.name},
                            {"count", s.count},
                            {"iterations", s.iterations},
                            {"residual", s.residual},
                            {"setup_seconds", s.setup_seconds}});
    return list;
}

Json to_json(const EnergyLoss& e) {
    Json json{{"steps", e.samples},
              {"from", e.from},
              {"to", e.to},
              {"dissipation", e.dissipation},
              {"scheme", e.scheme()},
              {"coupling", e.coupling},
              {"jump_penalty", e.jump_penalty},
              {"convection", e.convection},
              {"time_scheme", e.time_scheme}};
    if (e.dissipation > 0) json["share"] = e.scheme() / e.dissipation;
    return json;
}

Json to_json(const std::vector<ForceComparison>& forces) {
    Json list = Json::array();
    for (const auto& f : forces)
        list.push_back(Json{{"monitor", f.monitor},
                            {"surface", f.surface},
                            {"weak", f.weak},
                            {"apart", f.apart},
                            {"apart_from", f.from},
                            {"apart_at", f.at}});
    return list;
}

Json to_json(const ThinCells& thin) {
    Json json;
    const auto add = [&](const char* key, const char* what, const ThinCells::Largest& largest) {
        if (!(largest.value > 0)) return;
        json[key] = Json{{what, largest.value}, {"place", largest.place}};
        if (!largest.boundary.empty()) json[key]["boundary"] = largest.boundary;
    };
    add("at_boundaries", "aspect", thin.at_boundaries);
    add("inside", "aspect", thin.inside);
    add("curved_wall", "aspect_times_length_over_radius", thin.curved);
    return json;
}

Json to_json(const Summary& s) {
    Json json;
    json["case"] = s.case_name;
    if (!s.case_hash.empty()) json["case_hash"] = s.case_hash;
    json["version"] = s.version;
    json["status"] = s.status;
    if (!s.reason.empty()) json["reason"] = s.reason;
    if (!s.not_written.empty()) json["not_written"] = s.not_written;
    json["ranks"] = s.ranks;
    json["threads"] = s.threads;
    json["reproducible"] = s.is_reproducible;
    json["devices"] = s.devices;
    json["precision"] = s.precision;
    json["transport"] = s.transport;
    if (s.ranks > 1)
        json["transport_speed"] =
            Json{{"latency", s.transport_latency}, {"bandwidth", s.transport_bandwidth}};
    json["cells"] = s.cells;
    json["faces"] = s.faces;
    json["edges"] = s.edges;
    json["nodes"] = s.nodes;
    json["partition"] = Json{{"edge_cut", s.edge_cut}, {"imbalance", s.imbalance}};
    json["steps"] = s.steps;
    json["repeated_steps"] = s.repeated_steps;
    json["time"] = s.time;
    json["seconds"] = to_json(s.seconds);
    if (s.earlier)
        json["continued"] = Json{{"parts", s.earlier->count},
                                 {"steps", s.earlier->steps},
                                 {"time", s.earlier->time},
                                 {"seconds", s.earlier->seconds}};
    json["solves"] = to_json(s.solves);
    if (s.steady) json["steady"] = *s.steady;
    if (s.thin_cells) json["thin_cells"] = to_json(*s.thin_cells);
    if (s.max_divergence) json["max_divergence"] = *s.max_divergence;
    if (const auto& c = s.cells_across)
        json["cells_across"] = Json{{"cells", c->cells},
                                    {"length", c->length},
                                    {"place", c->place},
                                    {"from", c->from},
                                    {"to", c->to}};
    if (s.courant)
        json["courant"] = Json{{"number", s.courant->number}, {"place", s.courant->place}};
    if (s.energy_loss) json["energy_loss"] = to_json(*s.energy_loss);
    if (!s.forces.empty()) json["forces"] = to_json(s.forces);
    for (const FieldRange& range : s.ranges) json["ranges"][range.name] = {range.low, range.high};
    json["halo_bytes"] = s.halo_bytes;
    json["messages"] = Json{{"exchanges", s.exchanges}, {"sums", s.sums}};
    json["memory_bytes"] = s.memory_bytes;
    if (!s.pictures.empty()) json["pictures"] = s.pictures;
    return json;
}

}  // namespace

void write_summary(const std::filesystem::path& file, const Summary& summary) {
    // Invalid UTF-8 in names is replaced.
    write_atomically(file,
                     to_json(summary).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<EarlierRun> earlier_run(const std::filesystem::path& summary) {
    if (!is_regular(summary)) return {};
    std::ifstream stream(summary);
    const auto json = nlohmann::json::parse(stream, nullptr, false);
    if (!json.is_object()) return {};
    const auto text = [&](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : "";
    };
    return EarlierRun{text("case"), text("case_hash"), text("status"),
                      !json.contains("not_written")};
}

std::size_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux reports KiB
}

}  // namespace solenoid
