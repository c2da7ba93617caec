// A folder for a test's files, the same on every rank, removed at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "parallel/communicator.hpp"

namespace solenoid {

class ScratchFolder {
  public:
    explicit ScratchFolder(const Communicator& comm) : comm_(comm) {
        static int count = 0;
        std::string name =
            "solenoid-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
        comm_.broadcast(name);
        path_ = std::filesystem::temp_directory_path() / name;
        if (comm_.is_root()) std::filesystem::create_directories(path_);
        comm_.barrier();
    }
    ~ScratchFolder() {
        comm_.barrier();
        std::error_code ignored;
        if (comm_.is_root()) std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    const Communicator comm_;
    std::filesystem::path path_;
};

inline std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace solenoid
