#include "core/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Of a file whose lines are a name and a number.
std::map<std::string, double> numbers_in(const fs::path& file) {
    std::ifstream in(file);
    std::map<std::string, double> numbers;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name;
        double value = 0;
        if (words >> name >> value) numbers[name] = value;
    }
    return numbers;
}

// None where there is no such file, or no number in it ("max").
std::optional<double> number_in(const fs::path& file) {
    std::ifstream in(file);
    double value = 0;
    return in >> value ? std::optional(value) : std::nullopt;
}

// The names of a group's limit, its use, and of that what is a file's content, in its folder.
struct GroupFiles {
    const char *limit, *used, *of_files;
};

// Lowers the memory to the limits of a group and of those that it is in.
void limit_by_groups(const fs::path& top, const std::string& group, const GroupFiles& files,
                     HostMemory& memory) {
    fs::path folder = top / fs::path(group).relative_path();
    for (;; folder = folder.parent_path()) {
        const auto limit = number_in(folder / files.limit), used = number_in(folder / files.used);
        if (limit && used) {
            const auto numbers = numbers_in(folder / "memory.stat");
            const auto of_files = numbers.find(files.of_files);
            const double given_back = of_files == numbers.end() ? 0 : of_files->second;
            memory.total = std::min(memory.total, *limit);
            memory.free = std::min(memory.free, std::max(0.0, *limit - *used + given_back));
        }
        if (folder == top || !folder.has_relative_path()) return;
    }
}

}  // namespace

void release_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

std::optional<HostMemory> host_memory(const fs::path& root) {
    constexpr double unit = 1024;  // of meminfo
    auto numbers = numbers_in(root / "proc/meminfo");
    if (!numbers.contains("MemTotal:") || !numbers.contains("MemAvailable:")) return {};
    HostMemory memory{unit * numbers["MemTotal:"],
                      unit * (numbers["MemAvailable:"] + numbers["SwapFree:"])};
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {  // "4:memory:/of/this", "0::/of/this"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        const std::string kind = line.substr(first + 1, second - first - 1),
                          group = line.substr(second + 1);
        if (kind.empty())
            limit_by_groups(root / "sys/fs/cgroup", group,
                            {"memory.max", "memory.current", "inactive_file"}, memory);
        else if (kind == "memory")
            limit_by_groups(
                root / "sys/fs/cgroup/memory", group,
                {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, memory);
    }
    return memory;
}

}  // namespace solenoid
