#include "run/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "case/named.hpp"
#include "case/physics.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/files/results.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Names in a header, and in a state.
constexpr const char *file_key = "case_file", *reproducible_key = "reproducible", *set_key = "set ";
constexpr const char *partition_name = "partition", *part_of_output = "output/";

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
std::string some_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 4;
    std::vector<std::string> told;
    for (const std::string& name : names)
        if (told.size() < most) told.push_back(quoted(name));
    return fmt::format("{}{}", joined_words(told, ", "),
                       names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
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
        std::ifstream stream(place / "as-run.toml", std::ios::binary);
        std::ostringstream text;
        if (stream && text << stream.rdbuf()) return asked_for(text.str());
    }
    return "";
}

bool is_of_output(const std::string& name) { return name.starts_with(part_of_output); }

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
              has_checkpoint ? "; to go on from its end: solenoid restart " + folder.string() +
                                   " --set time.end=..."
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

void load_state(const Communicator& comm, const CheckpointFile& file, StateRegistry& state) {
    std::vector<std::string> names;
    for (const CheckpointArray& array : file.arrays())
        if (array.name != partition_name) names.push_back(array.name);
    std::vector<std::string> missing = state.missing(names);
    std::erase_if(missing, is_of_output);
    const auto refuse = [&](const std::string& how) {
        throw InputError(file.file().string(),
                         fmt::format("{}: take back the change of the case, which a run that goes "
                                     "on cannot take up, or run it anew",
                                     how));
    };
    comm.agree([&] {
        if (!missing.empty())
            refuse(fmt::format("lacks {}, which the case needs now", some_of(missing)));
    });
    std::vector<std::string> unknown = state.load(names, [&](const StateArray& wanted) {
        StateArray array = wanted;
        file.fill(array);
        return array;
    });
    std::vector<std::string> of_output;
    std::erase_if(unknown, [&](const std::string& name) {
        if (is_of_output(name)) of_output.push_back(name);
        return is_of_output(name);
    });
    comm.agree([&] {
        if (!unknown.empty())
            refuse(fmt::format("has {}, which the case does not use now", some_of(unknown)));
    });
    if (!of_output.empty())
        log::warning("output that the case no longer has ends at the checkpoint: {}",
                     some_of(of_output));
}

}  // namespace solenoid
