#include "parallel/calls/checked_calls.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace solenoid {
namespace {

// Of the places that are named six at most are the machinery of a launch with sums. Names of
// expressions are long.
constexpr int most_frames = 48, most_named = 12;
constexpr std::size_t longest_name = 200;
constexpr int own_frames = 3;  // called_from, check_call, CheckedCall::begin

// The place that counts for a position in code: in optimized code its function, since optimizers
// copy a call to several positions, of which ranks take different ones.
void* place_of(void* position) {
#ifdef __OPTIMIZE__
    if (void* function = _Unwind_FindEnclosingFunction(position)) return function;
#endif
    return position;
}

// A position in code, and the offset of its place in the file that was loaded: equal on all ranks.
struct Frame {
    void* position = nullptr;
    std::uint64_t offset = 0;
    Dl_info info{};
};

// Whether a file that was loaded is the program or a library of this project.
bool is_own(const Dl_info& file) {
    static const void* const program = [] {
        Dl_info info{};
        const void* const start = dlsym(RTLD_DEFAULT, "main");
        return start && dladdr(start, &info) ? info.dli_fbase : nullptr;
    }();
    if (program && file.dli_fbase == program) return true;
    const char* const folder = std::strrchr(file.dli_fname, '/');
    return std::strncmp(folder ? folder + 1 : file.dli_fname, "libsolenoid", 11) == 0;
}

// How many files were unloaded so far: another one may lie where they were.
unsigned long long unloaded_files() {
    unsigned long long count = 0;
    const auto read = [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<unsigned long long*>(to) = info->dlpi_subs;
        return 1;  // the first knows
    };
    dl_iterate_phdr(read, &count);
    return count;
}

// The frame of a position in a file of this project, else none. dladdr() goes through all symbols
// of a file, so what it says is kept; only the first thread calls MPI.
const std::optional<Frame>& frame_at(void* position) {
    static std::unordered_map<void*, std::optional<Frame>> known;
    static unsigned long long unloaded = 0;
    if (const auto now = unloaded_files(); now != unloaded) {
        known.clear();
        unloaded = now;
    }
    const auto [at, is_new] = known.try_emplace(position);
    if (is_new) {
        Dl_info here{};
        dladdr(reinterpret_cast<void*>(&frame_at), &here);
        Frame frame{position, 0, {}};
        if (dladdr(position, &frame.info) &&
            (frame.info.dli_fbase == here.dli_fbase || is_own(frame.info))) {
            frame.offset = static_cast<std::uint64_t>(static_cast<char*>(place_of(position)) -
                                                      static_cast<char*>(frame.info.dli_fbase));
            at->second = frame;
        }
    }
    return at->second;
}

// The frames of the callers, nearest first, in files of this project.
[[gnu::noinline]] std::vector<Frame> called_from() {
    std::array<void*, most_frames> positions;
    const int count = backtrace(positions.data(), most_frames);
    std::vector<Frame> list;
    for (int k = own_frames; k < count; ++k)  // within the call, not behind it
        if (const auto& frame = frame_at(static_cast<char*>(positions[k]) - 1))
            list.push_back(*frame);
    return list;
}

// FNV-1a.
void mix_in(std::uint64_t& hash, std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) hash = (hash ^ std::uint64_t(b)) * 0x100000001b3u;
}

std::uint64_t hash_of(const char* name, const std::vector<Frame>& list) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    mix_in(hash, std::as_bytes(std::span(name, std::strlen(name))));
    for (const Frame& frame : list) mix_in(hash, std::as_bytes(std::span(&frame.offset, 1)));
    return hash;
}

std::string words_on(const Frame& frame) {
    // A function of the sanitizers' library, where the program has it.
    using Symbolize = void(void* position, const char* format, char* out, std::size_t size);
    static const auto symbolize =
        reinterpret_cast<Symbolize*>(dlsym(RTLD_DEFAULT, "__sanitizer_symbolize_pc"));
    if (symbolize) {
        std::array<char, 400> text{};
        symbolize(frame.position, "%f %S", text.data(), text.size() - 1);
        return text.data();
    }
    std::string words;
    if (frame.info.dli_sname) {
        int status = 0;
        char* plain = abi::__cxa_demangle(frame.info.dli_sname, nullptr, nullptr, &status);
        words = status == 0 ? plain : frame.info.dli_sname;
        std::free(plain);
        if (words.size() > longest_name) words = words.substr(0, longest_name) + "...";
    }
    const auto offset =
        static_cast<char*>(frame.position) - static_cast<char*>(frame.info.dli_fbase);
    return words + fmt::format(" [{}+{:#x}]", frame.info.dli_fname, offset);  // for addr2line -e
}

std::string words_on(const char* name, const std::vector<Frame>& list) {
    std::string words = name;
    for (std::size_t k = 0; k < list.size() && k < most_named; ++k)
        words += (k ? "\n    from " : "\n    in ") + words_on(list[k]);
    return words;
}

// The text of each rank, on all ranks.
std::vector<std::string> words_of_all(MPI_Comm comm, int size, const std::string& mine) {
    constexpr std::size_t length = 6000;
    std::vector<char> out(length, '\0'), all(length * size);
    std::memcpy(out.data(), mine.data(), std::min(mine.size(), length - 1));
    MPI_Allgather(out.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, comm);
    std::vector<std::string> words;
    for (int rank = 0; rank < size; ++rank) words.emplace_back(all.data() + rank * length);
    return words;
}

[[gnu::noinline]] void check_call(const CallingRanks& ranks, const char* name) {
    const std::vector<Frame> list = called_from();
    const std::int64_t mine = static_cast<std::int64_t>(hash_of(name, list) >> 1);  // not negative
    std::array<std::int64_t, 2> most{mine, -mine};
    ranks.largest(most);
    if (most[0] == -most[1]) return;
    const std::vector<std::string> words =
        words_of_all(ranks.comm, ranks.size, words_on(name, list));
    int other = 0;
    while (other + 1 < ranks.size && words[other] == words[0]) ++other;
    throw DifferentCalls(fmt::format(
        "the ranks make different collective calls, and would wait for each other forever:\n"
        "  rank 0: {}\n"
        "  rank {}: {}\n"
        "a call depends on a condition that differs between ranks",
        words[0], other, words[other]));
}

}  // namespace

void choose_checks_of_calls(MPI_Comm comm) {
#ifdef SOLENOID_CHECKED_CALLS
    int checks = 1;
#else
    int checks = 0;
#endif
    if (const char* said = std::getenv("SOLENOID_CHECK_CALLS"))
        checks = std::strcmp(said, "0") != 0;
    MPI_Bcast(&checks, 1, MPI_INT, 0, comm);
    CheckedCall::is_on = checks != 0;
}

[[gnu::noinline]] void CheckedCall::begin(const CallingRanks& ranks, const char* name) {
    if (ranks.size > 1 && calls_within == 0) check_call(ranks, name);
    ++calls_within;
}

}  // namespace solenoid
