#include "parallel/shared_window.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

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

// Creates a shared memory file; its name is removed once all ranks have opened it. -1 on failure.
int create_memory(const char* name, std::int64_t bytes) {
    const int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file < 0) return -1;
    int error = 0;
    do
        error =
            posix_fallocate(file, 0, bytes);  // fails now instead of by a signal at the first use
    while (error == EINTR);
    if (error == 0) return file;
    close(file);
    shm_unlink(name);
    return -1;
}

std::byte* mapped(int file, std::int64_t bytes) {
    if (file < 0) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
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
    static int count = 0;
    char name[64] = "";
    int file = -1;
    if (rank_ == 0) {
        std::snprintf(name, sizeof name, "/solenoid-%ld-%d", static_cast<long>(getpid()), count++);
        file = create_memory(name, part * size_);
        if (file < 0) name[0] = '\0';
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, local_);
    if (name[0] == '\0') return false;
    if (rank_ != 0) file = shm_open(name, O_RDWR, 0600);
    std::byte* memory = mapped(file, part * size_);
    int works = memory != nullptr;
    MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, local_);
    if (rank_ == 0) shm_unlink(name);
    if (!works) {
        if (memory) munmap(memory, part * size_);
        return false;
    }
    segments_.push_back({memory, part});
    return true;
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
