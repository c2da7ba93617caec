// A file by its descriptor: whole reads and writes at places, and errors in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace solenoid {

class RawFile {
  public:
    RawFile() = default;
    // flags: of open(2). Every call throws ComputationError with the file's name where the file is
    // open for writing, else InputError.
    RawFile(const std::filesystem::path& file, int flags);
    ~RawFile();
    RawFile(RawFile&& other) noexcept;
    RawFile& operator=(RawFile&& other) noexcept;

    void write_at(std::int64_t offset, std::span<const std::byte> bytes) const;
    void read_at(std::int64_t offset, std::span<std::byte> bytes) const;
    // Has the system begin to write these bytes to the disk; flush() waits for all.
    void begin_flush(std::int64_t offset, std::int64_t bytes) const;
    std::int64_t size() const;
    void flush() const;  // to the disk
    void close();

  private:
    [[noreturn]] void fail(int error) const;

    std::filesystem::path file_;
    int descriptor_ = -1;
    bool is_written_ = false;
};

}  // namespace solenoid
