#include "core/threads.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <exception>
#include <memory>

namespace solenoid {
namespace {

// Threads that sleep while idle. A loop does not wait for a thread that the system has suspended:
// the others take its parts.
struct Pool {
    explicit Pool(int count)
        : limit(tbb::global_control::max_allowed_parallelism, count), arena(count) {}
    tbb::global_control limit;
    tbb::task_arena arena;
};

int count_of_threads = 1;
std::unique_ptr<Pool> pool;

}  // namespace

int threads() { return count_of_threads; }

void set_threads(int count) {
    count_of_threads = std::max(count, 1);
    pool = count_of_threads > 1 ? std::make_unique<Pool>(count_of_threads) : nullptr;
}

void in_threads(int parts, const std::function<void(int)>& part) {
    if (!pool || parts < 2) {
        for (int k = 0; k < parts; ++k) part(k);
        return;
    }
    std::vector<std::exception_ptr> thrown(parts);
    const auto run = [&](int k) {
        try {
            part(k);
        } catch (...) {
            thrown[k] = std::current_exception();
        }
    };
    pool->arena.execute([&] { tbb::parallel_for(0, parts, 1, run, tbb::simple_partitioner()); });
    for (const std::exception_ptr& error : thrown)
        if (error) std::rethrow_exception(error);
}

}  // namespace solenoid
