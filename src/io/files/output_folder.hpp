// The folder that a run writes to, and where in it things lie. docs/output.md lists the files.
#pragma once

#include <filesystem>
#include <string>

#include "parallel/communicator.hpp"

namespace solenoid {

class OutputFolder {
  public:
    // Makes the folder where it is missing and writes a probe file. Throws InputError where that
    // fails, or where a rank does not see what the root wrote. Collective.
    OutputFolder(const Communicator& comm, std::filesystem::path folder, std::string case_name);

    // Removes what earlier runs of this case left: its .pvd, .pvtu and .vtu files, summary.json and
    // half-written parts of them. Everything else stays; monitors replace their own files.
    // Collective.
    void remove_old_results() const;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path monitors() const { return folder_ / "monitors"; }
    std::filesystem::path summary() const { return folder_ / "summary.json"; }

  private:
    const Communicator comm_;
    std::filesystem::path folder_;
    std::string case_name_;
};

}  // namespace solenoid
