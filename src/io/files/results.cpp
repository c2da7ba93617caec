#include "io/files/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "core/joined_words.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* aside = ".solenoid-replaced";
// In that folder as soon as all results are there: what is outside is new.
constexpr const char* all_aside = "complete";
constexpr const char* no_more = ".solenoid-removed";
constexpr const char* probe = ".solenoid-probe-";
constexpr std::string_view part = ".part";

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// NAME of NAME_000123; empty: text is not so.
std::string name_of_state(std::string_view text) {
    const std::size_t end = text.rfind('_');
    if (end == text.npos || text.size() - end - 1 < 6 || !all_digits(text.substr(end + 1)))
        return "";
    return std::string(text.substr(0, end));
}

// Of pieces of a state, by the kind of its mesh (io/vtk/vtk_mesh.hpp); of their list with a p.
constexpr std::array<std::string_view, 4> piece_suffixes{"vtu", "vti", "vtr", "vts"};

// Whether text is NAME_000123_R.vtu for the folder NAME_000123.
bool is_piece(std::string_view text, std::string_view state) {
    return text.starts_with(state) && text.size() > state.size() + 5 &&
           text[text.size() - 4] == '.' &&
           std::ranges::find(piece_suffixes, text.substr(text.size() - 3)) !=
               piece_suffixes.end() &&
           text[state.size()] == '_' &&
           all_digits(text.substr(state.size() + 1, text.size() - state.size() - 5));
}

// The first bytes of a file, at most so many. Throws where it cannot be read: it may be a result
// all the same.
std::string beginning_of(const fs::path& file, std::uintmax_t most) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::string text(most, '\0');
    if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad())
        throw fs::filesystem_error("cannot be read", file,
                                   {errno != 0 ? errno : EIO, std::generic_category()});
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

// Whether a .pvd lists states as solenoid does, or none.
bool is_index(const fs::path& file) {
    const std::string text = beginning_of(file, 1 << 16);
    if (text.find("\"Collection\"") == text.npos) return false;
    const std::size_t first = text.find("file=\"");
    if (first == text.npos) return true;
    const std::string named = text.substr(first + 6, text.find('"', first + 6) - first - 6);
    return is_state_list(named) && !name_of_state(named.substr(0, named.size() - 5)).empty();
}

// Entries of a folder that are files with a name and content of their own (no links), or folders.
std::vector<fs::directory_entry> entries(const fs::path& folder) {
    return {fs::directory_iterator(folder), fs::directory_iterator()};
}
bool is_file(const fs::directory_entry& entry) {
    return entry.is_regular_file() && !entry.is_symlink();
}
bool is_folder(const fs::directory_entry& entry) {
    return entry.is_directory() && !entry.is_symlink();
}

// What a file is to a run, in the order in which results are set aside.
enum class Result { none, index, summary, state, other };

Result kind_at_top(const std::string& name) {
    if (name == "summary.json" || name == "as-run.toml") return Result::summary;
    if (name.ends_with(".pvd")) return Result::index;
    if (is_state_list(name) && !name_of_state(name.substr(0, name.size() - 5)).empty())
        return Result::state;
    return Result::none;
}

// The names of the pictures that the run of a summary asked for: other pictures are the user's.
std::set<std::string> picture_names(const fs::path& summary) {
    std::set<std::string> names;
    if (!fs::is_regular_file(summary)) return names;
    const auto json =
        nlohmann::json::parse(beginning_of(summary, fs::file_size(summary)), nullptr, false);
    if (json.is_object() && json.contains("pictures") && json["pictures"].is_array())
        for (const auto& name : json["pictures"])
            if (name.is_string()) names.insert(name.get<std::string>());
    return names;
}

// Whether text is NAME.png, NAME_0123.png or NAME.mp4 of one of the names.
bool is_picture(const std::string& text, const std::set<std::string>& names) {
    const bool is_video = text.ends_with(".mp4");
    if (!is_video && !text.ends_with(".png")) return false;
    const std::string stem = text.substr(0, text.size() - 4);
    if (names.contains(stem)) return true;
    if (is_video) return false;
    const std::size_t end = stem.rfind('_');
    return end != stem.npos && stem.size() - end > 4 && all_digits(stem.substr(end + 1)) &&
           names.contains(stem.substr(0, end));
}

// Whether text is step-0000000123.checkpoint (io/checkpoint/checkpoint_folder.hpp).
bool is_checkpoint(std::string_view text) {
    constexpr std::string_view begin = "step-", end = ".checkpoint";
    return text.size() > begin.size() + end.size() && text.starts_with(begin) &&
           text.ends_with(end) &&
           all_digits(text.substr(begin.size(), text.size() - begin.size() - end.size()));
}

// Calls found(result, relative path, is_part, entry) for each file of results, and each part of
// one.
template <class Found>
void walk(const fs::path& folder, Found found) {
    const std::set<std::string> pictures = picture_names(folder / "summary.json");
    const auto within = [&](const std::string& inner, const std::string& name) {
        if (inner.empty()) return kind_at_top(name);
        const bool is_one = inner == "monitors"      ? name.ends_with(".csv")
                            : inner == "pictures"    ? is_picture(name, pictures)
                            : inner == "checkpoints" ? is_checkpoint(name)
                                                     : is_piece(name, inner);
        return is_one ? Result::other : Result::none;
    };
    const auto look_at = [&](const std::string& inner, const fs::directory_entry& entry) {
        std::string name = entry.path().filename().string();
        const fs::path file = inner.empty() ? fs::path(name) : fs::path(inner) / name;
        const bool is_part = name.ends_with(part);
        if (is_part) name.resize(name.size() - part.size());
        const Result kind = within(inner, name);
        if (kind != Result::none && !is_folder(entry)) found(kind, file, is_part, entry);
    };
    for (const auto& entry : entries(folder)) {
        look_at("", entry);
        const std::string name = entry.path().filename().string();
        if (is_folder(entry) && (name == "monitors" || name == "pictures" ||
                                 name == "checkpoints" || !name_of_state(name).empty()))
            for (const auto& inner : entries(entry.path())) look_at(name, inner);
    }
}

void remove_if_empty(const fs::path& folder) {
    std::error_code ignored;  // not empty
    fs::remove(folder, ignored);
}

// Moves files, given relative to `from`, and removes the folders that they leave empty.
void move_all(const std::vector<fs::path>& files, const fs::path& from, const fs::path& to) {
    for (const fs::path& file : files) {
        fs::create_directories((to / file).parent_path());
        fs::rename(from / file, to / file);
    }
    for (const fs::path& file : files)
        if (file.has_parent_path()) remove_if_empty(from / file.parent_path());
}

void remove_all(const std::vector<fs::path>& files, const fs::path& folder) {
    for (const fs::path& file : files) fs::remove(folder / file);
    for (const fs::path& file : files)
        if (file.has_parent_path()) remove_if_empty(folder / file.parent_path());
}

}  // namespace

bool is_state_list(std::string_view name) {
    return name.size() > 5 && name.substr(name.size() - 5, 2) == ".p" &&
           std::ranges::find(piece_suffixes, name.substr(name.size() - 3)) != piece_suffixes.end();
}

std::vector<fs::path> results_in(const fs::path& folder) {
    std::vector<std::pair<Result, fs::path>> found;
    walk(folder, [&](Result kind, const fs::path& file, bool is_part, const auto& entry) {
        if (is_part || !is_file(entry)) return;
        if (kind != Result::index || is_index(entry.path())) found.emplace_back(kind, file);
    });
    std::ranges::sort(found);
    std::vector<fs::path> files;
    for (auto& [kind, file] : found) files.push_back(std::move(file));
    return files;
}

void remove_leftovers(const fs::path& folder) {
    std::vector<fs::path> files;
    walk(folder, [&](Result, const fs::path& file, bool is_part, const auto&) {
        if (is_part) files.push_back(file);
    });
    for (const auto& entry : entries(folder))
        if (const fs::path name = entry.path().filename(); name.string().starts_with(probe))
            files.push_back(name);
    remove_all(files, folder);
    fs::remove_all(folder / no_more);
}

void remove_states(const fs::path& folder, const std::string& name,
                   const std::set<std::string>& listed) {
    const auto is_unlisted = [&](const std::string& state) {
        return name_of_state(state) == name && !listed.contains(state);
    };
    std::vector<fs::path> files;
    walk(folder, [&](Result kind, const fs::path& file, bool, const auto& entry) {
        if (!is_file(entry)) return;
        const fs::path inner = file.parent_path();
        if (inner.empty() ? kind == Result::state && is_unlisted(file.stem().string())
                          : is_unlisted(inner.string()))
            files.push_back(file);
    });
    std::ranges::sort(files, {}, [](const fs::path& file) { return file.has_parent_path(); });
    remove_all(files, folder);
}

void remove_pictures(const fs::path& folder, const std::string& name, int next) {
    std::error_code ignored;
    if (!fs::is_directory(folder / "pictures", ignored)) return;
    std::vector<fs::path> files;
    for (const auto& entry : entries(folder / "pictures")) {
        const std::string file = entry.path().filename().string();
        if (!is_file(entry) || !is_picture(file, {name})) continue;
        const std::string stem = file.substr(0, file.size() - 4);
        if (stem == name || std::strtoll(stem.c_str() + name.size() + 1, nullptr, 10) >= next)
            files.push_back(fs::path("pictures") / file);
    }
    remove_all(files, folder);
}

std::string description_of_results(const std::vector<fs::path>& results) {
    std::vector<std::string> parts;
    std::size_t states = 0;
    std::map<std::string, std::size_t> inner;  // files in monitors, pictures
    for (const fs::path& file : results) {
        const std::string folder = file.parent_path().string();
        if (folder.empty() && is_state_list(file.string()))
            ++states;
        else if (folder.empty())
            parts.push_back(file.string());
        else if (name_of_state(folder).empty())
            ++inner[folder];
    }
    const auto counted = [](std::size_t count, const char* word) {
        return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    };
    if (states > 0) parts.push_back(counted(states, "state"));
    for (const auto& [folder, count] : inner)
        parts.push_back(counted(count, "file") + " in " + folder);
    if (parts.empty()) parts.push_back(counted(results.size(), "file"));
    return joined_words(parts, ", ");
}

fs::path set_aside_folder(const fs::path& folder) { return folder / aside; }

bool has_set_aside(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / aside, ignored);
}

void set_aside(const fs::path& folder) {
    fs::create_directory(folder / aside);
    move_all(results_in(folder), folder, folder / aside);
    fs::create_directory(folder / aside / all_aside);
}

void bring_back(const fs::path& folder) {
    const fs::path from = folder / aside;
    if (fs::exists(from / all_aside)) {
        remove_all(results_in(folder), folder);
        fs::remove(from / all_aside);
    }
    std::vector<fs::path> files = results_in(from);
    std::ranges::reverse(files);  // the index last
    move_all(files, from, folder);
    remove_if_empty(from);
}

void remove_set_aside(const fs::path& folder) {
    // renamed first: what is left of a removal that was broken off must not be put back
    fs::remove_all(folder / no_more);
    fs::rename(folder / aside, folder / no_more);
    fs::remove_all(folder / no_more);
}

}  // namespace solenoid
