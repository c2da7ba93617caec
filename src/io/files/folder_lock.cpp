#include "io/files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "core/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr const char* lock_name = ".solenoid-lock";
constexpr auto heartbeat = 5s;
// A lock whose time has not changed for so long is a dead run's: several heartbeats.
constexpr auto lifetime = 30s;

struct Owner {
    std::string host;
    long process = 0;
    std::string start;  // of the process, in clock ticks since the boot
    std::string boot;   // of the host: an identity of the running kernel
    std::string since;  // date and time
    std::string of_case;

    bool operator==(const Owner&) const = default;
};

std::string first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

// Field 22 of /proc/PID/stat; empty: there is no such process, or it has ended and nobody has asked
// for its exit code. The name in field 2 may hold spaces.
std::string start_of(long process) {
    std::string line = first_line(fmt::format("/proc/{}/stat", process));
    const std::size_t end = line.rfind(')');
    if (end == line.npos) return "";
    std::istringstream fields(line.substr(end + 1));
    std::string field;
    for (int number = 3; number <= 22; ++number) {
        fields >> field;
        if (number == 3 && (field == "Z" || field == "X")) return "";
    }
    return field;
}

std::string boot_id() { return first_line("/proc/sys/kernel/random/boot_id"); }

Owner this_process(const std::string& of_case) {
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    const long process = ::getpid();
    return {host,
            process,
            start_of(process),
            boot_id(),
            fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr))),
            of_case};
}

std::string text_of(const Owner& o) {
    const nlohmann::ordered_json json{{"host", o.host},   {"process", o.process},
                                      {"start", o.start}, {"boot", o.boot},
                                      {"since", o.since}, {"case", o.of_case}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Nothing where the file is not complete.
std::optional<Owner> owner_in(int fd) {
    std::string text(4096, '\0');
    const auto size = ::pread(fd, text.data(), text.size(), 0);
    if (size <= 0) return {};
    text.resize(static_cast<std::size_t>(size));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return {};
    const auto word = [&](const char* key) {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
    };
    const auto process = json.find("process");
    return Owner{word("host"),
                 process != json.end() && process->is_number_integer() ? process->get<long>() : 0,
                 word("start"),
                 word("boot"),
                 word("since"),
                 word("case")};
}

bool is_of_this_host(const Owner& o) { return !o.boot.empty() && o.boot == boot_id(); }
bool lives_here(const Owner& o) { return !o.start.empty() && start_of(o.process) == o.start; }

timespec time_of(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return {};
    return status.st_mtim;
}

class File {
  public:
    explicit File(int fd = -1) : fd_(fd) {}
    ~File() {
        if (fd_ >= 0) ::close(fd_);
    }
    File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    int number() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }

  private:
    int fd_;
};

constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Whether the file still has its name.
bool is_named(int fd, const fs::path& file) {
    struct stat open {
    }, named{};
    return ::fstat(fd, &open) == 0 && ::lstat(file.c_str(), &named) == 0 &&
           open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

// Whether the file's time stays the same until it is a dead run's. Opens the file again each time:
// network file systems then ask their server.
bool stands_still(const fs::path& file, int fd) {
    const timespec before = time_of(fd);
    const auto end = std::chrono::steady_clock::now() + lifetime;
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(500ms);
        const File again(::open(file.c_str(), flags));
        if (!again.is_open()) return true;  // given back meanwhile
        const timespec now = time_of(again.number());
        if (now.tv_sec != before.tv_sec || now.tv_nsec != before.tv_nsec) return false;
    }
    return true;
}

// The age of the file by the clock of its file system.
double age_of(const fs::path& file, int fd) {
    const fs::path probe = fs::path(file) += fmt::format(".{}", ::getpid());
    const File now(::open(probe.c_str(), flags | O_CREAT | O_EXCL, 0666));
    if (!now.is_open()) return 0;
    const timespec a = time_of(now.number()), b = time_of(fd);
    ::unlink(probe.c_str());
    return static_cast<double>(a.tv_sec - b.tv_sec);
}

[[noreturn]] void refuse(const fs::path& folder, const std::optional<Owner>& owner) {
    const Owner o = owner.value_or(Owner{});
    const std::string of_case = o.of_case.empty() ? "" : fmt::format(" of the case {}", o.of_case);
    throw InputError(
        folder.string(),
        fmt::format("another run{} writes here: process {} on {}, since {}; wait for its end, or "
                    "choose another folder with --output",
                    of_case, o.process, o.host.empty() ? "an unknown host" : o.host,
                    o.since.empty() ? "an unknown time" : o.since));
}

}  // namespace

struct FolderLock::Implementation {
    fs::path folder, file;
    Owner self;
    File lock;
    std::string note;
    std::atomic<bool> lost = false;
    std::mutex mutex;
    std::condition_variable wakes;
    bool ends = false;
    std::thread beats;

    Implementation(const fs::path& where, const std::string& of_case)
        : folder(where), file(where / lock_name), self(this_process(of_case)) {
        while (!take()) {
        }
        start_beats();
    }
    ~Implementation() {
        {
            const std::lock_guard guard(mutex);
            ends = true;
        }
        wakes.notify_all();
        if (beats.joinable()) beats.join();
        if (is_named(lock.number(), file) && owner_in(lock.number()) == self)
            ::unlink(file.c_str());
    }

    // False: the file changed meanwhile, and all has to be tried again.
    bool take() {
        File made(::open(file.c_str(), flags | O_CREAT | O_EXCL, 0666));
        const bool is_new = made.is_open();
        if (!is_new && errno != EEXIST) fail(errno);
        if (!is_new) made = File(::open(file.c_str(), flags));
        if (!made.is_open()) {
            if (errno == ENOENT) return false;
            fail(errno);
        }
        const int fd = made.number();
        const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno == EWOULDBLOCK) refuse(folder, patient_owner(fd));
        if (!is_named(fd, file)) return false;
        if (!is_new) {
            const std::optional<Owner> owner = owner_in(fd);
            if (is_alive(owner, fd, locked)) refuse(folder, owner);
            if (!is_named(fd, file)) return false;
            if (owner)
                note = fmt::format(
                    "process {} on {} left its lock of {} and runs no more: taken "
                    "over",
                    owner->process, owner->host, owner->since);
        }
        return locked ? write_into(std::move(made)) : replace();
    }

    // Whether the run that made the file lives. locked: now by this process.
    bool is_alive(const std::optional<Owner>& owner, int fd, bool locked) const {
        if (owner && is_of_this_host(*owner)) return lives_here(*owner);
        if (!owner && locked) return false;  // it died before it wrote its name
        return age_of(file, fd) < static_cast<double>(lifetime.count()) && !stands_still(file, fd);
    }

    // The owner of a locked file, which is being written where it has none yet.
    static std::optional<Owner> patient_owner(int fd) {
        for (int i = 0; i < 20; ++i) {
            if (auto owner = owner_in(fd)) return owner;
            std::this_thread::sleep_for(50ms);
        }
        return {};
    }

    bool write_into(File made) {
        const std::string text = text_of(self);
        const int fd = made.number();
        if (::ftruncate(fd, 0) != 0 ||
            ::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
            const int error = errno;
            ::unlink(file.c_str());
            fail(error);
        }
        lock = std::move(made);
        return true;
    }

    // Where the file system has no locks: of several runs that replace the file at a time the last
    // one has it.
    bool replace() {
        const fs::path mine = fs::path(file) += fmt::format(".{}", ::getpid());
        if (!write_into(File(::open(mine.c_str(), flags | O_CREAT | O_TRUNC, 0666)))) return false;
        if (::rename(mine.c_str(), file.c_str()) != 0) fail(errno);
        std::this_thread::sleep_for(1s);
        if (is_named(lock.number(), file)) return true;
        const File other(::open(file.c_str(), flags));
        refuse(folder, owner_in(other.number()));
    }

    [[noreturn]] void fail(int error) const {
        throw InputError(folder.string(),
                         fmt::format("cannot be locked ({}: {}); choose another folder with "
                                     "--output",
                                     file.string(), std::strerror(error)));
    }

    void start_beats() {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the main thread's
        beats = std::thread([this] { beat(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void beat() {
        std::unique_lock guard(mutex);
        while (!wakes.wait_for(guard, heartbeat, [this] { return ends; })) {
            const File now(::open(file.c_str(), flags));
            if (!now.is_open()) continue;
            const auto owner = owner_in(now.number());
            if (owner && !(*owner == self)) {
                lost = true;
                return;
            }
            if (is_named(lock.number(), file)) ::futimens(lock.number(), nullptr);
        }
    }
};

FolderLock::FolderLock(const fs::path& folder, const std::string& of_case)
    : implementation_(std::make_unique<Implementation>(folder, of_case)) {}
FolderLock::~FolderLock() = default;
FolderLock::FolderLock(FolderLock&&) noexcept = default;

const std::string& FolderLock::note() const { return implementation_->note; }
bool FolderLock::is_lost() const { return implementation_->lost; }

bool FolderLock::is_lock(const std::string& file_name) { return file_name.starts_with(lock_name); }

}  // namespace solenoid
