#include "app/diff_command.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/regular_file.hpp"
#include "io/files/results.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

enum class FileKind { checkpoint, state, table, picture, folder, other };

FileKind kind_of(const fs::path& path) {
    std::error_code error;  // no folder then
    if (fs::is_directory(path, error)) return FileKind::folder;
    const std::string end = path.extension().string();
    return end == ".checkpoint"                      ? FileKind::checkpoint
           : is_state_list(path.filename().string()) ? FileKind::state
           : end == ".csv"                           ? FileKind::table
           : end == ".png"                           ? FileKind::picture
                                                     : FileKind::other;
}

void diff_bytes(const fs::path& a, const fs::path& b, const std::string& name, DiffReport& report) {
    std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
    if (!left) throw InputError(a.string(), "cannot be read");
    if (!right) throw InputError(b.string(), "cannot be read");
    std::vector<char> piece(1 << 20), other(piece.size());
    for (std::int64_t at = 0;; at += std::ssize(piece)) {
        left.read(piece.data(), std::ssize(piece));
        right.read(other.data(), std::ssize(other));
        const auto count = std::min(left.gcount(), right.gcount());
        const auto place = std::mismatch(piece.begin(), piece.begin() + count, other.begin()).first;
        if (place != piece.begin() + count || left.gcount() != right.gcount())
            return report.differs(
                name, fmt::format("bytes differ from byte {} on", at + (place - piece.begin())));
        if (left.gcount() < std::ssize(piece)) return report.alike();
    }
}

void diff_files(const fs::path& a, const fs::path& b, FileKind kind, const std::string& name,
                DiffReport& report) {
    if (kind == FileKind::checkpoint)
        diff_checkpoints(a, b, name, report);
    else if (kind == FileKind::state)
        diff_states(a, b, name, report);
    else if (kind == FileKind::table)
        diff_tables(a, b, name, report);
    else
        diff_bytes(a, b, name, report);
}

// The files of a folder that are compared, by their names in it.
std::map<std::string, FileKind> results_in(const fs::path& folder) {
    std::map<std::string, FileKind> files;
    std::error_code error;
    fs::path at = folder;  // the last that was met
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        at = entry->path();
        const FileKind kind = kind_of(at);
        std::error_code ignored;  // what cannot be looked at is no file
        if (entry->is_regular_file(ignored) && kind != FileKind::other)
            files[at.lexically_relative(folder).string()] = kind;
    }
    if (error) throw InputError(at.string(), "cannot be read: " + error.message());
    return files;
}

void diff_folders(const fs::path& a, const fs::path& b, DiffReport& report) {
    const auto left = results_in(a), right = results_in(b);
    if (left.empty() && right.empty())
        throw InputError(
            a.string(),
            "neither folder has a checkpoint, a state (.pvtu), a table (.csv) or a picture "
            "(.png)");
    std::set<std::string> names;
    for (const auto* files : {&left, &right})
        for (const auto& [name, kind] : *files) names.insert(name);
    for (const std::string& name : names) {
        if (left.count(name) && right.count(name))
            diff_files(a / name, b / name, left.at(name), name, report);
        else
            report.differs(name, left.count(name) ? "only in A" : "only in B");
    }
}

}  // namespace

void DiffReport::differs(const std::string& what, const std::string& how) {
    ++different_;
    log::info("{}: {}", what, how);
}

// ---- Columns

void ColumnDiff::add(const double* a, const double* b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_first = count_ == 0 && i == 0;
        if (std::isfinite(a[i])) {
            low_ = is_first ? a[i] : std::min(low_, a[i]);
            high_ = is_first ? a[i] : std::max(high_, a[i]);
        }
        if (std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i])) continue;
        const std::int64_t place = count_ + static_cast<std::int64_t>(i);
        const double apart = std::abs(a[i] - b[i]);
        if (!std::isfinite(apart)) {
            if (not_finite_++ == 0) place_ = place;
        } else if (not_finite_ == 0 && (apart > largest_ || unlike_bits_ == 0)) {
            place_ = place;
        }
        ++unlike_bits_;
        if (!std::isfinite(apart)) continue;
        largest_ = std::max(largest_, apart);
        squares_ += apart * apart;
    }
    count_ += static_cast<std::int64_t>(count);
}

bool ColumnDiff::is_alike(double tolerance) const {
    if (unlike_bits_ == 0) return true;
    const double range = high_ > low_ ? high_ - low_ : std::abs(low_);
    return tolerance > 0 && not_finite_ == 0 && largest_ <= tolerance * range;
}

std::string ColumnDiff::words(const std::string& place) const {
    if (not_finite_ > 0)
        return fmt::format("one of two is not finite at {} places, first at {}", not_finite_,
                           place);
    const double range = high_ - low_;
    return fmt::format(
        "{} of {} differ; largest difference {:.4g} at {}{}, root mean square {:.4g}", unlike_bits_,
        count_, largest_, place,
        range > 0 ? fmt::format(" ({:.3g} of the range {:.4g})", largest_ / range, range) : "",
        std::sqrt(squares_ / double(count_)));
}

// ---- The command

int diff(const DiffOptions& options) {
    for (const fs::path& path : {options.a, options.b}) {
        std::error_code error;
        if (fs::exists(path, error)) continue;
        throw InputError(path.string(), error ? "cannot be read: " + error.message()
                                              : "there is no such file or folder");
    }
    const FileKind kind = kind_of(options.a);
    if (kind != kind_of(options.b))
        throw InputError(options.b.string(),
                         fmt::format("not of the same kind as {}", options.a.string()));
    for (const fs::path& path : {options.a, options.b})
        if (kind != FileKind::folder) refuse_irregular(path);
    DiffReport report(options.tolerance);
    if (kind == FileKind::folder)
        diff_folders(options.a, options.b, report);
    else
        diff_files(options.a, options.b, kind, options.a.filename().string(), report);
    log::info("{} alike, {} different", report.alike_count(), report.different_count());
    return report.different_count() ? 1 : 0;
}

}  // namespace solenoid
