// A whole file in memory.
#pragma once

#include <filesystem>
#include <memory>
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

}  // namespace solenoid
