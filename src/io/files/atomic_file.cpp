#include "io/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file, int error) {
    throw WriteError(file.string() + ": cannot be written: " + std::strerror(error));
}

class Descriptor {
  public:
    Descriptor(const fs::path& file, int flags)
        : file_(file), fd_(::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {
        if (fd_ < 0) fail(file_, errno);
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    void write(std::string_view text) const {
        while (!text.empty()) {
            const auto written = ::write(fd_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(file_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    // Some file systems report a full disk only here.
    void flush() const {
        if (::fsync(fd_) != 0 && errno != EINVAL) fail(file_, errno);
    }
    void close() {
        const int fd = std::exchange(fd_, -1);
        if (::close(fd) != 0) fail(file_, errno);
    }
    int number() const { return fd_; }

  private:
    fs::path file_;
    int fd_;
};

// A new file under a name that may be taken by something that nobody needs.
Descriptor created(const fs::path& file) {
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) fail(file, errno);
    return {file, O_WRONLY | O_CREAT | O_EXCL};
}

}  // namespace

fs::path part_of(const fs::path& file) { return fs::path(file) += ".part"; }

void create_part(const fs::path& file) { created(part_of(file)).close(); }

void flush_file(const fs::path& file) {
    Descriptor open(file, O_WRONLY);
    open.flush();
    open.close();
}

void flush_part(const fs::path& file) { flush_file(part_of(file)); }

void publish_part(const fs::path& file) {
    std::error_code error;
    fs::rename(part_of(file), file, error);
    if (error) fail(file, error.value());
}

// File systems that cannot flush folders do so by themselves.
void flush_folder(const fs::path& folder) {
    const int fd =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    const int error = ::fsync(fd) == 0 ? 0 : errno;
    ::close(fd);
    if (error == EIO || error == ENOSPC || error == EDQUOT) fail(folder, error);
}

void discard_part(const fs::path& file) noexcept {
    std::error_code ignored;
    fs::remove(part_of(file), ignored);
}

void write_atomically(const fs::path& file, std::string_view text) {
    try {
        Descriptor part = created(part_of(file));
        part.write(text);
        part.flush();
        part.close();
        publish_part(file);
        flush_folder(file.parent_path());
    } catch (...) {
        discard_part(file);
        throw;
    }
}

void cut(const fs::path& file, std::int64_t bytes) {
    Descriptor open(file, O_WRONLY);
    if (::ftruncate(open.number(), bytes) != 0) fail(file, errno);
    open.close();
}

void append_whole(const fs::path& file, std::string_view text) {
    Descriptor end(file, O_WRONLY | O_APPEND);
    struct stat before {};
    if (::fstat(end.number(), &before) != 0) fail(file, errno);
    try {
        end.write(text);
        end.close();
    } catch (...) {
        [[maybe_unused]] const int lost = ::truncate(file.c_str(), before.st_size);
        throw;
    }
}

}  // namespace solenoid
