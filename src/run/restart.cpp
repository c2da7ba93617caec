#include "run/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "case/named.hpp"
#include "case/physics.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "core/plain_text.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/files/regular_file.hpp"
#include "io/files/results.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Names in a header, and in a state.
constexpr const char *file_key = "case_file", *reproducible_key = "reproducible", *set_key = "set ";
constexpr const char* partition_name = "partition";
// What may begin, and end, with a checkpoint.
constexpr std::array parts_that_change{"output/", "run/steering/trigger/", "time_data/"};
// Triggers and ships of versions that kept them by number.
constexpr const char *numbered_triggers = "run/steering/triggers/",
                     *numbered_ships = "boussinesq/ships/";

CheckpointFolder checkpoints_of(const Run& run, const fs::path& folder) {
    return {run.comm, folder / "checkpoints"};
}

std::string text_of(const CheckpointHeader& header, const std::string& key) {
    const auto found = header.more.find(key);
    return found == header.more.end() ? "" : found->second;
}

std::vector<std::string> overrides_of(const CheckpointHeader& header) {
    std::vector<std::string> overrides;
    for (const auto& [key, text] : header.more)
        if (key.starts_with(set_key)) overrides.push_back(text);
    return overrides;
}

// How the entries of a state are named in a message.
std::string list_of(std::vector<std::string> told) {
    constexpr std::size_t most = 4;
    const std::size_t all = told.size();
    for (std::string& one : told) one = without_controls(one);
    told.resize(std::min(all, most));
    return fmt::format("{}{}", joined_words(told, ", "),
                       all > most ? fmt::format(" and {} more", all - most) : "");
}
std::string some_of(std::vector<std::string> names) {
    for (std::string& name : names) name = quoted(name);
    return list_of(std::move(names));
}

// What as-run.toml says of the case: the hash of its text and the options --set, without the
// version and the place of the file.
std::string asked_for(const std::string& as_run) {
    const std::size_t at = as_run.rfind("\n# hash ");
    return at == as_run.npos ? "" : as_run.substr(at);
}

// The same of the run before, whose results may be set aside; empty: nothing says it. The root's.
std::string asked_for_before(const fs::path& aside, const fs::path& folder) {
    for (const fs::path& place : {aside, folder}) {
        if (!is_regular(place / "as-run.toml")) continue;
        std::ifstream stream(place / "as-run.toml", std::ios::binary);
        std::ostringstream text;
        if (stream && text << stream.rdbuf()) return asked_for(text.str());
    }
    return "";
}

bool may_change(const std::string& name) {
    return std::ranges::any_of(parts_that_change,
                               [&](const char* part) { return name.starts_with(part); });
}

// What of the case the arrays belong to, each once, without those in `others`.
std::vector<std::string> owners_of(const CheckpointFile& file,
                                   const std::vector<std::string>& others, bool that_change) {
    std::vector<std::string> owners;
    for (const CheckpointArray& array : file.arrays())
        if (!array.belongs_to.empty() && may_change(array.name) == that_change &&
            !contains(others, array.belongs_to) && !contains(owners, array.belongs_to))
            owners.push_back(array.belongs_to);
    return owners;
}

}  // namespace

Found what_is_there(const Run& run, const fs::path& folder) {
    // those that a run which was killed in its set-up had set aside come back when it is opened
    const fs::path aside = set_aside_folder(folder);
    for (const fs::path& place : {folder, aside})
        if (!checkpoints_of(run, place).is_empty()) return Found::checkpoints;
    double found = 0;
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        std::optional<EarlierRun> earlier = earlier_run(aside / "summary.json");
        if (!earlier) earlier = earlier_run(folder / "summary.json");
        const bool is_done = earlier && earlier->status == "done" && earlier->is_whole;
        std::error_code ignored;
        if (run.options.case_file.empty()) {
            if (!is_done || !run.options.overrides.empty())
                throw InputError(folder.string(),
                                 !fs::is_directory(folder, ignored)
                                     ? "no such folder: name the output folder of a run"
                                     : "holds no checkpoint (checkpoints/step-*.checkpoint) to go "
                                       "on from: name the output folder of a run in time, or run "
                                       "its case anew");
            found = double(Found::done);
            return;
        }
        if (!earlier || earlier->case_name != run.settings.name) return;
        found = double(Found::beginning);
        if (!is_done) return;
        const bool is_same =
            earlier->case_hash == hash_of(run.text.text) &&
            asked_for_before(aside, folder) == asked_for(as_run(run.text, run.overrides));
        if (!is_same)
            throw InputError(folder.string(),
                             "holds the results of a run that is done, of another text of this "
                             "case or other options --set, and without a checkpoint: take "
                             "--overwrite in place of --continue to replace them, or choose "
                             "another folder with --output");
        found = double(Found::done);
    });
    return static_cast<Found>(static_cast<int>(run.comm.max(found)));
}

void tell_done(const fs::path& folder, bool has_checkpoint) {
    log::info("{}: the run is done{}", folder.string(),
              has_checkpoint ? "; to go on from its end: solenoid restart " +
                                   for_shell(folder.string()) + " --set time.end=..."
                             : "");
}

bool take_checkpoint(Run& run, RunOptions& options) {
    const fs::path folder = run.folder->path();
    run.checkpoint = checkpoints_of(run, folder).newest();
    run.comm.agree([&] {
        if (!run.checkpoint)
            throw InputError(folder.string(), "its checkpoints were removed meanwhile");
    });
    const CheckpointHeader& header = run.checkpoint->header();
    const std::vector<std::string> before = overrides_of(header);
    bool is_changed = false;
    if (options.case_file.empty()) {
        run.text = {text_of(header, file_key), header.case_text};
        run.overrides = before;
        run.overrides.insert(run.overrides.end(), options.overrides.begin(),
                             options.overrides.end());
        run.later_overrides = options.overrides;
        is_changed = !options.overrides.empty();
        if (options.precision.empty()) options.precision = header.precision;
        options.reproducible |= text_of(header, reproducible_key) == "true";
    } else {
        for (const std::string& override : run.overrides)
            if (!contains(before, override)) run.later_overrides.push_back(override);
        const bool is_other_text = run.text.text != header.case_text;
        is_changed = is_other_text || run.overrides != before;
        if (is_other_text)
            log::info("case     {} has changed since the checkpoint: it goes on as it says now",
                      run.text.file.string());
    }
    double is_done = 0;
    if (run.comm.is_root()) {
        const std::optional<EarlierRun> earlier = earlier_run(run.folder->summary());
        is_done = !is_changed && earlier && earlier->status == "done" && earlier->is_whole;
    }
    return run.comm.max(is_done) == 0;
}

void check_physics(const Run& run) {
    const CheckpointHeader& header = run.checkpoint->header();
    const std::string now = run.settings.physics->name();
    const std::string place = run.checkpoint->file().string();
    run.comm.agree([&] {
        if (header.physics != now)
            throw InputError(place, fmt::format("is of the physics \"{}\", and the case is of "
                                                "\"{}\": run it in another folder",
                                                header.physics, now));
        if (run.settings.time.steady)
            throw InputError(place,
                             "is of a run in time, and the case is steady now: give it its "
                             "[time] again, or run it in another folder");
    });
}

namespace {

[[noreturn]] void refuse_mesh(const Run& run, const std::string& how) {
    throw InputError(run.checkpoint->file().string(),
                     fmt::format("the mesh has changed since it was written: {}; a run goes on "
                                 "with the mesh that it has: give it back, or run the case anew",
                                 how));
}

}  // namespace

void check_count(const Run& run, Kind kind, std::int64_t now) {
    const std::int64_t before = run.checkpoint->header().count[static_cast<int>(kind)];
    if (before != now)
        refuse_mesh(run, fmt::format("it had {} {}s, it has {}", before, name_of(kind), now));
}

void check_mesh(const Run& run, const Topology& topology) {
    const CheckpointHeader& header = run.checkpoint->header();
    run.comm.agree([&] {
        if (header.dimension != topology.dimension())
            refuse_mesh(run, fmt::format("it had {} dimensions, it has {}", header.dimension,
                                         topology.dimension()));
        for (const Kind kind : {Kind::cell, Kind::node, Kind::edge, Kind::face})
            check_count(run, kind, topology.count(kind));
    });
    const std::uint64_t hash = topology.hash(run.comm);
    run.comm.agree([&] {
        if (hash != header.mesh_hash)
            refuse_mesh(run,
                        "it has as many cells, but positions, numbers, regions or boundaries "
                        "differ");
    });
}

void describe_case(const Run& run, CheckpointHeader& header) {
    header.case_text = run.text.text;
    header.more[file_key] = fs::absolute(run.text.file).lexically_normal().string();
    header.more[reproducible_key] = run.options.reproducible ? "true" : "false";
    for (std::size_t i = 0; i < run.overrides.size(); ++i)
        header.more[fmt::format("{}{:04}", set_key, i)] = run.overrides[i];
}

namespace {

// Refuses a state that lacks what the case has, or the other way round, in the words of the case
// where it has some.
void check_owners(const CheckpointFile& file, const StateRegistry& state,
                  const std::vector<std::string>& names,
                  const std::function<void(const std::string&)>& refuse) {
    std::vector<std::string> missing = state.missing(names), added;
    std::erase_if(missing, may_change);
    for (const std::string& name : missing)
        if (const std::string& owner = state.entry(name).belongs_to;
            !owner.empty() && !contains(added, owner))
            added.push_back(owner);
    if (std::ranges::any_of(
            names, [](const std::string& name) { return name.starts_with(numbered_ships); }))
        throw InputError(file.file().string(),
                         fmt::format("was written by version {}, which kept ships by their number: "
                                     "go on by that version, or run the case anew",
                                     file.header().version));
    const std::vector<std::string> gone = owners_of(file, state.owners(), false);
    std::vector<std::string> faults;
    if (!added.empty()) faults.push_back("has no state of " + list_of(added));
    if (!gone.empty())
        faults.push_back(
            fmt::format("has the state of {}, which the case no longer has", list_of(gone)));
    if (!faults.empty()) refuse(joined_words(faults, ", and "));
    if (!missing.empty())
        refuse(fmt::format("lacks {}, which the case needs now", some_of(missing)));
}

void check_array(const CheckpointFile& file, const StateRegistry& state, const StateArray& array) {
    const auto& check = state.entry(array.name).check;
    if (!check) return;
    try {
        check(array);
    } catch (const InputError& error) {
        throw InputError(
            file.file().string(),
            fmt::format("its array {} {}: no run of this case left that; take back the change of "
                        "the case if there is one, else remove the file to go on from the "
                        "checkpoint before it",
                        quoted(array.name), error.what()));
    }
}

}  // namespace

void load_state(const Communicator& comm, const CheckpointFile& file, StateRegistry& state) {
    std::vector<std::string> names;
    for (const CheckpointArray& array : file.arrays())
        if (array.name != partition_name) names.push_back(array.name);
    const auto refuse = [&](const std::string& how) {
        throw InputError(file.file().string(),
                         fmt::format("{}: take back the change of the case, which a run that goes "
                                     "on cannot take up, or run it anew",
                                     how));
    };
    comm.agree([&] { check_owners(file, state, names, refuse); });
    std::vector<std::string> unknown = state.load(names, [&](const StateArray& wanted) {
        StateArray array = wanted;
        file.fill(array);
        comm.agree([&] { check_array(file, state, array); });
        return array;
    });
    std::vector<std::string> ended;
    std::erase_if(unknown, [&](const std::string& name) {
        if (name.starts_with("output/") && file.find(name)->belongs_to.empty())
            ended.push_back(quoted(name));
        return may_change(name) || name.starts_with(numbered_triggers);
    });
    comm.agree([&] {
        if (!unknown.empty())
            refuse(fmt::format("has {}, which the case does not use now", some_of(unknown)));
    });
    const std::vector<std::string> owners = owners_of(file, state.owners(), true);
    ended.insert(ended.end(), owners.begin(), owners.end());
    if (!ended.empty())
        log::warning("what the case no longer has ends at the checkpoint: {}", list_of(ended));
    if (std::ranges::any_of(file.arrays(), [](const CheckpointArray& array) {
            return array.name.starts_with(numbered_triggers);
        }))
        log::warning(
            "{} was written by version {}, which kept triggers by their number: all of them begin "
            "anew",
            file.file().string(), file.header().version);
}

}  // namespace solenoid
