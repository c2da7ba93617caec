#include "parallel/memory_need.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace solenoid {

void check_memory(const Communicator& comm, double bytes, const std::string& place,
                  const std::string& what, const std::string& remedy) {
    comm.agree([&] {
        const auto has = host_memory();
        const double needed = bytes * comm.local_size();
        if (!has || needed <= has->free) return;
        constexpr double unit = 1e9;
        throw InputError(
            place,
            fmt::format("{} take at least {:.3g} GB of memory{}, and this machine has {:.3g} GB "
                        "free, of {:.3g} GB: {}, or use ranks on more machines",
                        what, needed / unit,
                        comm.local_size() < comm.size() ? " on each machine" : "", has->free / unit,
                        has->total / unit, remedy));
    });
}

}  // namespace solenoid
