#include "io/mesh/file_content.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

FileContent read_whole(const fs::path& path, const char* expected) {
    const std::string place = path.string();
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(place, "there is no such file");
    if (fs::is_directory(status))
        throw InputError(place, fmt::format("this is a directory; {} was expected", expected));
    if (!fs::is_regular_file(status)) throw InputError(place, "this is not a regular file");

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file) throw InputError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
    FileContent content;
    content.size = fs::file_size(path, error);
    if (error) throw InputError(place, fmt::format("cannot be read: {}", error.message()));
    content.bytes.reset(new char[content.size]);
    content.size = std::fread(content.bytes.get(), 1, content.size, file.get());
    if (std::ferror(file.get()))
        throw InputError(place, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (content.size == 0) throw InputError(place, "the file is empty");
    return content;
}

}  // namespace solenoid
