// Preloaded into a program, stands in for a disk that fills up and is emptied again: while the file
// that FULL_DISK names exists, regular files take no bytes and no flush.
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

bool is_full(int fd) {
    const char* flag = std::getenv("FULL_DISK");
    struct stat status {};
    const int before = errno;
    const bool full =
        flag && ::access(flag, F_OK) == 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    errno = before;
    return full;
}

template <class Function>
Function original(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t count) {
    static const auto real = original<ssize_t (*)(int, const void*, std::size_t)>("write");
    if (!is_full(fd)) return real(fd, bytes, count);
    errno = ENOSPC;
    return -1;
}

ssize_t writev(int fd, const iovec* parts, int count) {
    static const auto real = original<ssize_t (*)(int, const iovec*, int)>("writev");
    if (!is_full(fd)) return real(fd, parts, count);
    errno = ENOSPC;
    return -1;
}

int fsync(int fd) {
    static const auto real = original<int (*)(int)>("fsync");
    if (!is_full(fd)) return real(fd);
    errno = ENOSPC;
    return -1;
}
}
