// The checkpoints of a run: a file a step in one folder, the last few kept.
#pragma once

#include <memory>

#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/write_checkpoint.hpp"

namespace solenoid {

class CheckpointFolder {
  public:
    // keep: at least 1. The folder is made when the first checkpoint is written.
    CheckpointFolder(const Communicator& comm, std::filesystem::path folder, int keep = 2);
    void set_keep(int keep) { keep_ = keep; }

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path file(std::int64_t step) const;
    bool is_empty() const { return steps().empty(); }  // Collective.

    // Writes the checkpoint of header.step. Once it stands, it removes those of later steps, which
    // are of a run that was taken up before them, all but the last `keep`, and parts of files. As
    // write_checkpoint. Collective.
    void write(const CheckpointHeader& header, const EachArray& arrays) const;
    void write(const CheckpointHeader& header, std::span<const StateArray> arrays) const;

    // The checkpoint of the latest step that is whole. Each later one is refused with a warning.
    // Null where there are none; throws AgreedError with exit code 2 where none is whole.
    // Collective.
    std::unique_ptr<CheckpointFile> newest() const;

  private:
    std::vector<std::int64_t> steps() const;  // of the files on the root, descending; on every rank
    void make_folder() const;
    void remove_others(std::int64_t step) const;

    const Communicator comm_;
    const std::filesystem::path folder_;
    int keep_;
};

}  // namespace solenoid
