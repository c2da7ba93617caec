#include "app/output_place.hpp"

#include <unistd.h>

#include "core/error.hpp"

namespace solenoid {

void check_output_place(const std::filesystem::path& file, bool overwrite) {
    namespace fs = std::filesystem;
    const std::string name = file.string();
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) throw InputError(name, "is a folder: name a file in it");
    if (fs::exists(status) && !overwrite)
        throw InputError(name, "is there already: add --overwrite to replace it");
    if (!fs::status_known(status))
        throw InputError(name, "cannot be written: " + error.message() + "; take another place");
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    fs::create_directories(folder, error);
    if (error) throw InputError(name, "its folder cannot be made: " + error.message());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw InputError(name, "its folder cannot be written to: take another place");
}

}  // namespace solenoid
