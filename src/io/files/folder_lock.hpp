// The exclusive right of a run to write into a folder: a file in it that names host, process and
// start of the run. It is locked (flock) as long as the run lives, and its time is set every few
// seconds, for hosts that do not see each other's locks.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace solenoid {

class FolderLock {
  public:
    // Takes the lock. Throws InputError, with the owner's host and process, where a run has it. A
    // lock that a dead run left is taken over: one of this host at once, one of another host when
    // its time has not changed for half a minute. of_case: for messages of others.
    FolderLock(const std::filesystem::path& folder, const std::string& of_case);
    // Removes the file.
    ~FolderLock();
    FolderLock(FolderLock&&) noexcept;

    // What is to be said of a lock taken over; empty: there was none.
    const std::string& note() const;
    // Whether another run has taken this lock over, since this process stood still for long.
    bool is_lost() const;

    static bool is_lock(const std::string& file_name);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace solenoid
