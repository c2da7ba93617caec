#include "parallel/shared_window.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>

namespace solenoid {
namespace {

constexpr std::int64_t line = SharedWindow::line, least_part = 256 << 10;
constexpr std::size_t sum_bytes =
    2 * 2 * line;  // two sums in progress, each a number and its values
constexpr int yields_a_probe = 64;

// The number of cores that the ranks of this host may use together; each may be bound to one.
int cores_of(MPI_Comm local) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    MPI_Allreduce(MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, local);
    return CPU_COUNT(&set);
}

void pause_a_little() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

constexpr const char* folder = "/dev/shm";

// Takes the room for a file at once: this fails now instead of by a signal at the first use.
bool allocates(int file, std::int64_t bytes) {
    int error = 0;
    do error = posix_fallocate(file, 0, bytes);
    while (error == EINTR);
    return error == 0;
}

// How a segment's file is made by one rank and opened by the others.
enum class Way {
    unnamed,  // by a path to the descriptor: it never has a name, so that a kill leaves nothing
    named     // where that path leads nowhere: in other process namespaces, without O_TMPFILE
};

// Where other ranks find a file, and which one it is.
struct Where {
    char path[96] = "";  // empty: there is none
    dev_t device = 0;
    ino_t inode = 0;
};

// -1 where another file is there: in other process namespaces the path leads to any.
int opened(const Where& where) {
    const int file = open(where.path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_dev == where.device &&
        status.st_ino == where.inode)
        return file;
    if (file >= 0) close(file);
    return -1;
}

// The file of a segment on the rank that makes it. While it has a name it is locked.
class SegmentFile {
  public:
    SegmentFile(Way way, std::int64_t bytes) {
        static int count = 0;
        const auto process = static_cast<long>(getpid());
        if (way == Way::unnamed) {
            number_ = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
            std::snprintf(where.path, sizeof where.path, "/proc/%ld/fd/%d", process, number_);
        } else {
            std::snprintf(where.path, sizeof where.path, "%s/solenoid-%ld-%d", folder, process,
                          count++);
            number_ = open(where.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
            is_named_ = number_ >= 0;
            if (is_named_) flock(number_, LOCK_EX);
        }
        struct stat status {};
        if (number_ >= 0 && allocates(number_, bytes) && fstat(number_, &status) == 0) {
            where.device = status.st_dev;
            where.inode = status.st_ino;
        } else {
            remove_name();
            where.path[0] = '\0';
        }
    }
    ~SegmentFile() {
        remove_name();
        if (number_ >= 0) close(number_);
    }
    SegmentFile(const SegmentFile&) = delete;
    int number() const { return number_; }

    Where where;

  private:
    void remove_name() {
        if (is_named_) unlink(where.path);
        is_named_ = false;
    }
    int number_ = -1;
    bool is_named_ = false;
};

// Removes the files of runs that were killed while these had names: old ones that none has locked.
void remove_left_behind() {
    constexpr std::time_t old = 60;  // [s]
    DIR* const all = opendir(folder);
    if (!all) return;
    while (const dirent* const entry = readdir(all)) {
        long process = 0;
        int number = 0, length = 0;
        if (std::sscanf(entry->d_name, "solenoid-%ld-%d%n", &process, &number, &length) != 2 ||
            entry->d_name[length] != '\0')
            continue;
        const int file = openat(dirfd(all), entry->d_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) continue;
        struct stat status {};
        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
            std::time(nullptr) - status.st_mtime > old && flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(all), entry->d_name, 0);
        close(file);
    }
    closedir(all);
}

std::byte* mapped(int file, std::int64_t bytes) {
    if (file < 0) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

SharedWindow::SharedWindow(MPI_Comm local) : local_(local), allocations_(line, least_part) {
    MPI_Comm_rank(local, &rank_);
    MPI_Comm_size(local, &size_);
    spins_ = size_ <= cores_of(local) ? 2000 : 20;
    if (size_ > most_ranks) return;
    const SharedSlot place = take(sum_bytes);
    if (place.segment < 0) return;
    places_of_sums_.resize(size_);
    MPI_Allgather(&place, sizeof place, MPI_BYTE, places_of_sums_.data(), sizeof place, MPI_BYTE,
                  local_);
}

SharedWindow::~SharedWindow() {
    for (const Segment& segment : segments_) munmap(segment.memory, segment.part * size_);
}

std::byte* SharedWindow::at(int rank, const SharedSlot& place) const {
    const Segment& segment = segments_[place.segment];
    return segment.memory + rank * segment.part + place.offset;
}

SharedSlot SharedWindow::take(std::size_t bytes) {
    const SharedSlot place =
        allocations_.take(local_, bytes, [&](std::int64_t part) { return grow(part); });
    if (place.segment >= 0) std::memset(at(rank_, place), 0, place.bytes);
    return place;
}

// Adds a segment with a part for each rank, or none on all ranks.
bool SharedWindow::grow(std::int64_t part) {
    const std::int64_t bytes = part * size_;
    for (const Way way : {Way::unnamed, Way::named}) {
        std::optional<SegmentFile> made;
        Where where;
        if (rank_ == 0) where = made.emplace(way, bytes).where;
        MPI_Bcast(&where, sizeof where, MPI_BYTE, 0, local_);
        if (where.path[0] == '\0') continue;
        const int file = made ? made->number() : opened(where);
        std::byte* const memory = mapped(file, bytes);
        if (!made && file >= 0) close(file);
        int works = memory != nullptr;
        MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, local_);
        if (works) {
            if (rank_ == 0 && segments_.empty()) remove_left_behind();
            segments_.push_back({memory, part});
            return true;
        }
        if (memory) munmap(memory, bytes);
    }
    return false;
}

// Calls MPI now and then while it waits, so that pending messages of MPI make progress.
void SharedWindow::wait_for(std::byte* number, std::uint64_t least) const {
    const std::atomic_ref<std::uint64_t> current(*reinterpret_cast<std::uint64_t*>(number));
    for (int spin = 0; spin < spins_; ++spin) {
        if (current.load(std::memory_order_acquire) >= least) return;
        pause_a_little();
    }
    for (int yields = 1; current.load(std::memory_order_acquire) < least; ++yields) {
        sched_yield();
        int flag = 0;
        if (yields % yields_a_probe == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, local_, &flag, MPI_STATUS_IGNORE);
    }
}

std::byte* SharedWindow::posted(int rank) const {
    return at(rank, places_of_sums_[rank]) + (sums_ % 2) * 2 * line;
}

// Two slots are used in turn: a rank writes sum n + 2 after it has read sum n + 1 of all ranks,
// each of which had read sum n before.
void SharedWindow::post(std::span<const std::byte> values) {
    ++sums_;
    std::byte* own = posted(rank_);
    std::memcpy(own + line, values.data(), values.size());
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(own))
        .store(sums_, std::memory_order_release);
    for (int rank = 0; rank < size_; ++rank)
        if (rank != rank_) wait_for(posted(rank), sums_);
}

}  // namespace solenoid
