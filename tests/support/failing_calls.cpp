// A library whose calls of the system fail on demand. A test links it, or a program gets it by
// LD_PRELOAD and FAILING_CALL="CALL N RANK PART [always]": the N-th CALL on the rank (of Open MPI,
// else 0) whose file has PART in its name fails with EIO, and with `always` all later ones too.
// CALL: open, write, pwrite, fsync, close, rename. It writes "failing_calls: CALL PATH" to standard
// error then.
#include "support/failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Plan {
    char call[16] = "", part[256] = "", always[8] = "";
    long at = 0, calls = 0, failed = 0;
};

Plan plan_of_environment() {
    Plan plan;
    const char* text = std::getenv("FAILING_CALL");
    const char* of_launcher = std::getenv("OMPI_COMM_WORLD_RANK");
    int rank = 0;
    if (!text || std::sscanf(text, "%15s %ld %d %255s %7s", plan.call, &plan.at, &rank, plan.part,
                             plan.always) < 4)
        return {};
    return rank == (of_launcher ? std::atoi(of_launcher) : 0) ? plan : Plan{};
}

Plan& plan() {
    static Plan plan = plan_of_environment();
    return plan;
}

bool fails(const char* call, const char* path) {
    Plan& p = plan();
    if (p.at == 0 || std::strcmp(p.call, call) != 0 || !path || !std::strstr(path, p.part))
        return false;
    ++p.calls;
    if (p.calls != p.at && !(p.calls > p.at && p.always[0])) return false;
    ++p.failed;
    dprintf(2, "failing_calls: %s %s\n", call, path);
    return true;
}

bool fails(const char* call, int descriptor) {
    if (plan().at == 0) return false;
    char link[64], path[1024];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = ::readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return fails(call, path);
}

template <class Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
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
    if (always) std::strcpy(p.always, "always");
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
ssize_t write(int file, const void* bytes, size_t count) {
    static auto* const call = original<ssize_t(int, const void*, size_t)>("write");
    return fails("write", file) ? refuse() : call(file, bytes, count);
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

}  // extern "C"
