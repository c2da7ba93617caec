// Files that appear under their names only when they are complete and on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"

namespace solenoid {

// A file that cannot be written: a full disk, a lost mount.
class WriteError : public ComputationError {
  public:
    using ComputationError::ComputationError;
};

// The name of `file` until it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

// Makes part_of(file), empty. What has that name, such as the rest of a killed run, a link or a
// pipe, is removed and never followed. All functions here throw WriteError.
void create_part(const std::filesystem::path& file);
// Flushes part_of(file) to the disk.
void flush_part(const std::filesystem::path& file);
// Renames the flushed part to `file`, which it replaces.
void publish_part(const std::filesystem::path& file);
// Makes renames in the folder last.
void flush_folder(const std::filesystem::path& folder);
void discard_part(const std::filesystem::path& file) noexcept;

// Replaces `file` by `text`. Where this fails, the old file remains; the new one where only the
// folder cannot be flushed.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Appends all of `text`. Where this fails, the file remains unchanged.
void append_whole(const std::filesystem::path& file, std::string_view text);
// Leaves the first `bytes` of a file.
void cut(const std::filesystem::path& file, std::int64_t bytes);
// Flushes what was appended to the disk.
void flush_file(const std::filesystem::path& file);

}  // namespace solenoid
