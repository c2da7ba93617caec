// A whole file in memory.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace solenoid {

struct FileContent {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
    std::string_view view() const { return {bytes.get(), size}; }
};

// expected: what the file should be, "a mesh file". Throws InputError where there is no such file,
// it is a directory or another thing that is no file, cannot be read, or is empty.
FileContent read_whole(const std::filesystem::path& path, const char* expected);

// Whether bytes begin as a file that gzip has compressed does (RFC 1952).
bool is_gzip(std::string_view bytes);

// What gzip has compressed, of all members of the file; at most the first `most` bytes. Throws
// InputError where the file is cut off or damaged, or there is not memory enough.
FileContent unpacked(std::string_view bytes, const std::string& place,
                     std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace solenoid
