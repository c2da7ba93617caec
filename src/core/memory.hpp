#pragma once

#include <filesystem>
#include <optional>

namespace solenoid {

// Returns freed memory to the system. The C library otherwise keeps it.
void release_memory();

// Of this machine, or of what it gives a group of processes (a container, a job of a batch system)
// that this one is in [bytes].
struct HostMemory {
    double total = 0;
    double free = 0;  // with what the system would give back, and swap
};
// None where the system does not tell. root: the folder in which proc and sys are.
std::optional<HostMemory> host_memory(const std::filesystem::path& root = "/");

}  // namespace solenoid
