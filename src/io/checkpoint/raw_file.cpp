#include "io/checkpoint/raw_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace solenoid {

RawFile::RawFile(const std::filesystem::path& file, int flags)
    : file_(file),
      descriptor_(::open(file.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666)),  // of no pipe
      is_written_((flags & O_ACCMODE) != O_RDONLY || (flags & O_DIRECTORY) != 0) {
    if (descriptor_ < 0) fail(errno);
}

RawFile::~RawFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

RawFile::RawFile(RawFile&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_written_(other.is_written_) {}

RawFile& RawFile::operator=(RawFile&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(is_written_, other.is_written_);
    return *this;
}

void RawFile::fail(int error) const {
    if (is_written_)
        throw ComputationError(file_.string() + ": cannot be written: " + std::strerror(error));
    throw InputError(file_.string(), std::string("cannot be read: ") + std::strerror(error));
}

void RawFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail(done < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        offset += done;
    }
}

void RawFile::read_at(std::int64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t done = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail(errno);
        if (done == 0) throw InputError(file_.string(), "it became shorter while it was read");
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        offset += done;
    }
}

std::int64_t RawFile::size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail(errno);
    if (!S_ISREG(status.st_mode)) throw InputError(file_.string(), "no regular file");
    return status.st_size;
}

void RawFile::begin_flush(std::int64_t offset, std::int64_t bytes) const {
    [[maybe_unused]] const int ignored =  // flush() reports errors
        ::sync_file_range(descriptor_, offset, bytes, SYNC_FILE_RANGE_WRITE);
}

// Some file systems do not know the call (EINVAL).
void RawFile::flush() const {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
}

void RawFile::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0) fail(errno);
}

}  // namespace solenoid
