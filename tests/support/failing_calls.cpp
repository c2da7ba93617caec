// A library whose calls of the system fail on demand. A test links it, or a program gets it by
// LD_PRELOAD and FAILING_CALL="CALL N RANK PART [always|kill]": the N-th CALL on the rank (of Open
// MPI, else 0) whose file has PART in its name fails with EIO, and with `always` all later ones
// too; with `kill` SIGKILL ends the process before it. It writes "failing_calls: CALL PATH" to
// standard error then. LISTED_CALLS="FOLDER PART": each call
// on a file that has PART in its name becomes a line "CALL PATH" of FOLDER/RANK.
// CALL: open, write, pwrite, fsync, close, rename, mkdir, unlink, truncate. Each is also its kin:
// fopen, opendir and shm_open of open, writev of write, rmdir and remove of unlink. Also compress,
// zlib's for want of memory, whose file is named "memory".
#include "support/failing_calls.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Plan {
    char call[16] = "", part[256] = "", mode[8] = "";  // "always", "kill", or once
    long at = 0, calls = 0, failed = 0;
};

template <class Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int own_rank() {
    const char* of_launcher = std::getenv("OMPI_COMM_WORLD_RANK");
    return of_launcher ? std::atoi(of_launcher) : 0;
}

Plan plan_of_environment() {
    Plan plan;
    const char* text = std::getenv("FAILING_CALL");
    int rank = 0;
    if (!text || std::sscanf(text, "%15s %ld %d %255s %7s", plan.call, &plan.at, &rank, plan.part,
                             plan.mode) < 4)
        return {};
    return rank == own_rank() ? plan : Plan{};
}

// Where calls are listed.
struct List {
    int file = -1;
    char part[256] = "";
};

const List& list() {
    static const List of_environment = [] {
        List made;
        char folder[256], path[300];
        const char* text = std::getenv("LISTED_CALLS");
        if (!text || std::sscanf(text, "%255s %255s", folder, made.part) < 2) return made;
        std::snprintf(path, sizeof path, "%s/%d", folder, own_rank());
        made.file = original<int(const char*, int, ...)>("open")(
            path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        return made;
    }();
    return of_environment;
}

Plan& plan() {
    static Plan plan = plan_of_environment();
    return plan;
}

bool fails(const char* call, const char* path) {
    if (list().file >= 0 && path && std::strstr(path, list().part))
        dprintf(list().file, "%s %s\n", call, path);
    Plan& p = plan();
    if (p.at == 0 || std::strcmp(p.call, call) != 0 || !path || !std::strstr(path, p.part))
        return false;
    ++p.calls;
    const bool always = std::strcmp(p.mode, "always") == 0;
    if (p.calls != p.at && !(p.calls > p.at && always)) return false;
    ++p.failed;
    dprintf(2, "failing_calls: %s %s\n", call, path);
    if (std::strcmp(p.mode, "kill") == 0) ::kill(::getpid(), SIGKILL);
    return true;
}

// A file below an open folder: its name is relative to that, unless it is absolute.
bool fails(const char* call, int descriptor, const char* below = "") {
    if (plan().at == 0 && list().file < 0) return false;
    if (descriptor == AT_FDCWD || below[0] == '/') return fails(call, below);
    char link[64], path[2048];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = ::readlink(link, path, sizeof path / 2);
    if (length < 0) return false;
    std::snprintf(path + length, sizeof path - length, "%s%s", below[0] ? "/" : "", below);
    return fails(call, path);
}

int refuse() {
    errno = EIO;
    return -1;
}

}  // namespace

extern "C" {

void fail_call(const char* call, long at, const char* part, int always) {
    Plan& p = plan();
    p = {};
    std::snprintf(p.call, sizeof p.call, "%s", call);
    std::snprintf(p.part, sizeof p.part, "%s", part);
    if (always) std::strcpy(p.mode, "always");
    p.at = at;
}

long failed_calls() { return plan().failed; }

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    static auto* const call = original<int(const char*, int, ...)>("open");
    return fails("open", path) ? refuse() : call(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    static auto* const call = original<int(const char*, int, ...)>("open64");
    return fails("open", path) ? refuse() : call(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    static auto* const call = original<int(int, const char*, int, ...)>("openat");
    return fails("open", folder, path) ? refuse() : call(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
    static auto* const call = original<FILE*(const char*, const char*)>("fopen");
    return fails("open", path) ? refuse(), nullptr : call(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    static auto* const call = original<FILE*(const char*, const char*)>("fopen64");
    return fails("open", path) ? refuse(), nullptr : call(path, mode);
}
DIR* opendir(const char* path) {
    static auto* const call = original<DIR*(const char*)>("opendir");
    return fails("open", path) ? refuse(), nullptr : call(path);
}
int shm_open(const char* name, int flags, mode_t mode) {
    char path[300];
    std::snprintf(path, sizeof path, "/dev/shm%s", name);
    static auto* const call = original<int(const char*, int, mode_t)>("shm_open");
    return fails("open", path) ? refuse() : call(name, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t count) {
    static auto* const call = original<ssize_t(int, const void*, size_t)>("write");
    return fails("write", file) ? refuse() : call(file, bytes, count);
}
ssize_t writev(int file, const iovec* parts, int count) {
    static auto* const call = original<ssize_t(int, const iovec*, int)>("writev");
    return fails("write", file) ? refuse() : call(file, parts, count);
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
    static auto* const call = original<ssize_t(int, const void*, size_t, off_t)>("pwrite");
    return fails("pwrite", file) ? refuse() : call(file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
    static auto* const call = original<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    return fails("pwrite", file) ? refuse() : call(file, bytes, count, offset);
}
int fsync(int file) {
    static auto* const call = original<int(int)>("fsync");
    return fails("fsync", file) ? refuse() : call(file);
}
int close(int file) {  // the file is closed all the same
    static auto* const call = original<int(int)>("close");
    const bool is_failing = fails("close", file);
    const int result = call(file);
    return is_failing ? refuse() : result;
}
int rename(const char* from, const char* to) {
    static auto* const call = original<int(const char*, const char*)>("rename");
    return fails("rename", to) ? refuse() : call(from, to);
}
int mkdir(const char* path, mode_t mode) {
    static auto* const call = original<int(const char*, mode_t)>("mkdir");
    return fails("mkdir", path) ? refuse() : call(path, mode);
}
int unlink(const char* path) {
    static auto* const call = original<int(const char*)>("unlink");
    return fails("unlink", path) ? refuse() : call(path);
}
int remove(const char* path) {
    static auto* const call = original<int(const char*)>("remove");
    return fails("unlink", path) ? refuse() : call(path);
}
int rmdir(const char* path) {
    static auto* const call = original<int(const char*)>("rmdir");
    return fails("unlink", path) ? refuse() : call(path);
}
int unlinkat(int folder, const char* path, int flags) {
    static auto* const call = original<int(int, const char*, int)>("unlinkat");
    return fails("unlink", folder, path) ? refuse() : call(folder, path, flags);
}
int truncate(const char* path, off_t length) {
    static auto* const call = original<int(const char*, off_t)>("truncate");
    return fails("truncate", path) ? refuse() : call(path, length);
}
int ftruncate(int file, off_t length) {
    static auto* const call = original<int(int, off_t)>("ftruncate");
    return fails("truncate", file) ? refuse() : call(file, length);
}
int ftruncate64(int file, off64_t length) {
    static auto* const call = original<int(int, off64_t)>("ftruncate64");
    return fails("truncate", file) ? refuse() : call(file, length);
}

int compress2(unsigned char* to, unsigned long* size, const unsigned char* from,
              unsigned long count, int level) {
    constexpr int no_memory = -4;
    static auto* const call =
        original<int(unsigned char*, unsigned long*, const unsigned char*, unsigned long, int)>(
            "compress2");
    return fails("compress", "memory") ? no_memory : call(to, size, from, count, level);
}

}  // extern "C"
