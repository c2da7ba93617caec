// The output folder of a run. docs/output.md lists its files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/files/folder_lock.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// Makes a folder that is missing, writes a probe file and removes it. Throws InputError where this
// fails or a rank does not see the root's file. Returns on the root the folders made, the outermost
// first. Collective.
std::vector<std::filesystem::path> make_shared_folder(const Communicator& comm,
                                                      const std::filesystem::path& folder);

// What becomes of the results of an earlier run. continue_: they stay, and the run adds its own.
enum class EarlierResults { refuse, replace, continue_ };

class OutputFolder {
  public:
    // Makes the folder, locks it for this run, and puts back what a killed run had set aside.
    // Throws InputError where another run writes there, or where there are results of an earlier
    // run that are not to be replaced. Files of the user are no results. Collective.
    OutputFolder(const Communicator& comm, std::filesystem::path folder, const std::string& of_case,
                 EarlierResults earlier);
    // Unless the new results stand: puts the earlier ones back. Removes a folder that it made and
    // that is empty.
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;

    // To be called before each write. The first call sets earlier results aside, the index first,
    // unless they are continued, removes incomplete files and calls `first` of at_begin.
    // Collective.
    void begin();
    // Before begin(): there is nothing to continue, so that earlier results are replaced.
    void replace_earlier() { earlier_ = EarlierResults::replace; }
    // What the root writes first.
    void at_begin(std::function<void()> first) { first_ = std::move(first); }
    // The new results stand: those set aside are removed. Collective.
    void keep();
    // Whether earlier results would come back, or stay, if the run ended now.
    bool has_earlier_results() const { return has_earlier_; }

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path monitors() const { return folder_ / "monitors"; }
    std::filesystem::path summary() const { return folder_ / "summary.json"; }
    std::filesystem::path checkpoints() const { return folder_ / "checkpoints"; }
    // A copy of the case that was run.
    std::filesystem::path case_copy() const { return folder_ / "as-run.toml"; }

  private:
    void open(const std::string& of_case);

    const Communicator comm_;
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> made_;
    EarlierResults earlier_;
    std::optional<FolderLock> lock_;  // the root's
    std::function<void()> first_;
    bool has_earlier_ = false;  // alike on all ranks
    bool has_begun_ = false;
};

}  // namespace solenoid
