// The output folder of a run. docs/output.md lists its files.
#pragma once

#include <filesystem>
#include <string>

#include "parallel/communicator.hpp"

namespace solenoid {

class OutputFolder {
  public:
    // Makes the folder if it is missing, and writes a probe file. Throws InputError where this
    // fails or a rank does not see the root's file. Collective.
    OutputFolder(const Communicator& comm, std::filesystem::path folder, std::string case_name);

    // Removes results of earlier runs of this case: .pvd, .pvtu and .vtu files, summary.json and
    // incomplete parts of these. Other files remain; monitors replace their own. Collective.
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
