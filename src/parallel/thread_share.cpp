#include "parallel/thread_share.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "core/error.hpp"

namespace solenoid {
namespace {

// The cores that this process may use, as a text of zeros and ones.
std::string cores_allowed() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return "1";
    std::string text;
    for (int core = 0; core < CPU_SETSIZE; ++core) text += CPU_ISSET(core, &set) ? '1' : '0';
    return text.substr(0, text.rfind('1') + 1);
}

// The number of cores whose time a container gets, from "quota period" of control groups; infinite
// without a limit.
double quota_of_container() {
    double quota = 0, period = 0;
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    return file >> quota >> period && quota > 0 && period > 0
               ? quota / period
               : std::numeric_limits<double>::infinity();
}

}  // namespace

int thread_share(const Communicator& comm) {
    const std::string cores = cores_allowed(), mine = comm.host_name() + " " + cores;
    const std::vector<std::string> all = comm.texts(mine);
    const auto sharing = static_cast<int>(std::count(all.begin(), all.end(), mine));
    const char* wished = std::getenv("OMP_NUM_THREADS");
    // LONG_MAX where the number has more digits.
    const long count = wished ? std::strtol(wished, nullptr, 10) : 0;
    comm.agree([&] {
        if (count > most_threads)
            throw InputError(
                fmt::format("OMP_NUM_THREADS={}: a rank takes 1 to {} threads; unset the variable, "
                            "or say --threads",
                            wished, most_threads));
    });
    if (count > 0) return static_cast<int>(count);
    const double usable = std::min(double(std::count(cores.begin(), cores.end(), '1')),
                                   std::ceil(quota_of_container()));
    return std::clamp(int(usable) / sharing, 1, most_threads);
}

}  // namespace solenoid
