// Preloaded into a program, stands in for a disk that fills up and is emptied again: while the file
// that FULL_DISK names exists, regular files in its folder and below take no bytes and no flush
// (ENOSPC). Or for a mount that turns read-only: while the file that READ_ONLY names exists,
// nothing in its folder and below, given by absolute paths, can be changed (EROFS).
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool is_up(const char* flag) {
    const int before = errno;
    const bool up = flag && ::access(flag, F_OK) == 0;
    errno = before;
    return up;
}

// Whether the flag is up, and the path leads into its folder or below.
bool is_up_for(const char* flag, const char* path) {
    const char* end = flag ? std::strrchr(flag, '/') : nullptr;
    return end && std::strncmp(path, flag, static_cast<std::size_t>(end - flag) + 1) == 0 &&
           is_up(flag);
}

bool is_read_only(const char* path) {
    if (!is_up_for(std::getenv("READ_ONLY"), path)) return false;
    errno = EROFS;
    return true;
}

// The path of what is open, or an empty one.
struct OpenPath {
    explicit OpenPath(int fd) {
        char link[64];
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        const int before = errno;
        const ssize_t length = ::readlink(link, text, sizeof text - 1);
        errno = before;
        text[length < 0 ? 0 : length] = 0;
    }
    char text[4096];
};

// A file below an open folder.
bool is_read_only(int folder, const char* path) {
    if (folder == AT_FDCWD || path[0] == '/') return is_read_only(path);
    const OpenPath open(folder);
    char whole[8192];
    std::snprintf(whole, sizeof whole, "%s/%s", open.text, path);
    return is_read_only(whole);
}

// A regular file that takes nothing.
bool takes_nothing(int fd) {
    struct stat status {};
    const char *disk = std::getenv("FULL_DISK"), *mount = std::getenv("READ_ONLY");
    if (!is_up(disk) && !is_up(mount)) return false;
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const OpenPath open(fd);
    if (is_read_only(open.text)) return true;
    if (!is_up_for(disk, open.text)) return false;
    errno = ENOSPC;
    return true;
}

bool changes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; }

template <class Function>
Function original(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t count) {
    static const auto real = original<ssize_t (*)(int, const void*, std::size_t)>("write");
    return takes_nothing(fd) ? -1 : real(fd, bytes, count);
}
ssize_t writev(int fd, const iovec* parts, int count) {
    static const auto real = original<ssize_t (*)(int, const iovec*, int)>("writev");
    return takes_nothing(fd) ? -1 : real(fd, parts, count);
}
ssize_t pwrite(int fd, const void* bytes, std::size_t count, off_t at) {
    static const auto real = original<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
    return takes_nothing(fd) ? -1 : real(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void* bytes, std::size_t count, off64_t at) {
    static const auto real =
        original<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
    return takes_nothing(fd) ? -1 : real(fd, bytes, count, at);
}
int fsync(int fd) {
    static const auto real = original<int (*)(int)>("fsync");
    return takes_nothing(fd) ? -1 : real(fd);
}
int ftruncate(int fd, off_t length) {
    static const auto real = original<int (*)(int, off_t)>("ftruncate");
    return is_read_only(fd, "") ? -1 : real(fd, length);
}
int truncate(const char* path, off_t length) {
    static const auto real = original<int (*)(const char*, off_t)>("truncate");
    return is_read_only(path) ? -1 : real(path, length);
}
int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    static const auto real = original<int (*)(const char*, int, ...)>("open");
    return changes(flags) && is_read_only(path) ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    static const auto real = original<int (*)(const char*, int, ...)>("open64");
    return changes(flags) && is_read_only(path) ? -1 : real(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
    static const auto real = original<FILE* (*)(const char*, const char*)>("fopen");
    return mode[0] != 'r' && is_read_only(path) ? nullptr : real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    static const auto real = original<FILE* (*)(const char*, const char*)>("fopen64");
    return mode[0] != 'r' && is_read_only(path) ? nullptr : real(path, mode);
}
int mkdir(const char* path, mode_t mode) {
    static const auto real = original<int (*)(const char*, mode_t)>("mkdir");
    return is_read_only(path) ? -1 : real(path, mode);
}
int rename(const char* from, const char* to) {
    static const auto real = original<int (*)(const char*, const char*)>("rename");
    return is_read_only(to) ? -1 : real(from, to);
}
int unlink(const char* path) {
    static const auto real = original<int (*)(const char*)>("unlink");
    return is_read_only(path) ? -1 : real(path);
}
int remove(const char* path) {
    static const auto real = original<int (*)(const char*)>("remove");
    return is_read_only(path) ? -1 : real(path);
}
int rmdir(const char* path) {
    static const auto real = original<int (*)(const char*)>("rmdir");
    return is_read_only(path) ? -1 : real(path);
}
int unlinkat(int folder, const char* path, int flags) {
    static const auto real = original<int (*)(int, const char*, int)>("unlinkat");
    return is_read_only(folder, path) ? -1 : real(folder, path, flags);
}
}
