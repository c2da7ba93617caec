#include "io/files/regular_file.hpp"

#include "core/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

bool is_regular(const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none);
}

void refuse_irregular(const fs::path& file) {
    std::error_code none;
    const fs::file_status status = fs::status(file, none);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    throw InputError(file.string(), fs::is_directory(status)
                                        ? "a folder, where a file was expected"
                                        : "a pipe or a device, which may have no end: write what "
                                          "comes from it into a file, and name that");
}

}  // namespace solenoid
