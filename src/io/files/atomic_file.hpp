// Files that appear under their name only when they are complete and on the disk.
#pragma once

#include <filesystem>
#include <string_view>

namespace solenoid {

// The name under which `file` is written before it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

// Brings what was written to part_of(file) to the disk. Throws ComputationError where it does not
// fit.
void flush_part(const std::filesystem::path& file);
// Gives a flushed part its name, in place of an older file.
void publish_part(const std::filesystem::path& file);
void discard_part(const std::filesystem::path& file) noexcept;

// Replaces `file` by `text`; the old file stays where that fails (ComputationError).
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Appends `text` as a whole: where it does not fit, the file stays as it was (ComputationError).
void append_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace solenoid
