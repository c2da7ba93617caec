// Files that appear under their names only when they are complete and on the disk.
#pragma once

#include <filesystem>
#include <string_view>

namespace solenoid {

// The name of `file` until it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

// Flushes part_of(file) to the disk. Throws ComputationError where the disk is full.
void flush_part(const std::filesystem::path& file);
// Renames the flushed part to `file`, which it replaces.
void publish_part(const std::filesystem::path& file);
void discard_part(const std::filesystem::path& file) noexcept;

// Replaces `file` by `text`. Throws ComputationError where this fails; the old file then remains.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Appends all of `text`. Throws ComputationError where the disk is full; the file then remains
// unchanged.
void append_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace solenoid
